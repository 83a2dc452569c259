"""What an evaluation is for, and which honest score stands beside it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field
from functools import cached_property

from assay.leakage.code.facts.claims import is_number, is_training_loss
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.pair import Beside, Relation, Role
from assay.leakage.code.facts.parts import all_in_folds, share, to_choose_by
from assay.leakage.code.facts.relation import SEEN, goes_on, is_step, is_unseen
from assay.leakage.code.scored.search_loops import inside
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.rows import held_out, meet, within
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import dataclass

_FOLDS = frozenset({Purpose.CROSS_VALIDATION, Purpose.SEARCH})


@dataclass(frozen=True)
class Roles:
    """The roles of all evaluations of one program; each may depend on the others."""

    facts: Observations
    _beside: dict[int, Beside] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def honest(self) -> list[Evaluation]:
        """Evaluations that give a number on rows that the model has not seen, searches left out."""
        scores = (e for e in self.facts.evaluations if e.purpose is Purpose.SCORE and is_number(e))
        return [e for e in scores if is_unseen(self.facts, e)]

    @cached_property
    def _honest_by_model(self) -> dict[Hashable, list[Evaluation]]:
        found: dict[Hashable, list[Evaluation]] = {}
        for e in self.honest:
            found.setdefault(e.model.serial, []).append(e)
        return found

    @cached_property
    def _chose(self) -> set[int]:
        """Honest scores of parts that served to choose."""
        return {id(e) for e in self.honest if to_choose_by(self.facts, e) or self._kept_the_best_fold(e)}

    @cached_property
    def tested(self) -> bool:
        """Whether some model is scored on rows that it has not seen, outside cross-validation.

        Predictions for rows that were set apart will be scored out of sight; those for another table are for use.
        """
        return any(
            is_unseen(self.facts, e)
            for e in self.facts.evaluations
            if e.purpose is Purpose.SCORE or (e.purpose is Purpose.PREDICT and held_out(e.rows))
        )

    def tested_elsewhere(self, evaluation: Evaluation) -> bool:
        """Whether some model is scored on rows that are no part of these, here or by a method for others to call."""
        if any(not share(self.facts, e.rows, evaluation.rows) and not _other_fold(e, evaluation) for e in self.honest):
            return True
        known = [evaluation.rows, *(fit.rows for fit in evaluation.model.fits)]
        untrained = self.facts.trace.untrained
        met = set(untrained.get(evaluation.model.serial, ()))
        if evaluation.site in self.facts.trace.uncalled:  # the caller may call those, too
            met = met.union(*untrained.values())
        return any(rows and not any(meet(rows, others) for others in known) for rows in met)

    def role(self, evaluation: Evaluation, relation: Relation, because: str) -> Role:
        """What an evaluation is for."""
        facts = self.facts
        if evaluation.purpose in _FOLDS:
            return self._of_folds(evaluation)
        if evaluation.purpose is Purpose.PREDICT:
            return Role.TEST if held_out(evaluation.rows) and relation not in SEEN else Role.SUBMISSION
        if is_training_loss(facts, evaluation):
            return Role.TRAINING_SCORE
        if relation in SEEN:
            return self._of_seen(evaluation, because)
        if evaluation.purpose is Purpose.WATCHED or to_choose_by(facts, evaluation) or facts.inner(evaluation.rows):
            return Role.VALIDATION
        if all_in_folds(evaluation.rows):
            return self._of_folds(evaluation)
        return Role.TEST

    def _of_seen(self, evaluation: Evaluation, because: str) -> Role:
        """A score on rows that were seen is a test where nothing else is."""
        if _runs_along(evaluation):
            return Role.TRAINING_SCORE
        tests = because or _holds_a_test_part(evaluation) or self.beside(evaluation) is Beside.NONE
        return Role.TEST if tests else Role.TRAINING_SCORE

    def _of_folds(self, evaluation: Evaluation) -> Role:
        """Folds of training rows, and searches whose score nobody looks at, serve to choose."""
        searched = evaluation.purpose is Purpose.SEARCH
        if searched and (self.tested or evaluation.site not in self.facts.trace.told_searches):
            return Role.VALIDATION
        if self.facts.inner(evaluation.rows) or self.of_training_rows(evaluation):
            return Role.VALIDATION
        return Role.CROSS_VALIDATION

    def of_training_rows(self, evaluation: Evaluation) -> bool:
        """Whether all rows that are cross-validated are training rows of a model that is tested on others."""
        return any(
            any(within(evaluation.rows, fit.rows) for fit in e.model.fits) and not meet(evaluation.rows, e.rows)
            for e in self.honest
        )

    def reported(self, evaluation: Evaluation) -> bool:
        """Whether somebody looks at the score itself, and not only at what is best by it."""
        if evaluation.purpose is Purpose.SEARCH and evaluation.site not in self.facts.trace.told_searches:
            return False
        return evaluation.measure not in names_of(Group.LEARNING_CURVES) and not self._is_compared(evaluation)

    def _is_compared(self, evaluation: Evaluation) -> bool:
        return any(
            meet(p.rows, evaluation.rows)
            for compared in self.facts.compared
            for p in compared.by_model.get(evaluation.model.serial, ())
        )

    def beside(self, evaluation: Evaluation) -> Beside:
        """Which honest score stands beside a score on training rows."""
        if id(evaluation) not in self._beside:
            self._beside[id(evaluation)] = self._found_beside(evaluation)
        return self._beside[id(evaluation)]

    def _found_beside(self, evaluation: Evaluation) -> Beside:
        mine = [e for e in self._honest_by_model.get(evaluation.model.serial, ()) if _same_training(e, evaluation)]
        if any(not self._only_chose(e, evaluation) for e in mine) or self._predicts_held_out(evaluation):
            return Beside.THIS_MODEL
        if any(self._same_kind(e, evaluation) and not self._only_chose(e, evaluation) for e in self.honest):
            return Beside.SAME_KIND
        if any(_rivals(e, evaluation) for e in self.honest):
            return Beside.RIVAL
        if evaluation.model.serial in self.facts.trace.tested_otherwise:
            return Beside.OUT_OF_BAG
        if any(share(self.facts, folds.rows, evaluation.rows) for folds in self._cross_validated):
            return Beside.CROSS_VALIDATION
        return Beside.NONE

    @cached_property
    def _cross_validated(self) -> list[Evaluation]:
        """Cross-validations, and searches whose score is looked at."""
        looked_at = self.facts.trace.told_searches
        folds = (e for e in self.facts.evaluations if e.purpose in _FOLDS)
        return [e for e in folds if e.purpose is Purpose.CROSS_VALIDATION or e.site in looked_at]

    def _predicts_held_out(self, evaluation: Evaluation) -> bool:
        """Whether the same model predicts rows that were set apart: their score is out of sight."""
        return any(
            held_out(e.rows) and is_unseen(self.facts, e) and _same_training(e, evaluation)
            for e in self.facts.evaluations
            if e.purpose is Purpose.PREDICT or (e.purpose is Purpose.WATCHED and not within(e.rows, evaluation.rows))
        )

    def _only_chose(self, honest: Evaluation, evaluation: Evaluation) -> bool:
        """Whether the other score is of a part that served to choose, inside the rows scored here."""
        return id(honest) in self._chose and within(honest.rows, evaluation.rows)

    def _kept_the_best_fold(self, fold: Evaluation) -> bool:
        kept = any(fold.model.serial in one.by_model for one in self.facts.compared if one.choice.which)
        return all_in_folds(fold.rows) and kept

    def _same_kind(self, honest: Evaluation, evaluation: Evaluation) -> bool:
        """Whether a model of the same kind is scored on a part set apart of the rows that this one knows."""
        known = evaluation.rows.union(*(fit.rows for fit in evaluation.model.fits))
        return honest.model.name == evaluation.model.name and share(self.facts, honest.rows, known)


def _other_fold(one: Evaluation, other: Evaluation) -> bool:
    """Whether two parts are held out in folds of the same table: each is the test of its own round."""
    tables = ({part.origin for part in e.rows} for e in (one, other))
    return all_in_folds(one.rows) and all_in_folds(other.rows) and next(tables) == next(tables)


def _runs_along(evaluation: Evaluation) -> bool:
    """Whether the loop around also makes the steps of training: it shows how training goes."""
    loop = evaluation.loops[-1] if evaluation.loops else None
    steps = [fit.site.node for fit in evaluation.model.fits if is_step(fit.site.node)]
    return loop is not None and any(inside(step, loop) for step in steps)


def _holds_a_test_part(evaluation: Evaluation) -> bool:
    """Whether these are the held-out rows of a division, and training learnt from both sides of it."""
    known = {cut for fit in evaluation.model.fits for part in fit.rows for cut in part.cuts}
    return any(cut.side == "test" and cut not in known for part in evaluation.rows for cut in part.cuts)


def _same_training(other: Evaluation, evaluation: Evaluation) -> bool:
    """Whether two evaluations are of the same fitted model; a network stays the same after more training."""
    fits = evaluation.model.fits
    return other.model.fits == fits or (goes_on(evaluation) and bool(other.model.fits & fits))


def _rivals(honest: Evaluation, evaluation: Evaluation) -> bool:
    """Whether another model of the very same training rows is scored on others."""
    taught = [fit.rows for fit in evaluation.model.fits if fit.rows == evaluation.rows]
    return honest.model.serial != evaluation.model.serial and any(fit.rows in taught for fit in honest.model.fits)
