"""How often a part of the data judged models, and whether anything was left untouched."""

from __future__ import annotations

from functools import cached_property

from assay.leakage.code.facts.choices import ChoiceMade, choice_by
from assay.leakage.code.facts.claims import is_training_loss
from assay.leakage.code.facts.pair import Answer
from assay.leakage.code.facts.parts import has_seen, in_fold, to_choose_by
from assay.leakage.code.facts.relation import is_unseen
from assay.leakage.code.facts.roles import Roles
from assay.leakage.code.facts.versions import version
from assay.leakage.code.learnt.kinds import ROWS_CHANGED
from assay.leakage.code.scored.outcomes import over_outcomes
from assay.leakage.code.scored.search_loops import is_baseline, sort_of
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.rows import Cut, Interval, Part, Rows, Site, held_out, meet, whichever_way, within
from assay.records import dataclass

_SHOWN = frozenset({Purpose.SCORE, Purpose.WATCHED})


@dataclass(frozen=True, slots=True)
class Use:
    """What became of one part of the data."""

    evaluations: tuple[Evaluation, ...]
    uses: int
    models: int
    watched: bool
    untouched: Answer


@dataclass(frozen=True)
class Reuse:
    """The parts that judge models, each with all evaluations that use it."""

    roles: Roles

    @cached_property
    def groups(self) -> list[list[Evaluation]]:
        """Evaluations on rows that the model is not known to have seen, by the part that they use."""
        groups: list[list[Evaluation]] = []
        for e in filter(self._judges, self.roles.facts.evaluations):
            home = next((g for g in groups if _one_part(g[0].rows, e.rows) and _one_task(g[0], e)), None)
            if home is None:
                groups.append([e])
            else:
                home.append(e)
        return groups

    def _judges(self, evaluation: Evaluation) -> bool:
        """Whether an evaluation judges a model on rows that this is not known to have seen."""
        facts = self.roles.facts
        if evaluation.purpose not in _SHOWN or is_training_loss(facts, evaluation) or is_baseline(evaluation.model):
            return False
        return self._apart_from_training(evaluation) or is_unseen(facts, evaluation)

    @cached_property
    def _group_of(self) -> dict[int, list[Evaluation]]:
        return {id(e): group for group in self.groups for e in group}

    @cached_property
    def _uses(self) -> dict[int, Use]:
        return {id(e): use for group in self.groups for use in [self._use(group)] for e in group}

    def use(self, evaluation: Evaluation) -> Use:
        """What became of the part that an evaluation uses."""
        return self._uses.get(id(evaluation)) or self._use([evaluation])

    def _use(self, group: list[Evaluation]) -> Use:
        return Use(
            tuple(group),
            len({e.site for e in group}),
            len({version(e) for e in group}),
            any(e.purpose is Purpose.WATCHED for e in group),
            self._untouched(group),
        )

    @cached_property
    def _tested_alone(self) -> list[list[Evaluation]]:
        """The parts that judged one model only, on rows that it cannot have seen."""
        unseen = (group for group in self.groups if self._apart_from_training(group[0]))
        return [group for group in unseen if not in_fold(group[0].rows) and _tests_alone(group)]

    def _apart_from_training(self, evaluation: Evaluation) -> bool:
        return held_out(evaluation.rows) or not has_seen(self.roles.facts, evaluation)

    def choice(self, evaluation: Evaluation) -> ChoiceMade | None:
        """The choice that follows from the scores on the part."""
        group = self._group_of.get(id(evaluation))
        return choice_by(self.roles.facts, evaluation, group) if group else None

    def _untouched(self, group: list[Evaluation]) -> Answer:
        """Whether another part is left on which nothing was tried."""
        tests = {e.site for other in self._tested_alone if self._is_test_beside(group, other) for e in other}
        if tests:  # those in functions that nothing in sight calls may never be made
            return Answer.UNKNOWN if tests <= self.roles.facts.trace.uncalled else Answer.YES
        return Answer.UNKNOWN if self._may_be_tested(group[0].rows) else Answer.NO

    def _is_test_beside(self, group: list[Evaluation], other: list[Evaluation]) -> bool:
        """Whether another part tests a model of this one; rows that the code calls validation rows are no test."""
        if other is group or not _apart(other[0].rows, group[0].rows) or not _knows_less(group, other):
            return False
        return to_choose_by(self.roles.facts, group[0]) or not to_choose_by(self.roles.facts, other[0])

    def _may_be_tested(self, rows: Rows) -> bool:
        """Whether other rows may be scored out of sight: unused test rows, the rest of a part, rows predicted."""
        if any(_leaves_others(c) for part in rows for c in part.cuts):
            return True
        unused = (frozenset({part}) for part in self._unused_tests)
        return any(not meet(others, rows) for others in (*unused, *self._predicted_for_use))

    @cached_property
    def _unused_tests(self) -> list[Part]:
        facts = self.roles.facts
        met = frozenset(part for e in facts.evaluations for part in whichever_way(e.rows))
        divided_alike = {part.cuts for part in met if part.cuts}  # `y[held_out]` beside `X[held_out]`
        left = (part for part in facts.trace.tests - facts.validation if part.cuts not in divided_alike)
        return [part for part in left if not meet(frozenset({part}), met)]

    @cached_property
    def _predicted_for_use(self) -> list[Rows]:
        """Rows that are predicted and not scored in sight, and that the model has not seen."""
        facts = self.roles.facts
        scored = {e.shown for e in facts.evaluations if e.purpose is Purpose.SCORE}
        asked = (e for e in facts.evaluations if e.purpose is Purpose.PREDICT and e.site.node not in scored)
        return list({e.rows for e in asked if not has_seen(facts, e)})


def _leaves_others(cut: Cut) -> bool:
    """Whether these rows are a training part, the rest of which may be kept for a test out of sight."""
    if isinstance(cut.side, Interval):
        return cut.side.low in (None, 0) and cut.side.high is not None
    return cut.side in ("train", "sampled")


def _one_part(a: Rows, b: Rows) -> bool:
    return within(a, b) or within(b, a)


def _apart(a: Rows, b: Rows) -> bool:
    """Whether two parts share no rows, apart from a file that goes with both, such as stored means to subtract."""
    shared = a & b
    return not meet(a - shared, b - shared) and bool(a - shared) and bool(b - shared)


def _one_task(a: Evaluation, b: Evaluation) -> bool:
    """Whether two models may be compared: they predict the same column of rows treated alike."""
    if _resampled(a) != _resampled(b):
        return False
    if a.model.site == b.model.site and a.model.serial != b.model.serial and over_outcomes(a) and over_outcomes(b):
        return False
    one, other = ({name for fit in e.model.fits for name in fit.target} or e.truth for e in (a, b))
    return not one or not other or bool(one & other)


def _resampled(evaluation: Evaluation) -> set[Site]:
    """Where the evaluated rows were copied, made up or left out."""
    return {mark.site for mark in evaluation.marks if mark.kind in ROWS_CHANGED}


def _tests_alone(group: list[Evaluation]) -> bool:
    """Whether a part judged one model only, and judged it once or for several measures."""
    return len({version(e) for e in group}) == 1 and any(e.purpose is Purpose.SCORE for e in group)


def _knows_less(group: list[Evaluation], other: list[Evaluation]) -> bool:
    """Whether the model tested on the other part is one of those compared here."""
    return bool({sort_of(e.model) for e in group} & {sort_of(e.model) for e in other})
