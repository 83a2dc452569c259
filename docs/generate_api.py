"""Makes the pages of the Python interface out of signatures and docstrings, while MkDocs builds.

What stands in `PUBLIC` is the interface that the versioning policy speaks of; everything else may change any day.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PUBLIC: dict[str, tuple[str, ...]] = {
    "assay.interface": ("check_scores", "check_table", "audit", "scan_code", "scan_data", "compare",
                        "inspect_repository", "read_paper", "Answer", "ScoreAnswer", "TableAnswer", "CodeAnswer",
                        "RepositoryAnswer", "PaperAnswer", "ComparisonAnswer", "LostDigitsWarning"),
    "assay.scores": ("check_scores", "check_file"),
    "assay.scores.check": ("Result",),
    "assay.leakage": ("watch", "watched", "LeakageWarning"),
    "assay.leakage.code.analysis": ("analyse_text", "analyse", "Analysis"),
    "assay.tables": ("read_table",),
    "assay.leakage.data": ("Roles", "split_of_tables", "split_by_column", "check_split"),
    "assay.comparison": ("compare_models", "compare_fold_scores"),
    "assay.repository.facts": ("read_repository",),
    "assay.repository.check": ("assess", "Assessment"),
    "assay.checklists.files": ("load",),
    "assay.checklists.filled": ("read_filled", "Filled"),
    "assay.metadata.files": ("read_metadata", "metadata_in"),
    "assay.metadata.description": ("Description",),
    "assay.corpus": ("open_results",),
    "assay.notebook": ("scan_cells",),
    "assay.tree": ("open_tree",),
    "assay.code": ("read_code",),
    "assay.findings": ("Report", "Finding", "Judgement", "Evidence", "Location", "Severity", "Confidence", "Verdict",
                       "Table", "Figure", "quote", "numbers", "witness", "certificate", "note"),
    "assay.rules": ("Instrument", "Rule", "Source", "all_rules", "get_rule"),
    "assay.report": ("render", "write", "Format"),
    "assay.errors": ("InputError",),
}  # fmt: skip
"""The public names of each module, the first module being the one that most people come for."""

INTRODUCTION = """\
# Python interface

What is listed here is public: [versions](../versioning.md) say how it may change. Other names may change any day.

| Module | Names |
|---|---|
"""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Hang the generated pages under "Python" in the navigation."""
    section = {"Python": ["api/index.md", *({name: path_of(name)} for name in PUBLIC)]}
    config.nav = [section if entry == {"Python": "api/"} else entry for entry in config.nav or []]
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages to those that stand in docs/."""
    for path, content in pages().items():
        files.append(File.generated(config, path, content=content))
    return files


def pages() -> dict[str, str]:
    """Path and Markdown of each page."""
    return {"api/index.md": index()} | {path_of(name): page(name) for name in PUBLIC}


def path_of(module: str) -> str:
    return f"api/{module}.md"


def index() -> str:
    rows = (f"| [`{m}`]({m}.md) | {', '.join(f'`{n}`' for n in names)} |" for m, names in PUBLIC.items())
    return INTRODUCTION + "\n".join(rows) + "\n"


def page(module: str) -> str:
    loaded = importlib.import_module(module)
    parts = [f"# {module}", prose(loaded)]
    for name in PUBLIC[module]:
        parts += described(name, getattr(loaded, name))
    return "\n\n".join(part for part in parts if part) + "\n"


def described(name: str, thing: Any) -> Iterator[str]:
    """A heading, the signature, the docstring; of a class its fields and public methods too."""
    yield f"## {name}"
    if not inspect.isclass(thing):
        yield signature(name, thing)
        yield prose(thing)
        return
    yield f"```python\nclass {name}\n```"
    yield prose(thing)
    if issubclass(thing, Enum):
        yield "\n".join(f"- `{member.name}`: `{member.value}`" for member in thing)
    elif is_dataclass(thing):
        shown = [f for f in fields(thing) if not f.name.startswith("_")]
        yield "\n".join(["| Field | Type |", "|---|---|", *(f"| `{f.name}` | `{typed(f.type)}` |" for f in shown)])
    for method, function in vars(thing).items():
        if method.startswith("_") or not callable(getattr(function, "fget", function)):
            continue
        if isinstance(function, property):
            yield f"### {name}.{method}"
            yield prose(function)
        elif inspect.isfunction(function):
            yield f"### {name}.{method}"
            yield signature(method, function)
            yield prose(function)


def signature(name: str, function: Any) -> str:
    given = str(inspect.signature(function)).replace("'", "")
    return f"```python\n{name}{given}\n```"


def typed(annotation: object) -> str:
    return str(annotation).replace("|", r"\|")


def prose(thing: Any) -> str:
    """A docstring as Markdown: an indented block after a colon is code."""
    text = inspect.getdoc(thing) or ""
    return re.sub(r"``(.+?)``", r"`\1`", re.sub(r"::\n", ":\n", text))
