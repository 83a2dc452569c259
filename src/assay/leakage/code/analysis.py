"""From code to leaks: follow each file, then judge what was seen."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import field

from assay.code import Code, Source, read_code
from assay.errors import InputError
from assay.findings import note
from assay.garbage import undisturbed
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.pair import Pair
from assay.leakage.code.facts.table import Row, table_of
from assay.leakage.code.language.running import Run, run
from assay.leakage.code.leak import Leak
from assay.leakage.code.policies.distribution import distribution
from assay.leakage.code.policies.features import features
from assay.leakage.code.policies.findings import leaks_of
from assay.leakage.code.policies.judgement import Verdict, judge
from assay.leakage.code.policies.metric_choice import accuracy_alone
from assay.leakage.code.policies.policy import Policy, load_policy
from assay.leakage.code.policies.silence import Silence, silences
from assay.leakage.code.reading.marimo import cells_in_order
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.machine import DEFAULT_LIMITS, Limits
from assay.libraries.catalogue import catalogue
from assay.records import dataclass, replace
from assay.tree.opening import tree_of

_WORDS = ("fit", "train", "score", "predict", "evaluate", "cross_val", "backward", "cv(", "accuracy")
"""A file without any of these, or of the methods that its libraries have for it, does not evaluate a model."""


_AS_RUN = "This shows only in the order in which the cells were run, not in the order in which they stand."


@dataclass(frozen=True)
class Analysis:
    """What was seen in some code: leaks, how much was followed, and what was left out."""

    leaks: tuple[Leak, ...]
    pairs: tuple[Pair, ...] = ()
    """Every (training, evaluation) that was followed, with the relation of their rows."""
    silences: tuple[Silence, ...] = field(default=(), repr=False)
    """Why no finding came of a pair, for each pair and rule that was near."""
    files: int = 0
    models: int = 0
    evaluations: int = 0
    unknown: tuple[tuple[str, int], ...] = field(default=(), repr=False)
    """Calls whose effect is not described, with how often they occur."""
    left_out: tuple[str, ...] = ()

    @property
    def not_examined(self) -> bool:
        """Whether no model or no score could be followed: then silence says nothing."""
        return not (self.models and self.evaluations)

    def _repr_html_(self) -> str:
        """How notebooks show it."""
        from assay.leakage.code.leak_report import report_of

        return report_of(self, ["an analysis"], pictures=True)._repr_html_()


def analyse_text(text: str, path: str = "example.py", *, policy: Policy | None = None) -> Analysis:
    """The leaks in one script given as text."""
    return analyse(read_code(tree_of({path: text})), policy=policy)


def analyse(code: Code, *, policy: Policy | None = None, limits: Limits = DEFAULT_LIMITS) -> Analysis:
    """The leaks in all scripts and notebooks of a tree."""
    return gathered(analyse_source(code, source, policy=policy, limits=limits) for source in code.python)


def gathered(parts: Iterable[Analysis]) -> Analysis:
    """Several analyses as one."""
    everything = list(parts)
    unknown: dict[str, int] = {}
    for one in everything:
        for name, count in one.unknown:
            unknown[name] = unknown.get(name, 0) + count
    return Analysis(
        leaks=tuple(dict.fromkeys(leak for one in everything for leak in one.leaks)),
        pairs=tuple(dict.fromkeys(pair for one in everything for pair in one.pairs)),
        silences=tuple(dict.fromkeys(silence for one in everything for silence in one.silences)),
        files=sum(one.files for one in everything),
        models=sum(one.models for one in everything),
        evaluations=sum(one.evaluations for one in everything),
        unknown=tuple(sorted(unknown.items(), key=lambda item: (-item[1], item[0]))),
        left_out=tuple(dict.fromkeys(sentence for one in everything for sentence in one.left_out)),
    )


@undisturbed()
def analyse_source(
    code: Code, source: Source, *, policy: Policy | None = None, limits: Limits = DEFAULT_LIMITS
) -> Analysis:
    """The leaks in one file. What goes wrong with it counts against this file alone, and is listed as left out."""
    broken = tuple(f"{place}: {message}" for place, message in source.errors)
    tree = source.tree
    if tree is None or not _may_evaluate(source):
        return Analysis((), files=1, left_out=broken)
    policy = policy or load_policy()
    try:
        found = _followed(code, source, tree, policy, limits)
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - a fault with one file must not cost the findings in the others
        found = Analysis((), files=1, left_out=(f"{source.path}: {_fault(error)}",))
    return replace(found, left_out=(*broken, *found.left_out))


def _may_evaluate(source: Source) -> bool:
    """A quick look before a slow one."""
    known = (words for package, words in catalogue().evaluating_methods if source.mentions(package))
    return any(map(source.mentions, _WORDS)) or any(any(map(source.mentions, words)) for words in known)


def _fault(error: Exception) -> str:
    """Why a file could not be examined."""
    match error:
        case MemoryError():
            return "needs more memory than is allowed"
        case RecursionError():
            return "is nested too deeply to follow"
        case _:
            return f"internal fault ({type(error).__name__}: {error})"


def _followed(code: Code, source: Source, tree: ast.Module, policy: Policy, limits: Limits) -> Analysis:
    """One file in the order of its text and, for notebooks, in the order in which it was run."""
    leaks: dict[tuple[str, str, int | None, int | None], Leak] = {}
    parts: list[Analysis] = []
    models: set[object] = set()
    evaluations: set[object] = set()
    for body, order in orders(source, tree):
        seen = _run_either_way(code, source, body, limits)
        facts = Observations(seen.trace, source)
        table = table_of(facts)
        for leak in judged(facts, list(judge(table, policy))):
            place = leak.location
            leaks.setdefault((leak.code, place.path, place.cell, place.line), _in_order(leak, order))
        found = [e for e in facts.evaluations if e.purpose is not Purpose.SEARCH]
        models |= {e.model.serial for e in found}
        evaluations |= {e.site for e in found}
        parts.append(_part(seen, table, policy, source, order))
    whole = gathered(parts)
    return replace(whole, leaks=tuple(leaks.values()), files=1, models=len(models), evaluations=len(evaluations))


def _in_order(leak: Leak, order: str) -> Leak:
    """A leak, with a sentence where it only shows in the order in which cells were run."""
    return replace(leak, evidence=(*leak.evidence, note(_AS_RUN))) if order else leak


def _part(seen: Run, table: list[Row], policy: Policy, source: Source, order: str) -> Analysis:
    """What one order of a file's cells shows beside its leaks."""
    return Analysis(
        (),
        tuple(row.pair for row in table),
        tuple(silences(table, policy)),
        unknown=() if order else tuple(seen.trace.unknown.items()),
        left_out=tuple(f"{source.path}: {sentence}" for sentence in seen.notes),
    )


