"""A study of 1,000 papers with 20,000 experiments in a store: opened, loaded, checked and reported.

    python bench/study_store.py [papers] [postgresql://user@host/name]

Every experiment has a result with spreads, raw runs, a baseline and a margin, so that each outcome takes its
statistical tests; every paper has eight discrepancies and a time log. Making the store is measured apart. What is held
against the limit is CPU time from opening the store to the finished report, with nothing kept from before.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from assay.reproduction.categories import categories
from assay.reproduction.levels import Level
from assay.reproduction.outcomes import Measured
from assay.reproduction.store.studies import load_study, new_store, open_store
from assay.reproduction.study import Attempt, Direction, Discrepancy, Experiment, Paper, Result, Spent, Status, Study
from assay.reproduction.study_check import check_study
from assay.reproduction.tables import report_study

EXPERIMENTS, MOST_SECONDS = 20, 10.0
T = TypeVar("T")


def study(papers: int) -> Study:
    draw = random.Random(0)
    return Study("A large study", papers=tuple(paper(draw, number) for number in range(papers)))


def paper(draw: random.Random, number: int) -> Paper:
    codes = draw.sample(sorted(categories()), 8)
    attempt = Attempt(
        id="1",
        people=("Ada", "Grace"),
        log=tuple(Spent(date(2024, 1, day), Decimal(draw.randint(1, 8)), "training") for day in range(1, 6)),
        experiments=tuple(experiment(draw, f"e{n}") for n in range(EXPERIMENTS)),
        discrepancies=tuple(Discrepancy(code, draw.randint(1, 3), draw.randint(0, 4)) for code in codes),
    )
    components = tuple((name, f"{draw.random():.2f}") for name in ("Method", "Data", "Experiment"))
    return Paper(f"p{number}", f"Paper {number}", 2010, draw.choice(list(Level)), components, "", (attempt,))


def experiment(draw: random.Random, name: str) -> Experiment:
    original = draw.uniform(0.5, 0.95)
    runs = [original + draw.gauss(0, 0.02) for _ in range(5)]
    result = Result(
        metric="accuracy",
        original=Measured(f"{original:.3f}", 0.01, 5),
        reproduced=Measured(f"{sum(runs) / 5:.4f}", 0.02, 5),
        baselines=(Measured(f"{original - 0.03:.3f}"),),
        direction=Direction.HIGHER,
        runs=tuple(f"{run:.4f}" for run in runs),
        margin=0.02,
    )
    return Experiment(name, "a method", "a data set", Status.RUN, results=(result,))


def timed(what: str, work: Callable[[], T]) -> tuple[T, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    done = work()
    spent = time.process_time() - cpu
    print(f"{what:8} {spent:6.2f} s CPU {time.perf_counter() - wall:6.2f} s wall")
    return done, spent


def main(papers: int = 1000, where: str = "") -> None:
    made = study(papers)
    with tempfile.TemporaryDirectory() as folder:
        place = where or str(Path(folder) / "study.db")
        timed("make", lambda: new_store(place, made).dispose())
        engine, opening = timed("open", lambda: open_store(place))
        loaded, loading = timed("load", lambda: load_study(engine))
        engine.dispose()
        checked, checking = timed("check", lambda: check_study(loaded))
        reported, reporting = timed("report", lambda: report_study(loaded))
    total = opening + loading + checking + reporting
    print(f"{papers} papers, {papers * EXPERIMENTS} experiments: {total:.2f} s CPU (at most {MOST_SECONDS})")
    assert loaded == made
    assert checked.findings
    assert reported.tables
    assert papers != 1000 or total <= MOST_SECONDS


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *sys.argv[2:3])
