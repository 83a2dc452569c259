"""Looks for a false "inconsistent": honest reports of tiny data sets, made by scikit-learn with odd options.

    python bench/scores_odd.py [--minutes M] [--seed S] [--only WORDS]

Zero division as 0, 1 and nan, folds and predictions that lack a class, labels that do not occur, constant targets,
several labels per item, every rounding, few digits and percentages. Every kind gets an equal part of the CPU time.
Exits with 1 when one of these reports is called inconsistent.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, Decimal
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.model_selection import KFold, RepeatedKFold, StratifiedKFold

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.check import Result, check
from assay.scores.compilation import experiment_of
from assay.scores.pasted import read_pasted, report_of_pasted
from assay.scores.reading import read_words

Labels = Any
ROUNDINGS = {
    "nearest": (ROUND_HALF_EVEN, ROUND_HALF_UP),
    "down": (ROUND_DOWN,),
    "up": (ROUND_UP,),
    "unknown": (ROUND_DOWN, ROUND_UP, ROUND_HALF_EVEN),
}


class Printer:
    """Prints figures the way one author would: one rounding, one number of digits, perhaps as percentages."""

    def __init__(self, rng: random.Random, *, percent: bool = True) -> None:
        self.rounding = rng.choice(["nearest", "nearest", "nearest", *ROUNDINGS])
        self.percent = percent and rng.random() < 0.3
        self.digits = rng.randint(0, 2) if self.percent else rng.randint(1, 5)
        self.rng = rng

    def text(self, value: float) -> str:
        """The figure as printed."""
        exact = Decimal(repr(float(value))) * (100 if self.percent else 1)
        exact = round(exact, 12)  # floating-point noise is no digit
        way = self.rng.choice(ROUNDINGS[self.rounding])
        shown = exact.quantize(Decimal(1).scaleb(-self.digits), way)
        return f"{shown}%" if self.percent else f"{shown}"

    @property
    def words(self) -> list[str]:
        """The rounding, where it has to be said."""
        return [] if self.rounding == "nearest" else [f"rounding={self.rounding}"]


Scores = Mapping[str, Callable[[], float]]
"""Each score as scikit-learn computes it, when it is asked for."""


def binary(truth: Labels, found: Labels, zero: float) -> Scores:
    """The scores of two classes."""
    precision, recall = metrics.precision_score, metrics.recall_score
    f_beta, negative = metrics.f1_score, {"pos_label": 0}
    divided = {"zero_division": zero}
    return {
        "acc": partial(metrics.accuracy_score, truth, found),
        "sens": partial(recall, truth, found, **divided),
        "spec": partial(recall, truth, found, **negative, **divided),
        "ppv": partial(precision, truth, found, **divided),
        "npv": partial(precision, truth, found, **negative, **divided),
        "f1": partial(f_beta, truth, found, **divided),
        "f1n": partial(f_beta, truth, found, **negative, **divided),
        "f2": partial(metrics.fbeta_score, truth, found, beta=2, **divided),
        "f0.5": partial(metrics.fbeta_score, truth, found, beta=0.5, **divided),
        "ji": partial(metrics.jaccard_score, truth, found, zero_division=0 if np.isnan(zero) else zero),
        "bacc": partial(metrics.balanced_accuracy_score, truth, found),
        "mcc": partial(metrics.matthews_corrcoef, truth, found),
        "kappa": partial(metrics.cohen_kappa_score, truth, found, labels=[0, 1]),
        "err": partial(metrics.zero_one_loss, truth, found),
    }


def chosen(rng: random.Random, scores: Scores, most: int = 4) -> dict[str, float]:
    """Some of the scores that are defined."""
    names = rng.sample(list(scores), min(len(scores), rng.randint(1, most)))
    values = {name: float(scores[name]()) for name in names}
    return {name: value for name, value in values.items() if np.isfinite(value)}


def some(rng: random.Random, values: dict[str, float]) -> dict[str, float]:
    """Some of the figures."""
    return {name: values[name] for name in rng.sample(list(values), rng.randint(1, 4))}


def shown(rng: random.Random, values: dict[str, float], *, percent: bool = True) -> list[str]:
    """The figures as printed."""
    printer = Printer(rng, percent=percent)
    if printer.rounding != "nearest" and any(value < 0 for value in values.values()):
        printer.rounding = "nearest"
    return [*printer.words, *(f"{name}={printer.text(value)}" for name, value in values.items())]


def labels(rng: random.Random, classes: int, size: int) -> tuple[Labels, Labels]:
    """Classes and predictions for so many items, some classes rare or never predicted."""
    draws = np.random.default_rng(rng.randrange(2**32))
    weights = draws.random(classes) ** rng.choice([0, 1, 3]) + 0.01
    truth = draws.choice(classes, size, p=weights / weights.sum())
    guessed = draws.choice(rng.randint(1, classes), size)
    return truth, np.where(draws.random(size) < rng.choice([0, 0.5, 0.8, 1]), truth, guessed)


def zero_division(rng: random.Random) -> float:
    return rng.choice([0.0, 0.0, 1.0, float("nan")])


def one_set(rng: random.Random) -> Iterator[Result | None]:
    """Two classes, one set of 1 to 12 items; a class may be absent."""
    truth, found = labels(rng, 2, rng.randint(1, 12))
    figures = shown(rng, chosen(rng, binary(truth, found, zero_division(rng))))
    yield checked([f"p={truth.sum()}", f"n={(1 - truth).sum()}", *figures])


def no_sizes(rng: random.Random) -> Iterator[Result | None]:
    """The same without sizes, or with one of them."""
    truth, found = labels(rng, 2, rng.randint(1, 30))
    figures = shown(rng, chosen(rng, binary(truth, found, zero_division(rng)), 5))
    p, n = truth.sum(), (1 - truth).sum()
    sizes = [[], [f"total={p + n}"], [f"p={p}"], [f"n={n}"], [f"n={p + n}"], [f"total={p + n}-{p + n + 3}"]]
    yield checked([*rng.choice(sizes), *rng.choice([[], ["aggregation=pooled"]]), *figures])


def cut(rng: random.Random, truth: Labels) -> tuple[list[Labels], list[str]]:
    """Test folds of scikit-learn, with the words for them."""
    k, seed = rng.randint(2, min(4, len(truth))), rng.randrange(10**6)
    if rng.random() < 0.15:
        tests = [test for _, test in RepeatedKFold(n_splits=k, n_repeats=2, random_state=seed).split(truth)]
        return tests, [f"folds={k}", "repeats=2", "fold_model=any"]
    if rng.random() < 0.5 and np.bincount(truth).max() >= k:
        model = StratifiedKFold(k, shuffle=True, random_state=seed)
        words = rng.choice([["fold_model=stratified"], []])
    else:
        model = KFold(k, shuffle=rng.random() < 0.7, random_state=None)
        model.random_state = seed if model.shuffle else None
        words = rng.choice([["fold_model=any"], []])
    return [test for _, test in model.split(truth, truth)], [f"folds={k}", *words]


def over_parts(rng: random.Random, parts: list[Scores], most: int = 3) -> dict[str, float]:
    """Means of some scores over the parts, undefined ones left out; some spreads, extremes and medians."""
    found = {}
    for name in rng.sample(list(parts[0]), rng.randint(1, most)):
        values = np.array([part[name]() for part in parts])
        if np.isnan(values).all():
            continue
        found[name] = np.nanmean(values)
        if rng.random() < 0.15:
            found[f"{name}_sd"] = np.nanstd(values)
        if rng.random() < 0.1 and name != "err":
            found[f"{name}_min"] = np.nanmin(values)
        if rng.random() < 0.1 and not np.isnan(values).any():
            found[f"{name}_median"] = np.median(values)
    return found


def folds(rng: random.Random) -> Iterator[Result | None]:
    """Means over folds of two classes, some without one of them."""
    truth, found = labels(rng, 2, rng.randint(6, 30))
    if not 0 < truth.sum() < len(truth):
        return
    tests, words = cut(rng, truth)
    zero = zero_division(rng)
    means = over_parts(rng, [binary(truth[test], found[test], zero) for test in tests])
    settings = rng.choice([[], ["aggregation=mean"]])
    yield checked([f"p={truth.sum()}", f"n={(1 - truth).sum()}", *words, *settings, *shown(rng, means)])
    yield checked(shown(rng, {name: value for name, value in means.items() if "_" not in name}))


def sets(rng: random.Random) -> Iterator[Result]:
    """Means and pooled figures over several sets of different sizes, listed."""
    pairs = [labels(rng, 2, rng.randint(1, 12)) for _ in range(rng.randint(2, 4))]
    zero, way = zero_division(rng), rng.choice(["mean", "pooled", "unknown", "weighted"])
    each = [binary(truth, found, zero) for truth, found in pairs]
    if way == "pooled" or (way == "unknown" and rng.random() < 0.5):
        values = chosen(rng, binary(*map(np.concatenate, zip(*pairs, strict=True)), zero), 3)
    elif way == "weighted":
        names = rng.sample(list(each[0]), 2)
        weights = [len(truth) for truth, _ in pairs]
        values = {name: np.average([part[name]() for part in each], weights=weights) for name in names}
        values = {name: value for name, value in values.items() if np.isfinite(value)}
    else:
        values = over_parts(rng, each)
        values = {name: x for name, x in values.items() if "_" not in name or way == "mean"}
    sizes = [{"p": int(truth.sum()), "n": int((1 - truth).sum())} for truth, _ in pairs]
    words = [word.partition("=") for word in shown(rng, values)]
    settings = {name: text for name, _, text in words if name == "rounding"}
    scores = nested_scores([(name, text) for name, _, text in words if name != "rounding"])
    if scores:
        data = {"sets": sizes, "aggregation": way, "scores": scores, **settings}
        LAST[:] = [str(data)]
        yield check(experiment_of(data, where=""))


def nested_scores(words: list[tuple[str, str]]) -> dict[str, dict[str, str]]:
    scores: dict[str, dict[str, str]] = {}
    for name, text in words:
        score, _, part = name.partition("_")
        scores.setdefault(score, {})[part or "value"] = text
    return scores


def several(truth: Labels, found: Labels, zero: float, present: Labels) -> dict[str, Callable[[], float]]:
    """The scores of several classes."""
    scores = {
        "acc": partial(metrics.accuracy_score, truth, found),
        "bacc": partial(metrics.balanced_accuracy_score, truth, found),
        "kappa": partial(metrics.cohen_kappa_score, truth, found),
        "mcc": partial(metrics.matthews_corrcoef, truth, found),
    }
    averaged = {"precision": metrics.precision_score, "recall": metrics.recall_score, "f1": metrics.f1_score}
    if not np.isnan(zero):
        averaged["iou"] = metrics.jaccard_score
    for average, (name, score) in product(("macro", "weighted", "micro"), averaged.items()):
        options = {"average": average, "zero_division": zero, "labels": present}
        scores[f"{name}_{average}"] = partial(score, truth, found, **options)
    return scores


def class_words(truth: Labels, classes: int) -> str:
    return f"classes={','.join(map(str, np.bincount(truth, minlength=classes)))}"


def classes(rng: random.Random) -> Iterator[Result]:
    """Several classes, some never predicted, some predicted but absent."""
    count = rng.randint(2, 5)
    truth, found = labels(rng, count, rng.randint(2, 25))
    if len(np.unique(truth)) < 2:
        return
    zero = zero_division(rng)
    everything = np.arange(count)
    absent = len(np.unique(truth)) < count
    scores = several(truth, found, zero, everything if absent else rng.choice([None, everything]))
    macro = {name.removesuffix("_macro"): x for name, x in scores.items() if name.endswith("_macro") or name == "acc"}
    for name, score in (("precision", metrics.precision_score), ("recall", metrics.recall_score)):
        for place in everything:
            of_class = partial(score, truth, found, average=None, labels=[place], zero_division=zero)
            scores[f"{name}[{place}]"] = lambda of_class=of_class: of_class()[0]
    yield checked([class_words(truth, count), *shown(rng, chosen(rng, scores))])
    yield checked(shown(rng, chosen(rng, macro, 5)))


def classes_over_folds(rng: random.Random) -> Iterator[Result]:
    """Means over folds of several classes; a fold may lack some."""
    count = rng.randint(2, 4)
    truth, found = labels(rng, count, rng.randint(6, 24))
    if len(np.unique(truth)) < count:
        return
    tests, words = cut(rng, truth)
    zero, present = zero_division(rng), rng.choice([None, np.arange(count)])
    means = over_parts(rng, [several(truth[test], found[test], zero, present) for test in tests], 2)
    means = {name: x for name, x in means.items() if "iou" not in name and not name.endswith("_median")}
    figures = shown(rng, means)
    yield checked([class_words(truth, count), *words, *rng.choice([[], ["aggregation=mean"]]), *figures])


def two_classes(rng: random.Random) -> Iterator[Result]:
    """Averages over both classes beside scores of the positive one."""
    truth, found = labels(rng, 2, rng.randint(2, 25))
    if not 0 < truth.sum() < len(truth):
        return
    zero = zero_division(rng)
    averaged = {name: x for name, x in several(truth, found, zero, [0, 1]).items() if "_" in name}
    values = chosen(rng, averaged, 2) | chosen(rng, binary(truth, found, zero), 2)
    yield checked([f"p={truth.sum()}", f"n={(1 - truth).sum()}", *shown(rng, values)])


def errors(rng: random.Random) -> Iterator[Result]:
    """Regressions of 1 to 8 items: constant targets, no error at all, whole numbers, ranges and variances."""
    n = rng.choice([1, 2, 2, 3, 3, 4, 5, 8])
    draws, whole = np.random.default_rng(rng.randrange(2**32)), rng.random() < 0.6
    scale = rng.choice([1, 2, 5, 30])
    truth = np.full(n, draws.normal(0, scale)) if rng.random() < 0.25 else draws.normal(0, scale, n)
    found = rng.choice(
        [truth, truth + draws.normal(0, scale), truth + draws.normal(0, scale, n), draws.normal(0, 1, n)]
    )
    if whole:
        truth, found = np.rint(truth), np.rint(found)
    miss = found - truth
    values = {
        "mae": metrics.mean_absolute_error(truth, found),
        "mse": metrics.mean_squared_error(truth, found),
        "rmse": metrics.root_mean_squared_error(truth, found),
        "max_error": metrics.max_error(truth, found),
        "medae": metrics.median_absolute_error(truth, found),
        "me": miss.mean(),
        "ev": metrics.explained_variance_score(truth, found),
    }
    if n > 1:
        values["r2_score"] = metrics.r2_score(truth, found)
        steady = np.ptp(truth) == 0 or np.ptp(found) == 0
        values["r2"] = values["r2_score"] if steady or rng.random() < 0.5 else np.corrcoef(truth, found)[0, 1] ** 2
    words = ["task=regression", f"n={n}", f"integer={str(whole).lower()}"]
    digits = rng.randint(0, 4)
    if rng.random() < 0.4:
        words.append(f"target_range={truth.min():.{digits}f},{truth.max():.{digits}f}")
        words += rng.choice([[], ["range_attained=true"]])
    ddof = rng.randint(0, 1)
    variance = truth.var(ddof=ddof) if n > 1 else 0
    if rng.random() < 0.3 and float(f"{variance:.{digits}f}") > 0:
        words += [f"variance={variance:.{digits}f}", *rng.choice([[], [f"ddof={ddof}"]])]
    figures = {name: round(x, 9) for name, x in some(rng, values).items() if name != "r2" or "r2_score" not in values}
    yield checked([*words, *(f"{name}={value:.{digits}f}" for name, value in figures.items())])


def areas(rng: random.Random) -> Iterator[Result]:
    """Areas under the curve with ties, with a point of the same ranking; and their means over folds."""
    draws, size = np.random.default_rng(rng.randrange(2**32)), rng.randint(3, 24)
    truth = (draws.random(size) < rng.uniform(0.1, 0.9)).astype(int)
    if not 0 < truth.sum() < size:
        return
    ranked = np.round(draws.normal(truth * rng.uniform(-1, 3), 1), rng.randint(0, 2))
    sizes = [f"p={truth.sum()}", f"n={(1 - truth).sum()}"]
    found = (ranked >= draws.choice(ranked) if rng.random() < 0.9 else ranked > 99).astype(int)
    area = metrics.roc_auc_score(truth, ranked)
    values = {"auc": area, "gini": 2 * area - 1} | chosen(rng, binary(truth, found, zero_division(rng)), 3)
    figures = shown(rng, values, percent=False)
    yield checked([*sizes, *figures])
    yield checked(figures)
    tests, words = cut(rng, truth)
    each = [metrics.roc_auc_score(truth[t], ranked[t]) for t in tests if 0 < truth[t].sum() < len(t)]
    if len(each) == len(tests):
        values = {"auc": np.mean(each), "auc_sd": np.std(each), "auc_min": np.min(each)}
        yield checked([*sizes, *words, "aggregation=mean", *shown(rng, values, percent=False)])


def multilabel(rng: random.Random) -> Iterator[Result]:
    """Several labels per item: exact matches, and averages over labels and over items; no sizes given."""
    draws, shape = np.random.default_rng(rng.randrange(2**32)), (rng.randint(2, 12), rng.randint(2, 4))
    truth = (draws.random(shape) < rng.uniform(0.2, 0.8)).astype(int)
    found = np.where(draws.random(shape) < rng.random(), truth, 1 - truth)
    average, zero = rng.choice(["macro", "weighted", "micro", "samples"]), rng.choice([0.0, 1.0])
    options = {"average": average, "zero_division": zero}
    scores = {
        "acc": partial(metrics.accuracy_score, truth, found),
        "ppv": partial(metrics.precision_score, truth, found, **options),
        "sens": partial(metrics.recall_score, truth, found, **options),
        "f1": partial(metrics.f1_score, truth, found, **options),
        "ji": partial(metrics.jaccard_score, truth, found, **options),
    }
    yield checked(shown(rng, chosen(rng, scores, 5)))


def reports(rng: random.Random) -> Iterator[Result]:
    """A pasted classification report, with labels that are absent, left out or several per item."""
    count, zero, digits = rng.randint(2, 5), zero_division(rng), rng.randint(2, 4)
    options: dict[str, Any] = {"digits": digits, "zero_division": zero}
    if rng.random() < 0.3:
        draws, shape = np.random.default_rng(rng.randrange(2**32)), (rng.randint(3, 20), count)
        truth = (draws.random(shape) < rng.uniform(0.2, 0.8)).astype(int)
        found = np.where(draws.random(shape) < rng.random(), truth, 1 - truth)
    else:
        truth, found = labels(rng, count, rng.randint(3, 60))
        if rng.random() < 0.4:
            options["labels"] = sorted(rng.sample(range(count), rng.randint(1, count)))
    if rng.random() < 0.3 and "labels" not in options and truth.ndim == 1:
        options["labels"] = list(range(count))
    text = metrics.classification_report(truth, found, **options)
    yield from pasted(text)


def matrices(rng: random.Random) -> Iterator[Result]:
    """A pasted line of figures with sizes in words."""
    truth, found = labels(rng, 2, rng.randint(2, 40))
    values = chosen(rng, binary(truth, found, 0.0), 4)
    printer = Printer(rng)
    printer.rounding = "nearest"
    names = {"acc": "accuracy", "sens": "sensitivity", "spec": "specificity", "ppv": "precision", "f1": "F1 score"}
    said = ", ".join(f"{names[name]} {printer.text(x)}" for name, x in values.items() if name in names)
    size = f" ({truth.sum()} positives, {(1 - truth).sum()} negatives)" if rng.random() < 0.6 else ""
    if said:
        yield from pasted(f"On the test set{size} the model had {said}.")


def checked(words: list[str]) -> Result | None:
    settings = ("rounding", "p", "n", "total", "folds", "repeats", "fold_model", "aggregation", "classes", "task")
    others = ("integer", "target_range", "range_attained", "variance", "ddof")
    if all(word.partition("=")[0] in (*settings, *others) for word in words):
        return None
    LAST[:] = words
    return check(read_words(words))


def pasted(text: str) -> Iterator[Any]:
    LAST[:] = [text]
    yield from report_of_pasted(read_pasted(text)).judgements


LAST: list[str] = []
KINDS: dict[str, Callable[[random.Random], Iterator[Any]]] = {
    kind.__name__.replace("_", " "): kind
    for kind in (
        *(one_set, no_sizes, folds, sets, classes, classes_over_folds, two_classes),
        *(errors, areas, multilabel, reports, matrices),
    )
}


def verdict_of(result: Any) -> str:
    return str(result.verdict.value)


def run(title: str, seconds: float, seed: int) -> Counter[str]:
    counts, rng, end = Counter[str](), random.Random(f"{title} {seed}"), time.process_time() + seconds
    while time.process_time() < end:
        try:
            for result in KINDS[title](rng):
                if result is not None:
                    verdict = verdict_of(result)
                    counts[verdict] += 1
                    if verdict == Verdict.INCONSISTENT.value:
                        print("FALSE ALARM", title, *LAST, result, flush=True)
        except InputError as error:
            counts["refused"] += 1
            if counts["refused"] < 4:
                print("  refused", title, *LAST, error, flush=True)
    return counts


def main() -> int:
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    titles = [title for title in KINDS if asked.only in title]
    alarms = 0
    for title in titles:
        counts = run(title, 60 * asked.minutes / len(titles), asked.seed)
        alarms += counts[Verdict.INCONSISTENT.value]
        print(f"{title}: {', '.join(f'{count:,} {word}' for word, count in sorted(counts.items()))}", flush=True)
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main())
