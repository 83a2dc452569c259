"""What was learnt before a model was trained or evaluated, and from which rows."""

from __future__ import annotations

from collections.abc import Iterator

from assay.leakage.code.dividing import undersampling
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.pair import Learnt, LearntFrom
from assay.leakage.code.facts.places import place
from assay.leakage.code.learnt.kinds import COSTS, ROWS_CHANGED
from assay.leakage.code.state.events import FOLDS, Evaluation
from assay.leakage.code.state.in_order import marks_in_order
from assay.leakage.code.state.provenance import all_seen, any_seen, drawn_at_random, in_tables, tables_in, unseen
from assay.leakage.code.state.rows import Rows, grouped_by, is_grouped, meet, opposed, within
from assay.leakage.code.state.values import Fit, Kind, Mark
from assay.records import replace


def learnt_before(facts: Observations, evaluation: Evaluation, fit: Fit) -> Iterator[tuple[Mark, Learnt]]:
    """Every step behind this training or evaluation that learnt from rows, in the order of the text."""
    marks = [_resolved(fit, k) for k in fit.marks | evaluation.marks if k.rows and k.kind in COSTS]
    if not marks:
        return
    new = unseen(fit.rows, evaluation.rows)
    for mark in marks_in_order(dict.fromkeys(marks)):
        if not _reaches_the_model(fit, mark) or _is_noise(mark, evaluation) or _is_the_part_itself(evaluation, mark):
            continue
        yield mark, _row(facts, evaluation, fit, mark, new)


def _row(facts: Observations, evaluation: Evaluation, fit: Fit, mark: Mark, new: Rows) -> Learnt:
    return Learnt(
        kind=str(mark.kind),
        step=mark.name,
        place=place(mark.site),
        source=_source(facts, evaluation, fit, mark, new),
        outcome=mark.supervised and _with_the_outcome(fit, mark),
        in_training=_in(fit, mark),
        by_group=mark.name.startswith("groupby."),
        columns=tuple(sorted(mark.into or mark.columns)),
    )


def _with_the_outcome(fit: Fit, mark: Mark) -> bool:
    """Whether the outcome took part; where columns were compared with each other, it must surely be one of them."""
    return mark.among is None or any(map(mark.among.has, fit.target))


def _in(fit: Fit, mark: Mark) -> bool:
    return any((k.kind, k.site, k.rows) == (mark.kind, mark.site, mark.rows) for k in fit.marks) or (
        mark.kind is Kind.TARGET_ENCODE and any(k.site == mark.site for k in fit.marks)
    )


def _resolved(fit: Fit, mark: Mark) -> Mark:
    """A mean by group of the outcome, or of the one column that it was made from, is a target encoding."""
    made_from = {k.columns for k in fit.target_marks if k.kind is Kind.DERIVED and len(k.columns) == 1}
    outcome = fit.target.union(*made_from)
    if mark.kind is Kind.STATISTIC and mark.supervised and mark.columns & outcome:
        return replace(mark, kind=Kind.TARGET_ENCODE)
    return mark


def _reaches_the_model(fit: Fit, mark: Mark) -> bool:
    """Whether the model was trained with what was learnt, or is asked about rows that carry it among its features."""
    if _in(fit, mark):
        return True
    if mark.kind is Kind.MODELLED:
        return False  # what a model says, put beside the rows afterwards
    only = fit.columns.only if fit.columns.sure else None
    return mark.into is None or only is None or bool(mark.into & only)


def _is_noise(mark: Mark, evaluation: Evaluation) -> bool:
    """Whether only numbers drawn by the program were learnt from, and the evaluated rows are real."""
    return drawn_at_random(mark.rows) and not drawn_at_random(evaluation.rows)


def _is_the_part_itself(evaluation: Evaluation, mark: Mark) -> bool:
    """Whether the evaluated rows are what the statistic gave: one row for each group."""
    groups = all(map(is_grouped, evaluation.rows))
    return groups and any(grouped_by(mark.site) in part.cuts for part in evaluation.rows)


def _source(facts: Observations, evaluation: Evaluation, fit: Fit, mark: Mark, new: Rows) -> LearntFrom:
    """Which rows a step learnt from."""
    overlap = evaluation.purpose not in FOLDS and meet(fit.rows, evaluation.rows)  # then that is the leak
    if (overlap and within(mark.rows, fit.rows)) or not any_seen(*in_tables(tables_in(mark.rows), new)):
        return LearntFrom.TRAINING
    apart = within(mark.rows, evaluation.rows) or not meet(mark.rows, fit.rows)
    if apart and not _in(fit, mark):
        return LearntFrom.EVALUATED
    if mark.kind in ROWS_CHANGED and _of_other_rows(mark, fit, evaluation):
        return LearntFrom.TRAINING
    if mark.kind is Kind.OUTLIER and any(_divides(mark, fit, e) for e in facts.evaluations):
        return LearntFrom.TRAINING  # the bound divides the parts, it leaves none out
    return LearntFrom.BOTH


def _of_other_rows(mark: Mark, fit: Fit, evaluation: Evaluation) -> bool:
    """Whether rows were copied, turned or left out, and those that are evaluated had no part in it."""
    by_hand = undersampling.by_hand(mark)
    if by_hand and not undersampling.by_outcome(fit, mark):
        return True
    if by_hand and not undersampling.all_thinned(evaluation.rows, mark):
        return True
    drawn_among = within(evaluation.rows, mark.rows) or all_seen(fit.rows, evaluation.rows)
    return mark not in evaluation.marks and not drawn_among


def _divides(mark: Mark, fit: Fit, evaluation: Evaluation) -> bool:
    """Whether the rows on one side of a bound were trained on and those on the other evaluated."""
    keys = {("column", name) for name in mark.columns}
    fitted, scored = ({c for part in rows for c in part.cuts if c.key in keys} for rows in (fit.rows, evaluation.rows))
    return any(a.key == b.key and opposed(a.side, b.side) for a in fitted - scored for b in scored - fitted)
