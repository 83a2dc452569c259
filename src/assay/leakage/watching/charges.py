"""What it costs that a step saw test rows, by the policy that also judges programs that are only read."""

from __future__ import annotations

from assay.findings import Location, Severity
from assay.leakage.code.effects import Effect
from assay.leakage.code.facts.pair import Answer, Beside, ChoiceKind, Learnt, LearntFrom, Pair, Place, Relation, Role
from assay.leakage.code.learnt.kinds import COSTS
from assay.leakage.code.lookup import effect_in, effect_of, guessed, namesake
from assay.leakage.code.policies.policy import Policy, PolicyRule
from assay.leakage.watching.journal import Part, Step
from assay.libraries.catalogue import catalogue
from assay.libraries.row import Condition
from assay.libraries.row import Role as CallRole
from assay.records import dataclass

_NOWHERE = Place(Location("unknown"), "")
_TESTED = Pair(
    model="model",
    training=_NOWHERE,
    evaluation=_NOWHERE,
    shown=_NOWHERE,
    measure="score",
    relation=Relation.DISJOINT,
    because="",
    role=Role.TEST,
    number=True,
    reported=True,
    folds=False,
    beside=Beside.NONE,
    tested=True,
    learnt=(),
    uses=1,
    watched=False,
    models=1,
    untouched=Answer.NO,
    elsewhere=False,
    choice=ChoiceKind.NONE,
    made_up=False,
    baseline=False,
    without_outcome=False,
    describes=False,
)
"""What a watch sees: a model that is tested on rows that it was not trained on."""


@dataclass(frozen=True, slots=True)
class Charge:
    """The rule that a step falls under, how grave that is, and the words for it."""

    code: str
    severity: Severity
    deed: str
    snippet: str
    known: bool = True
    """Whether the tables of libraries say what the step learns."""


_UNKNOWN = Charge("L1.2", Severity.WARNING, "what it learns", "step = {name}().fit(X_train)", known=False)


def charge_of(step: Step, policy: Policy) -> Charge | None:
    """The gravest charge against a step or what it is made of; None when it costs nothing."""
    if not step.learns:
        return None
    charges = [charge for part in step.parts if (charge := _charge_of_part(part, policy))]
    return min(charges, key=lambda charge: charge.severity.rank, default=None)


def _charge_of_part(part: Part, policy: Policy) -> Charge | None:
    effect = _effect_of(part)
    if effect is None or (effect.kind not in COSTS and effect.role is not CallRole.STATELESS):
        return _UNKNOWN
    rule = _rule_about(effect, policy)
    if rule is None or effect.kind is None:
        return None
    cost = COSTS[effect.kind]
    return Charge(rule.code, rule.severity, cost.deed, cost.snippet)


def _rule_about(effect: Effect, policy: Policy) -> PolicyRule | None:
    """The first rule about such a step, unless the policy makes an exemption."""
    if effect.role is CallRole.STATELESS:
        return None
    learnt = Learnt(str(effect.kind), "", _NOWHERE, LearntFrom.BOTH, effect.supervised, in_training=True)
    of_steps = (rule for rule in policy.rules if rule.when.asks_for_steps)
    rule = next((rule for rule in of_steps if rule.when.holds(_TESTED, learnt)), None)
    exempt = any(rule and rule.code in e.rules and e.when.holds(_TESTED, learnt) for e in policy.exemptions)
    return None if exempt else rule


def _effect_of(part: Part) -> Effect | None:
    """What the tables of libraries say about a class, with the settings of the object."""
    effect = effect_of(part.name) or namesake(part.name) or guessed(part.name)
    if effect is None or effect.row is None:
        return effect
    special = [row for row in catalogue().alternatives(effect.row) if all(_is_set(part, one) for one in row.when)]
    return effect_in(max(special, key=lambda row: len(row.when))) if special else effect


def _is_set(part: Part, condition: Condition) -> bool:
    given = [value for name, value in part.settings if name in condition.port.names]
    return given[0] in condition.values if given and condition.values else bool(given) or condition.absent
