"""Zero false alarms without sizes: honest reports of one test set, of means and of partly known sizes.

    python bench/scores_sizeless.py [--cases N] [--seed S] [--only WORDS]

By default 20,000 cases of each kind. Beside each honest report a falsified one is checked: one figure of a table that
determines it, moved by more than its rounding. Exits with 1 when an honest report is called inconsistent.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from assay.findings import Verdict
from assay.scores.check import check
from assay.scores.definitions import COUNTS, SCORES, Matrix, find_score
from assay.scores.exact import INFINITY, Exact, floor_times
from assay.scores.reading import read_words

NAMES = [name for name in SCORES if name not in COUNTS] + ["f2", "f0.5", "f2n", "err", "fpr", "fnr"]
USUAL = ["acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc", "kappa", "ji"]
Words = list[str]


def printed(value: Exact, digits: int) -> str:
    steps = floor_times(value, 2 * 10**digits)  # type: ignore[arg-type]
    whole = steps // 2 + steps % 2
    sign, whole = ("-", -whole) if whole < 0 else ("", whole)
    return f"{sign}{whole // 10**digits}.{whole % 10**digits:0{digits}d}"


def matrix_of(rng: random.Random, largest: float = 6) -> Matrix:
    p, n = (int(10 ** rng.uniform(0, largest)) for _ in range(2))
    tp, tn = round(p * rng.random() ** 0.4), round(n * rng.random() ** 0.4)
    return Matrix(tp, p - tp, n - tn, tn)


def score(name: str, matrix: Matrix) -> Exact | None:
    meant = find_score(name)
    value = meant.score.value(matrix)
    if value is None or value is INFINITY:
        return None
    return 1 - value if meant.complement and isinstance(value, Fraction) else value


def figures(names: list[str], matrix: Matrix, digits: int) -> Words:
    values = {name: score(name, matrix) for name in names}
    return [f"{name}={printed(value, digits)}" for name, value in values.items() if value is not None]


def any_scores(rng: random.Random) -> Words:
    """Any scores of one test set of 2 to 2,000,000 items."""
    return [*figures(rng.sample(NAMES, rng.randint(1, 4)), matrix_of(rng), rng.randint(1, 5)), "aggregation=pooled"]


def usual_scores(rng: random.Random) -> Words:
    """The scores of most tables, nothing said about averaging."""
    return figures(rng.sample(USUAL, rng.randint(2, 5)), matrix_of(rng), rng.randint(2, 4))


def precision_recall_f1(rng: random.Random) -> Words:
    """The most frequent table."""
    return figures(["ppv", "sens", "f1", "acc"][: rng.choice([3, 3, 4])], matrix_of(rng), rng.randint(2, 4))


def areas(rng: random.Random) -> Words:
    """An area between the staircases of its point."""
    matrix, digits = matrix_of(rng, 4), rng.randint(2, 4)
    pairs = matrix.p * matrix.n
    least, most = Fraction(matrix.tp * matrix.tn, pairs), 1 - Fraction(matrix.fn * matrix.fp, pairs)
    area = least + (most - least) * Fraction(rng.randint(0, 10**6), 10**6)
    names = rng.sample(["acc", "ppv", "f1"], rng.randint(0, 1))
    return [f"auc={printed(area, digits)}", *figures(["sens", "spec", *names], matrix, digits), "aggregation=pooled"]


def mean_over_folds(rng: random.Random) -> Words:
    """Means over test sets with both classes; what is 0/0 counts 0 in all scores."""
    parts, digits = [matrix_of(rng, 2.5) for _ in range(rng.randint(2, 10))], rng.randint(2, 4)
    names = rng.sample(
        ["acc", "sens", "spec", "ppv", "npv", "f1", "f2", "bacc", "bm", "ji", "kappa"], rng.randint(2, 5)
    )
    words = []
    for name in names:
        values = [score(name, part) or Fraction(0) for part in parts]
        words.append(f"{name}={printed(sum(values, Fraction(0)) / len(parts), digits)}")  # type: ignore[arg-type]
    return [*words, "aggregation=mean"]


def mean_over_classes(rng: random.Random) -> Words:
    """Macro and weighted averages of a table of several classes, with its accuracy."""
    classes, size, skill = rng.randint(2, 6), rng.randint(10, 200), rng.random()
    table = Counter()
    for _ in range(size):
        truth = rng.randrange(classes)
        table[truth, truth if rng.random() < skill else rng.randrange(classes)] += 1
    of = [
        Matrix(
            table[c, c],
            sum(table[c, k] for k in range(classes) if k != c),
            sum(table[k, c] for k in range(classes) if k != c),
            sum(table[j, k] for j in range(classes) for k in range(classes) if c not in (j, k)),
        )
        for c in range(classes)
    ]
    weights = [m.p for m in of] if rng.random() < 0.5 else [1] * classes
    undefined, digits = Fraction(rng.randint(0, 1)), rng.randint(2, 4)
    words = [f"acc={printed(Fraction(sum(table[c, c] for c in range(classes)), size), digits)}"]
    for name in ("ppv", "sens", "f1", "ji"):
        values = [value if (value := score(name, m)) is not None else undefined for m in of]
        mean = sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)  # type: ignore[operator]
        words.append(f"{name}={printed(mean, digits)}")
    return words


def partly_known(rng: random.Random) -> Words:
    """Only the total, a range of totals, or one class."""
    matrix = matrix_of(rng, 2)
    sizes = [f"total={sum(matrix)}", f"p={matrix.p}", f"n={matrix.n}", f"total={sum(matrix)}-{sum(matrix) + 5}"]
    return [rng.choice(sizes), *figures(rng.sample(USUAL, rng.randint(1, 4)), matrix, rng.randint(2, 4))]


KINDS: tuple[Callable[[random.Random], Words], ...] = (
    *(any_scores, usual_scores, precision_recall_f1, areas, mean_over_folds, mean_over_classes, partly_known),
)


def falsified(rng: random.Random) -> Words:
    """F1, the Jaccard index, balanced accuracy or accuracy, far from where two other figures put it."""
    matrix, digits = matrix_of(rng), rng.randint(2, 4)
    target, given = rng.choice([("f1", ["ppv", "sens"]), ("ji", ["f1"]), ("bacc", ["sens", "spec"]), ("bm", ["bacc"])])
    values = {name: score(name, matrix) for name in (target, *given)}
    if any(value is None for value in values.values()):
        return []
    unit = Fraction(1, 10**digits)
    wrong = values[target] + rng.choice([-1, 1]) * rng.randint(4, 40) * unit  # type: ignore[operator]
    if not (-1 if target == "bm" else 0) <= wrong <= 1:
        return []
    return [*figures(given, matrix, digits), f"{target}={printed(wrong, digits)}", "aggregation=pooled"]


def verdicts(kind: Callable[[random.Random], Words], cases: int, seed: int) -> Counter[str]:
    rng, found, longest = random.Random(f"{seed} {kind.__name__}"), Counter[str](), 0.0
    started = time.process_time()
    while found.total() < cases:
        words = kind(rng)
        if not any("=" in word and word.split("=")[0] in NAMES for word in words):
            continue
        before = time.process_time()
        verdict = check(read_words(words)).verdict
        longest = max(longest, time.process_time() - before)
        found[verdict.value] += 1
        alarm = verdict is Verdict.INCONSISTENT
        if alarm != (kind is falsified) and (alarm or kind is falsified):
            print(f"  {kind.__name__}: {verdict.value}: {' '.join(words)}")
    spent = time.process_time() - started
    told = ", ".join(f"{count:,} {name}" for name, count in sorted(found.items()))
    print(f"{kind.__name__}: {told}; {spent / cases * 1000:.2f} ms each, {longest:.2f} s at most (CPU)", flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    wrong = 0
    for kind in (*KINDS, falsified):
        if options.only in kind.__name__:
            found = verdicts(kind, options.cases, options.seed)
            wrong += 0 if kind is falsified else found[Verdict.INCONSISTENT.value]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
