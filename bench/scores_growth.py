"""How the time of a check grows with the size of the test set: CPU milliseconds from 10^2 to 10^9 items.

    python bench/scores_growth.py [--largest EXPONENT]

Five honest reports for each size and kind; the table shows the median, and what was not decided. Means
over folds of scores other than the linear ones need tables of all matrices of a fold, so that their
large sizes end undecided: the time shown is what it takes to say so.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from fractions import Fraction
from statistics import median

from honest import printed

from assay.findings import Verdict
from assay.scores.check import check
from assay.scores.definitions import SCORES, Matrix
from assay.scores.folds import stratified
from assay.scores.reading import read_words

REPORTS, DIGITS, FOLDS = 5, 4, 5
Maker = Callable[[int, random.Random], list[str]]


def matrix(p: int, n: int, rng: random.Random) -> Matrix:
    """About nine in ten right, at any size."""
    tp, tn = (round(members * rng.uniform(0.85, 0.95)) for members in (p, n))
    return Matrix(tp, p - tp, n - tn, tn)


def one_set(*names: str) -> Maker:
    """One test set, a quarter of it positive."""

    def made(size: int, rng: random.Random) -> list[str]:
        p, n = size // 4, size - size // 4
        found = matrix(p, n, rng)
        scores = {name: SCORES[name].value(found) for name in names}
        return [f"p={p}", f"n={n}", *(f"{k}={printed(v, DIGITS, 'nearest', rng)}" for k, v in scores.items() if v)]

    return made


def mean_over_folds(model: str, *names: str) -> Maker:
    """The mean over five stratified folds, which the report calls by `model`."""

    def made(size: int, rng: random.Random) -> list[str]:
        p, n = size // 4, size - size // 4
        parts = [matrix(*fold, rng) for fold in next(stratified(p, n, FOLDS).configurations())]
        words = [f"p={p}", f"n={n}", f"folds={FOLDS}", f"fold_model={model}", "aggregation=mean"]
        for name in names:
            values = [value for part in parts if isinstance(value := SCORES[name].value(part), Fraction)]
            words.append(f"{name}={printed(sum(values, Fraction(0)) / FOLDS, DIGITS, 'nearest', rng)}")
        return words

    return made


KINDS = {
    "one set: acc, f1, npv": one_set("acc", "f1", "npv"),
    "one set: mcc, gm, dor": one_set("mcc", "gm", "dor"),
    "known folds: acc, sens, spec": mean_over_folds("stratified", "acc", "sens", "spec"),
    "known folds: acc, f1, ppv": mean_over_folds("stratified", "acc", "f1", "ppv"),
    "unknown folds: acc, sens, spec": mean_over_folds("any", "acc", "sens", "spec"),
    "unknown folds: acc, f1, ppv": mean_over_folds("any", "acc", "f1", "ppv"),
}


def measured(make: Maker, size: int) -> str:
    """The median time in milliseconds, and how many reports stayed undecided."""
    rng, times, undecided = random.Random(size), [], 0
    for _ in range(REPORTS):
        words = make(size, rng)
        before = time.process_time()
        result = check(read_words(words))
        times.append(1000 * (time.process_time() - before))
        if result.verdict is Verdict.INCONSISTENT:
            raise SystemExit(f"FALSE ALARM {' '.join(words)}")
        undecided += result.verdict is Verdict.UNDECIDED
    spent = median(times)
    return f"{spent:.{2 if spent < 10 else 0}f}" + (f" ({undecided}?)" if undecided else "")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time against size.")
    parser.add_argument("--largest", type=int, default=9, help="The largest size, as an exponent of ten.")
    exponents = range(2, parser.parse_args().largest + 1)
    for make in KINDS.values():  # the first call of each kind loads what it needs
        check(read_words(make(40, random.Random(0))))
    print(f"{'CPU milliseconds, median of ' + str(REPORTS):<34}" + "".join(f"{f'10^{e}':>11}" for e in exponents))
    for title, make in KINDS.items():
        print(f"{title:<34}" + "".join(f"{measured(make, 10**e):>11}" for e in exponents), flush=True)
    print("(2?): so many of the reports stayed undecided")


if __name__ == "__main__":
    main()
