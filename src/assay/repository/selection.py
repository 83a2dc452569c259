"""On which data is the best model chosen? Choosing on the data that report the result overfits to them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import StrEnum

from assay.code import Code, Source
from assay.code.names import spelt
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass

_BEST = regex(r"(?:^|_)(?:best|max|min|lowest|highest)(?:_|$|\d)", re.IGNORECASE)
_SCORE = (
    "acc|accuracy|loss|err|error|auc|f1|score|m?ap|m?iou|dice|psnr|rmse|mae|mse|top1|prec1|result|metric|perf|bleu|ppl"
)
_TEST_SCORE = regex(rf"(?:\w*_)?test(?:ing)?_?(?:{_SCORE})\w*", re.IGNORECASE)
_SCORE_NAME = regex(rf"(?:\w*_)?(?:{_SCORE})\d?", re.IGNORECASE)
_VALIDATION_NAME = regex(r"(?:^|_)val(?:id|idation)?(?:_|$|set|data|loader)", re.IGNORECASE)
_LONGEST = 200


class ChoiceKind(StrEnum):
    """How test data come to choose the model; `FOLLOWED` comes from the leakage analysis, where that was done."""

    BEST_ON_TEST = "the best model so far is chosen by its score on test data"
    FOLLOWED = "the leakage analysis follows test data to the choice of the model"
    TEST_AS_VALIDATION = "the test part of a public collection is used under the name of validation data"


@dataclass(frozen=True, slots=True)
class Choice:
    """One place where test data choose, with the code there."""

    kind: ChoiceKind
    text: str
    location: Location


def read_selection(code: Code) -> tuple[Choice, ...]:
    """The first place of each kind in each of the authors' own Python files."""
    found: dict[tuple[str, ChoiceKind], Choice] = {}
    for source in code.python:
        for choice in _choices(source):
            found.setdefault((source.path, choice.kind), choice)
    return tuple(found.values())


def _choices(source: Source) -> Iterator[Choice]:
    for compare in source.nodes(ast.Compare):
        if _is_best_on_test(compare, source):
            yield _choice(ChoiceKind.BEST_ON_TEST, compare, source)
    for assignment in source.nodes(ast.Assign) if source.mentions("torchvision") else ():
        if _is_test_as_validation(assignment, source):
            yield _choice(ChoiceKind.TEST_AS_VALIDATION, assignment, source)


def _choice(kind: ChoiceKind, node: ast.AST, source: Source) -> Choice:
    return Choice(kind, spelt(node)[:_LONGEST], source.location(node))


def _is_best_on_test(compare: ast.Compare, source: Source) -> bool:
    """`test_acc > best_acc`: a score on test data against the best so far; inside `def test`, any score."""
    if len(compare.ops) != 1 or not isinstance(compare.ops[0], ast.Lt | ast.Gt | ast.LtE | ast.GtE):
        return False
    names = [_last_name(side) for side in (compare.left, compare.comparators[0])]
    scores = [name for name in names if not _BEST.search(name)]
    if len(scores) != 1:
        return False
    if _TEST_SCORE.fullmatch(scores[0]):
        return True
    return _SCORE_NAME.fullmatch(scores[0]) is not None and _tests(_function_around(compare, source))


def _function_around(node: ast.AST, source: Source) -> ast.AST | None:
    around = source.parent(node)
    while around is not None and not isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef):
        around = source.parent(around)
    return around


def _tests(function: ast.AST | None) -> bool:
    """Whether a function is called after testing, and uses nothing that is called after validation."""
    if function is None or getattr(function, "name", "") not in {"test", "test_epoch"}:
        return False
    names = (node for node in ast.walk(function) if isinstance(node, ast.Name | ast.Attribute))
    return not any(_VALIDATION_NAME.search(_last_name(name)) for name in names)


def _last_name(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_test_as_validation(assignment: ast.Assign, source: Source) -> bool:
    """`val_set = CIFAR10(root, train=False)`, or a loader made of such a set."""
    target, value = assignment.targets[0], assignment.value
    if not isinstance(target, ast.Name) or not _VALIDATION_NAME.search(target.id):
        return False
    return any(
        isinstance(node, ast.Call)
        and source.resolve(node.func).startswith("torchvision.datasets.")
        and any(k.arg == "train" and getattr(k.value, "value", None) is False for k in node.keywords)
        for node in (value, *(value.args if isinstance(value, ast.Call) else ()))
    )
