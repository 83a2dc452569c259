"""Which draws of a run are covered by a seed, framework by framework."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import field

from assay.code.names import last_name
from assay.findings import Location
from assay.records import dataclass
from assay.repository.randomness.conditions import is_switch
from assay.repository.randomness.facts import Coverage, Draw, Framework, Reason, State
from assay.repository.randomness.frames import Frame
from assay.repository.randomness.resolver import Resolver
from assay.repository.randomness.roles import Condition, Role
from assay.repository.randomness.runs import LEARNERS, Run
from assay.repository.randomness.seed_calls import (
    Outcome,
    argument,
    conditions_on_the_way,
    guard_of,
    is_unconditional,
    outcome,
    seed_value,
    settled,
    ways,
)
from assay.repository.randomness.unfitted import is_never_fitted
from assay.repository.randomness.units import Hit, Unit
from assay.repository.randomness.values import Value, written

_SHOWN = 10
_WAYS = 4
_ORDER = list(Framework)
_SAMPLES = frozenset(
    {
        "rand", "randn", "randint", "randperm", "rand_like", "randn_like", "normal", "uniform", "multinomial",
        "bernoulli", "categorical", "random_normal", "random_uniform", "random_split", "shuffle", "normal_", "uniform_",
    }
)  # fmt: skip
"""Draws that a model is applied to, or that choose samples."""
_NETWORKS = frozenset({"Module", "Layer", "Model", "Cell", "Block", "LightningModule"})
_BUILDING = frozenset({"__init__", "__post_init__", "build", "setup", "reset_parameters", "init_weights"})
"""Base classes of networks, and their methods that make the first weights."""


@dataclass(frozen=True, slots=True)
class SeedInRun:
    """A seed that a run reaches: when, in the order of its hits, and what it comes to."""

    index: int
    hit: Hit
    outcome: Outcome

    @property
    def state(self) -> State:
        """How fixed it is."""
        return self.outcome.state

    @property
    def counts(self) -> bool:
        """Whether it seeds something, with a fixed or an unknown value."""
        return self.state.controlled or self.state is State.UNKNOWN


@dataclass(slots=True)
class _Tally:
    """The draws of one framework, and how those stand that are not covered."""

    uses: int = 0
    first: Location | None = None
    covered: list[tuple[State, Location]] = field(default_factory=list)
    uncovered: list[Draw] = field(default_factory=list)
    lacking: list[State] = field(default_factory=list)
    partly: bool = False
    certain: bool = False
    evident: bool = False

    def leave(self, hit: Hit, reason: Reason, state: State, run: Run, index: int, *, off: bool = False) -> None:
        """Put a draw down as not covered. One that the run is seen to reach replaces all that it may reach.

        What is switched `off` unless the user asks for it may be reached.
        """
        evident = index < run.evident and not off
        if evident and not self.evident:
            self.uncovered.clear()
            self.lacking.clear()
            self.evident = True
        if evident or not self.evident:
            self.uncovered.append(Draw(hit.call, hit.location, reason, _parameter_left_out(hit, reason)))
            self.lacking.append(state)
            self.certain = self.certain or index < run.certain


@dataclass(frozen=True, slots=True)
class Ledger:
    """The seeds of a run by the stream that they seed, and its draws by framework."""

    run: Run
    resolver: Resolver
    seeds: tuple[SeedInRun, ...]
    _streams: dict[Framework, list[SeedInRun]] = field(default_factory=lambda: defaultdict(list))
    _tallies: dict[Framework, _Tally] = field(default_factory=lambda: defaultdict(_Tally))
    _bests: dict[Framework, SeedInRun | None] = field(default_factory=dict)

    @classmethod
    def of(cls, run: Run, resolver: Resolver) -> Ledger:
        """Go through all hits of a run."""
        ledger = cls(run, resolver, _seeds(run, resolver))
        workers = _worker_functions(run)
        for seed in ledger.seeds:
            unit = seed.hit.unit
            if not _in_worker(unit, workers, resolver) and (run.is_explicit(unit) or not unit.registered):
                for framework in seed.hit.row.frameworks:
                    ledger._streams[framework].append(seed)
        varying = {s.outcome.value.text for s in ledger.seeds if s.state is State.VARYING and s.outcome.value.drawn}
        drawn = ((i, hit) for i, hit in enumerate(run.hits) if _draws(hit) and written(hit.node) not in varying)
        for i, hit in drawn:
            if not _needs_no_seed(hit, run, resolver):
                ledger._enter(i, hit)
        return ledger

    def coverage(self) -> tuple[Coverage, ...]:
        """What is covered, framework by framework."""
        found = (self._coverage(framework, tally) for framework, tally in self._tallies.items())
        return tuple(sorted(found, key=lambda c: _ORDER.index(c.framework)))

    def _enter(self, index: int, hit: Hit) -> None:
        """Put one draw down as covered or not."""
        own = self._own_seed(hit)
        lacks = own is not None and not own.state.controlled and own.state is not State.UNKNOWN
        if lacks and self._is_ruled_out(hit):
            return
        if hit.row.role is Role.CREATES and not hit.node.args and not hit.node.keywords and not lacks:
            return  # a bare `torch.Generator()` always begins alike, and what is drawn from it is drawn elsewhere
        tally = self._tallies[hit.row.frameworks[0]]
        tally.uses += 1
        tally.first = tally.first or hit.location
        if own is not None:
            if lacks:
                tally.leave(hit, Reason.OWN_SEED, own.state, self.run, index)
            else:
                tally.covered.append((own.state, hit.location))
                tally.partly |= own.state.controlled or not _is_handed_on(hit)
            return
        stream = hit.row.fallback or hit.row.frameworks[0]
        best = self._best(stream)
        if best is None or not best.counts:
            state = State.MISSING if best is None else best.state
            tally.leave(hit, Reason.UNSEEDED, state, self.run, index, off=self._is_switched_off(hit))
            return
        if self._is_early(index, hit, stream):
            tally.leave(hit, Reason.EARLY, State.LATE, self.run, index)
        else:
            tally.covered.append((best.state, best.hit.location))
            tally.partly |= best.state.controlled

    def _is_ruled_out(self, hit: Hit) -> bool:
        """Whether conditions keep the run from a call on every way, as in `rng if rng else default_rng()`."""
        return all(guard_of(hit.node, frame, self.resolver) for frame in ways(hit.unit, self.resolver)[:_WAYS])

    def _is_switched_off(self, hit: Hit) -> bool:
        """Whether on every way some condition is false by default, as under an option that nobody has to give."""

        def is_off(frame: Frame) -> bool:
            on_the_way = conditions_on_the_way(hit.node, frame, self.resolver)
            return any(is_switch(c.test) and self.resolver.holds(c, here) is False for c, here in on_the_way)

        return all(map(is_off, ways(hit.unit, self.resolver)[:_WAYS]))

    def _is_early(self, index: int, hit: Hit, stream: Framework) -> bool:
        """Whether a draw comes before the first seed, under no condition that may keep it from happening."""
        earliest = min(seed.index for seed in self._streams[stream] if seed.counts)
        if not index < earliest < self.run.certain or not _draws_at_once(hit):
            return False
        return any(is_unconditional(hit.node, frame, self.resolver) for frame in ways(hit.unit, self.resolver)[:_WAYS])

    def _best(self, framework: Framework) -> SeedInRun | None:
        """The best seed of a stream, unless one that comes later for certain spoils it; asked for when all are in."""
        if framework not in self._bests:
            self._bests[framework] = self._find_best(framework)
        return self._bests[framework]

    def _find_best(self, framework: Framework) -> SeedInRun | None:
        certain = [seed for seed in self._streams[framework] if seed.index < self.run.certain]
        if certain and certain[-1].state in {State.NONE, State.VARYING} and framework is not Framework.GYM:
            return certain[-1]
        return min(self._streams[framework], key=lambda s: (s.state.rank, s.index), default=None)

    def _own_seed(self, hit: Hit) -> Value | None:
        """The seed or generator that is given to the call itself; None when it draws from the global stream."""
        given = argument(hit.node, hit.row.seed) if hit.row.seed is not None else None
        absent = given is None or (isinstance(given, ast.Constant) and given.value is None)
        if hit.row.role is Role.DRAWS and absent:
            return None
        best = self.resolver.remembered(hit, lambda: _best_own_seed(hit, self.resolver))
        spread = isinstance(given, ast.Constant) and given.value is ...
        unset = not best.state.controlled if spread else best.state is State.NONE
        if hit.row.role is Role.DRAWS and unset:
            return None
        if best.drawn is not None and best.state is State.VARYING:
            source = self._best(best.drawn)
            return Value(source.state if source is not None and source.state.controlled else State.VARYING, best.text)
        return best

    def _coverage(self, framework: Framework, tally: _Tally) -> Coverage:
        lacking = [s for s in tally.lacking if s is not State.LATE or not tally.covered]
        seeds = self._streams[framework]
        if lacking:
            state = min(lacking, key=lambda s: s.rank)
            places = [seed.hit.location for seed in seeds if seed.state is state]
        else:
            known = [s for s, _ in tally.covered if s is not State.UNKNOWN]
            state = max(known, key=lambda s: s.rank, default=State.UNKNOWN)
            places = [place for s, place in tally.covered if s is state]
        return Coverage(
            framework,
            state,
            tally.uses,
            tuple(dict.fromkeys(places))[:_SHOWN],
            next((s.outcome.guard for s in seeds if s.state is State.GUARDED), "") if state is State.GUARDED else "",
            tally.first,
            tuple(tally.uncovered[:_SHOWN]),
            len(tally.uncovered),
            tally.partly,
            tally.certain,
            tally.evident,
        )


def _parameter_left_out(hit: Hit, reason: Reason) -> str:
    """What a call that makes a generator of its own would take its seed by, if it is not given."""
    seed = hit.row.seed
    makes_its_own = reason is Reason.OWN_SEED and hit.row.role is Role.CREATES
    return seed.keyword if makes_its_own and seed is not None and argument(hit.node, seed) is None else ""


def _seeds(run: Run, resolver: Resolver) -> tuple[SeedInRun, ...]:
    found = [
        SeedInRun(i, hit, came_to)
        for i, hit in enumerate(run.hits)
        if hit.row.role is Role.SEEDS and (came_to := outcome(hit, resolver)) is not None
    ]
    controlled = frozenset(f for seed in found if seed.state.controlled for f in seed.hit.row.frameworks)
    return tuple(SeedInRun(s.index, s.hit, settled(s.outcome, controlled)) for s in found)


def _draws(hit: Hit) -> bool:
    return hit.row.role in {Role.DRAWS, Role.CREATES} and _applies(hit.row.only, hit.node)


def _needs_no_seed(hit: Hit, run: Run, resolver: Resolver) -> bool:
    """Whether a draw is of weights that are replaced, or of the default of a seed, which is judged as a seed."""
    applied = run.only_applies(hit.row.frameworks[0]) and _is_of_a_model(hit, resolver)
    source = resolver.code.source(hit.unit.path) if hit.row.frameworks[0] is Framework.SKLEARN else None
    unfitted = source is not None and is_never_fitted(hit.node, source)
    return applied or unfitted or _is_default_of_a_seed(hit, resolver)


def _is_default_of_a_seed(hit: Hit, resolver: Resolver) -> bool:
    """Whether the draw stands in `add_argument("--seed", default=randint(...))`."""
    options = [call for _, call in resolver.bindings(hit.unit.path).calls("add_argument")]
    of_seeds = (c for c in options if any(isinstance(a, ast.Constant) and "seed" in str(a.value) for a in c.args))
    return any(node is hit.node for call in of_seeds for node in ast.walk(call))


def _is_of_a_model(hit: Hit, resolver: Resolver) -> bool:
    """Whether what is drawn are a model's weights, which others replace, or its dropout, which rests in use."""
    if hit.row.frameworks[0] not in LEARNERS:
        return all(_builds_a_network(frame) for frame in ways(hit.unit, resolver)[:_WAYS])
    last = hit.call.rpartition(".")[2]
    of_weights = any(part in hit.call for part in (".nn.", ".weight", ".bias"))
    return last not in _SAMPLES or of_weights or _is_a_parameter(hit, resolver)


