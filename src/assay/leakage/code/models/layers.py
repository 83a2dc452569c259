"""Layers that networks share: what one of them learnt, another knows that is made of the same."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from assay.leakage.code.effects import Role
from assay.leakage.code.language.call import Call
from assay.leakage.code.models import saved_models
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import UNKNOWN, Data, Estimator, Instance, Kind, Ref, Shape, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.patterns import regex
from assay.records import replace

INSIDE = frozenset({"input", "inputs", "output", "outputs", "layers"})
"""Under these names keras shows what a network is made of."""
_INPUTS = "inputs"
_LAYER = regex(r"\.(?:nn|layers)\.[A-Z]\w*$")
_WEIGHTS = regex(r"^(?!(?:get|set|load|save|init|class|sample)_)(?:\w+_)?(?:weights?|kernel)$")


def sized(name: str, given: Data) -> Data:
    """A layer or an empty array without the numbers that it was given: `Linear(64, int(outcome.max()) + 1)`.

    A layer is no number, either, though it is as wide as a table: `Linear(table.shape[1], 2)`.
    """
    if given.rows or not (given.marks or given.shape is Shape.SUMMARY):
        return given
    if _LAYER.search(name) is not None:
        return UNKNOWN
    widths = name in names_of(Group.AS_WIDE)
    return replace(given, marks=frozenset(k for k in given.marks if k.kind is not Kind.STATISTIC or not widths))


def made_of(c: Call) -> tuple[tuple[str, int], ...]:
    """Which tensors a network starts from, as a setting of it: `Model(inputs, code)`."""
    given = c.value(0, "inputs", "input")
    return ((_INPUTS, given.id),) if isinstance(given, Ref) else ()


def taught_with(m: Machine, network: Estimator) -> Estimator:
    """A network that was not fitted itself, with what those learnt that it shares layers with.

    An encoder is made of the layers of the network that was fitted: of its own, or from the same tensors.
    """
    if network.fits or network.effect.role is not Role.NETWORK:
        return network
    whole = _fitted_among(map(m.plain, network.parts))
    inputs = network.setting(_INPUTS)
    if not whole and inputs is not None:
        others = _fitted_among(value for value in m.heap.values() if isinstance(value, Estimator))
        whole = [net for net in others if net.setting(_INPUTS) == inputs]
    return replace(network, fits=whole[0].fits) if whole else network


def _fitted_among(values: Iterable[Value]) -> list[Estimator]:
    """The networks among some values that have learnt something."""
    return [net for net in map(_network, values) if net is not None and net.fits]


def within(m: Machine, whole: Instance, found: Value, node: ast.Attribute) -> Value:
    """`trainer.net`, once the object around it has been trained: what the network inside says, the whole has learnt."""
    if whole.network is None or not whole.network.fits or text_of(node.value) == "self":
        return found
    inner = _network(m.plain(found))
    return m.boxed(whole.network) if inner is not None else found


def weights_in(m: Machine, node: ast.Attribute) -> Data | None:
    """`net.first.weight`: what the layer of a network has learnt; None where nothing of the sort is asked for."""
    if not node.attr.endswith(("weight", "weights", "kernel")) or _WEIGHTS.match(node.attr) is None:
        return None
    root = node.value
    while isinstance(root, ast.Attribute | ast.Subscript):
        root = root.value
    network = _network(m.plain(m.evaluate(root))) if isinstance(root, ast.Name) else None
    return saved_models.taken_out(network) if network is not None and network.fits else None


def _network(value: Value) -> Estimator | None:
    found = value.network if isinstance(value, Instance) else value
    return found if isinstance(found, Estimator) and found.effect.role is Role.NETWORK else None
