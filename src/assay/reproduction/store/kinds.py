"""The kinds of entries that a store holds: each with its table, its cells and what it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import Any, Generic, TypeVar

from assay.records import dataclass
from assay.reproduction import cells
from assay.reproduction.levels import Naming
from assay.reproduction.rows import Row
from assay.reproduction.store import facts, schema
from assay.reproduction.study import (
    Assessment,
    Attempt,
    Claim,
    Discrepancy,
    Experiment,
    Paper,
    Protocol,
    Result,
    Scale,
    Spent,
    Study,
)

F = TypeVar("F")
COMPONENT = "component."
"""A paper's cells with this beginning say how well it documents a component: component.Method = 0.50."""


class Kind(StrEnum):
    """What an entry is."""

    STUDY = "study"
    PAPER = "paper"
    ASSESSMENT = "assessment"
    ATTEMPT = "attempt"
    PROTOCOL = "protocol"
    TIME = "time"
    EXPERIMENT = "experiment"
    RESULT = "result"
    DISCREPANCY = "discrepancy"
    CLAIM = "claim"
    SCALE = "scale"


@dataclass(frozen=True)  # without slots, which a generic class cannot have
class Layout(Generic[F]):
    """How entries of a kind are kept and filled in."""

    model: type[schema.Kept]
    columns: tuple[str, ...]
    above: Kind | None
    read: Callable[[Row, Naming, date], F]
    cells: Callable[[F, Naming], list[str]]
    values: Callable[[F], facts.Values]
    fact: Callable[[Any], F]


def _read_study(row: Row, _: Naming, __: date) -> Study:
    return Study(row.text("title"), row.text("source"), row.choice("levels", Naming) or Naming.THESIS)


def _study_values(study: Study) -> facts.Values:
    """Without the values that components can have, which no cell holds."""
    return {name: value for name, value in facts.study_values(study).items() if name != "attainable"}


def _read_paper(row: Row, naming: Naming, _: date) -> Paper:
    documented = {n.removeprefix(COMPONENT).strip(): v for n, v in row.cells.items() if n.startswith(COMPONENT)}
    return replace(cells.read_paper(row, naming), components=cells.read_components(Row(row.where, documented)))


LAYOUTS: Mapping[Kind, Layout[Any]] = {
    Kind.STUDY: Layout[Study](
        model=schema.StudyRow,
        columns=("title", "source", "levels"),
        above=None,
        read=_read_study,
        cells=lambda study, _: [study.title, study.source, study.naming],
        values=_study_values,
        fact=facts.study_of,
    ),
    Kind.PAPER: Layout[Paper](
        model=schema.PaperRow,
        columns=cells.PAPER,
        above=None,
        read=_read_paper,
        cells=cells.paper_cells,
        values=facts.paper_values,
        fact=facts.paper_of,
    ),
    Kind.ASSESSMENT: Layout[Assessment](
        model=schema.AssessmentRow,
        columns=cells.ASSESSMENT,
        above=Kind.PAPER,
        read=lambda row, _, today: cells.read_assessment(row, today),
        cells=lambda assessment, _: cells.assessment_cells(assessment),
        values=facts.assessment_values,
        fact=facts.assessment_of,
    ),
    Kind.ATTEMPT: Layout[Attempt](
        model=schema.AttemptRow,
        columns=cells.ATTEMPT,
        above=Kind.PAPER,
        read=lambda row, _, today: cells.read_attempt(row, today=today),
        cells=lambda attempt, _: cells.attempt_cells(attempt),
        values=facts.attempt_values,
        fact=facts.attempt_of,
    ),
    Kind.PROTOCOL: Layout[Protocol](
        model=schema.ProtocolRow,
        columns=cells.PROTOCOL,
        above=Kind.ATTEMPT,
        read=lambda row, _, today: cells.read_protocol(row, today),
        cells=lambda protocol, _: cells.protocol_cells(protocol),
        values=facts.protocol_values,
        fact=facts.protocol_of,
    ),
    Kind.TIME: Layout[Spent](
        model=schema.SpentRow,
        columns=cells.SPENT,
        above=Kind.ATTEMPT,
        read=lambda row, _, today: cells.read_spent(row, today),
        cells=lambda spent, _: cells.spent_cells(spent),
        values=facts.spent_values,
        fact=facts.spent_of,
    ),
    Kind.EXPERIMENT: Layout[Experiment](
        model=schema.ExperimentRow,
        columns=cells.EXPERIMENT,
        above=Kind.ATTEMPT,
        read=lambda row, naming, _: cells.read_experiment(row, naming),
        cells=cells.experiment_cells,
        values=facts.experiment_values,
        fact=facts.experiment_of,
    ),
    Kind.RESULT: Layout[Result](
        model=schema.ResultRow,
        columns=cells.RESULT,
        above=Kind.EXPERIMENT,
        read=lambda row, _, __: cells.read_result(row),
        cells=lambda result, _: cells.result_cells(result),
        values=facts.result_values,
        fact=facts.result_of,
    ),
    Kind.DISCREPANCY: Layout[Discrepancy](
        model=schema.DiscrepancyRow,
        columns=cells.DISCREPANCY,
        above=Kind.ATTEMPT,
        read=lambda row, _, __: cells.read_discrepancy(row),
        cells=lambda discrepancy, _: cells.discrepancy_cells(discrepancy),
        values=facts.discrepancy_values,
        fact=facts.discrepancy_of,
    ),
    Kind.CLAIM: Layout[Claim](
        model=schema.ClaimRow,
        columns=cells.CLAIM,
        above=None,
        read=lambda row, _, __: cells.read_claim(row),
        cells=lambda claim, _: cells.claim_cells(claim),
        values=facts.claim_values,
        fact=facts.claim_of,
    ),
    Kind.SCALE: Layout[Scale](
        model=schema.ScaleRow,
        columns=cells.SCALE,
        above=None,
        read=lambda row, _, __: cells.read_scale(row),
        cells=lambda scale, _: cells.scale_cells(scale),
        values=facts.scale_values,
        fact=facts.scale_of,
    ),
}


def cells_of(kind: Kind, row: schema.Kept, naming: Naming) -> dict[str, str]:
    """What a row holds, as a person would fill it in."""
    layout = LAYOUTS[kind]
    fact = layout.fact(row)
    filled = dict(zip(layout.columns, map(str, layout.cells(fact, naming)), strict=True))
    if isinstance(fact, Paper):
        filled |= {f"{COMPONENT}{name}": value or "-" for name, value in fact.components}
    return filled
