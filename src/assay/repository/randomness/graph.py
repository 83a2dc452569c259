"""Who calls whom in the repository, by names."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property

from assay.program.callables import hooks_of
from assay.records import dataclass
from assay.repository.randomness.units import Event, Hit, Kind, Name, Outline, Unit

_MAX_HOPS = 6
"""How many re-exporting modules a name is followed through."""


@dataclass(frozen=True, slots=True)
class Links:
    """Where a unit leads: its calls in order, and the names that it hands on.

    A call is a hit, the functions and classes that it enters, or the name of a method of an unknown object.
    """

    steps: tuple[Hit | tuple[Unit, ...] | Name, ...]
    deferred: tuple[Hit | tuple[Unit, ...] | Name, ...]
    """The same inside lambdas."""
    handed_on: tuple[Unit, ...]
    """Units that something takes up and may call: an argument, a base class, a variable that is called."""
    mentioned: tuple[Unit, ...]
    """Units that are named, with no sign that anything calls them."""
    attributes: tuple[str, ...]
    """Attributes of unknown objects that something takes up."""
    mentioned_attributes: tuple[str, ...]


@dataclass(frozen=True)
class Graph:
    """All outlines, and where names lead."""

    outlines: Mapping[str, Outline]
    _links: dict[Unit, Links] = field(default_factory=dict)
    _imports: dict[str, list[str]] = field(default_factory=dict)
    _hooks: dict[Unit, frozenset[str]] = field(default_factory=dict)

    def links(self, unit: Unit) -> Links:
        """Where a unit leads; found once."""
        if unit not in self._links:
            steps, deferred = self._steps(unit.events, unit), self._steps(unit.deferred, unit)
            self._links[unit] = Links(
                steps, deferred, self._taken(unit, True), self._taken(unit, False), *map(unit.attributes, (True, False))
            )
        return self._links[unit]

    def _taken(self, unit: Unit, taken_up: bool) -> tuple[Unit, ...]:
        names = (n for n, taken in unit.mentions.items() if taken is taken_up and not n.is_attribute)
        return tuple(dict.fromkeys(u for name in names for u in self._entered(name, unit)))

    def hooks(self, cls: Unit) -> frozenset[str]:
        """The methods that a framework is known to call of an instance, by the classes that it inherits from."""
        if cls not in self._hooks:
            self._hooks[cls] = frozenset()  # a class that inherits from itself ends here
            ours = self.bases(cls)
            foreign = frozenset(cls.bases).difference(u.name for u in ours)
            self._hooks[cls] = frozenset[str]().union(*map(hooks_of, foreign), *map(self.hooks, ours))
        return self._hooks[cls]

    def bases(self, cls: Unit) -> list[Unit]:
        """The repository's classes that a class inherits from directly."""
        found = (u for u in self.links(cls).handed_on if u.kind is Kind.CLASS and u is not cls)
        return [u for u in found if u.name in cls.bases]

    def methods(self, name: str) -> list[Unit]:
        """Every method of this name."""
        return self._methods.get(name, [])

    def classes(self, name: str) -> list[Unit]:
        """Every class of this name at the top level of a file."""
        return [u for u in self._top_level.get(name, ()) if u.kind is Kind.CLASS]

    def targets(self, name: Name, unit: Unit) -> list[Unit]:
        """The functions and classes that a name used in `unit` stands for; of unknown objects, any method so called."""
        outline = self.outlines[unit.path]
        if name.is_attribute:
            return self.methods(name.name)
        if name.name == "*":
            return self._everything_in(outline.modules[name.base])
        if name.base:
            return self._in_module(outline.modules.get(name.base, ""), name.name)
        around: Unit | None = unit
        while around is not None:
            inner = [u for u in self._inside.get(around, ()) if u.name == name.name]
            if inner and around.kind is not Kind.CLASS:
                return inner
            around = around.around
        return self.top_level(unit.path, name.name)

    def _in_module(self, path: str, name: str) -> list[Unit]:
        """What a module has by this name; of a package also what its modules have, as in `package.module.name`."""
        package, _, file = path.rpartition("/")
        found = self.top_level(path, name)
        if found or file not in {"__init__.py", ""}:
            return found
        return [u for u in self._top_level.get(name, []) if u.path.startswith(f"{package}/")]

    def top_level(self, path: str, name: str, hops: int = _MAX_HOPS) -> list[Unit]:
        """What a module calls by this name: its own, or imported from another file of the repository."""
        outline = self.outlines.get(path)
        if outline is None or not hops:
            return []
        own = [u for u in self._inside.get(outline.units[0], ()) if u.name == name]
        if own:
            return own
        if name in outline.names:
            return self.top_level(*outline.names[name], hops - 1)
        if name in outline.modules:  # a module that is called: its package gives out the class by the same name
            return self.top_level(outline.modules[name], name, hops - 1)
        for star in outline.stars:
            found = self.top_level(star, name, hops - 1) if star != path else []
            if found:
                return found
        return []

    def callers(self, unit: Unit) -> list[Unit]:
        """The units that call a function or class, or a method of its name."""
        return self._callers.get(unit, []) + (self._askers.get(unit.name, []) if unit.is_method else [])

    def closure(self, path: str) -> frozenset[str]:
        """All files that running this one imports, itself included."""
        found = {path}
        waiting = deque([path])
        while waiting:
            for other in self.executed(waiting.popleft()):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return frozenset(found)

    def inside(self, unit: Unit) -> list[Unit]:
        """The units directly in a unit; the main block's functions belong to the module."""
        return self._inside.get(unit, [])

    def _steps(self, events: list[Event], unit: Unit) -> tuple[Hit | tuple[Unit, ...] | Name, ...]:
        """Every hit, and each name once: a run has nothing new to enter when it comes to the same name again."""
        once = dict.fromkeys(events)  # hits are told apart by identity
        return tuple(e if isinstance(e, Hit) or e.is_attribute else self._entered(e, unit) for e in once)

    def _entered(self, name: Name, unit: Unit) -> tuple[Unit, ...]:
        return tuple(self.targets(name, unit))

    def _everything_in(self, path: str) -> list[Unit]:
        """All that a module has or re-exports."""
        outline = self.outlines.get(path)
        if outline is None:
            return []
        taken = (u for origin, name in outline.names.values() for u in self.top_level(origin, name))
        shared = (
            u for star in outline.stars if star in self.outlines for u in self.inside(self.outlines[star].units[0])
        )
        return [*self.inside(outline.units[0]), *taken, *shared]

    def executed(self, path: str) -> list[str]:
        """Files that importing a file executes: those it imports, after the `__init__` of packages above those."""
        if path not in self._imports:
            outline = self.outlines.get(path)
            found = (p for imported in (outline.imported if outline else ()) for p in (*_packages(imported), imported))
            self._imports[path] = [p for p in dict.fromkeys(found) if p in self.outlines]
        return self._imports[path]

    @cached_property
    def _inside(self) -> dict[Unit, list[Unit]]:
        found: dict[Unit, list[Unit]] = defaultdict(list)
        for outline in self.outlines.values():
            for unit in outline.units[1:]:
                around = unit.around
                if around is not None and around.kind is Kind.MAIN:
                    around = outline.units[0]
                if around is not None:
                    found[around].append(unit)
        return dict(found)

    @cached_property
    def _callers(self) -> dict[Unit, list[Unit]]:
        found: dict[Unit, dict[Unit, None]] = defaultdict(dict)
        for unit in self._calling:
            links = self.links(unit)
            for step in (*links.steps, *links.deferred):
                if isinstance(step, tuple):
                    for target in step:
                        found[target][unit] = None
        return {target: list(units) for target, units in found.items()}

    @cached_property
    def _askers(self) -> dict[str, list[Unit]]:
        found: dict[str, list[Unit]] = defaultdict(list)
        for unit in self._calling:
            names = (e.name for e in unit.everything if isinstance(e, Name) and e.is_attribute)
            for name in dict.fromkeys(names):
                found[name].append(unit)
        return dict(found)

    @property
    def _calling(self) -> Iterator[Unit]:
        return (u for outline in self.outlines.values() for u in outline.units if u.events or u.deferred)

    @cached_property
    def _methods(self) -> dict[str, list[Unit]]:
        return _by_name(u for o in self.outlines.values() for u in o.units if u.is_method)

    @cached_property
    def _top_level(self) -> dict[str, list[Unit]]:
        return _by_name(
            u for o in self.outlines.values() for u in o.units if u.around is o.units[0] and u.kind is not Kind.MAIN
        )


def class_around(unit: Unit) -> Unit | None:
    """The class that a method belongs to."""
    around: Unit | None = unit
    while around is not None and around.kind is not Kind.CLASS:
        around = around.around
    return around


def _packages(path: str) -> Iterator[str]:
    """The `__init__` files above a path, outermost first."""
    parts = path.split("/")[:-1]
    return ("/".join([*parts[: i + 1], "__init__.py"]) for i in range(len(parts)))


def _by_name(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    found: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        found[unit.name].append(unit)
    return dict(found)
