"""The state of the analysis: names, heap, how much was done, and how two states become one."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import field
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.code import Source
from assay.leakage.code.lookup import is_constant
from assay.leakage.code.state.events import Trace
from assay.leakage.code.state.provenance import drawn_at_random
from assay.leakage.code.state.rows import (
    Cut,
    Origin,
    OriginKind,
    Part,
    Rows,
    Site,
    joined,
    on_the_way,
    one_or_other,
    possible,
)
from assay.leakage.code.state.scopes import Names, Scope
from assay.leakage.code.state.values import (
    CHANGEABLE,
    ITEMS,
    SOME_COLUMNS,
    UNKNOWN,
    Columns,
    Const,
    Data,
    Estimator,
    Function,
    Instance,
    Library,
    Mapping,
    Marks,
    Ref,
    Seq,
    Shape,
    Value,
    capped,
)
from assay.records import dataclass, replace

if TYPE_CHECKING:
    from assay.leakage.code.frames.stacked_tables import Piece


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The ways into the interpreter. `Any` stands for a call with its arguments, which is defined further up."""

    evaluate: Callable[[Machine, ast.expr], Value]
    """The value of an expression."""
    execute: Callable[[Machine, Sequence[ast.stmt]], bool]
    """Follow statements; whether the next one is reached."""
    bind: Callable[[Machine, ast.expr, Value], None]
    """Give a value to a name, an attribute, an entry, or several of them."""
    apply: Callable[[Any, Value], Value]
    """Call a value of any sort."""
    follow: Callable[[Any, Function], Value]
    """Call a function of the audited code."""
    pass_through: Callable[[Any, Data], Value]
    """A call of unknown effect."""


_WIDEST = 40
"""More items of a list or dict than this are summed up."""
_DEEPEST = 3
"""Containers in containers further down than this are not looked into."""
_BETWEEN_LOOKS = 16
"""Statements between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far the analysis goes; what lies beyond is named in the report."""

    statements: int = 40_000
    expressions: int = 400_000
    call_depth: int = 7
    rounds: int = 14
    """Rounds of a loop over a list that is written out in the code."""
    heap: int = 60_000
    seconds: float = 60.0
    """Of computing, for one way through one file: far more than any file took; the other limits are reached before."""


DEFAULT_LIMITS = Limits()


class Heap(NamedTuple):
    """The heap at one time: how many changes there had been by then, and which value was the last."""

    changes: int
    last: int


State = tuple[dict[str, Value], dict[str, Value], Heap]
"""Names of the scope and of the module, and the heap."""


class Exhausted(Exception):  # noqa: N818 - not an error, only the way out when a limit is reached
    """The work for one file is done, whether it is finished or not."""


@dataclass(slots=True)
class Machine:
    """One run over one program. `find_module` leads to the scopes of local imports."""

    source: Source
    scope: Scope
    interpreter: Interpreter
    find_module: Callable[[Machine, ast.Import | ast.ImportFrom, str], Scope | None]
    limits: Limits = DEFAULT_LIMITS
    read_text: Callable[[str], str | None] = lambda _: None
    """What a file of the tree holds, by its path: settings, say."""
    trace: Trace = field(default_factory=Trace)
    heap: dict[int, Value] = field(default_factory=dict)
    stack: tuple[ast.AST, ...] = ()
    rounds: tuple[int, ...] = ()
    loops: tuple[ast.AST, ...] = ()
    sides: tuple[Cut, ...] = ()
    """The conditions around that put each thing into one of several lists."""
    ways: frozenset[Cut] = frozenset()
    """The branches that are being followed."""
    conditions: tuple[tuple[ast.expr, str], ...] = ()
    """What was asked in this round of the innermost loop, and which way is being followed."""
    guessing: bool = False
    """Whether functions are followed that nobody in sight calls."""
    either_way: bool = False
    """Whether switches at the head of a program (`TRAIN = False`) are taken to stand either way."""
    switches: set[str] = field(default_factory=set)
    """Names of the program's own that are set to a literal, and decided which branch was followed."""
    counted: Data = UNKNOWN
    """The comparison of predictions with the truth that the branch being followed hangs on."""
    asked: Data = UNKNOWN
    """The column that the branch being followed holds against a literal."""
    picked: Marks = frozenset()
    """What was learnt of columns, and the branch being followed hangs on."""
    each_row: bool = False
    """Whether a function is being followed that a table calls with one row after the other."""
    varied: frozenset[str] = frozenset()
    """Names that the loops around give another value in each round."""
    gone_over: dict[str, ast.expr] = field(default_factory=dict)
    """What the loops go through that last gave a value to each of those names."""
    gone_through: tuple[ast.AST, ...] = ()
    """The comprehensions that go from item to item of rows, the innermost last."""
    left_out: set[str] = field(default_factory=set)
    """Names of positions that stand for the one row that a loop leaves out."""
    notes: dict[str, None] = field(default_factory=dict)
    called: set[ast.AST] = field(default_factory=set)
    statements: int = 0
    expressions: int = 0
    began: float = field(default_factory=process_time)
    returned: list[Value] | None = None
    ended: list[State] = field(default_factory=list)
    """The states in which a branch left the present function early."""
    left: list[State] = field(default_factory=list)
    """The states in which a branch left the present round of a loop."""
    last_id: int = 0
    seedings: int = 0
    """How often a seed was set: what is drawn after that may be what was drawn before."""
    seeded_in: tuple[ast.AST, ...] = ()
    """The calls that were being followed when a seed was last set."""
    seeded: tuple[Hashable, tuple[ast.AST, ...]] | None = None
    """The last seed and the loops around it, as long as nothing was drawn since."""
    draws: dict[tuple[Hashable, ...], int] = field(default_factory=dict)
    """What chance drew, by what tells one draw from another, and the numbers of the draws."""
    turned: dict[Site, tuple[ast.AST, ...]] = field(default_factory=dict)
    """Where versions of rows were put together, and the loops around."""
    stored: dict[str, Value] = field(default_factory=dict)
    """Objects that the program wrote to files, by path."""
    numbered: dict[Rows, int] = field(default_factory=dict)
    """Rows that divisions are called after, by their numbers."""
    grouped_by: dict[Rows, frozenset[str]] = field(default_factory=dict)
    """Columns by which rows were put in groups, the last time that they were."""
    stacked: dict[Rows, tuple[Piece, ...]] = field(default_factory=dict)
    """Tables that were put one below the other, by the rows of the whole."""
    flags: dict[tuple[Rows, str], str] = field(default_factory=dict)
    """The one value that a table has in a column, or its key among those put together (no column)."""
    streams: dict[int, tuple[Hashable, set[Hashable]]] = field(default_factory=dict)
    """Iterators that are used up, each with its name and the places that have taken from it."""
    drawn_at: dict[Hashable, ast.AST] = field(default_factory=dict)
    """Where draws by chance are written down, by the names of the divisions that they make."""
    journal: list[tuple[int, Value]] = field(default_factory=list)
    """Every change in the heap: which value, and what it was. Undone backwards, it leads to any earlier state."""

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression, here and now."""
        return self.interpreter.evaluate(self, node)

    def looked_at(self, nodes: Iterable[ast.expr]) -> list[Value]:
        """What expressions stand for that are only looked at: what happens in them happens once."""
        happened = len(self.trace.events)
        values = [self.plain(self.evaluate(node)) for node in nodes]
        while len(self.trace.events) > happened:
            self.trace.events.popitem()
        return values

    def execute(self, body: Sequence[ast.stmt]) -> bool:
        """Follow statements; whether the next one is reached."""
        return self.interpreter.execute(self, body)

    def bind(self, target: ast.expr, value: Value) -> None:
        """Give a value to what stands on the left of an assignment."""
        self.interpreter.bind(self, target, value)

    def site(self, node: ast.AST) -> Site:
        """A node of the file at hand."""
        return Site(self.source, node)

    def count_statement(self) -> None:
        """One statement more; the clock is looked at now and then only."""
        self.statements += 1
        if self.statements > self.limits.statements:
            raise Exhausted(f"after {self.limits.statements:,} statements")
        if self.statements % _BETWEEN_LOOKS == 0 and process_time() - self.began > self.limits.seconds:
            raise Exhausted(f"after {self.limits.seconds:g} s of computing")

    def seed(self, number: Hashable = None) -> None:
        """A seed is set."""
        self.seedings += 1
        self.seeded_in = self.stack
        self.seeded = None if number is None else (number, self.loops)

    def draw(self, node: ast.AST) -> tuple[Hashable, ...]:
        """What tells one draw by chance from another.

        The same way from where the seed was set leads to the same draw: a function that sets the seed and then divides
        rows divides them alike at each call. The first draw after the same seed is the same, too.
        """
        known = 0
        for here, there in zip(self.stack, self.seeded_in, strict=False):
            if here is not there:
                break
            known += 1
        seeded, self.seeded = self.seeded, None
        if seeded is not None and seeded[1] == self.loops:
            return ("seed", seeded[0]), self.stack[known:], ()
        return node, self.stack[known:], self.rounds

    def number_of(self, rows: Rows) -> int:
        """What stands for rows in the name of a division; rows of rows of rows would grow without end."""
        return self.numbered.setdefault(rows, len(self.numbered))

    # --- the heap ---------------------------------------------------------------------------------------

    def boxed(self, value: Value) -> Value:
        """Something that can change in place gets an identity."""
        if isinstance(value, CHANGEABLE):
            if len(self.heap) >= self.limits.heap:
                raise Exhausted(f"more than {self.limits.heap:,} values")
            self.last_id += 1
            self.heap[self.last_id] = value
            return Ref(self.last_id)
        return value

    def plain(self, value: Value) -> Value:
        """What a reference refers to."""
        return self.heap.get(value.id, UNKNOWN) if isinstance(value, Ref) else value

    def store(self, ref: Value, value: Value) -> None:
        """Change something in place, if it has an identity; what it becomes is no reference, least of all to itself."""
        if isinstance(ref, Ref):
            self._change(ref.id, self.plain(value))

    def _change(self, key: int, value: Value) -> None:
        self.journal.append((key, self.heap.get(key, UNKNOWN)))
        self.heap[key] = value

    def on_this_way(self, value: Value) -> Value:
        """A value that is kept for later, with the branches that led to it."""
        if not self.ways:
            return value
        plain = self.plain(value)
        if isinstance(plain, Data) and plain.rows:
            bound = on_the_way(plain.rows, self.ways)
            return value if bound == plain.rows else replace(plain, rows=bound)
        if isinstance(value, Seq) and len(value.items) <= _WIDEST:
            return replace(value, items=tuple(self.on_this_way(item) for item in value.items))
        return value

    # --- views on values --------------------------------------------------------------------------------

    def data(self, value: Value | None, depth: int = 0) -> Data:
        """The value as rows; for containers, all that is in them."""
        if value is None:
            return UNKNOWN
        value = self.plain(value)
        if isinstance(value, Data):
            rows = possible(value.rows, self.ways) if self.ways else value.rows
            return value if rows is value.rows else replace(value, rows=rows)
        if isinstance(value, Library):
            return UNKNOWN if is_constant(value.name) else self.free(value.name)
        return self._data_in(value, depth + 1) if depth <= _DEEPEST else UNKNOWN

    def _data_in(self, whole: Value, depth: int) -> Data:
        """All rows in a list, a dict or an object; of an object that gives items, what they are like."""
        if isinstance(whole, Instance) and (shown := dict(whole.attributes).get(ITEMS)) is not None:
            held = [self.data(value, depth) for name, value in whole.attributes if name != ITEMS]
            return _items(self.data(shown, depth), held)
        return united([self.data(value, depth) for value in held_in(whole) if not isinstance(value, Library)])

    def free(self, name: str) -> Data:
        """A name that nothing in sight gives a meaning to: some table of its own."""
        node = ast.Name(id=name)
        origin = Origin(("free", name), Site(self.source, node), OriginKind.UNDEFINED, name)
        return Data(frozenset({Part(origin, frozenset())}))

    def constant(self, value: Value | None, default: Any = None) -> Any:
        """A literal's value; sequences of literals as a list."""
        match None if value is None else self.plain(value):
            case Const(value=known):
                return known
            case Seq(items=items, open=False):
                inner = [self.plain(item) for item in items]
                known = [item.value for item in inner if isinstance(item, Const)]
                return known if len(known) == len(inner) else default
        return default

    def names(self, value: Value | None) -> frozenset[str] | None:
        """Names of columns given as a literal, or a list of literals."""
        given = self.constant(value)
        if isinstance(given, str):
            return frozenset({given})
        if isinstance(given, list | tuple) and given and all(isinstance(g, str) for g in given):
            return frozenset(given)
        return None

    # --- branching --------------------------------------------------------------------------------------

    def snapshot(self) -> State:
        """The state as it is now."""
        module = self.scope.top.names
        return self.scope.names.as_they_are(), module.as_they_are(), Heap(len(self.journal), self.last_id)

    def restore(self, state: State) -> None:
        """Go back to a state (which is kept for another use). What was made since stays: it may have been returned."""
        self.scope.restore(state[0])
        if self.scope.parent is not None:
            self.scope.top.restore(state[1])
        self.restore_heap(state)

    def restore_heap(self, state: State) -> None:
        """What can change in place is again what it was."""
        for key, value in self._once(state).items():
            if self.heap.get(key) is not value:
                self._change(key, value)

    def once(self, key: int, state: State) -> Value | None:
        """What something was in a state; None if it was not made yet."""
        if key > state[2].last:
            return None
        return self._once(state).get(key, self.heap.get(key))

    def _once(self, state: State) -> dict[int, Value]:
        """What was there in a state and has changed since, as it was then."""
        changes, last = state[2]
        found: dict[int, Value] = {}
        for key, value in self.journal[changes:]:
            if key <= last:
                found.setdefault(key, value)
        return found

    def join(self, state: State) -> bool:
        """Make the present state one that holds whichever way was taken; True when that changed anything."""
        changed = False
        for key, value in self._once(state).items():
            mine = self.heap.get(key)
            if mine is not value and mine is not None:
                both = self.either(mine, value)
                self._change(key, both)
                changed |= both != value
        changed |= self._join_names(self.scope.names, state[0])
        if self.scope.parent is not None:
            changed |= self._join_names(self.scope.top.names, state[1])
        return changed

    def _join_names(self, mine: Names, other: dict[str, Value]) -> bool:
        changed = False
        if mine.still(other):
            return changed
        for name, value in other.items():
            present = mine.get(name)
            if present is not value:
                mine[name] = both = value if present is None else self.either(present, value)
                changed |= both is not value
        return changed

    def either(self, a: Value, b: Value) -> Value:
        """A value that may be the one or the other; of two unlike ones the more telling."""
        if a is b or a == b:
            return a
        if isinstance(a, Ref) or isinstance(b, Ref):
            return self._either_reference(a, b)
        both = self._alike(a, b) if type(a) is type(b) else None
        return _more_telling(a, b) if both is None else both

    def _either_reference(self, a: Value, b: Value) -> Value:
        one, other = self.plain(a), self.plain(b)
        both = self.either(one, other)
        return a if both is one else b if both is other else self.boxed(both)

    def _alike(self, a: Value, b: Value) -> Value | None:
        """Either of two values of one sort; None where one of them has to be taken."""
        match a, b:
            case Data(), Data():
                return alternative(a, b)
            case Estimator(), Estimator():
                same = a.serial == b.serial
                return replace(a, fits=a.fits | b.fits, marks=a.marks | b.marks) if same else a
            case Seq(), Seq():
                return self._either_sequence(a, b)
            case Mapping(), Mapping():
                return _merged(a, b)
            case Instance(), Instance() if a.cls is b.cls:
                return self._either_object(a, b)
            case Const(), Const():
                return Const(a.value, sure=False)
        return None

    def _either_object(self, a: Instance, b: Instance) -> Instance:
        attributes = dict(b.attributes)
        for name, value in a.attributes:
            attributes[name] = self.either(value, attributes[name]) if name in attributes else value
        network = a.network or b.network
        if a.network and b.network and a.network.serial == b.network.serial:
            network = replace(a.network, fits=a.network.fits | b.network.fits)
        return replace(a, attributes=tuple(attributes.items()), network=network)

    def _either_sequence(self, a: Seq, b: Seq) -> Seq:
        if len(a.items) == len(b.items):
            return Seq(tuple(self.either(x, y) for x, y in zip(a.items, b.items, strict=True)), a.open or b.open)
        longer = a if len(a.items) > len(b.items) else b
        return Seq(longer.items, open=True)


