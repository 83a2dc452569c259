"""A row of scores under each reasonable reading of "P positives and N negatives", by the exact score tests.

Papers rarely say which class is the positive one, whether figures are macro or weighted means over both classes, or
whether digits were rounded or cut. A row is impossible only when every one of these readings fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from assay.errors import InputError
from assay.extras import MissingPackageError, missing_package
from assay.findings import Value, Verdict
from assay.records import dataclass
from assay.scores.check import Result, check
from assay.scores.compilation import experiment_of
from assay.scores.reading import words_as_data

Scores = tuple[tuple[str, str], ...]
_AVERAGED = frozenset({"sens", "ppv", "f1", "spec", "npv", "ji"})
"""Scores that libraries also print as means over the classes."""
_TESTED = frozenset({*_AVERAGED, "acc", "bacc", "mcc", "kappa", "auc", "err", "fpr", "fnr", "gm", "fdr"})
_OF_ONE_DECISION = frozenset({"acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc"})
"""Scores that follow from one decision for each item."""
_AVERAGES = ("macro", "weighted")


@dataclass(frozen=True, slots=True)
class Tried:
    """One reading of a row and what came of it; `robust` if it fails even with every last digit one off."""

    reading: str
    verdict: Verdict
    reason: str
    conflict: tuple[str, ...] = ()
    witness: tuple[tuple[str, Value], ...] = ()
    robust: bool = False


@lru_cache(maxsize=4096)
def tried_readings(scores: Scores, positives: int, negatives: int) -> tuple[Tried, ...]:
    """The row under each reading, the plainest first, up to the first that fits; empty when the tests know no score."""
    wordings: tuple[tuple[str, Callable[[Scores], list[str]]], ...] = (
        (f"scores of the {positives} positives", lambda s: [f"p={positives}", f"n={negatives}", *_plain(s)]),
        (f"scores of the {negatives} negatives", lambda s: [f"p={negatives}", f"n={positives}", *_plain(s)]),
        *(
            (f"{mean} means over both classes", lambda s, mean=mean: _of_classes(s, positives, negatives, mean))
            for mean in _AVERAGES
        ),
    )
    tested = tuple((name, figure) for name, figure in scores if name in _TESTED and "±" not in figure)
    found: list[Tried] = []
    for reading, words in wordings:
        one = _tried(reading, words, tested) if tested else None
        if one is not None:
            found.append(one)
        if one is not None and one.verdict is Verdict.CONSISTENT:
            break
    return tuple(found)


def _at_any_size(scores: Scores) -> list[str]:
    """The row on a test set of unknown size, as words; empty unless several of its scores follow from one decision.

    Every figure is taken give or take one unit of its last digit. Scores that papers often measure on something else
    than the rest of the row (areas, overlaps of boxes) are left out.
    """
    tested = tuple((name, figure) for name, figure in scores if name in _OF_ONE_DECISION and "±" not in figure)
    words = [*_plain(tested), *(f"{name}_eps={_unit(figure)}" for name, figure in tested)]
    return words if len(tested) > 1 else []


@lru_cache(maxsize=4096)
def excluded_at_any_size(scores: Scores) -> bool:
    """Whether no test set of any size gives the row, and no mean over several does either; not argued."""
    words = _at_any_size(scores)
    result = _checked([*words, "aggregation=mean"]) if words else None
    return result is not None and result.verdict is Verdict.INCONSISTENT


@lru_cache(maxsize=4096)
def tried_at_any_size(scores: Scores) -> tuple[Tried, ...]:
    """The readings of a row that is excluded at any size, each with why; this takes longer than the verdict."""
    result = _checked(_at_any_size(scores)) if excluded_at_any_size(scores) else None
    return tuple(
        Tried(h.reading, h.answer.verdict, h.answer.reason, tuple(h.answer.conflict), robust=True)
        for h in (result.hypotheses if result else ())
    )


def fitting(tried: Sequence[Tried]) -> Tried | None:
    """The reading under which the scores can be true."""
    return next((one for one in tried if one.verdict is Verdict.CONSISTENT), None)


def _tried(reading: str, words: Callable[[Scores], list[str]], scores: Scores) -> Tried | None:
    try:
        result = _checked(words(scores))
    except MissingPackageError as error:  # an untried reading may be the right one: it is open, never left out
        return Tried(reading, Verdict.UNDECIDED, str(error))
    if result is None:
        return None
    answer = result.decisive.answer
    shown = answer.witness[0] if answer.witness else None
    matrix = tuple((name, getattr(shown, name)) for name in ("tp", "fn", "fp", "tn") if hasattr(shown, name))
    robust = False
    if result.verdict is Verdict.INCONSISTENT:
        wider = _checked([*words(scores), *_one_off(scores, words)], hasty=True)
        robust = wider is not None and wider.verdict is Verdict.INCONSISTENT
    conflict = tuple(name for name, _ in scores if any(_is_about(said, name) for said in answer.conflict))
    return Tried(reading, result.verdict, answer.reason, conflict, matrix, robust)


def _is_about(said: str, name: str) -> bool:
    """Whether the reading's name of a score, such as "f1_macro", stands for this one of the row."""
    return said == name or said.startswith(f"{name}_")


def _checked(words: list[str], *, hasty: bool = False) -> Result | None:
    try:
        return check(experiment_of(words_as_data(words), where="the row"), hasty=hasty)
    except MissingPackageError:
        raise
    except InputError:
        return None
    except ImportError as error:
        raise missing_package(error) or error from None


def _plain(scores: Scores) -> list[str]:
    return [f"{name}={figure}" for name, figure in scores]


def _of_classes(scores: Scores, positives: int, negatives: int, mean: str) -> list[str]:
    named = [(f"{name}_{mean}" if name in _AVERAGED else name, figure) for name, figure in scores if name != "auc"]
    return [f"classes={positives},{negatives}", *(f"{name}={figure}" for name, figure in named)]


def _one_off(scores: Scores, words: Callable[[Scores], list[str]]) -> list[str]:
    """Each figure as its value give or take one unit of its last digit."""
    names = [word.partition("=")[0] for word in words(scores) if word.partition("=")[0] not in {"p", "n", "classes"}]
    figures = [figure for name, figure in scores if any(_is_about(said, name) for said in names)]
    return [f"{name}_eps={_unit(figure)}" for name, figure in zip(names, figures, strict=True)]


def _unit(figure: str) -> str:
    digits = figure.rstrip("% ")
    decimals = len(digits.partition(".")[2])
    unit = "1" if not decimals else f"0.{'0' * (decimals - 1)}1"
    return unit + ("%" if "%" in figure else "")
