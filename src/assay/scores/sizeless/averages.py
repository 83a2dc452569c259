"""Figures that are means over folds, test sets or classes of unknown sizes: what no mean can be.

A mean of scores obeys fewer laws than the scores of one matrix. Those that remain are inequalities whose bound is a
concave function from above or a convex one from below (Jensen's inequality), whatever the weights of the parts. Each
row of the table is such a law, proved in the comment beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from itertools import chain
from math import isqrt

from assay.patterns import regex
from assay.records import dataclass
from assay.scores.answers import Answer, inconsistent, undecided
from assay.scores.exact import Interval, decimal
from assay.scores.phrases import between, rounded
from assay.scores.sizeless.requirements import Requirement

Bound = Callable[..., Fraction]
"""Rises with each of the given figures."""


class Parts(Enum):
    """Over what the mean is taken."""

    BOTH_CLASSES = "the mean over test sets that each hold both classes"
    ANY = "the mean over classes, or over test sets of which some lack a class"
    """Accuracy, balanced accuracy and correlations are then of all classes together and are compared with nothing."""


@dataclass(frozen=True, slots=True)
class Law:
    """A bound on the mean of one score by the means of others."""

    target: str
    given: tuple[str, ...]
    because: str
    at_most: Bound | None = None
    at_least: Bound | None = None
    over: tuple[Parts, ...] = (Parts.BOTH_CLASSES, Parts.ANY)


def _one_less(x: Fraction, y: Fraction) -> Fraction:
    return x + y - 1


def _root_of_product(x: Fraction, y: Fraction) -> Fraction:
    """√(x·y), rounded up."""
    fine, square = 10**15, max(x, Fraction(0)) * max(y, Fraction(0))
    return Fraction(isqrt(square.numerator * fine * fine // square.denominator) + 1, fine)


_ONLY_BOTH = (Parts.BOTH_CLASSES,)

_LAWS = (
    # IoU = F / (2 - F) is convex in F, and a convex function lies below its chord, here F itself.
    Law(
        "ji",
        ("f1",),
        "IoU is Dice / (2 - Dice) on each part, a convex function, so that the mean IoU lies between that of the mean "
        "Dice and the mean Dice itself",
        at_most=lambda f: f,
        at_least=lambda f: f / (2 - f),
    ),
    Law("ji", ("ppv",), "IoU is at most the precision on each part", at_most=lambda p: p),
    Law("ji", ("sens",), "IoU is at most the recall on each part", at_most=lambda r: r),
    # With x = 1 - P and y = 1 - R: J - (P + R - 1) has the sign of x·y·(2 - x - y).
    Law("ji", ("ppv", "sens"), "IoU is at least precision + recall - 1 on each part", at_least=_one_less),
    Law(
        "bacc",
        ("sens", "spec"),
        "Balanced accuracy is the mean of sensitivity and specificity on each part",
        at_most=lambda s, c: (s + c) / 2,
        at_least=lambda s, c: (s + c) / 2,
        over=_ONLY_BOTH,
    ),
    Law(
        "bm",
        ("sens", "spec"),
        "Informedness is sensitivity + specificity - 1 on each part",
        at_most=_one_less,
        at_least=_one_less,
        over=_ONLY_BOTH,
    ),
    Law(
        "bm",
        ("bacc",),
        "Informedness is 2 · balanced accuracy - 1 on each part",
        at_most=lambda b: 2 * b - 1,
        at_least=lambda b: 2 * b - 1,
        over=_ONLY_BOTH,
    ),
    Law(
        "gm",
        ("sens", "spec"),
        "√(sens·spec) is a concave function and at least sens + spec - 1",
        at_most=_root_of_product,
        at_least=_one_less,
        over=_ONLY_BOTH,
    ),
    # Accuracy lies between the two, hence between sens + spec - 1 and sens + spec.
    Law(
        "acc",
        ("sens", "spec"),
        "Accuracy is at least sensitivity + specificity - 1 and at most their sum on each part",
        at_most=lambda s, c: s + c,
        at_least=_one_less,
        over=_ONLY_BOTH,
    ),
    Law("kappa", ("acc",), "Kappa is at most the accuracy on each part", at_most=lambda a: a, over=_ONLY_BOTH),
    # The area is at least sens·spec = (sens + spec - 1) + (1 - sens)·(1 - spec), and at most sens + spec - sens·spec.
    Law(
        "auc",
        ("sens", "spec"),
        "A ROC curve through a point has an area of at least sens + spec - 1 and at most sens + spec",
        at_most=lambda s, c: s + c,
        at_least=_one_less,
        over=_ONLY_BOTH,
    ),
)

_F_BETA = regex(r"f(\d+(?:\.\d+)?)(n?)")
_OF_IMAGES = regex(r"dice|dsc|dc|sorensen|iou|jaccard|intersection", re.IGNORECASE)
"""Names of F1 and IoU for means over images: an empty image counts 1 there, whatever its precision and recall."""


def _laws_of_f(score: str) -> Iterator[Law]:
    """F-beta is a weighted harmonic mean: concave, and like any mean of two shares at least their sum minus 1.

    A missing precision or recall is at most 1.
    """
    found = _F_BETA.fullmatch(score)
    if found is None:
        return
    square, precision, recall = Fraction(found[1]) ** 2, *(("npv", "spec") if found[2] else ("ppv", "sens"))

    def harmonic(p: Fraction, r: Fraction) -> Fraction:
        return (1 + square) * p * r / (square * p + r) if p > 0 and r > 0 else Fraction(0)

    because = (
        f"On each part F{found[1]} is a harmonic mean of {precision} and {recall}, a concave function and at least "
        "their sum minus 1"
    )
    yield Law(score, (precision, recall), because, harmonic, _one_less)
    yield Law(score, (precision,), because, lambda p: harmonic(p, Fraction(1)))
    yield Law(score, (recall,), because, lambda r: harmonic(Fraction(1), r))


def _laws_about(score: str) -> list[Law]:
    return [law for law in (*_laws_of_f(score), *_LAWS) if law.target == score]


def solve_mean(requirements: Sequence[Requirement], parts: Parts) -> Answer:
    """Why these figures are no means over such parts; undecided where no law excludes them."""
    finite = [one for one in requirements if not one.interval.infinite]
    for one in finite:
        if one.interval.intersect(Interval(*one.range)).empty:
            reason = f"{one.label} is {between(*one.range)} on each part; {one.name} {one.printed} is not"
            return inconsistent(f"{reason}, whatever the parts.", {}, (one.name,))
    known = {one.short: one for one in finite}
    laws = chain.from_iterable(map(_laws_about, known))
    for law in sorted(laws, key=lambda law: len(law.given)):
        if parts in law.over and (broken := _broken(law, known)):
            return broken
    return undecided("impossible on one test set of any size, but not excluded as a mean.")


def _broken(law: Law, known: Mapping[str, Requirement]) -> Answer | None:
    target, given = known[law.target], [known[name] for name in law.given if name in known]
    if len(given) < len(law.given) or _over_images(target, given):
        return None
    most = _bounded(law.at_most, [one.interval.hi for one in given], Fraction(1))
    least = _bounded(law.at_least, [one.interval.lo for one in given], Fraction(0))
    room = Interval(least, most)
    if room.empty or not target.interval.intersect(room).empty:
        return None
    shown = _shortened(least, most)
    if not target.interval.intersect(Interval(*shown)).empty:
        shown = (least, most)
    return inconsistent(
        f"{law.because}: {_leave(given)} the mean {target.label} "
        f"{between(*shown)}; {target.name} {target.printed} means {between(target.interval.lo, target.interval.hi)}.",
        {
            f"mean {target.label} at {word}": decimal(bound)
            for word, bound in zip(("least", "most"), shown, strict=True)
            if bound is not None
        },
        tuple(one.name for one in (target, *given)),
    )


def _leave(given: Sequence[Requirement]) -> str:
    claims = " and ".join(f"{one.name} {one.printed}" for one in given)
    return f"{claims} {'leaves' if len(given) == 1 else 'leave'}"


def _shortened(least: Fraction | None, most: Fraction | None) -> tuple[Fraction | None, Fraction | None]:
    """Both bounds rounded outwards to six digits."""
    return None if least is None else rounded(least, -1, 6), None if most is None else rounded(most, 1, 6)


def _over_images(target: Requirement, given: Sequence[Requirement]) -> bool:
    """Whether the figures look like means over images, of which empty ones count differently for each score."""
    named_so = any(_OF_IMAGES.match(one.name) for one in (target, *given))
    return named_so and {one.short for one in (target, *given)} != {"f1", "ji"}


def _bounded(law: Bound | None, figures: Sequence[Fraction | None], at_the_end: Fraction) -> Fraction | None:
    """The bound, where scores are shares: a figure printed as 1.00 is at most 1."""
    if law is None:
        return None
    shares = [at_the_end if figure is None else min(max(figure, Fraction(0)), Fraction(1)) for figure in figures]
    return law(*shares)
