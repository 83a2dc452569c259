"""What does each exemption of a policy change? Switch off one at a time on a folder of programs, and count.

    python bench/leakage_ablation.py FOLDER [--policy kapoor]

Prints, for each exemption, how many findings at warning or above and how many notes appear without it, and in how
many files. An exemption that changes nothing on a large corpus has to go.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from assay.code import Source, read_code
from assay.findings import Severity
from assay.leakage.code.analysis import orders
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.table import Row, table_of
from assay.leakage.code.language.running import run
from assay.leakage.code.policies.findings import leaks_of
from assay.leakage.code.policies.judgement import judge
from assay.leakage.code.policies.policy import Policy, load_policy
from assay.leakage.code.state.machine import DEFAULT_LIMITS
from assay.tree.opening import tree_of

Table = tuple[Observations, list[Row]]


def tables(folder: Path) -> list[Table]:
    """The pair table of every script and notebook of a folder."""
    found: list[Table] = []
    for path in sorted(p for p in folder.rglob("*") if p.suffix in {".py", ".ipynb"}):
        code = read_code(tree_of({path.name: path.read_text(encoding="utf-8", errors="replace")}))
        found += [table for source in code.python for table in _of(code, source)]
    return found


def _of(code: object, source: Source) -> list[Table]:
    if source.tree is None:
        return []
    body, _ = next(iter(orders(source, source.tree)))
    facts = Observations(run(code, source, body, DEFAULT_LIMITS).trace, source)  # type: ignore[arg-type]
    return [(facts, table_of(facts))]


def counts(found: list[Table], policy: Policy) -> tuple[Counter[str], set[int]]:
    """Findings by severity, and the files that have any."""
    total: Counter[str] = Counter()
    files: set[int] = set()
    for number, (facts, rows) in enumerate(found):
        leaks = list(leaks_of(facts, judge(rows, policy)))
        total.update("note" if leak.severity is Severity.NOTE else "warning or above" for leak in leaks)
        files |= {number} if leaks else set()
    return total, files


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--policy", default="kapoor")
    given = options.parse_args()
    policy, found = load_policy(given.policy), tables(given.folder)
    before, files = counts(found, policy)
    print(f"{len(found)} programs, policy {policy.name}: {dict(before)}, {len(files)} with findings")
    print("| without the exemption | warning or above | notes | more programs |")
    print("|---|---|---|---|")
    for exemption in (e for e in policy.exemptions if e.rules):
        after, reported = counts(found, policy.without(exemption.name))
        grown = [after[kind] - before[kind] for kind in ("warning or above", "note")]
        print(f"| {exemption.name} | {grown[0]:+d} | {grown[1]:+d} | {len(reported - files)} |")


if __name__ == "__main__":
    main()
