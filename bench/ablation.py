"""How often the meter's intervals contain the truth, what the engine adds to each run, what two workers gain.

    python bench/ablation.py [coverage | enough | speed]

Coverage is simulated: a base and three alternatives with known effects, a shift of every run by its seed, and noise
of several kinds. All intervals claim 95 %. With the rule "enough" a series looks at its intervals after each seed, so
its coverage is simulated too.

Speed: the command of a run is a Python that sleeps for a known time and prints one metric, so that all else is
overhead: the start of the interpreter, the configuration, the temporary folder, the stored result.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from scipy.stats import t as student

from assay.ablation.configuration import Configuration, FileFormat
from assay.ablation.design import BASE, Run, Setting, runs_of
from assay.ablation.effects import MeasureEffects, effects
from assay.ablation.execution import execute
from assay.ablation.plan import Alternative, Item, Plan
from assay.ablation.series import LEAST_SEEDS
from assay.ablation.store import Outcome, Status, Store

RUNS = 40
SLEEP = 0.2
_PROGRAM = "import sys, time; time.sleep({}); print('{{\"score\": 1}}')"


def plan(folder: Path, sleep: float) -> Plan:
    """A plan of so many runs: one item with one alternative, half as many seeds."""
    base = Configuration("base", FileFormat.JSON, {"key": 0})
    items = (Item("item", "0", (Alternative("1", {"key": 1}),)),)
    command = ("{python}", "-IS", "-c", _PROGRAM.format(sleep), "{config}", "{seed}")
    return Plan("bench", base, command, items, tuple(range(RUNS // 2)), folder)


def seconds(sleep: float, workers: int, folder: Path) -> tuple[float, float]:
    """How long a series takes from nothing, and when all of it is stored."""
    wanted = plan(folder, sleep)
    store = Store(folder / f"runs-{sleep}-{workers}", wanted)
    taken = []
    for _ in range(2):
        began = time.perf_counter()
        made = list(execute(wanted, runs_of(wanted), store, workers=workers))
        taken.append(time.perf_counter() - began)
        assert len(made) == RUNS
    return taken[0], taken[1]


def bare() -> float:
    """How long the same Python takes to start and stop without the engine."""
    began = time.perf_counter()
    for _ in range(RUNS):
        subprocess.run([sys.executable, "-IS", "-c", _PROGRAM.format(0)], check=True, capture_output=True)
    return (time.perf_counter() - began) / RUNS


TRIALS = 1_000
MOST_SEEDS = 40
EFFECTS = (-0.03, 0.01, 0.02)
SPREAD = 0.05
"""The true spread: from the lowest effect to the highest."""
_SCALE = 0.02

Noise = Callable[[np.random.Generator, int], np.ndarray]
NOISES: Mapping[str, Noise] = {
    "normal": lambda rng, seeds: rng.normal(0, _SCALE, (4, seeds)),
    "heavy tails (t, 3 df)": lambda rng, seeds: _SCALE * rng.standard_t(3, (4, seeds)),
    "skewed (exponential)": lambda rng, seeds: rng.exponential(_SCALE, (4, seeds)),
    "one setting 5 x noisier": lambda rng, seeds: rng.normal(0, _SCALE, (4, seeds)) * [[1], [5], [1], [1]],
}


def simulated(rng: np.random.Generator, noise: Noise, seeds: int) -> MeasureEffects:
    """What the meter measures in one made-up series."""
    base = Configuration("base", FileFormat.JSON, {"key": 0})
    menu = tuple(Alternative(str(n), {"key": n}) for n in range(1, len(EFFECTS) + 1))
    made = Plan("bench", base, ("true",), (Item("item", "0", menu),), tuple(range(seeds)), Path())
    settings = (BASE, *(Setting(((0, n),)) for n in range(len(EFFECTS))))
    levels = np.array([0.0, *EFFECTS])[:, None] + rng.normal(0, 0.05, seeds) + noise(rng, seeds)
    results = {
        Run(setting, seed): Outcome(Status.DONE, {"score": float(levels[row, seed])}, 1.0)
        for row, setting in enumerate(settings)
        for seed in range(seeds)
    }
    [found] = effects(made, results, ["score"])
    return found


def coverage(noise: Noise, seeds: int) -> tuple[float, float]:
    """How often the intervals of the changes and of the spread contain the truth."""
    rng = np.random.default_rng(seeds)
    changes, spreads = [], []
    for _ in range(TRIALS):
        [item] = simulated(rng, noise, seeds).items
        changes += [one.low <= true <= one.high for (_, one), true in zip(item.alternatives, EFFECTS, strict=True)]
        spreads.append(item.spread.low <= SPREAD <= item.spread.high)
    return float(np.mean(changes)), float(np.mean(spreads))


def print_coverage() -> None:
    print(f"coverage of 95 % intervals, {TRIALS:,} trials   seeds   change   spread")
    for name, noise in NOISES.items():
        for seeds in (3, 5, 10):
            change, spread = coverage(noise, seeds)
            print(f"{name:<44} {seeds:>5}   {change:6.1%}   {spread:6.1%}")


def print_enough() -> None:
    """Coverage of the changes when seeds are added until every interval reaches no further than a goal."""
    print(f"coverage with the rule 'enough', {TRIALS:,} trials   goal   seeds used   change")
    for name, noise in NOISES.items():
        for goal in (0.04, 0.02, 0.01):
            rng = np.random.default_rng(7)
            hits, used = [], []
            for _ in range(TRIALS):
                made = noise(rng, MOST_SEEDS)
                changes = np.array(EFFECTS)[:, None] + made[1:] - made[:1]
                for seeds in range(LEAST_SEEDS, MOST_SEEDS + 1):
                    some = changes[:, :seeds]
                    reach = student.ppf(0.975, seeds - 1) * some.std(axis=1, ddof=1) / np.sqrt(seeds)
                    if reach.max() <= goal or seeds == MOST_SEEDS:
                        break
                hits += list(np.abs(some.mean(axis=1) - EFFECTS) <= reach)
                used.append(seeds)
            print(f"{name:<44} {goal:6.2f}   {np.mean(used):10.1f}   {np.mean(hits):6.1%}")


def print_speed() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        start = bare()
        one, stored = seconds(0, 1, folder)
        print(f"interpreter alone      {1000 * start:6.1f} ms a run")
        print(
            f"through the engine     {1000 * one / RUNS:6.1f} ms a run, {1000 * (one / RUNS - start):.1f} ms of it ours"
        )
        print(f"stored already         {1000 * stored / RUNS:6.2f} ms a run")
        slow, fast = (seconds(SLEEP, workers, folder)[0] for workers in (1, 2))
        print(
            f"{RUNS} runs of {SLEEP} s: 1 worker {slow:.1f} s, 2 workers {fast:.1f} s, {slow / fast:.2f} times as fast"
        )


def main() -> None:
    parts = {"coverage": print_coverage, "enough": print_enough, "speed": print_speed}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
