"""How the code divides rows: the calls that split, with what their arguments tell without being run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from fractions import Fraction

from assay.audit.facts import Division
from assay.code import Call, Code, Source, calls
from assay.libraries.catalogue import catalogue
from assay.libraries.row import Role, Row, Trait, Use
from assay.program.constants import Unknown, constant_of

_LONGEST = 200


_DIVIDES = frozenset({Role.SPLIT, Role.SPLITTER, Role.CROSS_VALIDATE})
_LIBRARY = "sklearn."


def _splitter(name: str) -> Row | None:
    """The row of a function or class of scikit-learn that divides rows in a way that its arguments describe."""
    row = catalogue().call(name) if name.startswith(_LIBRARY) else None
    known = row is not None and row.role in _DIVIDES and (row.folds or row.share or Trait.GROUPED in row.traits)
    return row if known else None


def divisions_of(code: Code) -> Iterator[Division]:
    """The places where the authors' own Python divides rows with scikit-learn, tests of software left out."""
    for source in code.python:
        if _is_test(source.path) or not source.mentions("sklearn"):
            continue
        for call in calls(source):
            splitter = _splitter(call.name)
            if splitter is not None:
                yield _division(call, splitter, source)


def _is_test(path: str) -> bool:
    return path.rpartition("/")[2].startswith("test_") or "/tests/" in f"/{path}"


def _division(call: Call, splitter: Row, source: Source) -> Division:
    given = {k.arg: k.value for k in call.node.keywords if k.arg}
    open_ended = any(k.arg is None for k in call.node.keywords)
    stratified: bool | None = Trait.STRATIFIED in splitter.traits
    grouped = Trait.GROUPED in splitter.traits
    if call.name.endswith("train_test_split"):
        chosen = given.get("stratify")
        stratified = chosen is not None and not (isinstance(chosen, ast.Constant) and chosen.value is None)
    folds = _folds(call, splitter, given, source, open_ended=open_ended)
    return Division(
        call.name.rpartition(".")[2],
        ast.unparse(call.node)[:_LONGEST],
        call.location,
        folds,
        _share(given, source, Fraction(splitter.share) if splitter.share else None),
        None if open_ended and not stratified else stratified,
        None if open_ended and not grouped else grouped,
        in_folds=bool(splitter.folds),
    )


def _folds(call: Call, splitter: Row, given: Mapping[str, ast.expr], source: Source, *, open_ended: bool) -> int | None:
    """The number of folds that a call asks for, or the library's own number where it asks for none."""
    sizes = splitter.port(Use.SIZES)
    if sizes is None:
        return None
    named = (given[name] for name in sizes.names if name in given)
    node = next(named, None) or next(iter(call.node.args[sizes.position :]), None)
    return splitter.folds if node is None and not open_ended else _whole(node, source)


def _share(given: Mapping[str, ast.expr], source: Source, default: Fraction | None) -> Fraction | None:
    """The share of the rows that is held out, if the text tells it."""
    for name, turned in (("test_size", False), ("train_size", True)):
        value = _constant(given.get(name), source)
        if isinstance(value, float) and 0 < value < 1:
            share = Fraction(repr(value))
            return 1 - share if turned else share
    return None if "test_size" in given or "train_size" in given else default


def _whole(node: ast.expr | None, source: Source) -> int | None:
    value = _constant(node, source)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 2 else None


def _constant(node: ast.expr | None, source: Source) -> object:
    """The value of a constant, or of a name that the module binds once."""

    def assigned(name: str) -> list[ast.expr]:
        targets = ((a.value, t) for a in source.nodes(ast.Assign) for t in a.targets)
        return [value for value, target in targets if isinstance(target, ast.Name) and target.id == name]

    try:
        return constant_of(node, assigned, source.resolve)
    except Unknown:
        return None
