"""What counts as one model, and what as another."""

from __future__ import annotations

from collections.abc import Hashable

from assay.leakage.code.effects import How
from assay.leakage.code.effects import Role as EffectRole
from assay.leakage.code.learnt.kinds import ROWS_CHANGED
from assay.leakage.code.scored.search_loops import INSIDE, original, sort_of
from assay.leakage.code.state.events import Evaluation
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group


def version(evaluation: Evaluation) -> Hashable:
    """What counts as one model: the same kind with the same settings and columns, whatever its seed."""
    model = evaluation.model
    if model.effect.role is EffectRole.SEARCH:
        return original(model.serial)
    wraps = model.effect.how is How.UNKNOWN and model.setting(INSIDE) is not None  # a visualiser around a model
    if model.effect.role is not EffectRole.MODEL and not wraps:
        return model.serial
    unread = names_of(Group.SEED_SETTINGS) | {INSIDE} if wraps else names_of(Group.SEED_SETTINGS)
    given = frozenset(setting for setting in model.settings if setting[0] not in unread)
    treated = frozenset((k.name, k.settings) for fit in model.fits for k in fit.marks if k.kind in ROWS_CHANGED)
    return sort_of(model), given, frozenset(fit.columns for fit in model.fits), treated
