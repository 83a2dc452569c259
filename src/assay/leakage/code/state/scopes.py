"""Where names live: modules, functions, comprehensions."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.code import Source
from assay.leakage.code.state.values import Value


@dataclass(eq=False, slots=True)
class Scope:
    """The names of one module or of one call of a function."""

    source: Source
    names: dict[str, Value] = field(default_factory=dict)
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

    @property
    def top(self) -> Scope:
        """The module."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope
