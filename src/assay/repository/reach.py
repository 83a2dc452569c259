"""Which files the documented runs use: what they start, and what that imports."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from assay.code import Code, Import
from assay.records import dataclass

_BY_NAME = ("import_module", "__import__", "exec(", "runpy")
"""Words of a file that may load others by names that are made while it runs."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Files that are started, and those that they import."""

    started: frozenset[str]
    at_once: frozenset[str]
    """Imported before anything else happens: what stops there stops the run."""
    used: frozenset[str]
    """Imported at once, in functions, or under conditions."""
    open: bool
    """Some of them load others by computed names, which may be any file."""

    def stops(self, path: str) -> bool:
        """Whether a run cannot begin if this file cannot be imported; so every file where no run is documented."""
        return not self.started or path in self.at_once

    def concerns(self, path: str) -> bool:
        """Whether a file may take part in a documented run; every one does where none is documented."""
        loaded = self.open and not path.endswith(".ipynb")
        return not self.started or loaded or path in self.used


def reach_of(starts: Iterable[str], code: Code) -> Reach:
    """Follow the imports of some files; those that cannot be read are started all the same."""
    started = frozenset(starts)
    used = _closure(started, code, lambda _: True)
    at_once = _closure(started, code, lambda i: not (i.guarded or i.in_function))
    texts = (source for path in used if (source := code.source(path)) is not None)
    return Reach(started, at_once, used, any(s.mentions(word) for s in texts for word in _BY_NAME))


def _closure(started: frozenset[str], code: Code, follows: Callable[[Import], bool]) -> frozenset[str]:
    """The files, and all that they import; what stands under `__main__` runs only where it is started."""

    def imported(path: str) -> Iterator[str]:
        source = code.source(path)
        if source is not None:
            asked = filter(follows, (i for i in source.imports if path in started or not i.in_main))
            yield from (loaded for i in asked for loaded in _loaded(code.find(i, source), code))

    found: set[str] = set()
    waiting = sorted(started)
    while waiting:
        path = waiting.pop()
        waiting += () if path in found else imported(path)
        found.add(path)
    return frozenset(found)


def _loaded(path: str | None, code: Code) -> Iterator[str]:
    """A module, and the packages around it, which Python runs first."""
    while path is not None:
        yield path
        folder = posixpath.dirname(posixpath.dirname(path) if path.endswith("__init__.py") else path)
        around = posixpath.join(folder, "__init__.py")
        path = around if folder and code.source(around) is not None and around != path else None