_MOST_TELLING = (Estimator, Instance, Data, Seq, Mapping)
"""Of two unlike values the one of the first of these sorts is kept."""


def _more_telling(a: Value, b: Value) -> Value:
    """One of two values that are of different sorts."""
    known = (v for kind in _MOST_TELLING for v in (a, b) if isinstance(v, kind))
    return next(known, a if isinstance(b, Const) else b)


def held_in(whole: Value) -> Iterable[Value]:
    """What a list, a dict or an object holds, as far as it is looked into."""
    match whole:
        case Seq(items=items):
            return items[:_WIDEST]
        case Mapping(items=entries):
            return [value for _, value in entries[:_WIDEST]]
        case Instance(attributes=attributes):
            return [value for _, value in attributes]
    return ()


def _merged(a: Mapping, b: Mapping) -> Mapping:
    items = dict(b.items) | dict(a.items)
    return Mapping(tuple(items.items())[:_WIDEST], a.open or b.open or len(items) > _WIDEST)


def _items(item: Data, held: list[Data]) -> Data:
    """What others see of a data set: its items, of all rows that it holds, or of those at the places that it holds.

    A table that no item comes from, such as a test set kept for later, is held beside them. Items at places that a list
    of the object's own names are the rows of this list.
    """
    if any(cut.key == "picked" for part in item.rows for cut in part.cuts):
        return item
    places = frozenset[Cut]().union(*(data.cuts for data in held if data.shape is Shape.POSITIONS))
    if places and all(places <= part.cuts for part in item.rows):
        return item
    every, tables = united(held).rows, {part.origin for part in item.rows}
    return replace(item, rows=frozenset(part for part in every if part.origin in tables) or every or item.rows)


