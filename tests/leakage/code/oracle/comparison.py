"""What the analysis says of generated programs, compared with what their runs show."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from division_idioms import program
from program_idioms import Program

from assay.code import read_code
from assay.leakage.code.analysis import analyse_text
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.pair import LearntFrom, Pair
from assay.leakage.code.facts.table import table_of
from assay.leakage.code.language.running import run
from assay.leakage.code.policies.confidence import shape_of
from assay.leakage.code.policies.judgement import Verdict, judge
from assay.leakage.code.policies.policy import load_policy
from assay.leakage.code.state.machine import DEFAULT_LIMITS
from assay.tree.opening import tree_of

JUDGED = frozenset({"L1.1", "L1.2", "L1.3", "L1.4"})
"""The rules whose claim a run can show to be true or false."""
COPIES = frozenset({"copy", "oversample"})


@dataclass(frozen=True)
class Answer:
    """One pair of one program: what is true, and what the analysis says."""

    seed: int
    used: tuple[str, ...]
    fit: int
    score: int
    true: str
    said: str
    """The relation, or "missing" where the pair is not in the table."""
    missed: tuple[int, ...]
    """Lines whose learning from evaluated rows the table does not have."""
    invented: tuple[int, ...]
    """Lines that the table says learnt from evaluated rows, and did not."""
    learnt: int = 0
    """How many lines really learnt from evaluated rows."""

    @property
    def unsound(self) -> bool:
        """Rows are shared, and the table says that they are not."""
        return self.said == "disjoint" and self.true != "disjoint"

    @property
    def imprecise(self) -> bool:
        """The table says that rows are shared, and they are not."""
        return self.said in {"same", "overlapping"} and self.true == "disjoint"


def run_programs(programs: Iterable[Program], folder: Path) -> list[Any]:
    """The pairs of each program as its run shows them; a text where the run failed."""
    texts = ["\n".join(p.traced) for p in programs]
    script = Path(__file__).with_name("row_tracing.py")
    done = subprocess.run(
        [sys.executable, str(script)],
        input=json.dumps(texts),
        cwd=folder,
        env=os.environ | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    answers: list[Any] = json.loads(done.stdout)
    return answers


def answers(seeds: Iterable[int], folder: Path) -> Iterator[Answer]:
    """Every pair of the programs with these numbers."""
    made = [program(seed) for seed in seeds]
    for one, truth in zip(made, run_programs(made, folder), strict=True):
        if isinstance(truth, str):
            raise ValueError(f"program {one.seed} does not run: {truth}\n{one.text}")  # noqa: TRY004
        yield from _answers(one, truth)


def _answers(one: Program, truth: list[dict[str, Any]]) -> Iterator[Answer]:
    table: dict[tuple[int | None, int | None], list[Pair]] = {}
    for pair in analyse_text(one.text).pairs:
        table.setdefault((pair.training.location.line, pair.evaluation.location.line), []).append(pair)
    true: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for row in truth:
        true.setdefault((row["fit"], row["score"]), []).append(row)
    for (fit, score), rows in true.items():
        yield _answer(one, (fit, score), rows, table.get((fit, score), []))


def _answer(one: Program, lines: tuple[int, int], rows: list[dict[str, Any]], pairs: list[Pair]) -> Answer:
    """Several runs of one line are one answer; of several relations, the table may give any that occurs."""
    relations = {row["relation"] for row in rows}
    learnt = {line for row in rows for line in row["learnt"]} if relations == {"disjoint"} else set()
    both = [s for pair in pairs for s in pair.learnt if s.source is LearntFrom.BOTH]
    found = {s.place.location.line or 0 for s in both} if relations == {"disjoint"} else set()
    said = {str(pair.relation) for pair in pairs}
    if any(s.kind in COPIES for s in both) and "disjoint" in said:
        relations = {"disjoint"}  # copies of rows are a step of their own in the table
    relation = min(said, key=lambda r: (r in relations, r)) if said else "missing"
    true = relation if relation in relations else min(relations)
    missed = () if not pairs else tuple(sorted(learnt - found))
    return Answer(one.seed, tuple(one.used), *lines, true, relation, missed, tuple(sorted(found - learnt)), len(learnt))


def verdicts(seeds: Iterable[int], folder: Path) -> Iterator[tuple[str, str, bool]]:
    """Every verdict of the default policy on these programs: its rule, its sort of evidence, and whether it is true."""
    made = [program(seed) for seed in seeds]
    for one, truth in zip(made, run_programs(made, folder), strict=True):
        code = read_code(tree_of({"example.py": one.text}))
        source = code.python[0]
        seen = run(code, source, source.tree.body if source.tree else [], DEFAULT_LIMITS)
        for verdict in judge(table_of(Observations(seen.trace, source)), load_policy()):
            if verdict.exemption is None and verdict.rule.code in JUDGED:
                yield verdict.rule.code, shape_of(verdict), _is_true(verdict, truth)


def _is_true(verdict: Verdict, truth: list[dict[str, Any]]) -> bool:
    pair = verdict.row.pair
    lines = (pair.training.location.line, pair.evaluation.location.line)
    rows = [row for row in truth if (row["fit"], row["score"]) == lines]
    if verdict.learnt is None:
        return any(row["relation"] != "disjoint" for row in rows)
    line = verdict.learnt.place.location.line
    copied = verdict.learnt.kind in COPIES and any(row["relation"] == "overlapping" for row in rows)
    return copied or any(line in row["learnt"] for row in rows)


def summary(found: list[Answer]) -> Counter[str]:
    """How many pairs agree, and how many do not, by kind of disagreement."""
    count: Counter[str] = Counter(pairs=len(found))
    for answer in found:
        count["unsound"] += answer.unsound
        count["imprecise"] += answer.imprecise
        count["unknown"] += answer.said == "unknown"
        count["missing"] += answer.said == "missing"
        count["shared"] += answer.true != "disjoint"
        count["steps"] += answer.learnt
        count["steps missed"] += len(answer.missed)
        count["steps invented"] += len(answer.invented)
    return count
