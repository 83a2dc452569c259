"""Zero false alarms: honest results are never called inconsistent, and every witness holds.

    python bench/honest.py [--cases N] [--minutes M] [--seed S] [--only WORDS]

By default 20,000 cases on one test set, and fewer where a case takes longer. With `--minutes` every scenario gets an
equal part of the CPU time that is left, and ends early at `--cases`. Exits with 1 when an honest case is called
inconsistent, or an honest interval implausible.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import scipy.stats
import scores_sizeless
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold, StratifiedKFold, cross_validate

from assay.findings import Verdict
from assay.scores.check import check
from assay.scores.definitions import SCORES, Matrix, find_score
from assay.scores.exact import Exact, floor_times
from assay.scores.folds import stratified
from assay.scores.reading import read_words
from assay.scores.rules import interval_far_too_narrow
from assay.scores.setups import find_setup

NAMES = [*SCORES, "f2", "f0.5", "f2n", "err", "fpr", "fnr", "fdr"]


def printed(value: Exact | Fraction, digits: int, rounding: str, rng: random.Random) -> str:
    """The value to so many decimals; a tie goes either way."""
    steps = floor_times(value, 2 * 10**digits)  # type: ignore[arg-type]
    if rounding == "nearest":
        tie = value == Fraction(steps, 2 * 10**digits)
        whole = steps // 2 + steps % 2 - (steps % 2 and tie and rng.random() < 0.5)
    else:
        whole = steps // 2
    return _fixed(int(whole), digits)


def _fixed(whole: int, digits: int) -> str:
    sign, whole = ("-", -whole) if whole < 0 else ("", whole)
    return f"{sign}{whole // 10**digits}.{whole % 10**digits:0{digits}d}"


def one_test_set(rng: random.Random) -> list[str] | None:
    """Any scores, any size from 1 to 10^9, rounded or cut off to 1 to 6 decimals."""
    p, n = (int(10 ** rng.uniform(0, 9)) for _ in range(2))
    tp, tn = rng.randint(0, p), rng.randint(0, n)
    matrix, digits = Matrix(tp, p - tp, n - tn, tn), rng.randint(1, 6)
    rounding = rng.choice(["nearest", "nearest", "down"])
    words = [f"p={p}", f"n={n}", f"rounding={rounding}"]
    for name in rng.sample(NAMES, rng.randint(1, 5)):
        score, complement = find_score(name)
        value = score.value(matrix)
        if value is None or value.__class__.__name__ == "Infinite":
            continue
        if complement:
            value = 1 - value  # type: ignore[operator]
        negative = isinstance(value, Fraction) and value < 0
        if rounding == "down" and (negative or not isinstance(value, Fraction)):
            continue
        words.append(f"{name}={value if score.whole else printed(value, digits, rounding, rng)}")
    return words if len(words) > 3 else None


def folds(rng: random.Random, names: list[str], *, known: bool) -> list[str] | None:
    """The mean over stratified folds of random predictions, to 2 to 4 decimals."""
    k = rng.choice([3, 5])
    p, n = rng.randint(k, 60), rng.randint(k, 120)
    parts = next(stratified(p, n, k).configurations())
    good = rng.uniform(0.5, 1)
    matrices = [
        Matrix(tp, part.p - tp, part.n - tn, tn)
        for part in parts
        for tp, tn in [(_draw(rng, part.p, good), _draw(rng, part.n, good))]
    ]
    digits = rng.randint(2, 4)
    words = [f"p={p}", f"n={n}", f"folds={k}", "aggregation=mean", f"fold_model={'stratified' if known else 'any'}"]
    for name in rng.sample(names, rng.randint(1, min(3, len(names)))):
        values = [SCORES[name].value(m) for m in matrices]
        if any(not isinstance(v, Fraction) for v in values):
            return None
        mean = sum(values, Fraction(0)) / k  # type: ignore[arg-type]
        words.append(f"{name}={printed(mean, digits, 'nearest', rng)}")
    return words


def _draw(rng: random.Random, items: int, good: float) -> int:
    return sum(rng.random() < good for _ in range(items))


def scikit_learn(rng: random.Random) -> list[str]:
    """A real cross-validation, folds without positives included, as scikit-learn prints it."""
    seed = rng.randrange(10**6)
    y = np.array([1] * rng.randint(3, 30) + [0] * rng.randint(10, 60))
    np.random.default_rng(seed).shuffle(y)
    k, stratify = rng.choice([3, 5]), rng.random() < 0.5 and y.sum() >= 5
    cut = (StratifiedKFold if stratify else KFold)(k, shuffle=True, random_state=seed)
    model = DummyClassifier(strategy="stratified", random_state=seed)
    names = {"acc": "accuracy", "sens": "recall", "ppv": "precision", "f1": "f1", "bacc": "balanced_accuracy"}
    found = cross_validate(model, np.zeros((len(y), 1)), y, cv=cut, scoring=list(names.values()))
    digits = rng.randint(2, 4)
    words = [f"p={y.sum()}", f"n={len(y) - y.sum()}", f"folds={k}", "aggregation=mean"]
    words.append(f"fold_model={'stratified' if stratify else 'any'}")
    for name in rng.sample(list(names), rng.randint(1, 3)):
        scores = found[f"test_{names[name]}"]
        words.append(f"{name}={scores.mean():.{digits}f}")
        if rng.random() < 0.3:
            words.append(f"{name}_min={scores.min():.{digits}f}")
    return words


MULTICLASS: dict[str, Callable[[Any, Any], float]] = {
    "acc": metrics.accuracy_score,
    "bacc": metrics.balanced_accuracy_score,
    "kappa": metrics.cohen_kappa_score,
    "mcc": metrics.matthews_corrcoef,
    **{
        f"{name}_{average}": partial(score, average=average)
        for name, score in (
            ("precision", metrics.precision_score),
            ("recall", metrics.recall_score),
            ("f1", metrics.f1_score),
        )
        for average in ("macro", "weighted", "micro")
    },
}


def multiclass(rng: random.Random) -> list[str] | None:
    """What scikit-learn says of predictions for two to six classes, some of them rare."""
    counts = [rng.randint(1, 60) for _ in range(rng.randint(2, 6))]
    draws = np.random.default_rng(rng.randrange(10**6))
    truth = np.repeat(np.arange(len(counts)), counts)
    found = np.where(draws.random(len(truth)) < rng.random(), truth, draws.integers(0, len(counts), len(truth)))
    digits = rng.randint(2, 4)
    words = [f"classes={','.join(map(str, counts))}"]
    for name in rng.sample(list(MULTICLASS), rng.randint(1, 4)):
        value = MULTICLASS[name](truth, found)
        if np.isfinite(value):
            words.append(f"{name}={value:.{digits}f}")
    return words if len(words) > 1 else None


def multiclass_folds(rng: random.Random) -> list[str] | None:
    """Means over the folds of a real stratified or plain cross-validation of two to five classes."""
    counts = [rng.randint(5, 60) for _ in range(rng.randint(2, 5))]
    seed, k = rng.randrange(10**6), rng.choice([k for k in (3, 5, 10) if k <= max(counts)])
    draws = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(counts)), counts)
    draws.shuffle(truth)
    found = np.where(draws.random(len(truth)) < rng.uniform(0.4, 1), truth, draws.integers(0, len(counts), len(truth)))
    stratify = rng.random() < 0.7
    cut = (StratifiedKFold if stratify else KFold)(k, shuffle=True, random_state=seed)
    tests = [test for _, test in cut.split(truth, truth)]
    digits = rng.randint(2, 4)
    model = rng.choice(["stratified", "unknown"]) if stratify else rng.choice(["any", "unknown"])
    words = [f"classes={','.join(map(str, counts))}", f"folds={k}", f"fold_model={model}", "aggregation=mean"]
    for name in rng.sample(list(MULTICLASS), rng.randint(1, 3)):
        values = np.array([MULTICLASS[name](truth[test], found[test]) for test in tests])
        if np.isfinite(values).all():
            words.append(f"{name}={values.mean():.{digits}f}")
            words += [f"{name}_sd={values.std():.{digits}f}"] if rng.random() < 0.3 else []
    return words if len(words) > 4 else None


def medians(rng: random.Random) -> list[str] | None:
    """Medians over stratified folds, half of them beside the mean or the range."""
    k = rng.choice([3, 5, 5, 10])
    p, n, digits = rng.randint(k, 150), rng.randint(k, 300), rng.randint(2, 4)
    matrices = around(rng, [(part.p, part.n) for part in next(stratified(p, n, k).configurations())])
    words = [f"p={p}", f"n={n}", f"folds={k}", "fold_model=stratified"]
    for name in rng.sample(["acc", "sens", "spec", "f1"], rng.randint(1, 2)):
        values = [SCORES[name].value(matrix) for matrix in matrices]
        if any(not isinstance(value, Fraction) for value in values):
            return None
        figures = {"_median": statistics.median(values), "_min": min(values), "_max": max(values)}  # type: ignore[type-var]
        figures[""] = sum(values, Fraction(0)) / k  # type: ignore[arg-type]
        parts = ["_median", *rng.sample(["_min", "_max", ""], rng.choice([0, 0, 1, 2]))]
        words += [f"{name}{part}={printed(figures[part], digits, 'nearest', rng)}" for part in parts]  # type: ignore[arg-type]
    return words


def two_class_averages(rng: random.Random) -> list[str] | None:
    """Averages over both classes beside scores of the positive one, with p and n."""
    p, n = (int(10 ** rng.uniform(0, 3)) for _ in range(2))
    truth = np.array([1] * p + [0] * n)
    draws = np.random.default_rng(rng.randrange(10**6))
    found = np.where(draws.random(p + n) < rng.random(), truth, draws.integers(0, 2, p + n))
    plain = {"sens": metrics.recall_score, "ppv": metrics.precision_score, "f1": metrics.f1_score}
    averaged = {name: score for name, score in MULTICLASS.items() if "_" in name}
    digits = rng.randint(2, 4)
    chosen = [*rng.sample(list(averaged), rng.randint(1, 2)), *rng.sample(list(plain), rng.randint(0, 2))]
    values = {name: (plain | averaged)[name](truth, found) for name in chosen}
    return [f"p={p}", f"n={n}", *(f"{name}={value:.{digits}f}" for name, value in values.items())]


def areas(rng: random.Random) -> list[str]:
    """The mean area under the curve over real stratified folds, ties included, with its spread."""
    p, n, k, seed = rng.randint(5, 40), rng.randint(5, 60), rng.choice([3, 5]), rng.randrange(10**6)
    draws, truth = np.random.default_rng(seed), np.array([1] * p + [0] * n)
    scores = np.round(draws.normal(truth * rng.uniform(-1, 2), 1), rng.randint(0, 3))
    cut = StratifiedKFold(k, shuffle=True, random_state=seed)
    found = np.array([metrics.roc_auc_score(truth[test], scores[test]) for _, test in cut.split(truth, truth)])
    digits = rng.randint(2, 4)
    words = [f"p={p}", f"n={n}", f"folds={k}", "fold_model=stratified", "aggregation=mean"]
    words.append(f"auc={found.mean():.{digits}f}")
    return words + [f"auc_sd={found.std():.{digits}f}"] * rng.randint(0, 1)


def with_spread(rng: random.Random) -> list[str]:
    """Mean and standard deviation over stratified folds of 100 to 1,000,000 items, to four decimals."""
    size, k = int(10 ** rng.uniform(2, 6)), rng.choice([5, 10])
    p = max(10, int(size * rng.uniform(0.05, 0.6)))
    n = max(10, size - p)
    parts = [(part.p, part.n) for part in next(stratified(p, n, k).configurations())]
    words = [f"p={p}", f"n={n}", f"folds={k}", "aggregation=mean", "fold_model=stratified"]
    return words + means_of(around(rng, parts), rng.sample(["acc", "sens", "spec", "ppv", "f1"], rng.randint(1, 4)), 1)


RETINA = ("drive.test.fov", "stare.ah", "chase_db1", "hrf.fov")


def images(rng: random.Random) -> list[str]:
    """Means over the images of a retina dataset, to four decimals."""
    name = rng.choice(RETINA)
    parts = [(part.p, part.n) for part in find_setup(name).parts]
    names = rng.sample(["acc", "sens", "spec", "f1"], rng.randint(2, 4))
    return [f"setup={name}", "aggregation=mean", *means_of(around(rng, parts), names, rng.randint(0, 1))]


def around(rng: random.Random, parts: list[tuple[int, int]]) -> list[Matrix]:
    """A matrix for each part, around one sensitivity and one specificity."""
    centres = rng.uniform(0.5, 0.98), rng.uniform(0.6, 0.98)
    found = []
    for part in parts:
        tp, tn = (round(x * min(max(rng.gauss(c, 0.03), 0), 1)) for x, c in zip(part, centres, strict=True))
        found.append(Matrix(tp, part[0] - tp, part[1] - tn, tn))
    return found


def means_of(matrices: list[Matrix], names: list[str], spreads: int) -> list[str]:
    """Each score as its mean, and its standard deviation if there are to be spreads; 0/0 counts 0."""
    words = []
    for name in names:
        values = [float(value) if (value := SCORES[name].value(m)) is not None else 0.0 for m in matrices]
        words += [f"{name}={np.mean(values):.4f}"] + [f"{name}_sd={np.std(values):.4f}"] * spreads
    return words


ERRORS: dict[str, Callable[[Any, Any], float]] = {
    "mae": metrics.mean_absolute_error,
    "mse": metrics.mean_squared_error,
    "rmse": metrics.root_mean_squared_error,
    "max_error": metrics.max_error,
    "medae": metrics.median_absolute_error,
    "r2_score": metrics.r2_score,
    "ev": metrics.explained_variance_score,
    "me": lambda truth, found: float(np.mean(found - truth)),
}


def regression(rng: random.Random) -> list[str]:
    """What scikit-learn says of 2 to 10,000 predictions, a third of them whole, with the range of the targets."""
    n, draws = rng.choice([2, 3, 4, 5, 10, 50, 100, 1_000, 10_000]), np.random.default_rng(rng.randrange(10**9))
    truth, errors = draws.normal(0, 30, n), draws.standard_t(4, n) * 10 + rng.choice([0, 0, 3, 10])
    whole = rng.random() < 1 / 3
    truth, errors = (np.rint(truth), np.rint(errors)) if whole else (truth, errors)
    truth[0] += 5
    digits = rng.randint(0, 4)
    words = ["task=regression", f"n={n}", f"integer={str(whole).lower()}"]
    if rng.random() < 0.3:
        words.append(f"target_range={truth.min():.{digits}f},{truth.max():.{digits}f}")
    names = rng.sample(list(ERRORS), rng.randint(1, 5))
    return words + [f"{name}={ERRORS[name](truth, truth + errors):.{digits}f}" for name in names]


def repeated_folds(rng: random.Random) -> list[str] | None:
    """Means over 5 or 10 shuffled folds, once or repeated, the folds not described; any scores."""
    k, repeats, seed = rng.choice([5, 10]), rng.choice([1, 1, 3, 10]), rng.randrange(10**6)
    truth = np.array([1] * rng.randint(k, 60) + [0] * rng.randint(k, 120))
    good, digits, matrices = rng.uniform(0.5, 1), rng.randint(2, 4), []
    for repeat in range(repeats):
        for _, test in KFold(k, shuffle=True, random_state=seed + repeat).split(truth):
            p = int(truth[test].sum())
            tp, tn = _draw(rng, p, good), _draw(rng, len(test) - p, good)
            matrices.append(Matrix(tp, p - tp, len(test) - p - tn, tn))
    words = [f"p={truth.sum()}", f"n={len(truth) - truth.sum()}", f"folds={k}", "fold_model=any", "aggregation=mean"]
    words += [f"repeats={repeats}"] * (repeats > 1)
    for name in rng.sample(ANY, rng.randint(1, 3)):
        values = [value if (value := SCORES[name].value(m)) is not None else Fraction(0) for m in matrices]
        words.append(f"{name}={printed(sum(values, Fraction(0)) / len(values), digits, 'nearest', rng)}")  # type: ignore[arg-type]
    return words


def bootstrapped(rng: random.Random) -> list[str] | None:
    """A share or an area of 10 to 2,000 items with the percentiles of 1,000 resamples as its interval."""
    p, n = (int(10 ** rng.uniform(1, 3)) for _ in range(2))
    draws, digits = np.random.default_rng(rng.randrange(10**6)), rng.randint(2, 4)
    name, size = rng.choice([("sens", p), ("spec", n), ("acc", p + n)])
    found = int(draws.binomial(size, rng.uniform(0.5, 0.98)))
    resampled = draws.binomial(size, found / size, 1_000) / size
    low, high = np.percentile(resampled, [2.5, 97.5])
    return [f"p={p}", f"n={n}", f"{name}={found / size:.{digits}f}", f"{name}_ci={low:.{digits}f}-{high:.{digits}f}"]


def usual_intervals(rng: random.Random) -> list[str] | None:
    """A share with its Wald, Wilson or exact interval, as SciPy computes them."""
    p, n = (int(10 ** rng.uniform(1, 4)) for _ in range(2))
    name, size = rng.choice([("sens", p), ("spec", n), ("acc", p + n)])
    found, digits = rng.randint(size // 2, size), rng.randint(2, 4)
    method = rng.choice(["wald", "wilson", "exact"])
    if method == "wald":
        half = 1.959964 * (found * (size - found) / size**3) ** 0.5
        low, high = max(0, found / size - half), min(1, found / size + half)
    else:
        low, high = scipy.stats.binomtest(found, size).proportion_ci(method=method)
    return [f"p={p}", f"n={n}", f"{name}={found / size:.{digits}f}", f"{name}_ci={low:.{digits}f}-{high:.{digits}f}"]


def areas_with_intervals(rng: random.Random) -> list[str] | None:
    """The area of one real ranking, ties included, with a bootstrap interval."""
    p, n = (int(10 ** rng.uniform(1, 2.3)) for _ in range(2))
    draws, digits, truth = np.random.default_rng(rng.randrange(10**6)), rng.randint(2, 4), np.array([1] * p + [0] * n)
    scores = np.round(draws.normal(truth * rng.uniform(0, 2.5), 1), rng.randint(0, 3))
    wins = (scores[:p, None] > scores[None, p:]) + 0.5 * (scores[:p, None] == scores[None, p:])
    rows, columns = draws.integers(0, p, (400, p)), draws.integers(0, n, (400, n))
    resampled = [wins[np.ix_(row, column)].mean() for row, column in zip(rows, columns, strict=True)]
    low, high = np.percentile(resampled, [2.5, 97.5])
    return [f"p={p}", f"n={n}", f"auc={wins.mean():.{digits}f}", f"auc_ci={low:.{digits}f}-{high:.{digits}f}"]


LINEAR, ANY = ["acc", "sens", "spec", "bacc"], ["acc", "sens", "spec", "ppv", "npv", "f1", "ji", "kappa", "bm"]
SETTINGS = {"p", "n", "aggregation", "total"}
"""Words that describe a test set; a case needs a score beside them."""
SCENARIOS: dict[str, tuple[int, Callable[[random.Random], list[str] | None]]] = {
    "one test set, all scores, 1 to 1e9": (20_000, one_test_set),
    "mean over known folds, linear scores": (2_000, lambda rng: folds(rng, LINEAR, known=True)),
    "mean over known folds, any scores": (300, lambda rng: folds(rng, ANY, known=True)),
    "mean over unknown folds, linear scores": (300, lambda rng: folds(rng, LINEAR, known=False)),
    "mean over unknown folds, any scores": (200, lambda rng: folds(rng, ANY, known=False)),
    "scikit-learn cross-validation": (200, scikit_learn),
    "scikit-learn multiclass reports": (300, multiclass),
    "scikit-learn multiclass cross-validation": (300, multiclass_folds),
    "area under the curve over folds": (500, areas),
    "medians over folds": (300, medians),
    "averages over two classes": (500, two_class_averages),
    "mean and sd, stratified folds, to 1e6 items": (300, with_spread),
    "means over retina images": (200, images),
    "scikit-learn regression errors": (500, regression),
    "mean over 5 or 10 unknown folds, repeated": (200, repeated_folds),
    "shares with usual intervals": (1_000, usual_intervals),
    "shares with bootstrap intervals": (1_000, bootstrapped),
    "areas with bootstrap intervals": (500, areas_with_intervals),
    **{f"no sizes: {kind.__name__.replace('_', ' ')}": (1_000, kind) for kind in scores_sizeless.KINDS},
}


@dataclass
class Tally:
    """What became of the honest cases of one scenario."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    alarms: int = 0
    slowest: float = 0.0

    def judge(self, words: list[str]) -> None:
        """Check one honest case, and say so aloud if it is blamed."""
        before = time.process_time()
        result = check(read_words(words))
        spent = time.process_time() - before
        self.verdicts[result.verdict] += 1
        self.slowest = max(self.slowest, spent)
        if result.verdict is Verdict.INCONSISTENT or any(True for _ in interval_far_too_narrow.check(result)):
            self.alarms += 1
            print("FALSE ALARM", *words, result, flush=True)

    def line(self, title: str) -> str:
        """The counts as a row of the table."""
        possible = self.verdicts[Verdict.CONSISTENT] + self.verdicts[Verdict.CONDITIONAL]
        counts = f"{self.verdicts.total():>7,} {possible:>11,} {self.verdicts[Verdict.UNDECIDED]:>10,}"
        return f"{title:<42} {counts} {self.alarms:>13,} {self.slowest:>7.2f} s"


