"""What a run reaches from where it begins, in the order in which it is first reached."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property

from assay.records import dataclass
from assay.repository.randomness.facts import Framework
from assay.repository.randomness.graph import Graph, Links, class_around
from assay.repository.randomness.roles import Role
from assay.repository.randomness.units import Hit, Kind, Name, Unit

LEARNERS = frozenset({Framework.TORCH, Framework.TENSORFLOW, Framework.MXNET, Framework.PADDLE, Framework.MINDSPORE})
_OF_OTHER_MODELS = frozenset({"fit", "partial_fit", "fit_transform"})
_AT_ONCE = frozenset({"__init__", "__new__", "__post_init__", "__enter__"})


@dataclass
class Run:
    """What one entry point reaches. Hits are in the order in which a run would first come to them."""

    start: str
    files: frozenset[str]
    units: dict[Unit, None] = field(default_factory=dict)
    named: set[Unit] = field(default_factory=set)
    """Units that somebody reached calls or hands on by name. Others are methods that a framework may call, and
    functions that a decorator registers."""
    hits: list[Hit] = field(default_factory=list)
    certain: int = 0
    """How many of the hits are in that order for certain; the others are reached through handed-on names."""
    evident: int = 0
    """How many of the hits something leads to: calls, callables that a call gets, methods of instances that the run
    makes. The others may be reached, by names that the code only mentions or puts together when it runs."""

    def is_explicit(self, unit: Unit) -> bool:
        """Whether the code itself leads there, not a framework."""
        return unit.kind is not Kind.FUNCTION or unit in self.named or unit.path == self.start

    @cached_property
    def trains(self) -> bool:
        """Whether something is fitted or optimised on the way; asked for when the run is complete."""
        return any(hit.row.role is Role.FITS and self.is_explicit(hit.unit) for hit in self.hits)

    @cached_property
    def infers(self) -> bool:
        """Whether a model is only applied, with weights that were learnt before."""
        if self.trains or "train" in self.start.rpartition("/")[2].lower().replace("pretrained", ""):
            return False
        return any(hit.row.role is Role.RESTORES for hit in self.hits)

    def only_applies(self, framework: Framework) -> bool:
        """Whether networks of a framework are only applied: PyTorch's learn nothing by `fit`, as other models do."""
        if self.infers or framework is not Framework.TORCH or "train" in self.start.rpartition("/")[2].lower():
            return self.infers
        learning = (hit for hit in self.hits if hit.row.role is Role.FITS and self.is_explicit(hit.unit))
        restores = any(hit.row.role is Role.RESTORES for hit in self.hits)
        return restores and all(hit.call.rpartition(".")[2] in _OF_OTHER_MODELS for hit in learning)

    @property
    def hides_models(self) -> bool:
        """Whether the model must be one that is made from a name in a configuration, for none is in sight."""
        in_sight = any(h.row.role is Role.DRAWS and h.row.frameworks[0] in LEARNERS for h in self.hits)
        return not in_sight and any(unit.dynamic for unit in self.units)


def run_from(graph: Graph, start: Unit, function: Unit | None = None) -> Run:
    """Follow a run from a module's top level (and then its main block, or `function`).

    A call is entered where it stands. A function that is only handed on (as a callback, in a registry, as a
    method of some object) is reached at an unknown time, so it comes after everything else.
    """
    run = Run(start.path, graph.closure(start.path))
    walk = _Walk(graph, run)
    walk.enter(start)
    main = [u for u in graph.outlines[start.path].units if u.kind is Kind.MAIN]
    for unit in main if function is None else [function]:
        walk.enter(unit)
    run.certain = len(run.hits)
    walk.finish()
    run.evident = len(run.hits)
    walk.follow_doubts()
    if run.hides_models:
        own = {path: outline for path, outline in graph.outlines.items() if not outline.is_test}
        run.files |= frozenset(own)
        walk.put_off(u for outline in own.values() for u in outline.units if u.kind is Kind.CLASS)
        walk.finish()
    return run


