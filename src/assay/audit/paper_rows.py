"""What became of each row of scores in a paper: bound to a set, read in each reasonable way, tested exactly.

A row is tested only against a set that it is bound to, and never when its table says that figures are means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from assay.article.reading import Paper
from assay.article.sets.averages import Averaged, averages_of, described, resampling_in
from assay.article.sets.bindings import Binding, Strength, Unbound, bind, role_of_row
from assay.article.sets.model import CountedSet
from assay.article.sets.register import register_of
from assay.article.tables import Grid, ScoreRow, ScoreTable, score_tables_of
from assay.audit.matrix_relations import MatrixScores, matrix_scores
from assay.audit.report_relations import report_averages
from assay.audit.score_readings import Tried, excluded_at_any_size, fitting, tried_at_any_size, tried_readings
from assay.audit.sentence_rows import sentence_rows
from assay.audit.table_relations import Derived, Shares, Stranger, derived_of, shares_of, strangers_of
from assay.findings import Verdict
from assay.records import dataclass
from assay.reported.model import Role

_FEWEST_STRANGERS = 3
"""So many rows that all fail speak against the binding, not against the rows."""


class Status(StrEnum):
    """What became of a row of scores."""

    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"
    CONDITIONAL = "impossible as stated"
    """Under the stated reading; others are possible."""
    UNCHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row of scores and what became of it; `reason` says why, or why it was not checked."""

    row: ScoreRow
    status: Status
    reason: str
    binding: Binding | None = None
    tried: tuple[Tried, ...] = ()

    @property
    def readings(self) -> tuple[Tried, ...]:
        """The readings that were tried; why none of any size fits is argued only for rows that are shown."""
        return self.tried or (tried_at_any_size(self.row.tested) if self.binding is None else ())


@dataclass(frozen=True, slots=True)
class Account:
    """A table of the paper, what became of its rows, and what its rows say about each other.

    A sentence that gives several scores is a table without cells.
    """

    table: ScoreTable
    outcomes: tuple[Outcome, ...]
    shares: Shares | None = None
    strangers: tuple[Stranger, ...] = ()
    derived: tuple[Derived, ...] = ()
    """Scores that counts in their own rows, or the classes of their report, give."""
    from_matrices: tuple[MatrixScores, ...] = ()
    """Rows whose scores follow from a confusion matrix that the paper prints."""


def accounts_of(paper: Paper) -> tuple[Account, ...]:
    """Every table, and every sentence with several scores, with what became of its rows."""
    tables = score_tables_of(paper)
    register = register_of(paper, (table.grid for table in tables))
    text = frozenset(kind for s in paper.sentences if not s.cites for kind in resampling_in(s.text))
    matched = list(matrix_scores(tables, doubted=bool(text)))
    of_tables = (_account(table, register, text, matched) for table in tables)
    return (*of_tables, *(_of_sentence(row, binding) for row, binding in sentence_rows(paper)))


def _of_sentence(row: ScoreRow, binding: Binding | Unbound) -> Account:
    """A sentence that gives several scores; wrong ones are impossible only as the sentence was read."""
    outcome = _decided(row, binding, binding.reason if isinstance(binding, Unbound) else "")
    if outcome.status is Status.IMPOSSIBLE:
        outcome = replace(outcome, status=Status.CONDITIONAL)
    return Account(ScoreTable(0, Grid((), "", row.location), ()), (outcome,))


def _account(
    table: ScoreTable, register: Sequence[CountedSet], text: frozenset[Averaged], matched: Sequence[MatrixScores]
) -> Account:
    bound = [(row, bind(row, register)) for row in table.rows]
    outcomes = _weighed([_outcome(row, table, binding, text) for row, binding in bound], text)
    counted = [(row, b) for row, b in bound if isinstance(b, Binding) and not averages_of(table, row)]
    own = [one for one in matched if one.row in table.rows]
    return Account(
        table,
        outcomes,
        shares_of(counted),
        tuple(strangers_of(table.rows)),
        (*derived_of(table.rows), *report_averages(table)),
        tuple(one for one in own if not one.contradicted or not averages_of(table, one.row)),
    )


