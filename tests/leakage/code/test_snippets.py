"""The labelled set: each rule fires on leaky code, and nothing fires on its corrected twin or on what only looks alike.

`leaky` code has exactly the codes named. `fixed` and `near miss` have none; a code with a question mark may be a note.
`missed` leaks and `accused` code that is clean are known faults of the analysis: a change that fixes one fails here, so
that the label is corrected. LX10 only states how often a part is used; it is compared where a heading names it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.findings import Severity
from assay.leakage.code.analysis import analyse_text

FOLDER = Path(__file__).parent / "snippets"
_HEADING = re.compile(
    r"^#%% (?P<label>before|leaky|fixed|near miss|missed|accused)(?P<codes>[^|\n]*)(?:\| (?P<title>.*))?$",
    re.MULTILINE,
)
_MOST_FAULTS = 0.05
"""The share of snippets that may be known faults."""


@dataclass(frozen=True)
class Snippet:
    """A program, what it is called, and the codes of the rules that must fire."""

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
USED_AGAIN = "LX10"


@pytest.mark.parametrize("snippet", ALL, ids=str)
def test_exactly_the_named_rules_fire(snippet: Snippet) -> None:
    found = analyse_text(snippet.text)
    notes = {code.rstrip("?") for code in snippet.codes if code.endswith("?")}
    sure = {code for code in snippet.codes if not code.endswith("?")}
    ignored = notes if USED_AGAIN in sure else notes | {USED_AGAIN}
    wanted = set() if snippet.label == "missed" else sure
    assert {leak.code for leak in found.leaks} - ignored == wanted, [leak.message for leak in found.leaks]
    assert all(leak.severity is Severity.NOTE for leak in found.leaks if leak.code in notes)


def test_the_set_is_large_and_covers_every_rule() -> None:
    labels = Counter((s.rule, s.label) for s in ALL)
    assert len(ALL) >= 1900
    for rule in ("L1.1", "L1.2", "L1.3", "L1.4", "L2", "L3.1", "L3.2", "L3.3", "LX1", "LX2", "LX9"):
        assert all(labels[rule, label] for label in ("leaky", "fixed", "near miss")), rule


def test_known_faults_are_few() -> None:
    labels = Counter(s.label for s in ALL)
    assert labels["missed"] + labels["accused"] <= _MOST_FAULTS * len(ALL)
    assert labels["accused"] == 0
