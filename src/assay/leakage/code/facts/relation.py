"""How the rows of an evaluation are related to the rows of a training."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from functools import lru_cache

from assay.leakage.code.effects import Role
from assay.leakage.code.facts.claims import of_one_round
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.facts.pair import Relation
from assay.leakage.code.facts.redivision import drawn_at_each_pass, goes_on_learning, loops_around
from assay.leakage.code.state.events import Evaluation
from assay.leakage.code.state.parts import UNSEEN_MASK, part_named
from assay.leakage.code.state.provenance import all_seen, is_table
from assay.leakage.code.state.rows import ENTRY, Interval, Rows, Taken, meet, possible, within
from assay.leakage.code.state.values import Fit, Kind, Marks

SEEN = frozenset({Relation.SAME, Relation.OVERLAPPING})


def relation_of(facts: Observations, evaluation: Evaluation, fit: Fit) -> tuple[Relation, str]:
    """The relation, and how it came about where the divisions in the code alone do not say so."""
    key = id(evaluation), id(fit)
    if key not in facts.relations:
        facts.relations[key] = _relation(facts, evaluation, fit)
    return facts.relations[key]


def _relation(facts: Observations, evaluation: Evaluation, fit: Fit) -> tuple[Relation, str]:
    if not evaluation.rows or not fit.rows:
        return Relation.UNKNOWN, ""
    plain = _plain(evaluation, fit)
    if plain in SEEN and rests_on_assumption(evaluation, fit):
        return Relation.UNKNOWN, ""
    if plain in SEEN:
        return plain, ""
    if goes_on_learning(facts, evaluation, fit):
        return Relation.OVERLAPPING, "the model goes on learning from fold to fold"
    if drawn_at_each_pass(evaluation, fit):
        return Relation.OVERLAPPING, "the parts are drawn again at each pass"
    return plain, ""


def _plain(evaluation: Evaluation, fit: Fit) -> Relation:
    """The relation by the divisions that the code makes."""
    if _learnt_afterwards(fit, evaluation):
        return Relation.DISJOINT
    if not meet(evaluation.rows, fit.rows):
        return Relation.UNKNOWN if meet(evaluation.rows, fit.rows, sure=True) else Relation.DISJOINT
    if _within_on_all_ways(evaluation.rows, fit.rows):
        return Relation.SAME
    if any(mark.kind is Kind.WINDOW for mark in evaluation.marks):
        return Relation.DISJOINT  # the first windows need rows from before the border, not their outcomes
    return Relation.OVERLAPPING if seen_on_all_ways(fit.rows, evaluation.rows) else Relation.UNKNOWN


@lru_cache(maxsize=256)
def seen_on_all_ways(known: Rows, asked: Rows) -> bool:
    """Whether all that is asked about was seen at least in part, whichever branches the program took."""
    ways = {part.ways for part in known} if len(known) > 1 else ()
    if len(ways) < 2:
        return all_seen(known, asked)
    return all(all_seen(possible(known, way), possible(asked, way)) for way in ways)


def _within_on_all_ways(asked: Rows, known: Rows) -> bool:
    """Whether all evaluated rows are among the known ones, whichever branches the program took."""
    ways = {part.ways for part in known} if len(known) > 1 else ()
    if len(ways) < 2:
        return within(asked, known)
    return all(within(possible(asked, way), possible(known, way)) for way in ways)


def rests_on_assumption(evaluation: Evaluation, fit: Fit) -> bool:
    """Whether the rows may be others than the code shows: an unknown call, or a loader, lies on one way only.

    A call of unknown effect gives the same rows to all that use its result; two such calls may give different rows.
    """
    if evaluation.via != fit.via or only_names_differ(evaluation, fit) or _filled_otherwise(evaluation, fit):
        return True
    masked_otherwise = _unseen_masks(evaluation.rows) != _unseen_masks(fit.rows)
    return masked_otherwise or (is_step(fit.site.node) and not all(map(is_table, evaluation.rows)))


def _unseen_masks(rows: Rows) -> set[Hashable]:
    keys = (cut.key for part in rows for cut in part.cuts)
    return {key for key in keys if isinstance(key, tuple) and key[0] == UNSEEN_MASK}


def _filled_otherwise(evaluation: Evaluation, fit: Fit) -> bool:
    """Whether one table was filled in from one file for training and from another for the evaluation."""
    shown, taught = _filled(evaluation.marks), _filled(fit.marks)
    return any(rows != taught.get(columns, rows) for columns, rows in shown.items())


def _filled(marks: Marks) -> dict[frozenset[str], Rows]:
    """The columns that were filled in from other files, with the rows of those."""
    return {mark.into: mark.rows for mark in marks if mark.kind is Kind.FILLED and mark.into is not None}


def only_names_differ(evaluation: Evaluation, fit: Fit) -> bool:
    """Whether a loop hands out parts in a way that is not followed, and the code calls one training and one test rows.

    The one place where names count: they never prove a leak, they only take away the proof of one.
    """
    cuts = (c for part in (*evaluation.rows, *fit.rows) for c in part.cuts if c.key != ENTRY)
    divided = any(not isinstance(c.side, Interval | Taken) for c in cuts)
    if divided or not loops_around(evaluation):
        return False
    shown = {part_named(name) for name in _first_names(evaluation.shown)}
    taught = {part_named(name) for name in _first_names(fit.site.node)}
    return bool(shown & {"test", "val"}) and taught == {"train"}


def _first_names(node: ast.AST | None) -> list[str]:
    """The names in the first argument of a call."""
    first = node.args[0] if isinstance(node, ast.Call) and node.args else None
    return [n.id for n in ast.walk(first) if isinstance(n, ast.Name)] if first is not None else []


def is_step(node: ast.AST) -> bool:
    """`loss.backward()`, `tape.gradient(loss, weights)`: one step of training."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _STEPS


_STEPS = frozenset({"backward", "gradient"})


def _learnt_afterwards(fit: Fit, evaluation: Evaluation) -> bool:
    """Whether a loop goes from rows to rows, and each time asks the model about them before it learns from them."""
    loop = evaluation.loops[-1] if evaluation.loops else None
    if loop is None or loop not in fit.loops or fit.site.source is not evaluation.site.source:
        return False
    if fit.site.spot <= evaluation.site.spot:
        return False
    return all(any(of_one_round(cut.side, loop) for cut in part.cuts) for part in evaluation.rows)


def is_unseen(facts: Observations, evaluation: Evaluation) -> bool:
    """Whether no training of the model is known to have met rows of the evaluation."""
    relations = [relation_of(facts, evaluation, fit)[0] for fit in evaluation.model.fits]
    return bool(relations) and not any(relation in SEEN for relation in relations)


def goes_on(evaluation: Evaluation) -> bool:
    """Whether the model adds to what it has learnt; others keep their last training only."""
    return evaluation.model.effect.role is Role.NETWORK
