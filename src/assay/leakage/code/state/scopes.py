"""Where names live: modules, functions, comprehensions."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.code import Source
from assay.leakage.code.state.values import Value


class Names(dict[str, Value]):
    """Names and their values, with a copy that serves until a name is given another value.

    Each branch, loop and return asks for the names as they are: with a new copy each time, a file of n functions that
    call each other would take n² steps.
    """

    __slots__ = ("_copy",)

    def __init__(self, copy: dict[str, Value] | None = None) -> None:
        super().__init__(copy or {})
        self._copy = copy

    def __setitem__(self, name: str, value: Value) -> None:
        self._copy = None
        super().__setitem__(name, value)

    def as_they_are(self) -> dict[str, Value]:
        """A copy, which nobody changes."""
        if self._copy is None:
            self._copy = dict(self)
        return self._copy

    def still(self, copy: dict[str, Value]) -> bool:
        """Whether nothing has changed since this copy was made, or taken over."""
        return self._copy is copy


@dataclass(eq=False, slots=True)
class Scope:
    """The names of one module or of one call of a function."""

    source: Source
    names: Names = field(default_factory=Names)
    parent: Scope | None = None
    shared: set[str] = field(default_factory=set)
    """Names declared `global` or `nonlocal`."""
    starred: list[str] = field(default_factory=list)
    """Packages that were imported whole: `from keras.models import *`."""
    given: set[str] = field(default_factory=set)
    """Parameters that the call surely gives, as long as they have no other value."""

    def find(self, name: str) -> Value | None:
        """The value of a name here or further out."""
        scope: Scope | None = self
        while scope is not None:
            value = scope.names.get(name)
            if value is not None:
                return value
            scope = scope.parent
        return None

    def bind(self, name: str, value: Value) -> None:
        """Give a name a value."""
        self.given.discard(name)
        if name in self.shared and self.parent is not None:
            self.top.names[name] = value
        else:
            self.names[name] = value

    def restore(self, names: dict[str, Value]) -> None:
        """Go back to a copy of the names that was made earlier."""
        if not self.names.still(names):
            self.names = Names(names)

    @property
    def top(self) -> Scope:
        """The module."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope
