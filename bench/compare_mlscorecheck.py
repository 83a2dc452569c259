"""Speed against mlscorecheck 1.0.3, the reference implementation: CPU seconds, both in one run.

The other package is installed into an environment of its own under build/ (this needs a package
index, once), or `--python` names an interpreter that has it; it is never a dependency of Assay. Each
case is repeated for two seconds and the fastest run counts, child processes included.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import venv
from dataclasses import asdict, dataclass
from pathlib import Path

from assay.scores.check import check
from assay.scores.definitions import SCORES, Matrix
from assay.scores.means.sides import listing
from assay.scores.reading import read_words

ROOT = Path(__file__).resolve().parent.parent
OTHER = ROOT / "build" / "bench" / "mlscorecheck"
SINGLE = (("acc", "sens", "spec"), ("acc", "npv", "f1"), ("acc",), ("acc", "mcc", "f1"), ("mcc", "gm", "dor"))
EHG = {"sens": "0.9139", "spec": "0.9733"}


@dataclass(frozen=True)
class Case:
    """One question for both programmes."""

    title: str
    p: int
    n: int
    scores: dict[str, str]
    eps: str
    folds: int = 0
    feasible: bool = True


def honest(names: tuple[str, ...], size: int) -> dict[str, str]:
    """The scores of a real matrix of that size, to four decimals."""
    tp, tn = size * 8123 // 10_000, size * 8901 // 10_000
    matrix = Matrix(tp, size - tp, size - tn, tn)
    return {name: f"{float(SCORES[name].value(matrix)):.4f}" for name in names}  # type: ignore[arg-type]


def cases() -> list[Case]:
    single = [
        Case(f"{'+'.join(names)}, 2 x {size:,}", size, size, honest(names, size), "0.00005", feasible=size <= 10**6)
        for names in SINGLE
        for size in (10**2, 10**4, 10**6, 10**9)
    ]
    folds = [
        ("EHG, 5 unknown folds", 38, 5, "0.9447"),
        ("EHG, 5 unknown folds, acc .9433", 38, 5, "0.9433"),
        ("EHG, 5 unknown folds, acc .9633", 38, 5, "0.9633"),
        ("EHG, 10 unknown folds", 38, 10, "0.9447"),
        ("EHG oversampled to 244, 5 unknown folds", 244, 5, "0.9447"),
    ]
    return single + [Case(title, p, 262, {"acc": acc, **EHG}, "0.0001", k) for title, p, k, acc in folds]


def other_python() -> Path:
    """The interpreter of the environment with mlscorecheck in it, made on first use."""
    if "--python" in sys.argv:
        return Path(sys.argv[sys.argv.index("--python") + 1])
    python = OTHER / "bin" / "python"
    if not python.exists():
        print(f"installing mlscorecheck 1.0.3 into {OTHER.relative_to(ROOT)} ...", file=sys.stderr)
        venv.create(OTHER, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "mlscorecheck==1.0.3"], check=True)
    return python


def ours(case: Case) -> tuple[float, str]:
    """The least CPU time of a check, reading included, and its verdict."""
    words = [f"p={case.p}", f"n={case.n}", f"eps={case.eps}", *(f"{k}={v}" for k, v in case.scores.items())]
    if case.folds:
        words += [f"folds={case.folds}", "fold_model=any", "aggregation=mean"]
    best, started = float("inf"), time.monotonic()
    while time.monotonic() - started < 2:
        listing.cache_clear()  # the first time is what counts
        before = time.process_time()
        verdict = check(read_words(words)).verdict.value
        best = min(best, time.process_time() - before)
    return best, verdict


def main() -> None:
    asked = cases()
    question = json.dumps([asdict(case) for case in asked if case.feasible])
    script = Path(__file__).parent / "other" / "time_mlscorecheck.py"
    done = subprocess.run([other_python(), script], input=question, check=True, capture_output=True, text=True)
    answers = iter(json.loads(done.stdout.splitlines()[-1]))
    print(f"{'case':<42} {'mlscorecheck':>14} {'assay':>11} {'ratio':>8}   verdicts")
    for case in asked:
        seconds, verdict = ours(case)
        if case.feasible:
            theirs, said = next(answers)
            told = f"{theirs:>12.4f} s {seconds * 1e3:>8.2f} ms {theirs / seconds:>7.0f}x   {said} / {verdict}"
        else:
            told = f"{'not feasible':>14} {seconds * 1e3:>8.2f} ms {'':>8}   - / {verdict}"
        print(f"{case.title:<42} {told}")


if __name__ == "__main__":
    main()
