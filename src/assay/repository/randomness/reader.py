"""From a tree and its code to the facts about randomness."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from assay.code import Code, Source
from assay.findings import Location
from assay.patterns import regex
from assay.program.settings import Settings, gathered, in_files, in_source
from assay.records import dataclass
from assay.repository.randomness.coverage import Ledger
from assay.repository.randomness.entries import Start, read_starts
from assay.repository.randomness.facts import (
    Coverage,
    EntryPoint,
    Flag,
    Framework,
    Loader,
    RandomnessFacts,
    Seed,
    State,
    Uses,
)
from assay.repository.randomness.frames import Frame
from assay.repository.randomness.graph import Graph
from assay.repository.randomness.outline import Vocabulary, read_outline
from assay.repository.randomness.resolver import Resolver
from assay.repository.randomness.roles import Argument, Role
from assay.repository.randomness.runs import Run, run_from
from assay.repository.randomness.scripts import read_scripts
from assay.repository.randomness.seed_calls import Outcome, argument, guard_of, outcome, ways
from assay.repository.randomness.units import Hit, Outline
from assay.repository.randomness.values import written
from assay.tree import Tree

_MAX_RUNS = 300
_MAX_STEPS = 400_000
"""How many functions and classes are gone through in all runs together."""
_SHOWN = 10
_DEFINED = regex(r"\n[ \t]*(?:async[ \t]+def|def|class)[ \t]+(\w+)")


@dataclass(frozen=True, slots=True)
class Material:
    """What is gathered of all files before any run is followed."""

    graph: Graph
    settings: Settings


def read_material(tree: Tree, code: Code) -> Material:
    """Outlines and settings; ask through `Code.once`, for others need the first two as well."""
    outlines: dict[str, Outline] = {}
    declared = list(in_files(tree))
    sources = [s for s in code.python if not s.unread]
    vocabulary = _vocabulary(sources, code)
    for source in sources:  # once: what is parsed is not kept for ever
        outlines[source.path] = read_outline(source, code, vocabulary)
        declared += in_source(source)
    return Material(Graph(outlines), gathered(declared))


def read_randomness(tree: Tree, code: Code) -> RandomnessFacts:
    """Every seed, draw and switch, and for each entry point what is seeded in all that it reaches."""
    material = code.once(tree, read_material)
    graph = material.graph
    resolver = Resolver(code, graph, material.settings)
    starts = read_starts(tree, code, graph)
    runs, outcomes = _follow(starts, resolver)
    scripts = read_scripts(tree, code)
    return RandomnessFacts(
        seeds=(*_seeds(resolver, outcomes, bool(runs)), *scripts.seeds),
        uses=(*_uses(graph), *scripts.uses),
        entry_points=(*runs, *scripts.entry_points),
        left_out=(f"only {len(runs)} of {len(starts)} entry points were followed",) if len(runs) < len(starts) else (),
    )


def _follow(starts: list[Start], resolver: Resolver) -> tuple[list[EntryPoint], dict[Location, Outcome]]:
    """Every run, and the best that each seed comes to in any."""
    outcomes: dict[Location, Outcome] = {}
    runs: dict[int, EntryPoint] = {}
    steps = 0
    nearest = sorted(range(len(starts)), key=lambda i: starts[i].module.path.count("/"))  # copies of others lie deep
    for i in nearest[:_MAX_RUNS]:
        start = starts[i]
        run = run_from(resolver.graph, start.module, start.function)
        resolver.turn_to(run)
        ledger = Ledger.of(run, resolver)
        for seed in ledger.seeds:
            best = outcomes.setdefault(seed.hit.location, seed.outcome)
            if seed.state.rank < best.state.rank:
                outcomes[seed.hit.location] = seed.outcome
        runs[i] = _entry_point(start, run, resolver, ledger.coverage())
        steps += len(run.units)
        if steps > _MAX_STEPS:
            break
    resolver.turn_to(None)
    return [runs[i] for i in sorted(runs)], outcomes


def _vocabulary(sources: Iterable[Source], code: Code) -> Vocabulary:
    defined = frozenset(name for s in sources for name in _DEFINED.findall(f"\n{s.text}"))
    modules = frozenset(part.partition(".")[0] for s in code.sources for part in s.path.split("/"))
    return Vocabulary(defined, modules)


def _entry_point(start: Start, run: Run, resolver: Resolver, coverage: tuple[Coverage, ...]) -> EntryPoint:
    loaders = tuple(_loader(hit) for hit in run.hits if hit.row.role is Role.LOADS)
    flags = _flags(run, resolver)
    return EntryPoint(start.module.path, start.kind, start.name, run.trains, coverage, flags, loaders, run.infers)


def _seeds(resolver: Resolver, outcomes: dict[Location, Outcome], runs: bool) -> list[Seed]:
    """All seeds in the order of the text. What no run reaches is unused; in a mere library it is judged by itself."""
    found: list[Seed] = []
    for outline in resolver.graph.outlines.values():
        for unit in outline.units:
            for hit in unit.everything:
                if isinstance(hit, Hit) and hit.row.role is Role.SEEDS:
                    came_to = outcomes.get(hit.location) or outcome(hit, resolver, alone=outline.is_test)
                    if came_to is not None:
                        reached = hit.location in outcomes or outline.is_test or not runs
                        found.append(_seed(hit, came_to, outline.is_test, reached))
    return sorted(found, key=lambda s: (s.location.path, s.location.cell or 0, s.location.line or 0))


def _seed(hit: Hit, found: Outcome, in_test: bool, reached: bool) -> Seed:
    return Seed(
        hit.call,
        hit.row.frameworks,
        hit.location,
        found.state if reached else State.UNUSED,
        found.value.text,
        found.guard,
        found.value.declared,
        in_test,
    )


def _flags(run: Run, resolver: Resolver) -> tuple[Flag, ...]:
    found: list[Flag] = []
    for unit in run.units:
        frames = ways(unit, resolver)[:1] if unit.switches else []
        for switch in unit.switches:
            for frame in frames or [Frame(unit)]:
                value = resolver.value(switch.value, frame)
                guard = guard_of(switch.value, frame, resolver)
                found.append(Flag(switch.name, value.text, switch.location, guard))
    for hit in run.hits:
        if hit.row.role is Role.SWITCHES:
            frame = next(iter(ways(hit.unit, resolver)), Frame(hit.unit))
            given = argument(hit.node, hit.row.seed) if hit.row.seed else None
            value = resolver.value(given or ast.Constant(True), frame)
            found.append(Flag(hit.call, value.text, hit.location, guard_of(hit.node, frame, resolver)))
    return tuple(found)


def _loader(hit: Hit) -> Loader:
    def given(keyword: str, position: int | None = None) -> str:
        node = argument(hit.node, Argument(keyword, position))
        return "" if node is None else written(node)

    return Loader(
        hit.location,
        shuffle=given("shuffle", 2),
        workers=given("num_workers"),
        generator=given("generator") not in {"", "None"},
        worker_seed=given("worker_init_fn") not in {"", "None"},
    )


def _uses(graph: Graph) -> tuple[Uses, ...]:
    places: dict[Framework, list[Location]] = {}
    for outline in graph.outlines.values():
        for unit in outline.units if not outline.is_test else ():
            for hit in unit.everything:
                if isinstance(hit, Hit) and hit.row.role in {Role.DRAWS, Role.CREATES}:
                    places.setdefault(hit.row.frameworks[0], []).append(hit.location)
    order = list(Framework)
    return tuple(
        Uses(framework, len(found), tuple(found[:_SHOWN]))
        for framework, found in sorted(places.items(), key=lambda p: order.index(p[0]))
    )
