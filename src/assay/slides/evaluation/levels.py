"""One set of a predictions folder, level by level: patches, slides, lesions, patients.

A `Level` is measures as a function of the patients' weights, with the denominators in words. What cannot be
measured because nothing was predicted is None and noted; what is there in part is an error, not a smaller set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.evaluation.lesions import Hits, hits_on, lesions_in
from assay.slides.evaluation.measures import FALSE_POSITIVES, Conventions, Precision, auc, froc, kappa, roc, shares
from assay.slides.evaluation.predictions import STAGES, Patient, Predictions, Slide
from assay.slides.evaluation.references import References

if TYPE_CHECKING:
    from assay.slides.evaluation.measures import Ints, Weights
    from assay.slides.evaluation.tables import Bools, Floats

ROC_RATES = tuple(step / 50 for step in range(51))
FROC_RATES = tuple(step / 8 for step in range(65))
"""Where curves are drawn; the six rates of the challenge are among them."""


@dataclass(frozen=True, slots=True)
class Level:
    """Measures of one kind of thing, as a function of weights with a row for each patient."""

    over: str
    """The denominators in words."""
    units: int
    """How many numbers are computed for each resample: what a block of them costs."""
    measures: Callable[[Weights], dict[str, Floats]]


@dataclass(frozen=True)
class NamedSet:
    """The part of the predictions that belongs to one named set."""

    predictions: Predictions
    references: References
    name: str
    threshold: float
    how: Conventions
    notes: list[str] = field(default_factory=list)
    """Why a level is missing."""

    @cached_property
    def slides(self) -> list[Slide]:
        """The slides of the set."""
        return [slide for slide in self.predictions.slides if slide.set == self.name]

    @cached_property
    def staged(self) -> list[Patient]:
        """The patients whose stage was predicted."""
        return [one for one in self.predictions.patients or () if one.set == self.name]

    @cached_property
    def patients(self) -> list[str]:
        """Every patient of the set, in the order of a column of weights."""
        return list(dict.fromkeys([*(slide.patient for slide in self.slides), *(one.name for one in self.staged)]))

    def places(self, patients: Sequence[str]) -> list[int]:
        """For each unit the row of its patient in a column of weights."""
        order = {name: place for place, name in enumerate(self.patients)}
        return [order[name] for name in patients]

    def patch_level(self) -> Level | None:
        """Every scored patch of the set."""
        patches = self.predictions.patches
        mine = np.zeros(0, dtype=bool)
        if patches is not None:
            mine = np.array([slide.set == self.name for slide in self.predictions.slides])[patches.slide]
        if patches is None or not mine.any():
            self._note("no patch in patches.csv, so no patch measures")
            return None
        owner = dict(zip((s.name for s in self.slides), self.places([s.patient for s in self.slides]), strict=True))
        owners = np.array([owner.get(slide.name, -1) for slide in self.predictions.slides])
        place, positive, score = owners[patches.slide[mine]], patches.positive[mine], patches.score[mine]
        precision = Precision.of(positive, score, place, len(self.patients))
        called = score >= self.threshold

        def measures(weights: Weights) -> dict[str, Floats]:
            told = {f"patch_{name}": v for name, v in shares(positive, called, place, weights).items()}
            return told | {"patch_pr_auc": precision.average(weights)}

        holding = len(np.unique(patches.slide[mine]))
        over = f"{score.size:,} patches ({int(positive.sum()):,} tumour) on {holding} of {len(self.slides)} slides"
        return Level(over, max(1, len(precision.gained)), measures)

    def slide_level(self) -> Level | None:
        """Every slide of the set; all of them are scored or none."""
        slides = self.slides
        scores = [slide.score for slide in slides if slide.score is not None]
        if not scores:
            self._note("no slide has a score, so no slide measures")
            return None
        if len(scores) < len(slides):
            lost = next(slide.name for slide in slides if slide.score is None)
            told = f'slide "{lost}" of the set "{self.name}" has no score, others have'
            raise InputError(told, where=str(self.predictions.folder / "slides.csv"), fix="Score every slide of a set.")
        place = np.array(self.places([slide.patient for slide in slides]))
        positive, score = np.array([slide.positive for slide in slides]), np.array(scores)
        called = score >= self.threshold

        def measures(weights: Weights) -> dict[str, Floats]:
            told = {f"slide_{name}": v for name, v in shares(positive, called, place, weights).items()}
            return {"slide_auc": auc(positive, score, weights[place])} | told

        return Level(f"{len(slides)} slides ({int(positive.sum())} with tumour)", len(slides), measures)

    def class_level(self) -> Level | None:
        """The four classes of a slide (negative, isolated cells, micro- and macro-metastasis)."""
        told = [(slide.patient, slide.kind == slide.predicted_kind) for slide in self.slides if slide.predicted_kind]
        if not told:
            return None
        place = np.array(self.places([patient for patient, _ in told]))
        right = np.array([ok for _, ok in told])

        def measures(weights: Weights) -> dict[str, Floats]:
            return {"slide_class_accuracy": shares(right, np.ones_like(right), place, weights)["accuracy"]}

        return Level(f"{len(told)} slides in four classes", len(told), measures)

    @cached_property
    def hits(self) -> list[Hits] | None:
        """What the detections of each slide come to; None when lesions cannot be judged."""
        if self.predictions.detections is None:
            self._note("no lesions.csv, so no FROC")
            return None
        positive = [slide.name for slide in self.slides if slide.positive]
        lacking = [name for name in positive if name not in self.references]
        if lacking and len(lacking) == len(positive):
            self._note("no tumour slide has an annotation in masks.csv or polygons.csv, so no FROC")
            return None
        if lacking:
            told = f'slide "{lacking[0]}" holds tumour (slides.csv) but has no annotation'
            raise InputError(told, where=str(self.predictions.folder), fix="Add it to masks.csv or polygons.csv.")
        return list(self._judged())

    def _judged(self) -> Iterator[Hits]:
        detections = self.predictions.detections or {}
        for slide in self.slides:
            lesions = lesions_in(self.references.mask(slide.name)) if slide.name in self.references else None
            # Isolated cells alone may count as normal: that is the author's choice, not a contradiction.
            if lesions is not None and (not lesions.numbers.size if slide.positive else lesions.count):
                shown = "no tumour" if slide.positive else "tumour"
                told = f'slide "{slide.name}" has the label {int(slide.positive)}, but its annotation shows {shown}'
                raise InputError(told, where=str(self.predictions.folder), fix="Correct one of them.")
            yield hits_on(detections.get(slide.name), lesions)

    def lesion_level(self) -> Level | None:
        """The official mean sensitivity."""
        return self._froc_level(self.how, lambda mean, _: {"froc": mean})

    def operating_points(self) -> Level | None:
        """The sensitivity at each rate of false positives."""
        return self._froc_level(
            self.how, lambda _, points: dict(zip(map("{:g}".format, FALSE_POSITIVES), points, strict=True))
        )

    def roc_curve(self) -> Level | None:
        """The sensitivity of slides at many rates of false positives."""
        if any(slide.score is None for slide in self.slides) or not self.slides:
            return None
        place = np.array(self.places([slide.patient for slide in self.slides]))
        positive = np.array([slide.positive for slide in self.slides])
        return roc_level(positive, np.array([slide.score for slide in self.slides], np.float64), place)

    def froc_curve(self) -> Level | None:
        """The sensitivity of lesions at many rates of false positives."""
        hits = self.hits
        if hits is None:
            return None
        place = self.places([slide.patient for slide in self.slides])

        def measures(weights: Weights) -> dict[str, Floats]:
            _, points = froc(hits, weights[place], self.how.froc_slides, FROC_RATES)
            return dict(zip(map("{:g}".format, FROC_RATES), points, strict=True))

        return Level("slides", sum(len(one.found) + len(one.false) for one in hits) + len(hits), measures)

    def _froc_level(self, how: Conventions, named: Callable[[Floats, Weights], dict[str, Floats]]) -> Level | None:
        hits = self.hits
        if hits is None:
            return None
        place = self.places([slide.patient for slide in self.slides])
        return Level(
            _lesion_denominators(hits, how),
            sum(len(one.found) + len(one.false) for one in hits) + len(hits),
            lambda weights: named(*froc(hits, weights[place], how.froc_slides)),
        )

    def patient_level(self) -> Level | None:
        """Kappa of the stages."""
        if not self.staged:
            self._note("no patient in patients.csv, so no kappa")
            return None
        return self._kappa_level("kappa", self.how)

    def _kappa_level(self, name: str, how: Conventions) -> Level:
        place = self.places([one.name for one in self.staged])
        stages, predicted = [one.stage for one in self.staged], [one.predicted for one in self.staged]
        return Level(
            f"{len(self.staged)} patients in {len(STAGES)} stages",
            len(self.staged),
            lambda weights: {name: kappa(stages, predicted, weights[place], how)},
        )

    def other_conventions(self) -> list[Level]:
        """The same predictions, reported otherwise."""
        dropped = self._froc_level(
            Conventions(froc_slides="with detections"),
            lambda mean, _: {"FROC, silent slides dropped": mean},
        )
        told = [dropped] if dropped else []
        if self.staged:
            told.append(self._kappa_level("kappa, alphabetical stages", Conventions("alphabetical")))
            told.append(self._kappa_level("kappa, unweighted", Conventions(kappa_weights="none")))
        return told

    def confusion(self) -> tuple[tuple[int, ...], ...]:
        """Patients by stage (rows) and predicted stage (columns), in clinical order."""
        pairs = [(one.stage, one.predicted) for one in self.staged]
        return tuple(tuple(pairs.count((row, column)) for column in STAGES) for row in STAGES) if pairs else ()

    def _note(self, why: str) -> None:
        self.notes.append(f"{self.name}: {why}")


def roc_level(positive: Bools, score: Floats, place: Ints) -> Level:
    """The ROC curve of cases that belong to patients, as the sensitivity at many rates of false positives."""

    def measures(weights: Weights) -> dict[str, Floats]:
        return dict(zip(map("{:g}".format, ROC_RATES), roc(positive, score, weights[place], ROC_RATES), strict=True))

    return Level("cases", len(score) + len(ROC_RATES), measures)


def _lesion_denominators(hits: Sequence[Hits], how: Conventions) -> str:
    """Over how many lesions and slides the two axes of the curve are taken."""
    spoken = [one for one in hits if one.detections]
    silent = len(hits) - len(spoken)
    everywhere = how.froc_slides == "all"
    used = hits if everywhere else spoken
    return (
        f"{sum(one.lesions for one in used)} lesions ({sum(one.isolated for one in hits)} of isolated cells not "
        f"counted); false positives over {len(used)} slides "
        f"({silent} without detections {'included' if everywhere else 'left out'})"
    )
