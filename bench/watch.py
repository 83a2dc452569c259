"""What `assay.leakage.watch` costs: realistic work with and without it, in turns, in one process.

Each turn fits and scores the same models on the same rows, in one thread, first without and then with the watch. The
ratio is the median of the turns' ratios of CPU time, which other programs on the machine disturb least. The promise is
at most 5 % more over all jobs; keys cost the same for every model, so the quickest fit pays the largest share. Calls on
100 rows may cost 20 % more; the report about them, which works out the keys, is timed apart.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from assay.leakage import watch

TURNS = 9
PROMISED, PROMISED_OF_TINY = 1.05, 1.2
RANDOM = np.random.default_rng(0)


def rows(count: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    table = RANDOM.normal(size=(count, columns))
    return table, (table[:, :5].sum(axis=1) + RANDOM.normal(size=count) > 0).astype(int)


WIDE, WIDE_Y = rows(20_000, 50)
LONG, LONG_Y = rows(100_000, 20)


def cross_validated_pipeline() -> None:
    cross_val_score(make_pipeline(StandardScaler(), LogisticRegression()), WIDE, WIDE_Y, cv=5)


def forest() -> None:
    train, test, y_train, y_test = train_test_split(WIDE, WIDE_Y, random_state=0)
    RandomForestClassifier(10, max_depth=10, random_state=0).fit(train, y_train).score(test, y_test)


def boosting() -> None:
    train, test, y_train, y_test = train_test_split(LONG, LONG_Y, random_state=0)
    HistGradientBoostingClassifier(max_iter=30, random_state=0).fit(train, y_train).score(test, y_test)


def scaled_boosting() -> None:
    train, test, y_train, y_test = train_test_split(LONG, LONG_Y, random_state=0)
    scaler = StandardScaler().fit(train)
    model = HistGradientBoostingClassifier(max_iter=30, random_state=0).fit(scaler.transform(train), y_train)
    model.score(scaler.transform(test), y_test)


TINY, TINY_Y = rows(100, 5)


def tiny_calls() -> None:
    for _ in range(100):
        scaler = StandardScaler().fit(TINY[:75])
        model = DecisionTreeClassifier(random_state=0).fit(scaler.transform(TINY[:75]), TINY_Y[:75])
        model.predict(scaler.transform(TINY[75:]))


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def watched(work: Callable[[], None]) -> None:
    with watch(warn=True):  # with the report that is made on leaving
        work()


def measure(name: str, work: Callable[[], None], under_watch: Callable[[], None]) -> tuple[float, float]:
    """Median seconds without and with the watch, by the median of the ratios of the turns."""
    under_watch()  # imports and caches are paid before the clock starts
    turns = [(seconds(work), seconds(under_watch)) for _ in range(TURNS)]
    plain, ratio = median(one for one, _ in turns), median(under / one for one, under in turns)
    print(f"{name}: {plain:.3f} s, with the watch {ratio:.3f} times as long")
    return plain, plain * ratio


def main() -> int:
    jobs = {
        "5-fold scaler + logistic regression, 20,000 x 50": cross_validated_pipeline,
        "random forest, 20,000 x 50": forest,
        "gradient boosting, 100,000 x 20": boosting,
        "scaler + gradient boosting, 100,000 x 20": scaled_boosting,
    }
    whole = [measure(name, work, lambda work=work: watched(work)) for name, work in jobs.items()]
    ratio = sum(under for _, under in whole) / sum(plain for plain, _ in whole)
    print(f"all: {ratio:.3f} times as long; promised {PROMISED}")
    plain, under = measure("500 calls on 100 x 5", tiny_calls, lambda: without_report(tiny_calls))
    with watch(warn=False) as seen:
        tiny_calls()
    print(f"  promised {PROMISED_OF_TINY}; the report about 500 calls takes {seconds(seen.report):.3f} s")
    return int(ratio > PROMISED or under / plain > PROMISED_OF_TINY)


def without_report(work: Callable[[], None]) -> None:
    with watch(warn=False):
        work()


if __name__ == "__main__":
    with threadpool_limits(1):
        sys.exit(main())
