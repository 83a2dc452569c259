"""Data that are drawn at random where they are needed: an experiment on artificial samples has nothing to fetch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from assay.code import Source
from assay.findings import Location
from assay.repository.vocabulary import vocabulary

_WORDS = vocabulary("assay.repository.data", "calls.toml")
_SAMPLE = _WORDS.pattern("sample_names")
_MAKER = _WORDS.pattern("sample_makers")
_MAKING_FILE = _WORDS.pattern("sample_files")
_DRAWS = _WORDS.words("draw")
_DRAWN = _DRAWS - {"linspace", "random", "randint"}
_FROM = ("numpy.", "torch.", "jax.", "tensorflow.", "scipy.", "autograd.")
_SINGLE = {"randint": 2, "uniform": 2, "normal": 2, "binomial": 2, "poisson": 1, "rand": 0, "random": 0, "randn": 0}
"""How many numbers they may be given and still draw but one, such as a place to cut a picture."""
_MOST = 20
_DEEPEST = 4


def drawn_at(source: Source) -> Iterator[Location]:
    """Where something that is called like a sample is made of random numbers, a grid or a differential equation."""
    called = source.calls.lasts
    aliases = (name for name, target in source.aliases.items() if target.rpartition(".")[2] in _DRAWS)
    if not any(name in called for name in (*_DRAWS, *aliases)):
        return
    calls = [c for c in source.calls.of(_DRAWN) if isinstance(c.func, ast.Attribute)]
    if calls and _MAKING_FILE.search(source.path.lower()):
        yield source.location(calls[0])
    makers = (function for function in source.nodes(ast.FunctionDef) if _MAKER.fullmatch(function.name))
    for function in makers:
        inside = range(function.lineno, (function.end_lineno or function.lineno) + 1)
        if any(call.lineno in inside for call in calls):
            yield source.location(function)
    drawn = (node for node in source.nodes(ast.Assign) if _is_sample(node.targets[0]) and _draws(node.value, source))
    yield from map(source.location, islice(drawn, _MOST))


def _is_sample(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and _SAMPLE.fullmatch(target.id) is not None


def _draws_one(call: ast.Call, last: str) -> bool:
    shaped = any(isinstance(a, ast.Tuple | ast.List | ast.Starred) for a in call.args)
    return not (shaped or call.keywords) and len(call.args) <= _SINGLE.get(last, -1)


def _draws(value: ast.expr, source: Source, depth: int = 0) -> bool:
    """Whether the value is such a call, or computed from one at once."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, ast.Call):
        name = source.resolve(value.func)
        last = name.rpartition(".")[2]
        if last in _DRAWS and name.startswith(_FROM) and not _draws_one(value, last):
            return True
        return isinstance(value.func, ast.Attribute) and _draws(value.func.value, source, depth + 1)
    if isinstance(value, ast.BinOp):
        return _draws(value.left, source, depth + 1) or _draws(value.right, source, depth + 1)
    return False
