"""Places that a run does not come to: functions that nobody names, and main blocks of files that nobody starts."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.repository.randomness.units import is_main_block

if TYPE_CHECKING:
    from assay.code import Source
    from assay.findings import Location
    from assay.repository.facts import Repository


def is_idle(facts: Repository, place: Location) -> bool:
    """Whether what stands at a place never runs, as far as names tell."""
    source = facts.code.source(place.path)
    if source is None or source.tree is None or source.notebook is not None:
        return False
    around = [node for node in source.nodes(ast.FunctionDef) if _holds(node, place)]
    if any(not _is_named(facts, node.name) for node in around):
        return True
    in_main = any(is_main_block(statement) and _holds(statement, place) for statement in source.tree.body)
    started = facts.reach.started
    return in_main and bool(started) and place.path not in started and _is_imported(facts, source)


def _holds(node: ast.stmt, place: Location) -> bool:
    return place.line is not None and node.lineno <= place.line <= (node.end_lineno or node.lineno)


def _is_named(facts: Repository, name: str) -> bool:
    """Whether some file calls or mentions a function of this name; others call what is called like their methods."""
    special = name.startswith("_") or name in {"main", "forward", "call", "setup"}
    return special or any(source.text.count(name) > source.text.count(f"def {name}") for source in facts.code.python)


def _is_imported(facts: Repository, wanted: Source) -> bool:
    imports = ((i, source) for source in facts.code.python for i in source.imports)
    return any(facts.code.find(i, source) == wanted.path for i, source in imports)
