"""Makes the pages of the rules reference out of the rules themselves, while MkDocs builds.

The pages exist only inside the build: there is no copy in the repository that could fall behind the code,
and nothing to regenerate by hand.
"""

from __future__ import annotations

import re
from itertools import groupby
from operator import attrgetter
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from assay.rules import Rule, all_rules

INTRODUCTION = """\
# Rules

Every rule has a code that does not change. `assay explain CODE` prints the same as its page here; the examples
are those that the tests run.
"""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Hang the generated pages under "Rules" in the navigation."""
    by_name = [{name: [path_of(rule) for rule in rules]} for name, rules in by_instrument()]
    section = {"Rules": ["rules/index.md", *by_name]}
    config.nav = [section if entry == {"Rules": "rules/"} else entry for entry in config.nav or []]
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages to those that stand in docs/."""
    for path, content in pages().items():
        files.append(File.generated(config, path, content=content))
    return files


def pages() -> dict[str, str]:
    """Path and Markdown of each page."""
    return {"rules/index.md": index()} | {path_of(rule): page(rule) for rule in all_rules()}


def path_of(rule: Rule[Any]) -> str:
    return f"rules/{rule.code}.md"


def by_instrument() -> list[tuple[str, list[Rule[Any]]]]:
    rules = sorted(all_rules(), key=attrgetter("instrument.name"))  # stable: by code within an instrument
    return [(name, list(group)) for name, group in groupby(rules, key=attrgetter("instrument.name"))]


def index() -> str:
    parts = [INTRODUCTION]
    for name, rules in by_instrument():
        rows = [f"| [{r.code}]({r.code}.md) | {r.title} | {r.severity} | {r.confidence} |" for r in rules]
        table = ["| Code | Rule | Severity | Confidence |", "|---|---|---|---|", *rows]
        parts.append("\n".join([f"## {name}", "", rules[0].instrument.question, "", *table, ""]))
    return "\n".join(parts)


def page(rule: Rule[Any]) -> str:
    language = rule.instrument.example_language
    parts = [
        f"# {rule.code}: {rule.title}",
        f"**{rule.severity}**, confidence **{rule.confidence}**. {rule.instrument.name}: *{rule.instrument.question}*",
        "## Why it matters",
        rule.why,
        "## Fails",
        fenced(rule.failing, language),
        "## Passes",
        fenced(rule.passing, language),
    ]
    if rule.advice:
        parts += ["## What to do", rule.advice]
    parts += ["## Source", str(rule.source)]
    return "\n\n".join(parts) + "\n"


def fenced(example: str, language: str) -> str:
    """A code block whose fence is longer than any run of backticks within."""
    longest = max((len(run) for run in re.findall(r"`+", example)), default=0)
    ticks = "`" * max(3, longest + 1)
    return "\n".join([ticks + language, example.strip("\n"), ticks])
