"""What the name of a reported multiclass score means.

A name is a score of the binary table, taken of each class against the rest, with its scope:
``recall_macro``, ``weighted precision``, ``f1[setosa]``; or one figure of the whole confusion matrix:
``acc``, ``kappa``, ``mcc``, ``balanced accuracy``. Names that the literature uses for two different
things (the accuracy of a class is its recall for some, its one-versus-rest accuracy for others) are
refused with the two ways of saying it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from assay.errors import InputError, suggestion
from assay.patterns import regex
from assay.records import dataclass
from assay.scores.definitions import COUNTS, SCORES, Score, find_score
from assay.scores.exact import Interval


class Scope(StrEnum):
    """Of what a reported figure is the score."""

    CORRECT = "correct"
    """Of the pooled one-versus-rest matrices: a function of the number of correct items alone."""
    KAPPA = "kappa"
    MCC = "mcc"
    CLASS = "class"
    """Of one class against the rest."""
    MACRO = "macro"
    """The plain mean over the classes."""
    WEIGHTED = "weighted"
    """The mean over the classes, weighted by their items."""


AVERAGES = frozenset({Scope.MACRO, Scope.WEIGHTED})


@dataclass(frozen=True, slots=True)
class Quantity:
    """A reported figure: the `score` over its `scope` lies in `interval`.

    A complement such as the error rate has been turned into the score it completes; `complement`
    remembers it, because a library that prints 0 for an undefined false discovery rate means 1.
    `identity` says why a figure named otherwise is a function of the number of correct items; `balanced` that it is the
    balanced accuracy, a mean recall over the classes that have items.
    """

    name: str
    interval: Interval
    scope: Scope
    score: Score
    label: int = -1
    complement: bool = False
    identity: str = ""
    balanced: bool = False

    @property
    def printed(self) -> str:
        """The interval as it was reported."""
        return str(self.interval.one_minus() if self.complement else self.interval)

    @property
    def averaged_f1(self) -> bool:
        """Whether this is the figure that has two definitions."""
        return self.scope in AVERAGES and self.score.name == "f1"


_UNBOUNDED = frozenset({"lrp", "lrn", "dor", "pt"})
"""Scores that have no mean where one class has no false alarms or no misses; of a single class they are tested."""
_WEIGHTED_OTHERWISE = frozenset({"kappa", "bacc"})
"""Scores of which "weighted" names another definition than a mean over the classes."""
_AVERAGE_WORDS = {"macro": Scope.MACRO, "weighted": Scope.WEIGHTED, "micro": Scope.CORRECT}
_FILLERS = frozenset({"avg", "average", "averaged"})
_ALIASES = {"miou": "iou_macro", "meaniou": "iou_macro", "fwiou": "iou_weighted"}
_OF_A_CLASS = regex(r"(?P<score>[^\[\]]+)\[(?P<label>[^\[\]]+)\]")


def read_quantities(
    counts: Sequence[int], reported: Mapping[str, Interval], classes: Sequence[str] = (), *, folds: bool = False
) -> tuple[Quantity, ...]:
    """The reported figures with their meanings, in the order given; classes of equal size may differ in their folds."""
    labels = {name: i for i, name in enumerate(classes)}
    labels |= {str(i): i for i in range(len(counts)) if str(i) not in labels}
    same = not folds and len(set(counts)) == 1
    return tuple(_quantity(name, interval, counts[0] if same else 0, labels) for name, interval in reported.items())


def _quantity(name: str, interval: Interval, each: int, labels: Mapping[str, int]) -> Quantity:
    """The meaning of one figure; `each` class has so many items, if all have the same number of them."""
    if interval.infinite:
        raise InputError("this score is never infinite", where=name, fix="Give a number.")
    of_class = _OF_A_CLASS.fullmatch(name.strip())
    words = re.split(r"[\s_\-]+", (of_class["score"] if of_class else name).strip().lower())
    spelled = _ALIASES.get("".join(words))
    words = spelled.split("_") if spelled else [w for w in words if w not in _FILLERS]
    average, versus_rest = _average_in(words, name, of_class=bool(of_class)), "ovr" in words
    score, complement = find_score("_".join(w for w in words if w not in {*_AVERAGE_WORDS, "ovr"}))
    meant = interval.one_minus() if complement else interval
    draft = Quantity(name, meant, Scope.CLASS, score, complement=complement)
    if of_class:
        return _of_a_class(replace(draft, label=_label(of_class["label"].strip(), labels, name)), versus_rest)
    if score.name == "acc":
        return _accuracy(draft, average, versus_rest)
    return _of_all_classes(draft, average, each, len(set(labels.values())))


def _average_in(words: Sequence[str], name: str, *, of_class: bool) -> Scope | None:
    averages = [_AVERAGE_WORDS[word] for word in words if word in _AVERAGE_WORDS]
    if len(averages) + of_class > 1:
        fix = "Keep one of macro, micro, weighted or [class]."
        raise InputError("this names two averages at once", where=name, fix=fix)
    return next(iter(averages), None)


def _label(label: str, labels: Mapping[str, int], name: str) -> int:
    if label in labels:
        return labels[label]
    raise InputError(
        f'there is no class "{label}"',
        where=name,
        fix=suggestion(label, labels) or f"Classes are named, or counted from 0 to {max(labels.values())}.",
    )


def _of_a_class(draft: Quantity, versus_rest: bool) -> Quantity:
    if draft.score.name == "acc" and not versus_rest:
        raise InputError(
            "the accuracy of a class may be its recall or its one-versus-rest accuracy",
            where=draft.name,
            fix="Write recall[...] or acc_ovr[...].",
        )
    return draft


def _accuracy(draft: Quantity, average: Scope | None, versus_rest: bool) -> Quantity:
    """The share of correct items, unless the name says one-versus-rest."""
    if not versus_rest:
        if average is None:
            return replace(draft, scope=Scope.CORRECT, score=SCORES["sens"])
        raise InputError(
            "an average accuracy may be the average recall or the average one-versus-rest accuracy",
            where=draft.name,
            fix="Write recall_macro or acc_ovr_macro; the plain share of correct items is acc.",
        )
    if average is Scope.WEIGHTED:
        return replace(draft, scope=average)
    why = "the mean one-versus-rest accuracy follows from the number correct"
    return replace(draft, scope=Scope.CORRECT, identity=why)


def _of_all_classes(draft: Quantity, average: Scope | None, each: int, classes: int) -> Quantity:
    score = draft.score.name
    if average is None and score in ("kappa", "mcc"):
        return replace(draft, scope=Scope(score))
    if average is None and score == "bacc":  # balanced accuracy is the mean recall
        return _of_all_classes(replace(draft, score=SCORES["sens"], balanced=True), Scope.MACRO, each, classes)
    scope = _usual_average(draft, average, classes)
    identity = _same_as_accuracy(score, scope, each)
    return replace(draft, scope=Scope.CORRECT if identity else scope, identity=identity)


def _usual_average(draft: Quantity, average: Scope | None, classes: int) -> Scope:
    """The average, unless it has no usual meaning or is not tested for several classes."""
    score, name = draft.score.name, draft.name
    undefined = score == "upm" and average is Scope.CORRECT and classes == 2  # 0/0 without a correct item
    if score in COUNTS or (score in _UNBOUNDED and average in AVERAGES) or undefined:
        raise _unsupported(draft)
    if score in _WEIGHTED_OTHERWISE and average is Scope.WEIGHTED:
        raise InputError(
            f"a weighted {draft.score.label} usually weighs the confusions, not the classes",
            where=name,
            fix=f"Leave it out: only the unweighted {score} is tested.",
        )
    if average is None:
        raise InputError(
            f"over several classes {draft.score.label} needs an average",
            where=name,
            fix=f"Write {name}_macro, {name}_micro, {name}_weighted or {name}[class].",
        )
    return average


def _same_as_accuracy(score: str, average: Scope, each: int) -> str:
    """Why this average follows from the number of correct items; empty where it does not."""
    if average is Scope.CORRECT:
        return "pooled over the classes it follows from the number correct"
    if score == "sens" and average is Scope.WEIGHTED:
        return "recall weighted by the class counts is accuracy"
    if score == "sens" and each:
        return f"with {each} items in every class the mean recall is accuracy"
    return ""


def _unsupported(draft: Quantity) -> InputError:
    return InputError(
        f"{draft.score.label} is not tested in this form for several classes",
        where=draft.name,
        fix="Tested are acc, balanced accuracy, kappa, mcc, every score of one class as name[class], and shares such "
        "as f1 with _macro, _micro or _weighted.",
    )