def unread_tables(paper: Paper, accounts: tuple[Account, ...]) -> Iterator[str]:
    """Tables of the source that gave no cells."""
    read = {account.table.grid.location.line for account in accounts if account.table.grid.rows}
    for raw in paper.tables:
        lines = range(raw.location.line or 0, (raw.location.line or 0) + raw.text.count("\n") + 1)
        if read.isdisjoint(lines):
            yield f"{raw.location}: the cells of this table could not be read"


def _outcome(row: ScoreRow, table: ScoreTable, binding: Binding | Unbound, text: frozenset[Averaged]) -> Outcome:
    return _decided(row, binding, _unchecked(row, table, binding, text))


def _decided(row: ScoreRow, binding: Binding | Unbound, reason: str) -> Outcome:
    """The row at any size, and with the items of its binding unless there is a reason not to test it with them."""
    if excluded_at_any_size(row.tested):
        return Outcome(row, Status.IMPOSSIBLE, "no size of the test set and no averaging allows it")
    if reason or isinstance(binding, Unbound):
        return Outcome(row, Status.UNCHECKED, reason)
    classes = binding.counted.counts.classes
    if classes is None:
        return Outcome(row, Status.UNCHECKED, "the number of items is stated, but not how many of each class", binding)
    tried = tried_readings(row.tested, *classes)
    fits = fitting(tried)
    if fits is not None:
        return Outcome(row, Status.POSSIBLE, fits.reading, binding, (fits,))
    if not tried or any(one.verdict is not Verdict.INCONSISTENT for one in tried):
        return Outcome(row, Status.UNCHECKED, "the tests cannot decide these figures", binding, tried)
    certain = all(one.robust for one in tried) and binding.strength >= Strength.CAPTION
    return Outcome(row, Status.IMPOSSIBLE if certain else Status.CONDITIONAL, binding.why, binding, tried)


def _weighed(outcomes: Sequence[Outcome], text: frozenset[Averaged]) -> tuple[Outcome, ...]:
    """The outcomes of a table in the light of each other.

    Rows that fit the sizes confirm that the table is about these items and its figures are no means. Where none of
    several rows fits, the table is more likely to be about other items than to be wrong throughout.
    """
    fits = sum(o.status is Status.POSSIBLE for o in outcomes)
    fails = sum(o.status in {Status.IMPOSSIBLE, Status.CONDITIONAL} for o in outcomes)
    return tuple(_weigh(o, fits, fails, len(outcomes), text) for o in outcomes)


def _weigh(outcome: Outcome, fits: int, fails: int, rows: int, text: frozenset[Averaged]) -> Outcome:
    binding = outcome.binding
    if outcome.status not in {Status.IMPOSSIBLE, Status.CONDITIONAL}:
        return outcome
    if binding is None:  # at any size: where many rows fail, the headings mean something else
        return outcome if fails * 3 <= rows else replace(outcome, status=Status.CONDITIONAL)
    if binding.strength is Strength.ROW or fits >= fails:
        return outcome
    if fails >= _FEWEST_STRANGERS and binding.strength < Strength.CAPTION:
        reason = f"none of {fails} rows fits the sizes in the text, so that the table seems to be about other items"
        return replace(outcome, status=Status.UNCHECKED, reason=reason)
    roles = {role_of_row(outcome.row), binding.counted.role} - {Role.UNSTATED}
    alone = fails == 1 and bool(roles) and not text
    return outcome if alone else replace(outcome, status=Status.CONDITIONAL)


def _unchecked(row: ScoreRow, table: ScoreTable, binding: Binding | Unbound, text: frozenset[Averaged]) -> str:
    """Why the row cannot be tested; empty when it can."""
    averages = averages_of(table, row)
    if averages:
        return f"the figures may be means over {described(averages)}"
    if isinstance(binding, Unbound):
        return binding.reason
    if binding.strength is Strength.SUPPOSED:
        return "neither the row nor its caption says which set was scored"
    if text and binding.strength < Strength.CAPTION:
        return f"the text mentions {described(text)}, and the size stands in the text only"
    return ""
