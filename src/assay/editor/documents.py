"""What Assay finds in the text of an open document. Nothing is written, nothing is run."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from assay.errors import InputError
from assay.findings import Finding

Check = Callable[[str, str], Sequence[Finding]]


def findings_in(name: str, text: str) -> tuple[Finding, ...]:
    """The findings in a document, each with a place in it; a document that cannot be read has none."""
    check = CHECKS.get(PurePath(name).suffix.lower())
    if check is None:
        return ()
    try:
        return tuple(finding for finding in check(name, text) if finding.location is not None)
    except InputError:  # half-typed text: the next key stroke may complete it
        return ()


def findings_in_cells(cells: Sequence[str]) -> tuple[Finding, ...]:
    """The findings in a notebook whose code cells are these, in their order."""
    held: list[dict[str, object]] = [
        {"cell_type": "code", "execution_count": None, "source": text, "outputs": [], "metadata": {}} for text in cells
    ]
    document = {"cells": held, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return findings_in("notebook.ipynb", json.dumps(document))


def _code(name: str, text: str) -> Sequence[Finding]:
    """Leaks with their patches, and generators that are never seeded."""
    from assay.code import read_code
    from assay.leakage.code.analysis import gathered
    from assay.leakage.code.patches.proposal import analyse_with_fixes
    from assay.leakage.code.reporting import report_of, suppressions_in
    from assay.suppressions import apply_suppressions
    from assay.tree.opening import tree_of

    tree = tree_of({PurePath(name).name: text})
    code = read_code(tree)
    analysis = gathered(analyse_with_fixes(code, source) for source in code.python)
    report = apply_suppressions(report_of(analysis, [name]), list(suppressions_in(code.sources)))
    return [*report.findings, *_seeds(PurePath(name).name, text)]


def _seeds(name: str, text: str) -> Sequence[Finding]:
    from assay.repository.check import assess
    from assay.repository.facts import read_repository
    from assay.repository.reporting import report_of
    from assay.tree.opening import tree_of

    found = report_of([assess(read_repository(tree_of({name: text})))]).findings
    return [finding for finding in found if finding.code.startswith("R4")]


def _scores(name: str, text: str) -> Sequence[Finding]:
    from assay.scores.check import check
    from assay.scores.reading import read_file
    from assay.scores.rules import scores

    if "[[experiment]]" not in text:
        return ()
    with TemporaryDirectory() as folder:
        path = Path(folder) / PurePath(name).name
        path.write_text(text, encoding="utf-8")
        return [finding for experiment in read_file(path) for finding in scores.run(check(experiment))]


def _manuscript(name: str, text: str) -> Sequence[Finding]:
    """Numbers in the text and scores in the tables; what the paper leaves out is no matter for an editor."""
    from assay.article.reading import read_paper
    from assay.audit.paper_scores import with_numbers
    from assay.findings import Report

    with TemporaryDirectory() as folder:
        path = Path(folder) / PurePath(name).name
        path.write_text(text, encoding="utf-8")
        return with_numbers(Report(name), [read_paper(path)], scores=True).findings


CHECKS: dict[str, Check] = {".py": _code, ".ipynb": _code, ".toml": _scores, ".tex": _manuscript}
"""By the ending of the document's name."""
