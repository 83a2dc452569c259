"""Rows of scores read the quick way mean what they mean the usual way."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.corpus.instruments import load
from assay.corpus.subject import Subject, Task
from assay.corpus.tables import finding_cells, verdict_cells
from assay.errors import InputError
from assay.findings import Location
from assay.scores.check import check
from assay.scores.compilation import experiment_of
from assay.scores.reporting import report_of
from assay.scores.study import nested
from assay.scores.table_rows import read_row
from assay.scores.tasks import AnyExperiment

Read = Callable[[tuple[tuple[str, str], ...]], AnyExperiment]
NAMES = [
    "acc",
    "sens",
    "spec",
    "f1",
    "Precision",
    "error_rate",
    "mcc",
    "gm",
    "auc",
    "tp",
    "f2",
    "acc_sd",
    "p",
    "nonsense",
]
FIGURES = ["0.9", "0.94", "0.9400", "94%", "0.94 ± 0.02", "[0.9, 0.95]", "1.5", "abc", "12", "inf", "0"]
COUNTS = ["0", "7", "100", "250", "1e3", "-3", "٣", "1" * 16, "12.5", ""]


def usual(cells: tuple[tuple[str, str], ...]) -> AnyExperiment:
    data = nested(cells, where="list.csv:2")
    data.setdefault("name", "row 1")
    return experiment_of(data, where="list.csv:2", location=Location("list.csv", 2))


def quick(cells: tuple[tuple[str, str], ...]) -> AnyExperiment:
    return read_row(cells, name="row 1", where="list.csv:2", location=Location("list.csv", 2))


def told(read: Read, cells: tuple[tuple[str, str], ...]) -> AnyExperiment | str:
    """The experiment, or the complaint about the row."""
    try:
        return read(cells)
    except InputError as error:
        return str(error)


@given(
    p=st.sampled_from(COUNTS),
    n=st.sampled_from(COUNTS),
    scores=st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(FIGURES)), max_size=4),
    extra=st.sampled_from([(), (("folds", "5"),), (("rounding", "down"),), (("eps", "0.01"),), (("name", "row 1"),)]),
)
@example("100", "250", [("acc", "0.9"), ("sens", "0.94")], ())
@example("100", "250", [("acc", "0.9"), ("acc", "0.94")], ())
def test_both_ways_give_the_same_experiment_or_the_same_complaint(
    p: str, n: str, scores: list[tuple[str, str]], extra: tuple[tuple[str, str], ...]
) -> None:
    cells = tuple(cell for cell in (("p", p), ("n", n), *scores, *extra) if cell[1])
    assert told(quick, cells) == told(usual, cells)


@pytest.mark.parametrize(
    "cells",
    [
        (("p", "100"), ("n", "200"), ("acc", "0.90"), ("sens", "0.80"), ("spec", "0.80")),
        (("p", "100"), ("n", "200"), ("acc", "0.8"), ("sens", "0.8"), ("spec", "0.8")),
        (("p", "0"), ("n", "20"), ("sens", "0.5")),
        (("p", "38"), ("n", "262"), ("folds", "5"), ("acc", "0.9447"), ("sens", "0.9139"), ("spec", "0.9733")),
        (("classes", "50,50,50"), ("acc", "0.9400"), ("recall_macro", "0.9467")),
    ],
)
def test_the_instrument_says_what_the_command_says(cells: tuple[tuple[str, str], ...]) -> None:
    report = report_of([check(usual(cells))])
    examined = load(Task("scores"), lambda: None).examine(Subject(0, "row 1", "list.csv", (), cells, 2))
    assert examined.verdicts == tuple(map(verdict_cells, report.judgements))
    assert examined.findings == tuple(map(finding_cells, report.findings))
    assert examined.facts["verdict"] == report.judgements[0].verdict.value