def _builds_a_network(frame: Frame | None) -> bool:
    """Whether a call comes from the constructor of a network."""
    while frame is not None:
        unit = frame.unit
        if unit.is_method and unit.name in _BUILDING and unit.around and not _NETWORKS.isdisjoint(unit.around.bases):
            return True
        frame = frame.caller
    return False


def _is_a_parameter(hit: Hit, resolver: Resolver) -> bool:
    """Whether the draw stands inside `nn.Parameter(...)`: loading a state dictionary replaces it."""
    made = resolver.bindings(hit.unit.path).calls("Parameter")
    return any(node is hit.node for _, call in made for node in ast.walk(call))


def _worker_functions(run: Run) -> frozenset[str]:
    """Names of the functions that the run hands to its data loaders, to be called in each worker process."""
    loaders = (hit.node for hit in run.hits if hit.row.role is Role.LOADS)
    given = (k.value for node in loaders for k in node.keywords if k.arg == "worker_init_fn")
    return frozenset(last_name(value) for value in given)


def _in_worker(unit: Unit, workers: frozenset[str], resolver: Resolver) -> bool:
    """Whether a seed is set in a data loader's worker process, which leaves the main process as it is.

    Where no loader is in sight, the parameter that PyTorch documents for such a function (`worker_id`) shows it.
    """
    if resolver.sites(unit):
        return False
    return unit.name in workers or any(p.startswith("worker") for p in unit.parameters)


