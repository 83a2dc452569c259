"""Rows that chance puts in order, once or anew at each pass over them."""

from __future__ import annotations

from assay.leakage.code.effects import How
from assay.leakage.code.language.call import Call
from assay.leakage.code.state.rows import Rows
from assay.leakage.code.state.values import Const, Data, Kind, Mark, Seq, Shape, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace


def shuffle(c: Call) -> Value:
    """The same rows in another order."""
    if c.effect.how is How.EVERY_EPOCH:
        return _at_each_pass(c)
    if c.effect.how is How.KEPT:
        return replace(c.base, marks=frozenset(k for k in c.base.marks if not _redrawn_whole(k, c.base)))
    given = [v for v in c.args if not isinstance(c.m.plain(v), Const)]
    if c.effect.how is How.IN_PLACE:
        for value in given[:1]:
            c.m.store(value, _in_disorder(c, value))
        return Const(None)
    values = [_in_disorder(c, c.m.data(v)) for v in given]
    return values[0] if len(values) == 1 else Seq(tuple(values))


def seeded(c: Call, name: str) -> None:
    """`np.random.seed(0)`, `set_seed(0)`, `default_rng(0)`: the random numbers get a fixed start."""
    if "seed" in name or (name in names_of(Group.GENERATORS) and (c.args or c.keywords)):
        c.m.seed(c.word(0, "seed"))


def by_chance(c: Call, rows: Rows) -> Mark:
    """The trace on rows, or on their positions, that chance has put them in order."""
    return Mark(Kind.SHUFFLED, "shuffle", c.site, rows, draw=_draw(c))


def _draw(c: Call) -> tuple[int, int] | None:
    """How often there was a seed before, and which draw this is; another one puts rows in another order.

    None where the draw has a seed of its own.
    """
    if not names_of(Group.SEED_ARGUMENTS).isdisjoint(c.keywords):
        return None
    number = c.m.draws.setdefault(c.m.draw(c.node), len(c.m.draws))
    return c.m.seedings, number


def _at_each_pass(c: Call) -> Value:
    """tf.data shuffles by a buffer, anew whenever the rows are gone through, unless an argument forbids it."""
    buffered = bool(c.node.args) or any(k.arg == "buffer_size" for k in c.node.keywords)
    if not buffered or not c.base.rows:
        return c.base
    if c.constant(2, "reshuffle_each_iteration") is False:
        return c.base.marked(by_chance(c, c.base.rows))
    return c.base.marked(Mark(Kind.REDRAWN, "shuffle", c.site, c.base.rows))


def _redrawn_whole(mark: Mark, value: Data) -> bool:
    """Whether rows are redrawn that no part was taken of since: to keep them as they came ends that."""
    return mark.kind is Kind.REDRAWN and mark.rows == value.rows


def _in_disorder(c: Call, value: Value) -> Value:
    """Rows, their positions, or a list of them, with the trace that chance has put them in order."""
    whole = c.m.data(value)
    return _traced(c, value, by_chance(c, whole.rows)) if whole.rows or whole.shape is Shape.POSITIONS else value


def _traced(c: Call, value: Value, mark: Mark) -> Value:
    plain = c.m.plain(value)
    if isinstance(plain, Seq):
        return replace(plain, items=tuple(c.m.boxed(_traced(c, item, mark)) for item in plain.items))
    return plain.marked(mark) if isinstance(plain, Data) and (plain.rows or plain.shape is Shape.POSITIONS) else plain
