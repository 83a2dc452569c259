"""Whether a choice follows from scores on a part: the best is kept, training stops, a threshold or setting is found."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

from assay.leakage.code.effects import Role as EffectRole
from assay.leakage.code.facts.observations import Compared, Observations, Rivals
from assay.leakage.code.facts.pair import ChoiceKind
from assay.leakage.code.facts.parts import in_fold, share, to_choose_by
from assay.leakage.code.facts.versions import version
from assay.leakage.code.scored.outcomes import over_outcomes
from assay.leakage.code.scored.search_loops import (
    in_search_loop,
    only_seeded,
    other_rows_shown,
    set_elsewhere,
    varied_in_loop,
)
from assay.leakage.code.state.events import Choice, Evaluation
from assay.leakage.code.state.in_order import marks_in_order
from assay.leakage.code.state.provenance import tables_in
from assay.leakage.code.state.rows import Site
from assay.leakage.code.state.values import Kind, Prediction
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import dataclass, replace

_FOUND = frozenset({Kind.THRESHOLD, Kind.SWEEP})


@dataclass(frozen=True, slots=True)
class ChoiceMade:
    """A choice, where it is made, and what it is called there."""

    kind: ChoiceKind
    site: Site
    name: str


def choice_by(facts: Observations, evaluation: Evaluation, rivals: list[Evaluation]) -> ChoiceMade | None:
    """The first choice that follows from this score or those of its rivals on the same part; last, an order by it."""
    found = list(
        chain(_stopped(facts, evaluation), _found_by_rows(facts, evaluation), _best(facts, evaluation, rivals))
    )
    taken = next((made for made in found if made.kind is not ChoiceKind.ORDER), None)
    return taken or _looped(facts, evaluation) or next(iter(found), None)


def _stopped(facts: Observations, evaluation: Evaluation) -> Iterator[ChoiceMade]:
    for stopping in facts.stoppings:
        if stopping.model == evaluation.model.serial and share(facts, evaluation.rows, stopping.rows):
            yield ChoiceMade(ChoiceKind.EARLY_STOPPING, stopping.site, stopping.name)


def _found_by_rows(facts: Observations, evaluation: Evaluation) -> Iterator[ChoiceMade]:
    """Settings, thresholds and weights that were computed from rows of the part."""
    for mark in marks_in_order(evaluation.model.marks):
        if mark.kind is Kind.TUNED and share(facts, evaluation.rows, mark.rows):
            yield ChoiceMade(ChoiceKind.TUNED, mark.site, mark.name)
    for mark in marks_in_order(k for k in evaluation.told if k.kind in _FOUND):
        if evaluation.measure not in names_of(Group.THRESHOLD_CURVES) and share(facts, evaluation.rows, mark.rows):
            yield ChoiceMade(ChoiceKind.THRESHOLD, mark.site, mark.name)


def _best(facts: Observations, evaluation: Evaluation, rivals: list[Evaluation]) -> Iterator[ChoiceMade]:
    """The best of several scores is asked for, or kept; first where it is asked which that is."""
    if over_outcomes(evaluation):
        return
    for compared in facts.compared:
        choice = compared.choice
        mine = {p.rows: p for p in compared.by_model.get(evaluation.model.serial, ())}.values()
        if not any(share(facts, evaluation.rows, p.rows) and not _other_role(facts, p, evaluation) for p in mine):
            continue
        among = _rivals(compared, rivals)
        if _is_between_models(compared, among) and _decides(facts, choice, among, evaluation):
            yield ChoiceMade(ChoiceKind.ORDER if choice.is_order else ChoiceKind.BEST_OF, choice.site, choice.name)


def _rivals(compared: Compared, group: list[Evaluation]) -> Rivals:
    """What is known of the evaluations of a group whose models are compared."""
    if id(group) not in compared.rivals:
        judged = [e for e in group if e.model.serial in compared.by_model]
        compared.rivals[id(group)] = Rivals(
            len({version(e) for e in judged}) > 1,
            any(_asks_for_rows(compared.choice, e) for e in judged),
            all(set_elsewhere(e.model) for e in judged),
        )
    return compared.rivals[id(group)]


def _is_between_models(compared: Compared, among: Rivals) -> bool:
    """Whether models or states of one model were compared: not the rows or the outcomes of one."""
    return not compared.over_outcomes and (among.several or (compared.one_alone and not among.over_rows))


def _decides(facts: Observations, choice: Choice, among: Rivals, evaluation: Evaluation) -> bool:
    """Whether the best of the scores is taken, or told as the score of the whole: not that of another seed or fold."""
    if choice.which:
        return True
    if only_seeded(evaluation) or in_fold(evaluation.rows) or among.fixed:
        return False
    if among.several or in_search_loop(evaluation):
        return True  # the least loss on validation rows so far only shows how training goes
    return _round_by_round(evaluation) and not to_choose_by(facts, evaluation)


def _other_role(facts: Observations, prediction: Prediction, evaluation: Evaluation) -> bool:
    """Whether the code calls the compared rows validation rows, and those evaluated not."""
    compared = facts.called_validation(tables_in(prediction.rows))
    return compared and not facts.called_validation(evaluation.rows)


def _asks_for_rows(choice: Choice, evaluation: Evaluation) -> bool:
    """Whether it is asked on which rows one model is best: in which ward, which class, or without which column."""
    if _is_one_class(evaluation.site.node):
        return True
    asked = (p for p in choice.predictions if p.site.node is evaluation.shown)
    if not any(tables_in(p.rows) == evaluation.rows for p in asked):
        return False
    loops = tuple(loop for loop in evaluation.loops if loop in choice.loops)
    return other_rows_shown(replace(evaluation, loops=loops) if choice.name == "comparison" else evaluation)


def _is_one_class(node: ast.AST) -> bool:
    """`f1_score(truth == kind, said == kind)`: how well one class is separated from the others."""
    truth = node.args[:1] if isinstance(node, ast.Call) else []
    return any(isinstance(given, ast.Compare) and isinstance(given.ops[0], ast.Eq) for given in truth)


def _round_by_round(evaluation: Evaluation) -> bool:
    """Whether a network is scored in the loop that goes on training it."""
    around = frozenset(evaluation.loops)
    network = evaluation.model.effect.role is EffectRole.NETWORK
    return network and any(not around.isdisjoint(fit.loops) for fit in evaluation.model.fits)


def _looped(facts: Observations, evaluation: Evaluation) -> ChoiceMade | None:
    """A loop varies a setting of the model or of a step before it, and scores each value."""
    tried = any(mark.site in facts.trace.tried for fit in evaluation.model.fits for mark in fit.marks)
    looped = in_search_loop(evaluation) and (varied_in_loop(evaluation) or tried)
    if not looped:
        return None
    return ChoiceMade(ChoiceKind.LOOP, evaluation.site, evaluation.model.name)
