"""What puts networks and loaders on their devices, or to another precision, and gives each of them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.leakage.code.effects import Role
from assay.leakage.code.scored import scoring
from assay.leakage.code.state.values import UNKNOWN, Data, Estimator, Instance, Seq, Value

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call

_PLACE = frozenset({"prepare", "setup"})
"""What the methods of accelerators are called by which they take networks, optimisers and loaders over."""


def initialised(c: Call) -> Value:
    """`net, optimizer = amp.initialize(net, optimizer)`: the same network, and the optimizer if there was one."""
    network, optimiser = c.value(0, "models"), c.value(1, "optimizers")
    if network is None:
        return UNKNOWN
    return network if optimiser is None else Seq((network, optimiser))


def taken_over(c: Call, owner: Value) -> Value | None:
    """What an accelerator made out of sight does for the training loop; None where the object is none.

    `net, optimizer, loader = accelerator.prepare(net, optimizer, loader)` gives each of them back as it was, in that
    order: the network among them tells it from what other objects prepare. `accelerator.backward(loss)` trains.
    """
    unseen = owner.effect.how == "unknown" if isinstance(owner, Estimator) else isinstance(owner, Data)
    if not unseen:
        return None
    if c.name in _PLACE and any(_is_network(c, value) for value in c.args):
        return c.args[0] if len(c.args) == 1 else Seq(tuple(c.args))
    if c.name == "backward" and len(c.args) == 1 and not c.m.data(owner).predictions:
        scoring.backward(c, c.data(0))
        return UNKNOWN
    return None


def _is_network(c: Call, value: Value) -> bool:
    plain = c.m.plain(value)
    network = plain.network if isinstance(plain, Instance) else plain
    return isinstance(network, Estimator) and network.effect.role is Role.NETWORK
