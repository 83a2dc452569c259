"""What `assay.leakage.watch` costs: realistic work with and without it, in turns, in one process.

Each turn fits and scores the same models on the same rows, in one thread. The ratio is that of the fastest turns, which
other programs on the machine disturb least. The promise is at most 5 % more over all jobs; keys cost the same for every
model, so the quickest fit pays the largest share. Calls on 100 rows may cost 20 % more; the report about them, which
works out the keys, is timed apart.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

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


TINY, TINY_Y = rows(100, 5)


def tiny_calls() -> None:
    for _ in range(100):
        scaler = StandardScaler().fit(TINY[:75])
        model = DecisionTreeClassifier(random_state=0).fit(scaler.transform(TINY[:75]), TINY_Y[:75])
        model.predict(scaler.transform(TINY[75:]))


def measure_tiny() -> float:
    """How many times as long 500 tiny calls take under watch."""
    plain, under, reports = [], [], []
    for _ in range(TURNS):
        plain.append(seconds(tiny_calls))
        with watch(warn=False) as seen:
            under.append(seconds(tiny_calls))
        reports.append(seconds(seen.report))
    ratio = min(under) / min(plain)
    print(f"500 calls on 100 x 5: {min(plain):.3f} s, watched {min(under):.3f} s, ratio {ratio:.3f}")
    print(f"  the report about them: {min(reports):.3f} s; promised {PROMISED_OF_TINY}")
    return ratio


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def watched(work: Callable[[], None]) -> None:
    with watch(warn=True):  # with the report that is made on leaving
        work()


def main() -> int:
    jobs = {
        "5-fold scaler + logistic regression, 20,000 x 50": cross_validated_pipeline,
        "random forest, 20,000 x 50": forest,
        "gradient boosting, 100,000 x 20": boosting,
    }
    whole, whole_watched = 0.0, 0.0
    for name, work in jobs.items():
        watched(work)  # imports and caches are paid before the clock starts
        plain, under = [], []
        for _ in range(TURNS):
            plain.append(seconds(work))
            under.append(seconds(lambda work=work: watched(work)))
        whole, whole_watched = whole + min(plain), whole_watched + min(under)
        print(f"{name}: {min(plain):.3f} s, watched {min(under):.3f} s, ratio {min(under) / min(plain):.3f}")
    print(f"all: {whole:.3f} s, watched {whole_watched:.3f} s, ratio {whole_watched / whole:.3f}; promised {PROMISED}")
    return int(measure_tiny() > PROMISED_OF_TINY or whole_watched / whole > PROMISED)


if __name__ == "__main__":
    with threadpool_limits(1):
        sys.exit(main())
