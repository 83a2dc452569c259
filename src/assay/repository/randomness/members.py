"""What `args.seed`, `config["seed"]`, `self.seed` and `module.SEED` are: by their owner, or by their name alone."""

from __future__ import annotations

import ast
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from assay.code.names import last_name
from assay.program.options import FLAGS, flag_default
from assay.program.settings import Setting
from assay.repository.randomness.bindings import path_of
from assay.repository.randomness.facts import State
from assay.repository.randomness.frames import Frame
from assay.repository.randomness.graph import class_around
from assay.repository.randomness.units import Kind, Name, Unit
from assay.repository.randomness.values import NOTHING, UNKNOWN, Value

if TYPE_CHECKING:
    from assay.repository.randomness.resolver import Resolver

_END = 1 << 30
_CONTAINERS = frozenset({"dict", "Namespace", "SimpleNamespace", "EasyDict", "edict", "ConfigDict", "DotMap", "create"})
_MAX_MADE = 4
_MAX_BASES = 5
_COMMAND_LINE = frozenset({"sys.argv", "argv"})


def value_of_member(node: ast.Attribute | ast.Subscript, frame: Frame, resolver: Resolver) -> Value:
    """How fixed an attribute or an item is."""
    path = path_of(node)
    if not path:
        declared = setting_value(node.attr, frame, resolver) if isinstance(node, ast.Attribute) else None
        return declared or resolver.value(node.value, frame).made_into_something
    if isinstance(node, ast.Subscript) and path_of(node.value) in _COMMAND_LINE:
        return Value(State.GIVEN, path)
    root, _, rest = path.partition(".")
    scope: Frame | None = frame
    while scope is not None:
        assigned = resolver.assigned(path, getattr(node, "lineno", _END) if scope is frame else _END, scope)
        if assigned is not None:
            return assigned
        given = scope.argument(root) if root in scope.unit.parameters else None
        if given is not None and scope.caller is not None and path_of(given):
            return resolver.value(_joined(given, rest), scope.caller)
        scope = scope.around
    return _by_owner(root, rest, frame, resolver) or setting_value(path, frame, resolver) or NOTHING


def setting_value(path: str, frame: Frame, resolver: Resolver) -> Value | None:
    """The value of the option or setting of this name, if there is one."""
    near = frame.unit.path
    source = resolver.code.source(near)
    files = resolver.run.files if resolver.run is not None else None
    found = resolver.settings.find(path, near, files, source.text if source is not None else "")
    return None if found is None else declared_value(found, resolver)


def declared_value(setting: Setting, resolver: Resolver) -> Value:
    """The value of a setting, which the user of the program may replace."""
    if setting.required:
        return Value(State.GIVEN, setting.key, declared=setting.location)
    path = setting.location.path
    module = resolver.module(path)
    if isinstance(setting.value, ast.Name) and module is None:  # one configuration value that stands for another
        other = resolver.settings.find(setting.value.id, path, frozenset())
        named = other is not None and other is not setting and not isinstance(other.value, ast.Name)
        found = declared_value(other, resolver) if other is not None and named else NOTHING
    else:
        found = resolver.value(setting.value, module or Frame(_NOWHERE))
    return replace(found.as_default, declared=found.declared or setting.location)


def _by_owner(root: str, rest: str, frame: Frame, resolver: Resolver) -> Value | None:
    """By what its owner is: the object itself, a module, a dictionary or an instance of a class in this tree."""
    outline = resolver.graph.outlines[frame.unit.path]
    if root in outline.modules:
        target = outline.modules[root]
        module = resolver.module(target)
        return None if module is None else resolver.assigned(rest, _END, module) or resolver.imported(target, rest)
    if "." in rest:
        return None
    named = next((u for u in resolver.graph.targets(Name(root), frame.unit) if u.kind is Kind.CLASS), None)
    if named is not None:
        return _of_instance(Frame(named), rest, resolver)
    if root in {"self", "cls"}:
        cls = class_around(frame.unit)
        return None if cls is None else _of_instance(Frame(cls), rest, resolver)
    made = _making(root, frame, resolver)
    return None if made is None else _from_making(*made, rest, resolver)