def tally(title: str, cases: int, seconds: float, seed: int) -> Tally:
    """So many honest cases, or as many as fit into the CPU seconds; the same ones for the same seed."""
    make, rng, found = SCENARIOS[title][1], random.Random(f"{title}{seed or ''}"), Tally()
    end = time.process_time() + seconds
    while found.verdicts.total() < cases and time.process_time() < end:
        words = make(rng)
        if words is not None and any(word.split("=")[0] not in SETTINGS for word in words):
            found.judge(words)
    return found


def main() -> int:
    warnings.simplefilter("ignore")  # scikit-learn warns about folds without positives: they are the point
    parser = argparse.ArgumentParser(description="Honest results must never be called inconsistent.")
    parser.add_argument("--cases", type=int, help="Cases in each scenario.")
    parser.add_argument("--minutes", type=float, help="CPU minutes for all scenarios together.")
    parser.add_argument("--seed", type=int, default=0, help="Another number makes other cases.")
    parser.add_argument("--only", nargs="*", default=[""], help="Scenarios whose title holds one of these words.")
    asked = parser.parse_args()
    chosen = [title for title in SCENARIOS if any(words in title for words in asked.only)]
    seconds = asked.minutes * 60 if asked.minutes else float("inf")
    alarms = 0
    print(f"{'scenario':<42} {'cases':>7} {'consistent':>11} {'undecided':>10} {'false alarms':>13} {'slowest':>9}")
    for place, title in enumerate(chosen):
        usual = 10**9 if asked.minutes else SCENARIOS[title][0]
        left = seconds - time.process_time()
        found = tally(title, asked.cases or usual, left / (len(chosen) - place), asked.seed)
        alarms += found.alarms
        print(found.line(title), flush=True)
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main())
