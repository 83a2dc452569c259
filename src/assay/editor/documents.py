"""Findings in the text of an open document. Nothing is written, nothing is run."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.findings import Finding, Fix, Location
from assay.records import dataclass, replace

if TYPE_CHECKING:
    from assay.code import Code, Source
    from assay.leakage.code.analysis import Analysis
    from assay.repository.facts import Repository

Check = Callable[[str, str], Sequence[Finding]]


@dataclass(frozen=True)
class Document:
    """The text of a script, score file or manuscript; or of a notebook, whose cells have addresses."""

    name: str
    text: str
    addresses: tuple[str, ...]

    def address(self, place: Location | None) -> str:
        """The address where the editor shows a place: the document, or a notebook cell."""
        return self.addresses[(place.cell if place and place.cell else 1) - 1]


def notebook_of(cells: Sequence[tuple[str, str]]) -> Document:
    """A notebook made of these code cells (address, text), in order."""
    written: list[dict[str, object]] = [
        {"cell_type": "code", "execution_count": None, "source": text, "outputs": [], "metadata": {}}
        for _, text in cells
    ]
    content = {"cells": written, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return Document("notebook.ipynb", json.dumps(content), tuple(address for address, _ in cells))


def findings_in(name: str, text: str) -> tuple[Finding, ...]:
    """The findings in a document that have a place; none for a document that cannot be read."""
    return _run(CHECKS.get(PurePath(name).suffix.lower()), name, text)


@lru_cache(maxsize=8)
def findings_with_fixes(name: str, text: str) -> tuple[Finding, ...]:
    """The findings with their patches. Each patch is verified by another analysis, which takes longer."""
    return _run(FIXES.get(PurePath(name).suffix.lower()), name, text)


def _run(check: Check | None, name: str, text: str) -> tuple[Finding, ...]:
    if check is None:
        return ()
    try:
        return tuple(finding for finding in check(PurePath(name).name, text) if finding.location is not None)
    except InputError:  # half-typed text: the next key stroke may complete it
        return ()


def _code(name: str, text: str) -> Sequence[Finding]:
    """Leaks, and random generators that are never seeded."""
    from assay.leakage.code.analysis import analyse_source

    facts = _facts(name, text)
    return [*_leaks(facts.code, name, analyse_source), *_seeds(facts)]


def _code_with_fixes(name: str, text: str) -> Sequence[Finding]:
    from assay.leakage.code.patches.proposal import analyse_with_fixes
    from assay.repository.proposals import propose

    facts = _facts(name, text)
    offered = {code: change.fix for change in propose(facts) if change.path == name for code in change.codes}
    seeds = [replace(finding, fix=offered.get(finding.code)) for finding in _seeds(facts)]
    return [*_leaks(facts.code, name, analyse_with_fixes), *seeds]


def _facts(name: str, text: str) -> Repository:
    from assay.repository.facts import read_repository
    from assay.tree.opening import tree_of

    return read_repository(tree_of({name: text}))


def _leaks(code: Code, name: str, examine: Callable[[Code, Source], Analysis]) -> Sequence[Finding]:
    from assay.leakage.code.analysis import gathered
    from assay.leakage.code.leak_report import report_of, suppressions_in
    from assay.suppressions import apply_suppressions

    analysis = gathered(examine(code, source) for source in code.python)
    return apply_suppressions(report_of(analysis, [name]), list(suppressions_in(code.sources))).findings


def _seeds(facts: Repository) -> Sequence[Finding]:
    from assay.repository.assessment_report import report_of
    from assay.repository.check import assess

    return [finding for finding in report_of([assess(facts)]).findings if finding.code.startswith("R4")]


def _scores(name: str, text: str) -> Sequence[Finding]:
    """Findings in the scores of a study; none for a file that is not a study."""
    from assay.scores.check import check
    from assay.scores.reading import read_file
    from assay.scores.rules import scores

    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        return [finding for experiment in read_file(path) for finding in scores.run(check(experiment))]


def _manuscript(name: str, text: str) -> Sequence[Finding]:
    """Findings about numbers and score tables, but not about what the paper omits."""
    from assay.article.reading import read_paper
    from assay.audit.paper_scores import with_numbers
    from assay.findings import Report

    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        return with_numbers(Report(name), [read_paper(path)], scores=True).findings


CHECKS: dict[str, Check] = {".py": _code, ".ipynb": _code, ".toml": _scores, ".tex": _manuscript}
"""Checks by the ending of the document's name."""
FIXES: dict[str, Check] = {".py": _code_with_fixes, ".ipynb": _code_with_fixes}


def repository_changes(folder: Path) -> Sequence[tuple[Path, Fix]]:
    """The files inside a folder that `assay repo fix` would change or add, each with its edits."""
    from assay.repository.facts import read_repository
    from assay.repository.proposals import propose
    from assay.tree import open_tree

    root = folder.resolve()
    found = [(root / change.path, change.fix) for change in propose(read_repository(open_tree(root)))]
    return [(path, fix) for path, fix in found if path.resolve().is_relative_to(root)]  # links may lead out of it
