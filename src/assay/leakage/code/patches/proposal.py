"""A patch for a leak: found by the form of the step, then checked by examining the changed program."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from difflib import unified_diff

from assay.code import Code, Source
from assay.findings import Fix, Location
from assay.leakage.code.analysis import Analysis, analyse_source
from assay.leakage.code.leak import Leak
from assay.leakage.code.patches.moved_step import moved
from assay.leakage.code.patches.program_text import NotCertainError, Piece, Text, edits_between, rewritten
from assay.leakage.code.patches.scope import node_at, scope_of
from assay.leakage.code.patches.steps import step_in
from assay.leakage.code.patches.table_columns import behind_split, column_step
from assay.leakage.code.policies.policy import Policy
from assay.records import dataclass

CODES = frozenset({"L1.2", "L1.3", "L1.4"})
"""The rules about steps that can move behind the split, or into the model."""
_MOST_PLACES = 20


@dataclass(frozen=True)
class Patched:
    """A file with one or more leaks removed."""

    before: Source
    after: Source

    def code(self, code: Code) -> Code:
        """All code, with this file as it is after the change."""
        return _with(code, self.after)

    @property
    def diff(self) -> str:
        """The change as a unified diff; for a notebook, of its code."""
        old, new = (s.text.splitlines(keepends=True) for s in (self.before, self.after))
        lines = unified_diff(old, new, f"a/{self.before.path}", f"b/{self.before.path}")
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def fix_for(code: Code, source: Source, leak: Leak, policy: Policy | None = None) -> Fix:
    """The patch for one leak, as edits of its file; without edits, the description says why there is none."""
    try:
        after = _without(code, source, leak, policy)
    except NotCertainError as reason:
        return Fix(f"No patch is offered: {reason}.")
    return Fix("Move the step behind the split, or into the model.", edits_between(source, after))


def patched(code: Code, source: Source, policy: Policy | None = None) -> Patched:
    """The file without any leak for which a patch is certain."""
    now, given_up = source, 0
    for _ in range(_MOST_PLACES):
        leaks = _candidates(now, analyse_source(_with(code, now), now, policy=policy))[given_up:]
        if not leaks:
            break
        try:
            now, given_up = _without(code, now, leaks[0], policy), 0
        except NotCertainError:
            given_up += 1
    return Patched(source, now)


def analyse_with_fixes(code: Code, source: Source, *, policy: Policy | None = None) -> Analysis:
    """The leaks of one file, each that a patch could remove with that patch or the reason why there is none."""
    analysis = analyse_source(code, source, policy=policy)
    ours = set(_candidates(source, analysis))
    fixed = (replace(k, fix=fix_for(code, source, k, policy)) if k in ours else k for k in analysis.leaks)
    return replace(analysis, leaks=tuple(fixed))


def _candidates(source: Source, analysis: Analysis) -> list[Leak]:
    return [k for k in analysis.leaks if k.code in CODES and k.places and k.location.path == source.path]


def _without(code: Code, source: Source, leak: Leak, policy: Policy | None) -> Source:
    """The file without a leak: all places where the step learns are changed, and then the leak is gone."""
    before = analyse_source(_with(code, source), source, policy=policy)
    written = {place.code for place in leak.places}
    now, left = source, list(leak.places)
    for _ in range(_MOST_PLACES):
        if not left:
            return now
        now = rewritten(now, _pieces(now, left[0].location))
        seen = analyse_source(_with(code, now), now, policy=policy)
        _refuse_new(before, seen, now)
        alike = [k for k in _candidates(now, seen) if (k.code, k.kind) == (leak.code, leak.kind)]
        left = [place for k in alike for place in k.places if place.code in written]
    raise NotCertainError("the same step learns at too many places")


def _pieces(source: Source, place: Location) -> Iterable[Piece]:
    """The change for one place where a step learns."""
    node = node_at(source, place)
    if node is None:
        raise NotCertainError("the step is not one expression")
    text = Text(source.text)
    scope = scope_of(source, node)
    in_columns = isinstance(scope.statement, ast.Assign) and isinstance(scope.statement.targets[0], ast.Subscript)
    step = None if in_columns else step_in(source, node)
    if step is not None:
        return moved(step, text)
    return behind_split(column_step(scope, text), text)


def _refuse_new(before: Analysis, after: Analysis, now: Source) -> None:
    """A patch must parse, keep every score in sight, and bring no leak of its own."""
    if now.tree is None or now.error is not None:
        raise NotCertainError("the changed program would not parse")
    if (after.models, after.evaluations) != (before.models, before.evaluations):
        raise NotCertainError("models or scores would not be followed any more")
    had, has = (Counter((k.code, k.topic, k.kind) for k in seen.leaks) for seen in (before, after))
    if has - had:
        raise NotCertainError("the changed program would have another leak")


def _with(code: Code, source: Source) -> Code:
    """The same code with another version of one file."""
    others: Iterator[Source] = (source if s.path == source.path else s for s in code.sources)
    return replace(code, sources=tuple(others))