def _run_either_way(code: Code, source: Source, body: list[ast.stmt], limits: Limits) -> Run:
    """A run of one file; where its switches are set so that no model is evaluated, one with switches either way.

    What is reported of such a program was measured with the switch set otherwise.
    """
    seen = run(code, source, body, limits)
    evaluates = any(isinstance(e, Evaluation) for e in seen.trace.events)
    if seen.switched and not evaluates and _may_train(code):
        return run(code, source, body, limits, either_way=True)
    return seen


def _may_train(code: Code) -> bool:
    """Whether something in sight looks like the training of a model."""
    return any(
        source.mentions(word) for source in code.python for word in (".fit", ".backward(", "optimizer", "Trainer")
    )


def pair_tables(code: Code, source: Source) -> Iterator[tuple[Observations, list[Row]]]:
    """The pair table of one file, in each order in which its cells may have been run."""
    for body, _ in orders(source, source.tree) if source.tree is not None else ():
        facts = Observations(run(code, source, body, DEFAULT_LIMITS).trace, source)
        yield facts, table_of(facts)


def judged(facts: Observations, verdicts: list[Verdict]) -> Iterator[Leak]:
    """Everything that the policy finds in the pair table, and what is known beside it: columns, time, groups."""
    yield from leaks_of(facts, verdicts)
    yield from accuracy_alone(facts)
    yield from features(facts)
    yield from distribution(facts)


def orders(source: Source, tree: ast.Module) -> Iterator[tuple[list[ast.stmt], str]]:
    """The statements as they stand; then as they were run, where a notebook's counters tell another order.

    A gap in the counters is a cell that was run again or is gone: then nobody knows what ran in between.
    """
    yield cells_in_order(tree.body) if source.mentions("marimo.App(") else tree.body, ""
    if source.notebook is None:
        return
    counts = {cell.number: cell.execution_count for cell in source.notebook.code_cells if cell.execution_count}
    ran = [counts[n] for _, n in source.cells if n in counts]
    if ran == sorted(ran) or max(ran) - min(ran) >= len(set(ran)):
        return
    cells: dict[int, list[ast.stmt]] = {}
    for statement in tree.body:
        cells.setdefault(source.location(statement).cell or 0, []).append(statement)
    order = sorted(counts, key=lambda number: counts[number] or 0)
    yield [statement for number in order for statement in cells.get(number, ())], "as run"
