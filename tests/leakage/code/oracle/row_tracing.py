"""Runs generated programs and writes down which rows each fit and each evaluation really had.

Every program comes with shadow statements, which do to row numbers what the program does to rows. Started as a script,
it reads programs as JSON, runs each in a fresh namespace beside generated tables, and prints the pairs as JSON.
"""

import contextlib
import io
import json
import sys
import warnings
from typing import Any

import numpy as np
import pandas as pd

ROWS = 60
Step = tuple[int, frozenset[int], str]
"""The line where it learns, the rows that it learns from, and the column that carries it ("" for all)."""


class Tracer:
    """Row numbers and learnt steps of live objects."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, Any, tuple[Step, ...]]] = {}
        self.fits: dict[int, tuple[Any, int, frozenset[int], tuple[Step, ...]]] = {}
        self.pairs: list[dict[str, Any]] = []

    def ids(self, thing: Any) -> Any:
        return self.known[id(thing)][1]

    def steps(self, thing: Any) -> tuple[Step, ...]:
        return self.known[id(thing)][2]

    def own(self, thing: Any, ids: Any, steps: tuple[Step, ...] = ()) -> None:
        self.known[id(thing)] = (thing, np.asarray(ids), tuple(dict.fromkeys(steps)))

    def same(self, new: Any, old: Any, without: str = "") -> None:
        self.own(new, self.ids(old), tuple(s for s in self.steps(old) if not (without and s[2] == without)))

    def both(self, features: Any, outcome: Any, old: Any) -> None:
        self.same(features, old)
        self.same(outcome, old)

    def cut(self, first: Any, last: Any, old: Any, at: int) -> None:
        self.pick(first, old, slice(None, at))
        self.pick(last, old, slice(at, None))

    def pick(self, new: Any, old: Any, chosen: Any) -> None:
        self.own(new, self.ids(old)[chosen], self.steps(old))

    def join(self, new: Any, *old: Any) -> None:
        self.own(new, np.concatenate([self.ids(o) for o in old]), tuple(s for o in old for s in self.steps(o)))

    def learn(self, new: Any, old: Any, line: int, source: Any = None, column: str = "") -> None:
        """`new` is `old`, prepared by what was learnt at a line from `source`."""
        source = old if source is None else source
        step = (line, frozenset(map(int, self.ids(source))), column)
        self.own(new, self.ids(old), (*self.steps(old), step))

    def fit(self, model: Any, line: int, rows: Any) -> None:
        self.fits[id(model)] = (model, line, frozenset(map(int, self.ids(rows))), self.steps(rows))

    def score(self, model: Any, line: int, rows: Any) -> None:
        _, fit_line, taught, steps = self.fits[id(model)]
        asked = frozenset(map(int, self.ids(rows)))
        self._pair(fit_line, line, taught, asked, steps, self.steps(rows))

    def folds(self, line: int, rows: Any) -> None:
        """Cross-validation: each part is asked about by a model that was taught the others."""
        everything = frozenset(map(int, self.ids(rows)))
        self._pair(line, line, frozenset(), everything, self.steps(rows), self.steps(rows))

    def _pair(
        self, fit: int, line: int, taught: frozenset[int], asked: frozenset[int], *steps: tuple[Step, ...]
    ) -> None:
        shared = taught & asked
        relation = "disjoint" if not shared else "same" if shared == asked else "overlapping"
        new = asked - taught
        taught_by = set(steps[0])
        own = {step for step in steps[1] if step not in taught_by and step[1] <= asked}  # prepared by itself
        learnt = sorted({step[0] for made in steps for step in made if step[1] & new and step not in own})
        self.pairs.append({"fit": fit, "score": line, "relation": relation, "learnt": learnt})


def tables() -> None:
    """The tables that programs read."""
    rng = np.random.default_rng(7)
    table = pd.DataFrame(rng.normal(size=(ROWS, 3)), columns=list("abc"))
    table["year"] = rng.integers(2010, 2020, ROWS)
    table["group"] = np.arange(ROWS) % 10
    table["y"] = (rng.random(ROWS) < 0.4).astype(int)
    table.to_csv("t.csv", index=False)
    table.iloc[:40].to_csv("train.csv", index=False)
    table.iloc[40:].to_csv("test.csv", index=False)
    table.loc[::5, "a"] = None
    table.to_csv("gaps.csv", index=False)


def main() -> None:
    """Programs from standard input, their pairs to standard output."""
    warnings.simplefilter("ignore")
    tables()
    results: list[Any] = []
    for program in json.load(sys.stdin):
        tracer = Tracer()
        np.random.seed(3)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(program, "program", "exec"), {"trace": tracer, "__name__": "__main__"})
            results.append(tracer.pairs)
        except Exception as error:  # noqa: BLE001 - a fault of a generated program is reported with its number
            results.append(f"{type(error).__name__}: {error}")
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
