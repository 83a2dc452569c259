"""How often the pair table agrees with the runs of generated programs: `python bench/leakage_oracle.py [PROGRAMS]`.

The programs are those of tests/leakage/code/oracle, with numbers that no test uses.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "leakage" / "code" / "oracle"))

from comparison import answers, summary, verdicts

FIRST = 100_000


def main() -> None:
    """Print the counts, and every disagreement with the number of its program."""
    programs = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    seeds = range(FIRST, FIRST + programs)
    with tempfile.TemporaryDirectory() as folder:
        found = list(answers(seeds, Path(folder)))
        judged = Counter(verdicts(seeds, Path(folder)))
    print(f"programs: {programs}")
    for name, count in summary(found).items():
        print(f"{name}: {count}")
    for answer in found:
        if answer.unsound or answer.imprecise or answer.missed or answer.invented or answer.said == "missing":
            print(answer)
    for rule, shape in sorted({(rule, shape) for rule, shape, _ in judged}):
        right, wrong = judged[rule, shape, True], judged[rule, shape, False]
        print(f"{rule} {shape}: {right} of {right + wrong} verdicts are true")


if __name__ == "__main__":
    main()