def united(values: Iterable[Data]) -> Data:
    """Everything that several values hold, as one."""
    values = [v for v in values if v != UNKNOWN]
    if not values:
        return UNKNOWN
    if len(values) == 1:
        return values[0]
    first = next((v for v in values if v.rows), values[0])
    rounds = {v.round for v in values if v.rows and not drawn_at_random(v.rows)}
    return Data(
        rows=joined(v.rows for v in values),
        marks=capped(frozenset().union(*(v.marks for v in values))),
        shape=first.shape,
        columns=first.columns,
        predictions=frozenset().union(*(v.predictions for v in values)),
        cuts=first.cuts,
        via=frozenset().union(*(v.via for v in values)),
        noted=frozenset().union(*(v.noted for v in values)),
        round=rounds.pop() if len(rounds) == 1 else None,
    )


def alternative(a: Data, b: Data) -> Data:
    """One of two values."""
    both = united([a, b])
    if a.rows != b.rows:
        both = replace(both, rows=one_or_other(a.rows, b.rows))
    return replace(both, columns=_either_columns(a.columns, b.columns), cuts=a.cuts & b.cuts) if a and b else both


def _either_columns(a: Columns, b: Columns) -> Columns:
    if a == b:
        return a
    if a.only is not None and b.only is not None:
        return Columns(a.only & b.only, sure=False)
    if a.only is None and b.only is None:
        return Columns(None, a.without | b.without, sure=a.sure and b.sure)
    return SOME_COLUMNS
