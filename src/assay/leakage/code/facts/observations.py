"""What one run of the interpreter saw, arranged for the columns of the pair table."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field
from functools import cached_property
from typing import NamedTuple

from assay.code import Source
from assay.leakage.code.facts.pair import Relation
from assay.leakage.code.scored.search_loops import made_at
from assay.leakage.code.state.events import Choice, Evaluation, Purpose, Split, Stopping, Trace
from assay.leakage.code.state.provenance import tables_in
from assay.leakage.code.state.rows import (
    Cut,
    Interval,
    OneOf,
    Part,
    Rows,
    Side,
    Site,
    cut_rows,
    is_by_text,
    whichever_way,
)
from assay.leakage.code.state.values import Prediction
from assay.records import dataclass, replace


class Rivals(NamedTuple):
    """The evaluations on one part whose models a choice compares."""

    several: bool
    """Whether they are of several models."""
    over_rows: bool
    """Whether it is asked on which rows one model is best."""
    fixed: bool
    """Whether nobody could vary the setting of any of them."""


@dataclass(frozen=True)
class Compared:
    """A choice between scores, with what many evaluations ask about it."""

    choice: Choice
    rivals: dict[int, Rivals] = field(default_factory=dict, compare=False, repr=False)
    """What is known of each group of evaluations that it judges."""

    @cached_property
    def by_model(self) -> dict[Hashable, list[Prediction]]:
        """The predictions behind the scores, by the model that made them."""
        found: dict[Hashable, list[Prediction]] = {}
        for prediction in self.choice.predictions:
            found.setdefault(prediction.model.serial, []).append(prediction)
        return found

    @cached_property
    def over_outcomes(self) -> bool:
        """Whether the models predict different columns."""
        outcomes = {frozenset(n for fit in p.model.fits for n in fit.target) for p in self.choice.predictions}
        return len(outcomes) > 1 and all(outcomes)

    @cached_property
    def one_alone(self) -> bool:
        """Whether all trained models that are compared are made at one place."""
        return len({made_at(p.model) for p in self.choice.predictions if p.model.fits}) <= 1


@dataclass(frozen=True)
class Observations:
    """The trace of one run, with what several columns ask about it."""

    trace: Trace
    source: Source | None = None
    """The file that was followed, where it is one."""
    relations: dict[tuple[int, int], tuple[Relation, str]] = field(default_factory=dict, compare=False, repr=False)
    """The relations that were asked for, by evaluation and training: several columns ask for the same."""

    @cached_property
    def evaluations(self) -> list[Evaluation]:
        """Every evaluation; where tables are among what went into its rows, only those count as its rows."""
        found = [e for e in self.trace.events if isinstance(e, Evaluation)]
        found += [_split_off(e) for e in self.trace.split_off]
        if not any(e.purpose in _SCORED for e in found):  # then what is only drawn is all there is
            found += self.trace.shown
        return [_of_tables(e) for e in found]

    @cached_property
    def choices(self) -> list[Choice]:
        """Every comparison of scores with each other."""
        return [e for e in self.trace.events if isinstance(e, Choice)]

    @cached_property
    def compared(self) -> list[Compared]:
        """Every choice with the predictions behind it by model; first where it is asked which one is best."""
        return [Compared(choice) for choice in sorted(self.choices, key=lambda choice: not choice.which)]

    @cached_property
    def stoppings(self) -> list[Stopping]:
        """Every training that keeps the state that is best on the rows it watches."""
        return [e for e in self.trace.events if isinstance(e, Stopping)]

    @cached_property
    def splits(self) -> dict[Hashable, Split]:
        """Every division by its key."""
        return {e.key: e for e in self.trace.events if isinstance(e, Split)}

    @cached_property
    def fitted_at(self) -> dict[Site, tuple[set[frozenset[str]], set[frozenset[str] | None]]]:
        """The outcomes and the columns of the models that each place makes."""
        found: dict[Site, tuple[set[frozenset[str]], set[frozenset[str] | None]]] = {}
        for e in self.evaluations:
            outcomes, shown = found.setdefault(e.model.site, (set(), set()))
            outcomes.update(fit.target for fit in e.model.fits)
            shown.update(fit.columns.only for fit in e.model.fits)
        return found

    @cached_property
    def _scored_splits(self) -> frozenset[Hashable]:
        """The divisions whose test side is scored."""
        return frozenset(
            c.key
            for e in self.evaluations
            if e.purpose is not Purpose.SEARCH
            for part in e.rows
            for c in part.cuts
            if c.side == "test"
        )

    def inner(self, rows: Rows) -> bool:
        """Whether these rows lie in a training part whose test part is scored too: they serve to choose."""
        return bool(rows) and all(
            any(c.side == "train" and c.key in self._scored_splits for c in part.cuts) for part in rows
        )

    @cached_property
    def validation(self) -> set[Part]:
        """Rows that the code calls validation rows, except a whole of which a part is trained on."""
        taught = {part for e in self.evaluations for fit in e.model.fits for part in fit.rows}
        return {part for part in self.trace.validation if not any(_divided_further(part, known) for known in taught)}

    def called_validation(self, rows: Rows) -> bool:
        """Whether the code itself calls these rows validation rows, and nowhere test rows."""
        meant = whichever_way(rows)
        return among(meant, self.validation) and not (meant and among(meant, self.trace.tests))

    @cached_property
    def sides(self) -> dict[Hashable, set[Side]]:
        """The sides of every division that some model learnt from or met."""
        found: dict[Hashable, set[Side]] = {}
        for e in self.evaluations:
            for rows in (e.rows, *(fit.rows for fit in e.model.fits)):
                for cut in (c for part in rows for c in part.cuts):
                    found.setdefault(cut.key, set()).add(cut.side)
        return found


_SCORED = frozenset({Purpose.SCORE, Purpose.CROSS_VALIDATION})


def _split_off(watched: Evaluation) -> Evaluation:
    """`fit(X, y, validation_split=0.2)`: training learns from the first rows and watches the last."""
    first, last = (Cut(("split off", watched.site.node), side) for side in ("train", "val"))
    own = (fit for fit in watched.model.fits if fit.site == watched.site)
    fits = frozenset(replace(fit, rows=cut_rows(fit.rows, [first])) for fit in own)
    return replace(watched, model=replace(watched.model, fits=fits), rows=cut_rows(watched.rows, [last]))


def among(rows: Rows, called: set[Part]) -> bool:
    """Whether rows are those that have a name, or batches or items of them."""
    return all(part in called or any(_batch(part, whole) for whole in called) for part in rows)


def _divided_further(whole: Part, part: Part) -> bool:
    """Whether a part is the training side of a split or a fold of the whole."""
    within = part.origin == whole.origin and whole.cuts < part.cuts
    return within and any(c.side == "train" and _is_split(c) for c in part.cuts - whole.cuts)


def _is_split(cut: Cut) -> bool:
    return isinstance(cut.key, tuple) and cut.key[0] in {"split", "folds"}


def _batch(part: Part, whole: Part) -> bool:
    """Whether some rows are a slice of others, single ones of them, or those for which a condition holds."""
    further = part.cuts - whole.cuts
    within = part.origin == whole.origin and whole.cuts < part.cuts
    return within and all(isinstance(c.side, Interval | OneOf) or is_by_text(c) for c in further)


def _of_tables(evaluation: Evaluation) -> Evaluation:
    rows = tables_in(evaluation.rows)
    fits = frozenset(replace(fit, rows=tables_in(fit.rows)) for fit in evaluation.model.fits)
    if rows == evaluation.rows and fits == evaluation.model.fits:
        return evaluation
    return replace(evaluation, rows=rows, model=replace(evaluation.model, fits=fits))
