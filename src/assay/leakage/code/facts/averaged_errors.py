"""Whether the difference of predictions and truth becomes an error, or stays a residual of its row."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from assay.leakage.code.facts.places import code_at
from assay.leakage.code.scored.search_loops import inside
from assay.leakage.code.state.rows import Site
from assay.leakage.code.state.texts import text_of
from assay.patterns import regex

_AVERAGED = regex(r"(?:mean|average|sqrt|rmse|mae|mse)\w*\s*\(")
_SUMMED = regex(r"sum\w*\s*\(")
"""Signs that the differences of predictions and truth are summed up as an error."""
_NEAR = 500
"""So much of a line around a place is looked at."""
_INNERMOST = regex(r"\([^()]*\)")
_CALL = regex(r"[\w.]+\s*\(")
_ON_THE_WHOLE = regex(r"^[^/+=#]*?\.\s*(?:\w+\s*\()")


def is_error(site: Site) -> bool:
    """Whether an error is made of the differences: there, in a loop that adds them up, or later by their name."""
    return _averaged(site) or _added_up(site) or _averaged_later(site)


def _averaged(site: Site) -> bool:
    """Whether an error is made of the differences: their mean, or their sum beside one.

    A difference that is divided by the root of a variance is a residual, and describes its row.
    """
    around = " ".join(_calls_around(site))
    if _AVERAGED.search(around):
        return True
    return _SUMMED.search(around) is not None and _AVERAGED.search(code_at(site)) is not None


@lru_cache(maxsize=256)
def _averaged_later(site: Site) -> bool:
    """Whether the differences have a name, and then the mean of their squares or sizes is taken: `(error ** 2).mean()`.

    Or a loop puts those into a list, one after the other, and the mean of that is taken. The mean of differences alone,
    or how they spread, describes residuals.
    """
    around = function_around(site) or site.source.tree
    nodes = list(ast.walk(around)) if around is not None else []
    first = ((n.targets[0], n.value) for n in nodes if isinstance(n, ast.Assign))
    given = [(target.id, value) for target, value in first if isinstance(target, ast.Name)]
    named = {name for name, value in given if value is site.node}
    sized = {name for name, value in given if _holds_size(value, site.node, named)}
    listed = {name for n in nodes for name in _listed(n, site.node, named, sized)}
    return bool(named | listed) and any(_averages(n, site.node, named, listed) for n in nodes)


_MEANS = regex(r"(?:^|[.)])(?:nan)?(?:mean|average)$")


def _averages(node: ast.AST, difference: ast.AST, named: set[str], listed: set[str]) -> bool:
    """`np.mean(error ** 2)`, `error.abs().mean()`, `np.mean(errors)`, `sum(errors) / len(errors)`."""
    match node:
        case ast.Call(func=func) if _MEANS.search(text_of(func)):
            parts = [*node.args, *([func.value] if isinstance(func, ast.Attribute) else [])]
            alone = (part.id for part in parts if isinstance(part, ast.Name))
            return any(_holds_size(part, difference, named) for part in parts) or not listed.isdisjoint(alone)
        case ast.BinOp(left=ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id=name)]), op=ast.Div()):
            return name in listed
    return False


def _listed(node: ast.AST, difference: ast.AST, named: set[str], sized: set[str]) -> Iterator[str]:
    """The list that squares or sizes of differences are put into: `errors.append(abs(said - truth))`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[added]):
            if _holds_size(added, difference, named) or (isinstance(added, ast.Name) and added.id in sized):
                yield name


def _holds_size(expression: ast.expr, difference: ast.AST, named: set[str]) -> bool:
    """Whether squares or sizes of the differences, or of what is called so, are in an expression."""
    for n in ast.walk(expression):
        match n:
            case ast.BinOp(left=one, op=ast.Pow(), right=ast.Constant(value=2)):
                pass
            case ast.Call(func=ast.Name(id=how) | ast.Attribute(attr=how), args=[one, *_]) if how in _SIZES:
                pass
            case ast.Call(func=ast.Attribute(value=one, attr="abs" | "pow" | "square")):
                pass
            case _:
                continue
        if one is difference or (isinstance(one, ast.Name) and one.id in named):
            return True
    return False


def _added_up(site: Site) -> bool:
    """Whether a loop adds up squares or sizes of differences, row by row, and the sum is then divided.

    What adds up the differences themselves, or their products with something, may be a gradient.
    """
    function = function_around(site) or site.source.tree
    for loop in ast.walk(function) if function is not None else ():
        for n in ast.walk(loop) if isinstance(loop, ast.For | ast.While) else ():
            match n:
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=added) if _size_of_difference(
                    added, site.node
                ) and _divided(function, name):
                    return True
    return False


def function_around(site: Site) -> ast.AST | None:
    """The innermost function that a place stands in."""
    return next(reversed([f for f in _functions(site.source.tree) if inside(site.node, f)]), None)


@lru_cache(maxsize=8)
def _functions(tree: ast.Module | None) -> tuple[ast.AST, ...]:
    """The functions of a file, those inside others after them."""
    return tuple(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)) if tree is not None else ()


def _size_of_difference(added: ast.expr, difference: ast.AST) -> bool:
    """`(said - truth) ** 2`, `abs(said - truth)`."""
    match added:
        case ast.BinOp(left=inner, op=ast.Pow(), right=ast.Constant(value=2)):
            return inner is difference
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[inner, *_]):
            return name in _SIZES and (inner is difference or _size_of_difference(inner, difference))
    return False


_SIZES = frozenset({"abs", "absolute", "fabs", "square", "pow", "power"})


def _divided(function: ast.AST | None, name: str) -> bool:
    """Whether a number is divided: `total / len(truth)`."""
    return any(
        isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div) and isinstance(n.left, ast.Name) and n.left.id == name
        for n in ast.walk(function or ast.Module([], []))
    )


def _calls_around(site: Site) -> Iterator[str]:
    """The calls that a place is given to, `np.mean(…` and `(…).mean(`, as far as they are on its lines."""
    node = site.node
    if not isinstance(node, ast.expr) or node.end_col_offset is None:
        return
    lines = site.source.lines
    before = lines[node.lineno - 1].encode()[: node.col_offset].decode()[-_NEAR:]
    after = lines[(node.end_lineno or node.lineno) - 1].encode()[node.end_col_offset :].decode()[:_NEAR]
    while _INNERMOST.search(before):
        before = _INNERMOST.sub("", before)
    yield from _CALL.findall(before)
    while (found := _ON_THE_WHOLE.search(after)) is not None:
        yield found[0]
        after = after[found.end() :]
