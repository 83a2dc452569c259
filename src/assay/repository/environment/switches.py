"""Imports behind a switch that is off: `if args.wandb:` where the option has to be given, `if USE_X:` where it is not.

Values are looked up as they are for seeds: options by their defaults, parameters by the calls in the repository.
A switch may be on if its value is unknown or comes from `**settings`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

from assay.code import Code, Source
from assay.repository.environment.coverage import Undeclared
from assay.repository.environment.imports import Role, Use
from assay.repository.randomness.conditions import asks_to_train
from assay.repository.randomness.frames import Frame
from assay.repository.randomness.reader import read_material
from assay.repository.randomness.resolver import Resolver
from assay.repository.randomness.seed_calls import MAX_WAYS, conditions_on_the_way, ways
from assay.tree import Tree


def judged_by_switches(uncovered: Iterable[Undeclared], tree: Tree, code: Code) -> Iterator[Undeclared]:
    """The same modules; what is only imported behind switches that are off is optional."""

    @cache
    def resolver() -> Resolver:
        material = code.once(tree, read_material)
        return Resolver(code, material.graph, material.settings)

    for one in uncovered:
        required = [use for use in one.outside.uses if use.role is Role.REQUIRED]
        off = one.outside.public and required and all(_is_off(use, code, resolver) for use in required)
        yield _made_optional(one) if off else one


def _made_optional(one: Undeclared) -> Undeclared:
    uses = (replace(u, role=Role.OPTIONAL) if u.role is Role.REQUIRED else u for u in one.outside.uses)
    return replace(one, outside=replace(one.outside, uses=tuple(uses)))


def _is_off(use: Use, code: Code, resolver: Callable[[], Resolver]) -> bool:
    source = code.source(use.location.path) if (use.location.column or 1) > 1 else None
    node = None if source is None else _import_at(use, source)
    if source is None or node is None:  # it stands in no branch and no function
        return False
    found = resolver()
    unit = found.bindings(source.path).unit(node.lineno)
    frames = ways(unit, found)
    return len(frames) < MAX_WAYS and all(_does_not_lead_to(node, frame, found) for frame in frames)


def _import_at(use: Use, source: Source) -> ast.stmt | None:
    several: tuple[ast.stmt, ...] = (*source.nodes(ast.Import), *source.nodes(ast.ImportFrom))
    return next((node for node in several if source.location(node) == use.location), None)


def _does_not_lead_to(node: ast.AST, frame: Frame, resolver: Resolver) -> bool:
    """Whether one way to a node is closed by default; the wish to train is taken for granted."""
    here: Frame | None = frame
    while here is not None:
        if here.call is not None and not here.is_certain:
            return False
        here = here.caller
    return any(
        resolver.holds(condition, there) is False and not (condition.wanted and asks_to_train(condition.test))
        for condition, there in conditions_on_the_way(node, frame, resolver)
    )
