"""The labelled set: each rule fires on leaky code, and nothing fires on its mended twin or on what only looks alike."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.leakage.code.analysis import analyse_text
from assay.leakage.code.checks.leak import DEFAULT_POLICY
from assay.records import replace

FOLDER = Path(__file__).parent / "snippets"
_HEADING = re.compile(
    r"^#%% (?P<label>before|leaky|fixed|near miss)(?P<codes>[^|\n]*)(?:\| (?P<title>.*))?$", re.MULTILINE
)


@dataclass(frozen=True)
class Snippet:
    """A program, what it is called, and the codes of exactly the rules that must fire."""

    rule: str
    label: str
    title: str
    codes: frozenset[str]
    text: str

    def __str__(self) -> str:
        return f"{self.rule} {self.label}: {self.title}"


def snippets() -> Iterator[Snippet]:
    """All of them, by rule."""
    for path in sorted(FOLDER.glob("*.py.txt")):
        yield from _in(path.name.removesuffix(".py.txt"), path.read_text(encoding="utf-8"))


def _in(rule: str, text: str) -> Iterator[Snippet]:
    before = ""
    headings = list(_HEADING.finditer(text))
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        body = text[heading.end() : following.start() if following else len(text)]
        if heading["label"] == "before":
            before = body
        else:
            codes = frozenset(heading["codes"].split())
            yield Snippet(rule, heading["label"], heading["title"], codes, before + body)


ALL = list(snippets())
COMPARISONS = "LX1-compared"
"""The file about models that are merely scored side by side; in the others that is not asked for."""


@pytest.mark.parametrize("snippet", ALL, ids=str)
def test_exactly_the_named_rules_fire(snippet: Snippet) -> None:
    policy = DEFAULT_POLICY if snippet.rule == COMPARISONS else replace(DEFAULT_POLICY, comparisons=False)
    found = analyse_text(snippet.text, policy=policy)
    assert {leak.code for leak in found.leaks} == snippet.codes, [leak.message for leak in found.leaks]


def test_the_set_is_large_and_covers_every_rule() -> None:
    labels = Counter((s.rule, s.label) for s in ALL)
    assert len(ALL) >= 150
    for rule in ("L1.1", "L1.2", "L1.3", "L1.4", "L2", "L3.1", "L3.2", "L3.3", "LX1", "LX2", "LX9"):
        assert all(labels[rule, label] for label in ("leaky", "fixed", "near miss")), rule
    assert all(s.codes if s.label == "leaky" else not s.codes for s in ALL)


@pytest.mark.parametrize("snippet", ALL, ids=str)
def test_every_snippet_is_python(snippet: Snippet) -> None:
    ast.parse(snippet.text)
