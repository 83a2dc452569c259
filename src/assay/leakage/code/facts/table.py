"""The pair table: every training and every evaluation of it, with all columns."""

from __future__ import annotations

from collections.abc import Iterator

from assay.leakage.code.facts.assumptions import assumptions_of
from assay.leakage.code.facts.choices import ChoiceMade
from assay.leakage.code.facts.claims import describes_a_fit, is_number
from assay.leakage.code.facts.learnt import learnt_before
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.pair import ChoiceKind, Pair
from assay.leakage.code.facts.parts import all_in_folds
from assay.leakage.code.facts.places import place
from assay.leakage.code.facts.relation import relation_of
from assay.leakage.code.facts.reuse import Reuse, Use
from assay.leakage.code.facts.roles import Roles
from assay.leakage.code.facts.unseen_models import unseen_evaluations
from assay.leakage.code.scored.search_loops import is_baseline, learns_without_outcome
from assay.leakage.code.state.events import FOLDS, Evaluation, Purpose
from assay.leakage.code.state.in_order import fits_in_order
from assay.leakage.code.state.provenance import made_up
from assay.leakage.code.state.rows import Site
from assay.leakage.code.state.values import Fit, Mark
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A pair, with what the interpreter knows behind it: from this, findings take their paths."""

    pair: Pair
    evaluation: Evaluation
    fit: Fit
    marks: tuple[Mark, ...]
    """The steps of `pair.learnt`, one by one."""
    use: Use
    choice: ChoiceMade | None


def table_of(facts: Observations) -> list[Row]:
    """All pairs of one program, in the order in which it evaluates."""
    roles = Roles(facts)
    reuse = Reuse(roles)
    listed = (*_evaluations(facts), *unseen_evaluations(facts))
    return [row for evaluation in listed for row in _rows(facts, roles, reuse, evaluation)]


def _evaluations(facts: Observations) -> Iterator[Evaluation]:
    """All evaluations; predictions that are then scored are only listed with their scores."""
    scored = {(e.shown, e.model.serial) for e in facts.evaluations if e.purpose is Purpose.SCORE}
    for e in facts.evaluations:
        if e.purpose is not Purpose.PREDICT or (e.site.node, e.model.serial) not in scored:
            yield e


def _rows(facts: Observations, roles: Roles, reuse: Reuse, evaluation: Evaluation) -> Iterator[Row]:
    use, choice = reuse.use(evaluation), reuse.choice(evaluation)
    for fit in fits_in_order(evaluation.model.fits):
        yield _row(facts, roles, evaluation, fit, (use, choice))


def _row(
    facts: Observations, roles: Roles, evaluation: Evaluation, fit: Fit, reused: tuple[Use, ChoiceMade | None]
) -> Row:
    use, choice = reused
    relation, because = relation_of(facts, evaluation, fit)
    learnt = list(learnt_before(facts, evaluation, fit))
    shown = evaluation.shown
    pair = Pair(
        model=evaluation.model.name,
        training=place(fit.site),
        evaluation=place(evaluation.site),
        shown=place(Site(evaluation.site.source, shown)) if shown is not None else place(evaluation.site),
        measure=evaluation.measure,
        relation=relation,
        because=because,
        role=roles.role(evaluation, relation, because),
        number=is_number(evaluation),
        reported=roles.reported(evaluation),
        folds=evaluation.purpose in FOLDS or all_in_folds(evaluation.rows),
        beside=roles.beside(evaluation),
        tested=roles.tested,
        learnt=tuple(row for _, row in learnt),
        uses=use.uses,
        watched=use.watched,
        models=use.models,
        untouched=use.untouched,
        elsewhere=roles.tested_elsewhere(evaluation),
        choice=choice.kind if choice is not None else ChoiceKind.NONE,
        made_up=fit.noise or made_up(evaluation.rows),
        baseline=is_baseline(evaluation.model),
        without_outcome=learns_without_outcome(evaluation.model),
        describes=describes_a_fit(facts, evaluation),
        assumptions=assumptions_of(facts, evaluation, fit, relation),
    )
    return Row(pair, evaluation, fit, tuple(mark for mark, _ in learnt), use, choice)
