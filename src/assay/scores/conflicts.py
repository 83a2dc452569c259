"""The sentence that states a conflict: which printed scores are impossible, and for which test set."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import InputError
from assay.patterns import regex
from assay.scores.definitions import COMPLEMENTS, Score, find_score

_FULL_NAMES = {
    "f1": "F1 score",
    "f1 score": "F1 score",
    "f score": "F-score",
    "f measure": "F-measure",
    "f1n": "negative-class F1 score",
    "kappa": "kappa",
    "dice": "Dice coefficient",
    "dsc": "Dice coefficient",
    "iou": "IoU",
    "miou": "mean IoU",
    "youden": "Youden index",
    "auc": "AUC",
    "auroc": "AUROC",
    "gini": "Gini coefficient",
    "mae": "mean absolute error",
    "mse": "mean squared error",
    "rmse": "root mean squared error",
    "medae": "median absolute error",
    "r2": "R²",
    "r2 score": "R²",
    "r squared": "R²",
    "max error": "maximum error",
    "ev": "explained variance",
    "me": "mean error",
}
"""Names that are written in another way than the table of scores or the reported name suggests."""
_AVERAGES = {"macro": "macro-averaged", "micro": "micro-averaged", "weighted": "weighted"}
_OF_A_CLASS = regex(r"(?P<score>[^\[\]]+)\[(?P<label>[^\[\]]+)\]")
_LONGEST_ABBREVIATION = 4
"""Reported names up to this length (acc, sens, prec) are written out; longer ones (recall) stay as they are."""
_VOWELS = "aeiou"
_SPOKEN_WITH_A_VOWEL = "AEFHILMNORSX"
"""Letters whose names begin with a vowel sound: an F1 score, an R²."""


def conflict_sentence(figures: Sequence[tuple[str, str]], setting: str) -> str:
    """What is wrong, in a sentence.

    For example "A sensitivity of 0.931 is impossible with 284 positives."
    `figures` are names and printed values; `setting` names the test set, as `class_counts` does.
    """
    phrases = [score_phrase(name, printed) for name, printed in figures]
    if len(phrases) == 1:
        plural = all(is_count(name) and printed.strip() != "1" for name, printed in figures)
        verdict = "are impossible" if plural else "is impossible"
    else:
        verdict = "cannot both be true" if len(phrases) == 2 else "cannot all be true"
    stated = f"{enumeration(phrases)} {verdict} {setting}."
    return f"{stated[:1].upper()}{stated[1:]}"


def class_counts(p: int, n: int, names: Sequence[str] = ()) -> str:
    """For example "with 284 positives and 1,016 negatives"; only the class that all the named scores depend on."""
    scores = [score for name in names if (score := _known(name)) is not None]
    if scores and len(scores) == len(names):
        if all(map(_ignores_negatives, scores)):
            return f"with {_counted(p, 'positive')}"
        if all(map(_ignores_positives, scores)):
            return f"with {_counted(n, 'negative')}"
    return f"with {both_classes(p, n)}"


def both_classes(p: int, n: int) -> str:
    """For example "284 positives and 1,016 negatives"."""
    return f"{_counted(p, 'positive')} and {_counted(n, 'negative')}"


def score_phrase(name: str, printed: str) -> str:
    """For example "an accuracy of 0.90" or "30 true positives"."""
    full = full_name(name)
    if not printed:
        return f"the reported median or range of the {full}"
    return f"{printed} {full}" if is_count(name) else f"{_article(full)} {full} of {printed}"


def full_name(name: str) -> str:
    """A reported score's name in words: "sens" is a sensitivity, "recall_macro" a macro-averaged recall."""
    of_class = _OF_A_CLASS.fullmatch(name.strip())
    if of_class:
        return f"{full_name(of_class['score'])} for class {of_class['label'].strip()}"
    words = name.strip().replace("_", " ").replace("-", " ").split()
    averages = [_AVERAGES[word.lower()] for word in words if word.lower() in _AVERAGES]
    rest = " ".join(word for word in words if word.lower() not in _AVERAGES)
    return " ".join([*averages, _plain_name(rest)]) if averages and rest else _plain_name(name.strip())


def is_count(name: str) -> bool:
    """Whether the name means a cell of the confusion matrix."""
    score = _known(name)
    return score is not None and score.whole


def enumeration(phrases: Sequence[str]) -> str:
    """For example "a, b and c"."""
    return phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} and {phrases[-1]}"


def _plain_name(name: str) -> str:
    key = name.lower().replace("_", " ").replace("-", " ")
    if key in _FULL_NAMES:
        return _FULL_NAMES[key]
    try:
        score, complement = find_score(name)
    except InputError:
        return name.replace("_", " ")
    if len(key) > _LONGEST_ABBREVIATION and key != score.name:
        return key if name.istitle() else name.replace("_", " ")
    if complement:
        return next(label for base, label, _ in COMPLEMENTS.values() if base == score.name)
    return _FULL_NAMES.get(score.name, score.label)


def _known(name: str) -> Score | None:
    try:
        return find_score(name).score
    except InputError:
        return None


def _ignores_negatives(score: Score) -> bool:
    return score.ratio(3, 4, 5, 6) == score.ratio(3, 4, 11, 17)


def _ignores_positives(score: Score) -> bool:
    return score.ratio(3, 4, 5, 6) == score.ratio(11, 17, 5, 6)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _article(words: str) -> str:
    first = words.split(maxsplit=1)[0]
    spelled_out = first.isupper() or first in {"F-score", "F-measure"}
    vowel = first[0] in _SPOKEN_WITH_A_VOWEL if spelled_out else first[0].lower() in _VOWELS
    return "an" if vowel and first != "unified" else "a"
