"""``assay leakage sheet``: the model info sheet, pre-filled from code and data, and checked against them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Delivery, reporting, tell

if TYPE_CHECKING:
    from assay.checklists.rules import Known
    from assay.checklists.template import Proposal
    from assay.findings import Finding
    from assay.leakage.data.outcome import Outcome
    from assay.leakage.data.split import Split
    from assay.leakage.inventory import Listed

_SHEET = "model-info-sheet"
_MOST_NAMED = 5
_CODE = "assay leakage code"
_WORDS = {
    "B1": "The code splits with",
    "B2": "Sizes in the code:",
    "B3": "Steps that learn from rows:",
    "B4": "Gaps are filled by",
    "B5": "Rows are resampled or made by",
    "B6": "Features are selected by",
    "B7": "Choices are made by",
    "B9": "Duplicates are dropped by",
    "D2": "The split is ordered in time by",
    "D3": "Rows of one group are kept together by",
    "D4": "Rows are dropped by",
}
"""How the proposed answer begins, by question."""
_NONE = {
    "B5": "No call of a known library resamples rows or makes new ones",
    "B6": "No call of a known library selects features",
    "B9": "No call of a known library drops duplicates",
    "D2": "No splitter of a known library keeps the order in time",
}
"""Yes/no questions, with the answer to propose when nothing was found."""
_ABOUT = {
    "impute": ("B3", "B4"),
    **dict.fromkeys(("oversample", "undersample", "augment", "copy"), ("B3", "B5")),
    **dict.fromkeys(("select", "variance", "correlation"), ("B6",)),
}
"""The questions that a step in code concerns, by its kind; any other step is pre-processing."""
_PREPARATION = ("B3",)
_OF_STEPS = frozenset({"L1.2", "L1.3"})
"""Findings about one of several steps, each with a question of its own."""
_CHECKED = {
    "B3": ("scaling", "target encoding"),
    "B4": ("imputation",),
    "B5": ("interpolated rows", "oversampling"),
    "B9": ("exact copies", "near copies", "copies with noise"),
    "C3": ("proxies of the target",),
    "D2": ("time",),
    "D3": ("groups",),
}
"""The table checks whose results are proposed as answers, by question."""


def add_to(app: typer.Typer) -> None:
    """Add the command to the group."""
    app.command("sheet")(sheet)


@reporting()
def sheet(
    path: Annotated[Path, typer.Argument(metavar="SHEET", help="The sheet: made if it is not there, else checked.")],
    code: Annotated[list[Path] | None, typer.Option(metavar="PATH", help="Scripts, notebooks, folders.")] = None,
    train: Annotated[Path | None, typer.Option(metavar="FILE", help="The training part.")] = None,
    test: Annotated[Path | None, typer.Option(metavar="FILE", help="The test part.")] = None,
    target: Annotated[str | None, typer.Option(metavar="COLUMN", help="The outcome.")] = None,
    *,
    delivery: Delivery,
) -> int:
    """Which questions about leakage do code and data answer?

    And which answers do they contradict?

    A sheet that is not there is made: what the code and the tables show is proposed with its evidence, and the
    arguments that only a person can make are left to one. A sheet that exists is checked against them.
    """
    from assay.errors import InputError
    from assay.files import is_there

    if (train is None) != (test is None):
        raise InputError("--train and --test go together", fix="Give both, or neither.")
    known: list[Known] = []
    proposed: dict[str, Proposal] = {}
    if code:
        known += _from_code(code, proposed)
    if train and test:
        known += _from_tables(train, test, target, proposed)
    if not is_there(path):
        return _write(path, known, proposed)
    return _check(path, known, delivery)


def _from_code(paths: list[Path], proposed: dict[str, Proposal]) -> Iterator[Known]:
    from assay.checklists.materials import proposals_of
    from assay.checklists.template import Proposal
    from assay.leakage.code.analysis import analyse_source, gathered
    from assay.leakage.code.leak_report import report_of
    from assay.leakage.code.reading.opened_code import open_code
    from assay.leakage.inventory import inventory

    opened = [open_code(path, project=True) for path in paths]
    files = [(one.code, source) for one in opened for source in one.sources]
    analysis = gathered(analyse_source(every, source) for every, source in files)
    for path in paths:
        proposed.update(proposals_of(path))
    proposed.update(_steps(inventory(source for _, source in files), len(files)))
    if analysis.evaluations:
        told = f"Models evaluated in the code: {analysis.models}, at {analysis.evaluations} lines"
        proposed["B8"] = Proposal(told, ", ".join(map(str, paths)), _CODE)
    kinds = {(leak.code, leak.message): leak.kind for leak in analysis.leaks}

    def about(finding: Finding) -> tuple[str, ...]:
        kind = kinds.get((finding.code, finding.message))
        return _ABOUT.get(kind, _PREPARATION) if kind else ()

    return _conceded(report_of(analysis, list(map(str, paths))).findings, about)


def _steps(listed: Sequence[Listed], files: int) -> Iterator[tuple[str, Proposal]]:
    """The calls that a question is about; for yes/no questions, also that none was found."""
    from assay.checklists.template import Proposal
    from assay.leakage.inventory import Shelf, described

    for shelf in Shelf:
        found = [one for one in listed if one.shelf is shelf]
        if found:
            names, places = described(found, _MOST_NAMED)
            yield shelf.value, Proposal(f"{_WORDS[shelf.value]} {names}", places, _CODE)
        elif shelf.value in _NONE and files:
            where = f"{files} file{'s' if files > 1 else ''} of code"
            yield shelf.value, Proposal(f"{_NONE[shelf.value]}; steps written by hand are not recognised", where, _CODE)


def _from_tables(train: Path, test: Path, target: str | None, proposed: dict[str, Proposal]) -> Iterator[Known]:
    from assay.checklists.rules import Known
    from assay.checklists.template import Proposal
    from assay.leakage.data.checking import outcomes_of
    from assay.leakage.data.split import Roles, split_of_tables
    from assay.tables import read_table

    split = split_of_tables(read_table(train), read_table(test), Roles(target))
    outcomes = outcomes_of(split)
    for item, text in _answers_of_tables(split, outcomes):
        shown = Proposal(text, f"{train}, {test}", "assay leakage data")
        proposed[item] = _joined(proposed.get(item), shown)
    heights = [part.height for part in (split.train, split.test) if part is not None]
    yield Known("table-size", f"the tables have {_sizes(split)}", items=("B2",), counts=(*heights, sum(heights)))
    for outcome in outcomes:
        about = tuple(item for item, checks in _CHECKED.items() if outcome.line.check in checks)
        yield from _conceded(outcome.findings, partial(_if_of_a_step, about))


def _if_of_a_step(items: tuple[str, ...], finding: Finding) -> tuple[str, ...]:
    return items if finding.code in _OF_STEPS else ()


def _answers_of_tables(split: Split, outcomes: Sequence[Outcome]) -> Iterator[tuple[str, str]]:
    """What the tables show, by question; a check that could not look shows nothing."""
    results = {outcome.line.check: outcome.line.result for outcome in outcomes if outcome.line.ran}
    yield "B2", _sizes(split)
    yield "B4", _gaps(split)
    for item, checks in _CHECKED.items():
        told = [f"{check}: {results[check]}" for check in checks if check in results]
        if told:
            yield item, "; ".join(told)


def _gaps(split: Split) -> str:
    """Columns with missing values, and how many."""
    gapped = sorted((c for c in split.columns.values() if c.missing > 0), key=lambda c: -c.missing)
    if not gapped:
        return "No cell is missing"
    named = ", ".join(f"{c.name} {100 * c.missing:.1f} %" for c in gapped[:_MOST_NAMED])
    return f"{len(gapped)} of {len(split.columns)} columns have missing cells ({named})"


def _sizes(split: Split) -> str:
    from assay.tables import counted

    told = []
    for name, part in (("training", split.train), ("test", split.test)):
        if part is not None:
            outcomes = ""
            if split.roles.target and part[split.roles.target].n_unique() <= 10:
                counts = counted(part.get_column(split.roles.target))
                outcomes = " (" + ", ".join(f"{value}: {count}" for value, count in counts) + ")"
            told.append(f"{name} part: {part.height} rows{outcomes}")
    return "; ".join(told)


def _conceded(findings: Iterable[Finding], about: Callable[[Finding], tuple[str, ...]]) -> Iterator[Known]:
    """Findings that are more than notes, with the questions that they concern and the phrases that concede them."""
    from assay.checklists.rules import Known
    from assay.findings import Severity
    from assay.leakage.rules.admissions import admissions

    for finding in findings:
        if finding.severity is not Severity.NOTE:
            concessions = admissions().get(finding.code, ())
            yield Known(finding.code, finding.message, finding.location, about(finding), concessions)


def _write(path: Path, known: list[Known], proposed: dict[str, Proposal]) -> int:
    from assay.checklists.files import load
    from assay.checklists.proposals import propose
    from assay.checklists.template import markdown_form, yaml_form
    from assay.cli import CLEAN
    from assay.report import write

    checklist = load(_SHEET)
    found = propose(checklist, known)
    answers = proposed | {item: _joined(proposed.get(item), proposal) for item, proposal in found.items()}
    form = markdown_form if path.suffix.lower() in {".md", ".markdown"} else yaml_form
    write(form(checklist, answers), path, force=False)
    left = len(checklist) - len(answers)
    tell(f"{len(answers)} answers proposed in {path}, {left} left to a person")
    return CLEAN


def _joined(shown: Proposal | None, found: Proposal) -> Proposal:
    """What the code does, joined with what was found in it or in the tables."""
    if shown is None:
        return found
    return replace(found, text=f"{shown.text}. {found.text}", evidence=f"{found.evidence}; {shown.evidence}")


def _check(
    path: Path,
    known: list[Known],
    delivery: Delivery,
) -> int:
    from assay.checklists.filled import read_filled
    from assay.checklists.report import report_of

    report = report_of([read_filled(path)], known, command=f"assay leakage sheet {path}")
    return delivery.send(report)
