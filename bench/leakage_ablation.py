"""What does each exemption of a policy, or each recogniser, change? Switch off one at a time, and count.

    python bench/leakage_ablation.py FOLDER [--policy kapoor]
    python bench/leakage_ablation.py FOLDER --recognisers frames.queries learnt.items

The first form prints, for each exemption, how many findings at warning or above and how many notes appear without it,
and in how many files. The second switches off the entry points of modules of the interpreter (they give nothing, or
give back the rows they are given) and counts the files whose pairs and findings change. What changes nothing has to go.
"""

from __future__ import annotations

import argparse
import inspect
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

from assay.code import read_code
from assay.findings import Severity
from assay.leakage.code.analysis import analyse, pair_tables
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.table import Row
from assay.leakage.code.policies.findings import leaks_of
from assay.leakage.code.policies.judgement import judge
from assay.leakage.code.policies.policy import Policy, load_policy
from assay.tree.opening import tree_of

Table = tuple[Observations, list[Row]]
Answer = tuple[frozenset[object], frozenset[object]]
PACKAGE = "assay.leakage.code."
EMPTY = {"None": "None", "bool": "False", "Marks": "frozenset()"}
BEGINS = {"frozenset[": "frozenset()", "set[": "set()", "list[": "[]", "tuple[": "()", "Iterator[": "()"}


def programs(folder: Path) -> list[Path]:
    """The scripts and notebooks of a folder."""
    return sorted(path for path in folder.rglob("*") if path.suffix in {".py", ".ipynb"})


def tables(folder: Path) -> list[Table]:
    """The pair table of every program."""
    found: list[Table] = []
    for path in programs(folder):
        code = read_code(tree_of({path.name: path.read_text(encoding="utf-8", errors="replace")}))
        found += [table for source in code.python for table in list(pair_tables(code, source))[:1]]
    return found


def counts(found: list[Table], policy: Policy) -> tuple[Counter[str], set[int]]:
    """Findings by severity, and the files that have any."""
    total: Counter[str] = Counter()
    files: set[int] = set()
    for number, (facts, rows) in enumerate(found):
        leaks = list(leaks_of(facts, judge(rows, policy)))
        total.update("note" if leak.severity is Severity.NOTE else "warning or above" for leak in leaks)
        files |= {number} if leaks else set()
    return total, files


def exemptions(folder: Path, policy: Policy) -> None:
    """Print what each exemption silences."""
    found = tables(folder)
    before, files = counts(found, policy)
    print(f"{len(found)} programs, policy {policy.name}: {dict(before)}, {len(files)} with findings")
    print("| without the exemption | warning or above | notes | more programs |")
    print("|---|---|---|---|")
    for exemption in (e for e in policy.exemptions if e.rules):
        after, reported = counts(found, policy.without(exemption.name))
        grown = [after[kind] - before[kind] for kind in ("warning or above", "note")]
        print(f"| {exemption.name} | {grown[0]:+d} | {grown[1]:+d} | {len(reported - files)} |")


def answer(path: Path, policy: Policy) -> Answer:
    """What the analysis says of one program."""
    code = read_code(tree_of({path.name: path.read_text(encoding="utf-8", errors="replace")}))
    found = analyse(code, policy=policy)
    pairs = ((p.training, p.evaluation, p.relation, p.role, p.choice, p.learnt) for p in found.pairs)
    return frozenset(pairs), frozenset((leak.code, leak.location, leak.severity) for leak in found.leaks)


def substitute(function: FunctionType) -> FunctionType | None:
    """A function that recognises nothing; None where there is no such answer."""
    signature = inspect.signature(function)
    gives = str(signature.return_annotation)
    nothing = "None" if gives.endswith("| None") else EMPTY.get(gives)
    nothing = nothing or next((empty for begin, empty in BEGINS.items() if gives.startswith(begin)), None)
    rows = [name for name, given in signature.parameters.items() if given.annotation in {"Data", "Value"}]
    if nothing is None and gives in {"Data", "Value"} and rows:
        nothing = rows[0]
    if nothing is None:
        return None
    made: dict[str, FunctionType] = {}
    given = ", ".join(signature.parameters) if nothing in rows else "*_, **__"
    exec(f"def without({given}): return {nothing}", made)
    return made["without"]


@contextmanager
def switched_off(module: ModuleType) -> Iterator[None]:
    """The public functions of a module recognise nothing, wherever they were imported."""
    own = [f for f in vars(module).values() if inspect.isfunction(f) and f.__module__ == module.__name__]
    changed = []
    for function in (f for f in own if not f.__name__.startswith("_")):
        other = substitute(function)
        if other is not None:
            changed.append((function, function.__code__))
            function.__code__ = other.__code__
    try:
        yield
    finally:
        for function, code in changed:
            function.__code__ = code


def recognisers(folder: Path, names: list[str], policy: Policy) -> None:
    """Print in how many programs each module changes something."""
    paths = programs(folder)
    before = {path: answer(path, policy) for path in paths}
    print("| without the module | lines | programs with other pairs | with other findings |")
    print("|---|---|---|---|")
    for name in names:
        module = import_module(PACKAGE + name)
        with switched_off(module):
            after = {path: answer(path, policy) for path in paths}
        changed = [sum(after[p][column] != before[p][column] for p in paths) for column in (0, 1)]
        print(f"| {name} | {len(inspect.getsource(module).splitlines())} | {changed[0]} | {changed[1]} |")


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--policy", default="kapoor")
    options.add_argument("--recognisers", nargs="+", metavar="MODULE", default=[])
    given = options.parse_args()
    policy = load_policy(given.policy)
    if given.recognisers:
        recognisers(given.folder, given.recognisers, policy)
    else:
        exemptions(given.folder, policy)


if __name__ == "__main__":
    main()
