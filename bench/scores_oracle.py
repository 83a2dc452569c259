"""Reports whose truth is known: experiments so small that every possible outcome is tried.

    python bench/scores_oracle.py [--cases N] [--minutes M] [--seed S] [--only WORDS]

Each report is an honest one with one figure moved by a few units of its last digit. All outcomes of the experiment are
enumerated, with every way to count 0/0, so that it is known whether the moved figure is still possible. A possible
report that is called inconsistent is a false alarm, an impossible one that is called consistent is missed; both end
with 1. Impossible ones that stay undecided are counted. The enumeration shares no code with the searches.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest
from sklearn.model_selection import StratifiedKFold

from assay.findings import Verdict
from assay.scores.check import check
from assay.scores.reading import read_words
from assay.scores.rules import interval_far_too_narrow

Array = NDArray[np.float64]
Figures = dict[str, list[Array]]
"""Each figure for every outcome, once for each way to count 0/0; ways of equal place belong together in one score."""
HAIR = 1e-9


def _quotient(top: Array, bottom: Array) -> Array:
    return np.where(bottom == 0, np.nan, top / np.where(bottom == 0, 1, bottom))


BINARY: dict[str, tuple[tuple[int, int, int, int], tuple[int, int, int, int]]] = {
    "acc": ((1, 0, 0, 1), (1, 1, 1, 1)),
    "sens": ((1, 0, 0, 0), (1, 1, 0, 0)),
    "spec": ((0, 0, 0, 1), (0, 0, 1, 1)),
    "ppv": ((1, 0, 0, 0), (1, 0, 1, 0)),
    "npv": ((0, 0, 0, 1), (0, 1, 0, 1)),
    "f1": ((2, 0, 0, 0), (2, 1, 1, 0)),
    "ji": ((1, 0, 0, 0), (1, 1, 1, 0)),
}
"""Numerator and denominator: how often tp, fn, fp and tn count."""


def _score_of(name: str, matrices: Array) -> Array:
    top, bottom = BINARY[name]
    return _quotient(np.array(top) @ matrices, np.array(bottom) @ matrices)


def _matrices(p: int, n: int) -> Array:
    """All confusion matrices of a test set, as columns tp, fn, fp, tn."""
    return np.array([(a, p - a, n - b, b) for a in range(p + 1) for b in range(n + 1)], dtype=float).T


def _over_parts(per_part: list[Array]) -> Array:
    """The value on each part, one row for each combination of outcomes of the parts."""
    grids = np.meshgrid(*per_part, indexing="ij")
    return np.stack([grid.ravel() for grid in grids], axis=1)


SUMMARIES: dict[str, Callable[[Array], list[Array]]] = {
    "": lambda values: [np.nanmean(values, axis=1)],
    "_sd": lambda values: [np.nanstd(values, axis=1, ddof=ddof) for ddof in (0, 1)],
    "_min": lambda values: [np.nanmin(values, axis=1)],
    "_max": lambda values: [np.nanmax(values, axis=1)],
    "_median": lambda values: [np.nanmedian(values, axis=1)],
}


def _summarised(name: str, values: Array, summaries: list[str]) -> Figures:
    """Summaries over the parts with 0/0 as 0, as 1, and left out."""
    ways = (
        [np.nan_to_num(values, nan=0.0), np.nan_to_num(values, nan=1.0), values] if np.isnan(values).any() else [values]
    )
    found: Figures = {}
    for summary in summaries:
        each = [SUMMARIES[summary](way) for way in ways]
        found[name + summary] = [np.stack(alternatives) for alternatives in each]
    return found


Question = tuple[list[str], list[Figures]]
"""The words that describe the experiment, and its figures for each way to form the folds."""


def known_folds(rng: random.Random, *, medians: bool = False) -> Question:
    k = rng.choice([2, 3])
    p, n = rng.randint(k, 7 - k), rng.randint(k, 9 - k)
    parts = [(len(range(i, p, k)), len(range((i - p) % k, n, k))) for i in range(k)]
    names = rng.sample(list(BINARY), rng.randint(1, 3))
    extra = ["_median"] if medians else rng.sample(["_sd", "_min", "_max"], rng.choice([0, 0, 1]))
    words = [f"p={p}", f"n={n}", f"folds={k}", "fold_model=stratified", "aggregation=mean"]
    return words, [_fold_figures(parts, names, extra)]


def _fold_figures(parts: list[tuple[int, int]], names: list[str], extra: list[str]) -> Figures:
    found: Figures = {}
    for place, name in enumerate(names):
        values = _over_parts([_score_of(name, _matrices(p, n)) for p, n in parts])
        found |= _summarised(name, values, ["", *extra] if place == 0 else [""])
    return found


def medians(rng: random.Random) -> Question:
    return known_folds(rng, medians=True)


def unknown_folds(rng: random.Random) -> Question:
    p, n, k = rng.randint(1, 4), rng.randint(2, 5), 2
    names = rng.sample(list(BINARY), rng.randint(1, 3))
    size = (p + n) // k
    sizes = [size, p + n - size]
    splits = {tuple(sorted(((a, sizes[0] - a), (p - a, sizes[1] - p + a)))) for a in range(p + 1)}
    possible = [list(split) for split in splits if all(min(part) >= 0 for part in split)]
    words = [f"p={p}", f"n={n}", f"folds={k}", "fold_model=any", "aggregation=mean"]
    return words, [_fold_figures(parts, names, []) for parts in possible]


def _confusions(counts: tuple[int, ...]) -> Array:
    """All confusion matrices of these classes: outcome, actual, predicted."""
    rows = [[c for c in product(range(size + 1), repeat=len(counts)) if sum(c) == size] for size in counts]
    return np.array([np.array(chosen) for chosen in product(*rows)], dtype=float)


def _class_scores(tables: Array) -> dict[str, list[Array]]:
    """Scores of several classes under each reading; readings of equal place belong together."""
    right, actual, predicted = np.einsum("kii->ki", tables), tables.sum(axis=2), tables.sum(axis=1)
    recall, equal = right / actual, np.ones_like(actual)
    f1 = 2 * right / (actual + predicted)
    found: dict[str, list[Array]] = {name: [] for name in ("acc", "recall_macro", "f1_macro", "f1_weighted")}
    for missing, f1_of_means, only_hit in product((0.0, 1.0, np.nan), (False, True), (False, True)):
        precision = np.where(predicted > 0, right / np.maximum(predicted, 1), missing)
        own = np.where(predicted > 0, f1, 0 * missing)  # a precision of 1 and a recall of 0 make an F1 of 0
        own = np.where(right == 0, np.nan, own) if only_hit else own  # by the usual formula it is 0/0 there
        found["acc"].append(right.sum(axis=1) / actual.sum(axis=1))
        found["recall_macro"].append(recall.mean(axis=1))
        for name, weights in (("f1_macro", equal), ("f1_weighted", actual)):
            means = _average(precision, weights), _average(recall, weights)
            harmonic = _quotient(2 * means[0] * means[1], means[0] + means[1])
            found[name].append(np.nan_to_num(harmonic) if f1_of_means else _average(own, weights))
    return found


def _average(values: Array, weights: Array) -> Array:
    """Classes without a value are left out."""
    there = np.where(np.isnan(values), 0, weights)
    return _quotient((np.nan_to_num(values) * there).sum(axis=1), there.sum(axis=1))


def several_classes(rng: random.Random) -> Question:
    counts = tuple(rng.randint(1, 3) for _ in range(3))
    scores = _class_scores(_confusions(counts))
    chosen = rng.sample(list(scores), rng.randint(1, 3))
    words = [f"classes={','.join(map(str, counts))}"]
    return words, [{name: [way[None] for way in scores[name]] for name in chosen}]


def several_classes_over_folds(rng: random.Random) -> Question:
    counts = tuple(rng.randint(2, 3) for _ in range(rng.choice([2, 2, 3])))
    labels = np.repeat(np.arange(len(counts)), counts)
    cut = StratifiedKFold(2).split(labels, labels)
    parts = [tuple(np.bincount(labels[test], minlength=len(counts)).tolist()) for _, test in cut]
    scores = [_class_scores(_confusions(part)) for part in parts]
    chosen = rng.sample(["acc", "recall_macro", "f1_macro"], rng.randint(1, 2))
    words = [f"classes={','.join(map(str, counts))}", "folds=2", "fold_model=stratified", "aggregation=mean"]
    found: Figures = {}
    for name in chosen:
        ways = zip(*(part[name] for part in scores), strict=True)
        found[name] = [_over_parts(list(way)).mean(axis=1)[None] for way in ways]
    return words, [found]


def averages_of_two_classes(rng: random.Random) -> Question:
    p, n = rng.randint(1, 12), rng.randint(1, 12)
    matrices = _matrices(p, n)
    tp = matrices[0]
    tables = np.stack([matrices[[0, 1]], matrices[[2, 3]]]).transpose(2, 0, 1)
    scores = _class_scores(tables)
    # a table lists 0 for a class without a hit, even where the mean over the classes leaves it out
    scores |= {"f1": [_score_of("f1", matrices)] * len(scores["acc"]), "sens": [tp / p] * len(scores["acc"])}
    chosen = rng.sample(["f1_macro", "f1_weighted", "recall_macro", "f1", "sens"], rng.randint(2, 3))
    return [f"p={p}", f"n={n}"], [{name: [way[None] for way in scores[name]] for name in chosen}]


def area_over_folds(rng: random.Random) -> Question:
    k, p, n = 2, rng.randint(2, 6), rng.randint(2, 6)
    parts = [(len(range(i, p, k)), len(range((i - p) % k, n, k))) for i in range(k)]
    values = _over_parts([np.arange(2 * a * b + 1) / (2 * a * b) for a, b in parts])
    words = [f"p={p}", f"n={n}", f"folds={k}", "fold_model=stratified", "aggregation=mean"]
    return words, [_summarised("auc", values, ["", *rng.sample(["_sd", "_min", "_max"], rng.randint(0, 2))])]


def whole_errors(rng: random.Random) -> Question:
    """Whole-number residuals whose absolute values add up to twelve at most, which the mean absolute error says."""
    n = rng.randint(2, 4)
    sets = [s for s in combinations_with_replacement(range(-12, 13), n) if sum(map(abs, s)) <= 12]
    errors = np.array(sets, dtype=float)
    sizes = np.abs(errors)
    scores = {
        "rmse": np.sqrt((errors**2).mean(axis=1)),
        "mse": (errors**2).mean(axis=1),
        "max_error": sizes.max(axis=1),
        "medae": np.median(sizes, axis=1),
        "me": errors.mean(axis=1),
    }
    chosen = {"mae": sizes.mean(axis=1), **{name: scores[name] for name in rng.sample(list(scores), rng.randint(1, 2))}}
    words = ["task=regression", f"n={n}", "integer=true"]
    return words, [{name: [values[None]] for name, values in chosen.items()}]


KINDS: dict[str, Callable[[random.Random], Question]] = {
    "known folds, any scores": known_folds,
    "medians over known folds": medians,
    "unknown folds, any scores": unknown_folds,
    "several classes": several_classes,
    "several classes over folds": several_classes_over_folds,
    "averages over two classes": averages_of_two_classes,
    "area over folds": area_over_folds,
    "whole-number errors": whole_errors,
}


ERRORS = frozenset({"mae", "rmse", "mse", "max_error", "medae", "me"})


def beyond_its_range(figure: str, value: float) -> bool:
    """Whether the moved figure is outside of what the score can be: too easy."""
    return (value < 0 and figure != "me") or (value > 1 and figure not in ERRORS)


def _score(figure: str) -> str:
    return figure.removesuffix("_sd").removesuffix("_min").removesuffix("_max").removesuffix("_median")


def possible(figures: Figures, printed: dict[str, str], group: Callable[[str], object]) -> bool:
    """Whether some outcome prints all of these, those of one group under the same way to count 0/0."""
    fitting = []
    for chosen in dict.fromkeys(map(group, figures)):
        own = [name for name in figures if group(name) == chosen]
        ways = zip(*(figures[name] for name in own), strict=True)
        each = [np.logical_and.reduce(list(map(_fits, way, map(printed.get, own)))) for way in ways]
        fitting.append(np.logical_or.reduce(each))
    return bool(np.logical_and.reduce(fitting).any())


def _fits(alternatives: Array, printed: str | None) -> NDArray[np.bool_]:
    assert printed is not None
    half = 0.5 * 10.0 ** -len(printed.partition(".")[2])
    found: NDArray[np.bool_] = (np.abs(alternatives - float(printed)) <= half + HAIR).any(axis=0)
    return found


def reports(rng: random.Random, kind: str) -> Iterator[tuple[list[str], bool]]:
    """One honest report and three with a moved figure, each with whether it is possible."""
    words, configurations = KINDS[kind](rng)
    figures = rng.choice(configurations)
    outcome = rng.randrange(next(iter(figures.values()))[0].shape[1])
    if kind == "whole-number errors" and figures["mae"][0][0, outcome] * int(words[1][2:]) > 9:
        return  # moved upwards it would leave the list of residuals
    group = str.isidentifier if "class" in kind else _score  # classes: one reading for all scores
    digits, places = rng.randint(2, 4), {group(name): rng.randrange(len(ways)) for name, ways in figures.items()}
    values = {name: float(ways[places[group(name)]][0, outcome]) for name, ways in figures.items()}
    if any(np.isnan(value) for value in values.values()):
        return
    for move in (0, *rng.sample([-9, -5, -3, -2, -1, 1, 2, 3, 5, 9], 3)):
        moved = rng.choice(list(values))
        shown = {name: f"{value + (name == moved) * move * 10.0**-digits:.{digits}f}" for name, value in values.items()}
        if not any(beyond_its_range(name, float(x)) for name, x in shown.items()):
            truth = any(possible(other, shown, group) for other in configurations)
            yield [*words, *(f"{name}={x}" for name, x in shown.items())], truth


def narrow_intervals(rng: random.Random) -> tuple[list[str], bool]:
    """A share with the exact interval of ten times as many items: far too narrow."""
    size = rng.randint(20, 400)
    found = rng.randint(size // 2, size - 3)
    low, high = binomtest(10 * found, 10 * size).proportion_ci()
    return [f"p={size}", "n=50", f"sens={found / size:.4f}", f"sens_ci={low:.4f}-{high:.4f}"], False


def judged(words: list[str], truth: bool, counts: Counter[str]) -> None:
    verdict = check(read_words(words)).verdict
    word = {Verdict.INCONSISTENT: "found", Verdict.UNDECIDED: "undecided"}.get(verdict, "missed")
    if truth:
        word = {"found": "FALSE ALARM", "undecided": "possible, undecided"}.get(word, "possible")
    counts[word] += 1
    if word in ("missed", "FALSE ALARM"):
        print(word, *words, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="CPU minutes for all kinds together.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    chosen, wrong = [kind for kind in KINDS if asked.only in kind], 0
    for place, kind in enumerate(chosen):
        rng, counts = random.Random(f"{kind} {asked.seed}"), Counter[str]()
        end = time.process_time() + (60 * asked.minutes - time.process_time()) / (len(chosen) - place)
        while counts.total() < asked.cases and time.process_time() < end:
            for words, truth in reports(rng, kind):
                judged(words, truth, counts)
        print(f"{kind}: {', '.join(f'{count:,} {word}' for word, count in sorted(counts.items()))}", flush=True)
        wrong += counts["missed"] + counts["FALSE ALARM"]
    rng = random.Random(asked.seed)
    narrow = [check(read_words(narrow_intervals(rng)[0])) for _ in range(asked.cases)]
    flagged = sum(any(True for _ in interval_far_too_narrow.check(result)) for result in narrow)
    print(f"intervals of ten times as many items: {flagged:,} of {asked.cases:,} questioned")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
