"""What a pair rests on that the code does not show."""

from __future__ import annotations

from collections.abc import Iterator

from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.pair import Assumption, AssumptionKind, Relation
from assay.leakage.code.facts.relation import goes_on, is_step, only_names_differ
from assay.leakage.code.facts.unseen_models import NAME as UNSEEN_MODEL
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.provenance import is_table
from assay.leakage.code.state.rows import OriginKind, Rows, meet
from assay.leakage.code.state.values import Fit
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group

_ORIGINS = {
    OriginKind.PARAMETER: AssumptionKind.PARAMETER,
    OriginKind.UNDEFINED: AssumptionKind.UNDEFINED,
    OriginKind.CALL: AssumptionKind.UNDEFINED,
}


def assumptions_of(facts: Observations, evaluation: Evaluation, fit: Fit, relation: Relation) -> tuple[Assumption, ...]:
    """All assumptions of a pair, each once."""
    return tuple(dict.fromkeys(_found(facts, evaluation, fit, relation)))


def _found(facts: Observations, evaluation: Evaluation, fit: Fit, relation: Relation) -> Iterator[Assumption]:
    if evaluation.model.name == UNSEEN_MODEL:
        yield Assumption(AssumptionKind.UNSEEN_MODEL)
    for call in sorted(evaluation.via ^ fit.via, key=lambda call: call.name):
        yield Assumption(AssumptionKind.UNKNOWN_CALL, call.name)
    kinds = {part.origin.kind: part.origin.name for part in sorted(evaluation.rows, key=lambda p: p.origin.name)}
    if len(kinds) == 1:
        yield from (Assumption(_ORIGINS[kind], name) for kind, name in kinds.items() if kind in _ORIGINS)
    loaded = is_step(fit.site.node) and not all(map(is_table, evaluation.rows))
    holds = {
        AssumptionKind.BRANCH: len(evaluation.model.fits) > 1 and not goes_on(evaluation),
        AssumptionKind.LOADER: loaded and relation is not Relation.DISJOINT,
        AssumptionKind.MASKS: relation is not Relation.DISJOINT and _masks_are_hidden(evaluation.rows, fit.rows),
        AssumptionKind.NAMES: only_names_differ(evaluation, fit),
        AssumptionKind.UNCALLED: evaluation.site in facts.trace.uncalled,
        AssumptionKind.HANDED_ON: _handed_on(facts, evaluation, fit),
    }
    yield from (Assumption(kind) for kind, is_so in holds.items() if is_so)


def _masks_are_hidden(*sides: Rows) -> bool:
    """Whether one of the sides is a whole graph, of which a mask may say elsewhere what takes part."""
    graphs = names_of(Group.GRAPHS)
    return any(part.origin.name.partition(".")[0] in graphs and not part.cuts for rows in sides for part in rows)


def _handed_on(facts: Observations, evaluation: Evaluation, fit: Fit) -> bool:
    """Whether somebody out of sight may judge the model."""
    elsewhere = (rows for model, rows in facts.trace.judged_elsewhere if model == evaluation.model.serial)
    given_away = facts.trace.handed_on and evaluation.purpose is not Purpose.CROSS_VALIDATION
    return given_away or any(not meet(rows, fit.rows) for rows in elsewhere)