def _making(name: str, frame: Frame, resolver: Resolver) -> tuple[ast.expr, Frame] | None:
    """The expression that a name was last assigned from, and where."""
    scope: Frame | None = frame
    while scope is not None:
        found = resolver.bindings(scope.unit.path).assigned(scope.unit, name)
        if found:
            return found[-1].value, scope
        scope = scope.around
    origin, called = resolver.graph.outlines[frame.unit.path].names.get(name, ("", ""))
    module = resolver.module(origin)
    found = resolver.bindings(origin).assigned(module.unit, called) if module is not None else []
    return (found[-1].value, module) if found and module is not None else None


def _from_making(made: ast.expr, frame: Frame, key: str, resolver: Resolver) -> Value | None:
    """A member of what an expression makes."""
    if isinstance(made, ast.Call) and last_name(made.func) in _CONTAINERS:
        given = next((k.value for k in made.keywords if k.arg == key), None)
        if given is not None:
            return resolver.value(given, frame)
        made = made.args[0] if made.args else made
    if isinstance(made, ast.Call) and last_name(made.func).startswith(FLAGS) and key == "value":
        return resolver.value(flag_default(made), frame).as_default
    if isinstance(made, ast.Dict):
        pairs = zip(made.keys, made.values, strict=True)
        item = next((v for k, v in pairs if isinstance(k, ast.Constant) and k.value == key), None)
        return None if item is None else resolver.value(item, frame)
    if isinstance(made, ast.Call):
        cls = next((u for u in resolver.called(made, frame.unit) if u.kind is Kind.CLASS), None)
        return None if cls is None else _of_instance(Frame(cls, made, frame), key, resolver)
    return None


def _of_instance(instance: Frame, name: str, resolver: Resolver, hops: int = _MAX_BASES) -> Value | None:
    """An attribute of an instance: what its methods assign to it, what it is made with, or what the class has.

    `instance` is the class as it was called, if that is known.
    """
    if not hops or resolver.exhausted:
        return None
    cls, call = instance.unit, instance.call
    methods = [u for u in resolver.graph.inside(cls) if u.kind is Kind.FUNCTION]
    for method in sorted(methods, key=lambda m: m.name != "__init__"):
        if resolver.bindings(cls.path).assigned(method, f"self.{name}"):
            found = (resolver.assigned(f"self.{name}", _END, f) for f in _frames(method, instance, resolver))
            known = [v for v in found if v is not None]
            if known:
                best = min(known, key=lambda v: v.state.rank)
                agreed = all(v.constant == best.constant for v in known)
                return best if agreed else replace(best, constant=UNKNOWN)
    given = next((k.value for k in call.keywords if k.arg == name), None) if call is not None else None
    if given is not None and instance.caller is not None:
        return resolver.value(given, instance.caller)
    own = resolver.assigned(name, _END, Frame(cls))
    if own is not None:
        return own.as_default
    bases = (Frame(base, call, instance.caller) for base in resolver.graph.bases(cls))
    inherited = (_of_instance(base, name, resolver, hops - 1) for base in bases)
    return next((value for value in inherited if value is not None), None)


def _frames(method: Unit, instance: Frame, resolver: Resolver) -> list[Frame]:
    """A method as it was called: `__init__` by the call that makes the instance, or by all such calls."""
    if instance.call is not None:
        return [Frame(method, instance.call, instance.caller)]
    if method.name != "__init__" or resolver.exhausted:
        return [Frame(method)]
    resolver.asked_caller = True
    found = (Frame(method, call, Frame(unit)) for unit, call in resolver.sites(instance.unit))
    return list(islice(found, _MAX_MADE)) or [Frame(method)]


def _joined(owner: ast.expr, rest: str) -> ast.expr:
    node = owner
    for part in rest.split("."):
        node = ast.copy_location(ast.Attribute(node, part, ast.Load()), owner)
    return node


_NOWHERE = Unit("", "", Kind.MODULE, 1, 1)
"""Where a configuration file's values stand: they are constants."""