def _applies(only: Condition | None, node: ast.Call) -> bool:
    """Whether the call draws at all, by its arguments; unknown arguments count as drawing."""
    if only is None:
        return True
    given = argument(node, only.argument)
    if given is None:
        return only.absent
    return not isinstance(given, ast.Constant) or not only.values or given.value in only.values


def _best_own_seed(hit: Hit, resolver: Resolver) -> Value:
    """Over the ways that lead to the call, if its seed is a matter of who calls."""
    best = seed_value(hit, Frame(hit.unit), resolver)
    for frame in ways(hit.unit, resolver)[:_WAYS] if resolver.asked_caller else ():
        if best.state.controlled:
            break
        best = min(best, seed_value(hit, frame, resolver), key=lambda v: v.state.rank)
    return best


def _is_handed_on(hit: Hit) -> bool:
    """Whether a call's own seed is a parameter of the function around it, that nobody may ever give."""
    given = argument(hit.node, hit.row.seed) if hit.row.seed is not None else None
    return isinstance(given, ast.Name) and given.id in hit.unit.parameters


def _draws_at_once(hit: Hit) -> bool:
    """Whether numbers are drawn where the call stands, not when its result is used later."""
    return hit.row.weights or (hit.call.rpartition(".")[2][:1].islower() and hit.row.frameworks[0] is not Framework.GYM)
