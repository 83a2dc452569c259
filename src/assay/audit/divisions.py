"""How the code divides rows: the calls that split, with what their arguments tell without being run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from fractions import Fraction

from assay.audit.facts import Division
from assay.code import Call, Code, Source, calls
from assay.program.constants import Unknown, constant_of
from assay.records import dataclass

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class _Splitter:
    """What a function of scikit-learn does by its nature, and where its arguments stand."""

    folds: int | None = None
    """Position of the number of folds."""
    named: str = "n_splits"
    default_folds: int | None = None
    stratified: bool = False
    grouped: bool = False
    share: Fraction | None = None
    """What is held out when nothing is said, for those that hold out a share."""


_FOLDS = _Splitter(folds=0, default_folds=5)
_SPLITTERS: Mapping[str, _Splitter] = {
    "train_test_split": _Splitter(share=Fraction(1, 4)),
    "ShuffleSplit": _Splitter(share=Fraction(1, 10)),
    "StratifiedShuffleSplit": _Splitter(share=Fraction(1, 10), stratified=True),
    "GroupShuffleSplit": _Splitter(share=Fraction(1, 5), grouped=True),
    "KFold": _FOLDS,
    "RepeatedKFold": _FOLDS,
    "StratifiedKFold": _Splitter(folds=0, default_folds=5, stratified=True),
    "RepeatedStratifiedKFold": _Splitter(folds=0, default_folds=5, stratified=True),
    "GroupKFold": _Splitter(folds=0, default_folds=5, grouped=True),
    "StratifiedGroupKFold": _Splitter(folds=0, default_folds=5, stratified=True, grouped=True),
    "TimeSeriesSplit": _FOLDS,
    "cross_val_score": _Splitter(folds=4, default_folds=5, named="cv"),
    "cross_val_predict": _Splitter(folds=4, default_folds=5, named="cv"),
    "cross_validate": _Splitter(folds=4, default_folds=5, named="cv"),
    "LeaveOneGroupOut": _Splitter(grouped=True),
    "LeavePGroupsOut": _Splitter(grouped=True),
}
"""https://scikit-learn.org/stable/api/sklearn.model_selection.html: the classes and functions that split."""


def divisions_of(code: Code) -> Iterator[Division]:
    """The places where the authors' own Python divides rows with scikit-learn, tests of software left out."""
    for source in code.python:
        if _is_test(source.path) or not any(source.mentions(name) for name in _SPLITTERS):
            continue
        for call in calls(source):
            splitter = _SPLITTERS.get(call.name.rpartition(".")[2])
            if splitter is not None and call.name.startswith("sklearn."):
                yield _division(call, splitter, source)


def _is_test(path: str) -> bool:
    return path.rpartition("/")[2].startswith("test_") or "/tests/" in f"/{path}"


def _division(call: Call, splitter: _Splitter, source: Source) -> Division:
    given = {k.arg: k.value for k in call.node.keywords if k.arg}
    open_ended = any(k.arg is None for k in call.node.keywords)
    stratified: bool | None = splitter.stratified
    if call.name.endswith("train_test_split"):
        chosen = given.get("stratify")
        stratified = chosen is not None and not (isinstance(chosen, ast.Constant) and chosen.value is None)
    folds = None
    if splitter.folds is not None:
        node = given.get(splitter.named) or next(iter(call.node.args[splitter.folds :]), None)
        folds = splitter.default_folds if node is None and not open_ended else _whole(node, source)
    return Division(
        call.name.rpartition(".")[2],
        ast.unparse(call.node)[:_LONGEST],
        call.location,
        folds,
        _share(given, source, splitter.share),
        None if open_ended and not stratified else stratified,
        None if open_ended and not splitter.grouped else splitter.grouped,
    )


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
