"""Test rows that a program sets apart and then does nothing with: whoever scores them does it in another program.

Rows that no model was seen to meet may still have met one, on a way that could not be followed. So the text is asked:
every mention of test rows must be harmless.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from assay.leakage.code.state.parts import part_named
from assay.leakage.code.state.texts import text_of
from assay.patterns import regex

_NUMBERS = regex(r"size|ratio|frac|len|num|count|percent|(?:^|_)n_|seed")
"""What tells how many test rows there are, and not which."""
_ASKS = regex(
    r"predict|eval|score|infer|forward|generate|classif|report|matrix|metric|accuracy|loss"
    r"|model|net(?!cdf)|trainer|learn|clf|regress|pipeline|estimator| test "
)
"""Words in calls that ask a model about rows."""
_KEEPS = frozenset(
    {"print", "info", "debug", "log", "save", "savez", "savez_compressed", "dump", "to_csv", "to_parquet"}
)


@lru_cache(maxsize=8)
def idle(tree: ast.Module | None) -> bool:
    """Whether all that a file does with test rows is to prepare, count, store or hand them back."""
    return tree is not None and not any(_uses(s) and not _shelved(s, tree) for s in _statements(tree))


@lru_cache(maxsize=8)
def asks_how_good(tree: ast.Module | None) -> bool:
    """Whether a file asks some model or function how good it is, on whatever rows: `model.evaluate(…)`."""
    calls = (n for n in ast.walk(tree or ast.Module([], [])) if isinstance(n, ast.Call))
    return any(text_of(call.func).rpartition(".")[2].startswith("eval") for call in calls)


@lru_cache(maxsize=8)
def names_a_part(tree: ast.Module | None) -> bool:
    """Whether anything in a file is called after a part of the rows; a function that trains is not."""
    if tree is None:
        return True
    called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    return any(part != "train" or name not in called for name, part in _parts_named(tree).items())


def names_others(tree: ast.Module | None) -> bool:
    """Whether a file does something with rows that it calls test rows, or speaks of rows to choose by."""
    return tree is None or not idle(tree) or not {"train", "test"}.issuperset(_parts_named(tree).values())


@lru_cache(maxsize=8)
def _parts_named(tree: ast.Module) -> dict[str, str]:
    """The names that speak of parts of the rows, and of which."""
    return {name: part for n in ast.walk(tree) for name in _named_in(n) if (part := part_named(name)) is not None}


def _named_in(node: ast.AST) -> tuple[str, ...]:
    """The names of rows that a node brings in; of a method, such as `model.train()`, nothing is learnt."""
    match node:
        case ast.Name(id=name) | ast.arg(arg=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return (name,)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return (name,)
        case ast.Constant(value=str(name)) if "/" in name or "." in name:
            return tuple(name.replace("/", ".").split("."))
    return ()


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    return (n for n in ast.walk(tree) if isinstance(n, ast.stmt))


def _uses(statement: ast.stmt) -> bool:
    """Whether a statement itself does something else with test rows; those inside it are asked for themselves."""
    match statement:
        case (
            ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Delete() | ast.Import() | ast.ImportFrom()
        ):
            return False
        case ast.Assign(targets=targets, value=value):
            return _mentions(value) and (_asks(value) or not any(map(_named, targets)))
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return _mentions(value) and (_asks(value) or not _named(target))
        case ast.Return(value=ast.expr() as value) | ast.Assert(test=value):
            return _mentions(value) and _asks(value)
        case ast.Expr(value=ast.Call() as call) if text_of(call.func).rpartition(".")[2] in _KEEPS:
            return _mentions(call) and _asks(call)
    return any(_mentions(part) for part in ast.iter_child_nodes(statement) if not isinstance(part, ast.stmt))


def _shelved(statement: ast.stmt, tree: ast.Module) -> bool:
    """`loaders = {"train": …, "test": …}`, each asked for by its name: that of the test is a mention, too."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=keys) as value):
            named = all(isinstance(key, ast.Constant) and isinstance(key.value, str) for key in keys)
            return named and not _asks(value) and name in _asked_by_key(tree)
    return False


@lru_cache(maxsize=8)
def _asked_by_key(tree: ast.Module) -> frozenset[str]:
    """Names of which nothing is used but what is found under a written key: `loaders["train"]`."""
    nodes = list(ast.walk(tree))
    read = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
    keyed = Counter(map(_looked_into, nodes))
    return frozenset(name for name, times in read.items() if times == keyed[name])


def _looked_into(node: ast.AST) -> str:
    """`loaders` of `loaders["train"]`."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str())):
            return name
    return ""


def _asks(value: ast.expr) -> bool:
    """Whether some call in it that knows of test rows may ask a model about them."""
    calls = (n for n in ast.walk(value) if isinstance(n, ast.Call) and _mentions(n))
    return any(_ASKS.search(_words(call)) is not None for call in calls)


def _words(call: ast.Call) -> str:
    """The names in a call, each between blanks."""
    inside = list(ast.walk(call))
    names = [n.id if isinstance(n, ast.Name) else n.attr for n in inside if isinstance(n, ast.Name | ast.Attribute)]
    return f" {' '.join(names).lower()} "


def _named(target: ast.expr) -> bool:
    return any(map(_is_mention, ast.walk(target)))


def _mentions(value: ast.AST) -> bool:
    """Whether something speaks of test rows, and not only of how many there are."""
    match value:
        case ast.Call(func=ast.Name(id="len")) | ast.Attribute(attr="shape"):
            return False
    return _is_mention(value) or any(map(_mentions, ast.iter_child_nodes(value)))


def _is_mention(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=str(name)) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return part_named(name) == "test" and _NUMBERS.search(name.lower()) is None
    return False
