"""The standard library's `dataclass`, made in a fifth of the time where it is frozen.

The rooms know six hundred frozen classes. For each the standard library compiles six methods, which came to a third of
the start of a command; here one is compiled, `__init__`, and the others are shared. Instances are made in half the time
as well, for fields are set through their slots. Type checkers see the standard library's own.
"""

from __future__ import annotations

import dataclasses
import sys
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

_LATER: Any = object()
"""Stands for a default that is made anew for each instance."""


def _frozen(cls: type, options: dict[str, bool]) -> Any:
    cls.__doc__ = cls.__doc__ or cls.__name__  # else the standard library works out a signature
    made: Any = dataclasses.dataclass(**options | {"init": False, "repr": False, "eq": False})(cls)
    own, fields = vars(cls), dataclasses.fields(made)
    shared: dict[str, Any] = {"__setattr__": _set, "__delattr__": _delete}
    if options.get("repr", True):
        shared["__repr__"] = _shown
    if options.get("eq", True):
        made._compared = attrgetter(*[f.name for f in fields if f.compare] or ["__class__"])
        shared |= {"__eq__": _equal, "__hash__": _hash}
    if options.get("slots"):
        shared |= {"__getstate__": _state, "__setstate__": _restore}
        if all(f.init for f in fields) and not hasattr(made, "__post_init__"):
            shared["__reduce__"] = _packed
    if "__init__" not in own:
        shared["__init__"] = _init(made, fields)
    for name, method in shared.items():
        if own.get(name) is None:  # a class that says what is equal has no hash, which Python writes as None
            setattr(made, name, method)
    return made


def _init(cls: Any, fields: tuple[dataclasses.Field[Any], ...]) -> Any:
    """The one method that is compiled: what it is called with differs from class to class."""
    given, lines, known = ["self"], [], {"_later": _LATER}
    for field in fields:
        parameter = value = name = field.name
        if field.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = field.default
            parameter, value = f"{name}=_default_{name}", name if field.init else f"_default_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = field.default_factory
            made = f"_make_{name}()"
            parameter, value = f"{name}=_later", f"{made} if {name} is _later else {name}" if field.init else made
        elif not field.init:
            continue
        given += [parameter] * field.init
        if isinstance(slot := getattr(cls, name, None), MemberDescriptorType):
            known[f"_set_{name}"] = slot.__set__
            lines.append(f"_set_{name}(self, {value})")
        else:
            lines.append(f"self.__dict__[{name!r}] = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "\n  ".join(lines or ["pass"])
    text = f"def made({', '.join(known)}):\n def __init__({', '.join(given)}):\n  {body}\n return __init__"
    space: dict[str, Any] = {}
    exec(text, vars(sys.modules[cls.__module__]), space)  # noqa: S102 - the names are those of our own fields, as in the standard library
    method = space["made"](**known)
    method.__qualname__ = f"{cls.__qualname__}.__init__"
    method.__module__ = cls.__module__
    method.__annotations__ = {f.name: f.type for f in fields if f.init} | {"return": None}
    return method


def _set(self: Any, name: str, value: object) -> None:
    _refuse(self, name)
    object.__setattr__(self, name, value)


def _delete(self: Any, name: str) -> None:
    _refuse(self, name)
    object.__delattr__(self, name)


def _refuse(self: Any, name: str) -> None:
    """As in the standard library: only a class derived without the decorator may have attributes of its own."""
    if "__dataclass_fields__" in vars(type(self)) or name in self.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


@recursive_repr()
def _shown(self: Any) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self._compared(self) == self._compared(other)


def _hash(self: Any) -> int:
    return hash(self._compared(self))


def _packed(self: Any) -> tuple[type, tuple[Any, ...]]:
    """For pickling and copying: an instance is no more than what it is made of."""
    return self.__class__, tuple([getattr(self, name) for name in self.__match_args__])


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, **options):
        """`dataclasses.dataclass`."""
        decorate = partial(_frozen, options=options) if frozen else dataclasses.dataclass(**options)
        return decorate if cls is None else decorate(cls)