@dataclass(frozen=True, slots=True)
class _Walk:
    graph: Graph
    run: Run
    later: deque[Unit] = field(default_factory=deque)
    lambdas: deque[Unit] = field(default_factory=deque)
    """Units whose lambdas have not been gone through."""
    queued: set[Unit] = field(default_factory=set)
    doubtful: dict[Unit, None] = field(default_factory=dict)
    """Units that may be reached, and nothing shows that they are."""
    attributes: set[str] = field(default_factory=set)
    """Attributes that were asked of unknown objects: methods so called, of classes that are reached, may run."""
    doubtful_attributes: dict[str, None] = field(default_factory=dict)

    def enter(self, start: Unit) -> None:
        """Go through a unit and, depth first, through whatever it calls for the first time."""
        units = self.run.units
        stack = [self._steps(start)] if start not in units else []
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
            elif step not in units:
                stack.append(self._steps(step))

    def put_off(self, units: Iterable[Unit]) -> None:
        """Keep units for later."""
        for unit in units:
            if unit not in self.run.units and unit not in self.queued:
                self.queued.add(unit)
                self.later.append(unit)

    def finish(self) -> None:
        """Go through what was put off, lambdas first."""
        while self.lambdas or self.later:
            if self.lambdas:
                unit = self.lambdas.popleft()
                for step in self._go(self.graph.links(unit).deferred, unit):
                    self.enter(step)
            else:
                self.enter(self.later.popleft())

    def follow_doubts(self) -> None:
        """Go through what may be reached, and what that leads to."""
        while self.doubtful or self.doubtful_attributes:
            units, attributes = list(self.doubtful), list(self.doubtful_attributes)
            self.doubtful.clear()
            self.doubtful_attributes.clear()
            self.put_off(units)
            for attribute in attributes:
                self._ask(attribute)
            self.finish()

    def _doubt(self, units: Iterable[Unit]) -> None:
        self.doubtful.update(dict.fromkeys(u for u in units if u not in self.run.units and u not in self.queued))

    def _steps(self, unit: Unit) -> Iterator[Unit]:
        run = self.run
        run.units[unit] = None
        if unit.kind is Kind.MODULE:
            yield from (self.graph.outlines[path].units[0] for path in self.graph.executed(unit.path))
            registered = [u for u in self.graph.inside(unit) if u.registered]
            (self.put_off if unit.path == run.start else self._doubt)(registered)
        elif unit.kind is Kind.CLASS:
            yield from self._instance(unit)
        links = self.graph.links(unit)
        yield from self._go(links.steps, unit)
        if links.deferred:
            self.lambdas.append(unit)
        self._take_up(links)

    def _take_up(self, links: Links) -> None:
        """Keep what a unit hands on or only mentions."""
        self.run.named.update(links.handed_on, links.mentioned)
        self.put_off(links.handed_on)
        self._doubt(links.mentioned)
        for attribute in links.attributes:
            if attribute not in self.attributes:
                self._ask(attribute)
        asked = (a for a in links.mentioned_attributes if a not in self.attributes)
        self.doubtful_attributes.update(dict.fromkeys(asked))

    def _go(self, steps: Iterable[Hit | tuple[Unit, ...] | Name], unit: Unit) -> Iterator[Unit]:
        units, named = self.run.units, self.run.named
        for step in steps:
            if isinstance(step, Hit):
                self.run.hits.append(step)
                continue
            entered = step if isinstance(step, tuple) else self._own_methods(step, unit)
            named.update(entered)
            for other in entered:
                if other not in units:
                    yield other
            if isinstance(step, Name) and step.name not in self.attributes:
                self._ask(step.name)

    def _instance(self, cls: Unit) -> Iterator[Unit]:
        """What making an instance runs, and what may be called of it later."""
        methods = self.graph.inside(cls)
        asked = [m for m in methods if m.name in _AT_ONCE or m.name in self.attributes]
        self.run.named.update(asked)
        yield from (m for m in asked if m.name in _AT_ONCE)
        self.put_off(asked)
        hooks = self.graph.hooks(cls)
        self.put_off(m for m in methods if m.name.startswith("__") or m.name in hooks)
        self._doubt(m for m in methods if cls.bases or cls.registered)

    def _own_methods(self, name: Name, unit: Unit) -> Sequence[Unit]:
        """The methods that a call of the object's own method runs at once."""
        if name.base != "self" or (cls := class_around(unit)) is None:
            return ()
        return [m for m in self.graph.inside(cls) if m.name == name.name]

    def _ask(self, attribute: str) -> None:
        """Remember an attribute: what is called so runs whenever an object may have it."""
        self.attributes.add(attribute)
        reached = [m for m in self.graph.methods(attribute) if m.around in self.run.units]
        reached += [c for c in self.graph.classes(attribute) if c.path in self.run.files]  # of a module in a variable
        self.run.named.update(reached)
        self.put_off(reached)
