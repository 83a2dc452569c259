"""When a score on rows that a model has seen may be held against anybody: a number is claimed, and the way is known."""

from __future__ import annotations

import ast

from assay.leakage.code.checks.differences import function_around, is_error
from assay.leakage.code.checks.idle_tests import asks_how_good, idle, names_others
from assay.leakage.code.checks.telling import Facts, code_at
from assay.leakage.code.dividing.windows import given_to
from assay.leakage.code.effects import GIVEN
from assay.leakage.code.models.by_hand import BY_HAND
from assay.leakage.code.scored.search_loops import inside
from assay.leakage.code.state.events import COVER, DIFFERENCE, LOSS, Evaluation, Purpose
from assay.leakage.code.state.parts import part_named
from assay.leakage.code.state.provenance import is_form, is_table
from assay.leakage.code.state.rows import Interval, OriginKind, Taken
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Estimator, Fit
from assay.patterns import regex

_LEARNT_BY = frozenset({DIFFERENCE, LOSS, COVER, "cross_entropy", "mse_loss", "l1_loss", "nll_loss",
                        "binary_cross_entropy", "binary_cross_entropy_with_logits", "smooth_l1_loss",
                        "kl_div"})  # fmt: skip
"""What training computes on its own rows to learn by; it claims nothing."""
_COUNTED = regex(r"sum|mean|average|acc|count|correct|len\(|score|float|right|hits|append\(|/")
"""Signs that comparisons of predictions with the truth are counted."""
_MEASURE = regex(r"score|metric|eval|error|accuracy|report|confusion|(?:^|[._])(?:rms\w*|mae|mse|r2|auc|acc|f1)\b")
"""What calls are called that tell how good predictions are."""


def claims(evaluation: Evaluation) -> bool:
    """Whether a number comes of it: not what training learns by, and not a look at which rows went wrong."""
    if evaluation.measure == "score" and _without_truth(evaluation.shown):
        return False  # how likely rows are: nothing was predicted
    if evaluation.model.name in _LINES and _inflation(evaluation):
        return False  # how well the other columns foretell one of them
    if evaluation.measure == "comparison" and _COUNTED.search(code_at(evaluation.site)) is None:
        return False
    if evaluation.measure == DIFFERENCE:
        return is_error(evaluation.site)
    return evaluation.measure not in _LEARNT_BY


_LINES = frozenset({"LinearRegression", "OLS"})


def _inflation(evaluation: Evaluation) -> bool:
    """Whether a share of variance is made a variance inflation factor: `1 / (1 - r2)`."""
    around = function_around(evaluation.site) or (evaluation.loops[-1] if evaluation.loops else None)
    for n in ast.walk(around) if around is not None else ():
        match n:
            case ast.BinOp(
                left=ast.Constant(value=1),
                op=ast.Div(),
                right=ast.BinOp(left=ast.Constant(value=1), op=ast.Sub()),
            ):
                return True
    return False


def told_of(facts: Facts) -> list[Evaluation]:
    """The scores that are told; where there is none at all, what training only watches is the test, or its own log.

    What functions for others would tell of a model that they are given counts for none.
    """
    scores = [e for e in facts.evaluations if e.purpose is Purpose.SCORE and claims(e)]
    scores = [e for e in scores if e.model.effect.how != GIVEN or e.site not in facts.trace.uncalled]
    watched = [e for e in facts.evaluations if e.purpose is Purpose.WATCHED]
    if scores or watched or not facts.trace.looked_back:
        return scores or watched
    tree = None if facts.source is None else facts.source.tree
    return [e for e in facts.trace.looked_back if idle(tree) and not asks_how_good(tree) and not _of_train(e)]


def _of_train(evaluation: Evaluation) -> bool:
    """Whether the code calls the rows that it fits on training rows: others were left for a test, here or elsewhere."""
    calls = (fit.site.node for fit in evaluation.model.fits)
    given = (value for call in calls if isinstance(call, ast.Call) for value in (*call.args, *call.keywords))
    named = (n.id for value in given for n in ast.walk(value) if isinstance(n, ast.Name))
    return any(part_named(name) == "train" for name in named)


def tested_unseen(facts: Facts, model: Estimator) -> bool:
    """Whether weights made by hand may be tested where it does not show: something is called after other rows."""
    return model.name == BY_HAND and names_others(None if facts.source is None else facts.source.tree)


def scored_out_of_sight(facts: Facts, prediction: Evaluation) -> bool:
    """Whether predictions may be scored in a way that is not followed: by a call so named, or their truth is there."""
    if any(_MEASURE.search(name) for name in facts.trace.unknown):
        return True
    fits = prediction.model.fits
    others = {part.origin for part in prediction.rows} - {part.origin for fit in fits for part in fit.rows}
    return any((origin, name) in facts.trace.mentioned for origin in others for fit in fits for name in fit.target)


def _without_truth(node: ast.AST | None) -> bool:
    """`model.score(X)`: of an object that learns without an outcome."""
    return isinstance(node, ast.Call) and len(node.args) + len(node.keywords) == 1


def proven(evaluation: Evaluation, fits: list[Fit]) -> bool:
    """Whether the way to these rows is known well enough to accuse anybody.

    Steps of training go through the hands of loaders and batches: there every call on the way must be known, and the
    score must not be the one by which training tells how it goes.
    """
    if any(map(is_form, evaluation.rows)):
        return False
    tables = all(map(is_table, evaluation.rows))
    steps = [fit.site.node for fit in fits if is_step(fit.site.node)]
    if steps:
        loop = evaluation.loops[-1] if evaluation.loops else None
        same = _divided_for_nothing(evaluation, fits) or _loaded_twice(evaluation, fits)
        known = (tables or same) and not evaluation.via
        return known and not (loop is not None and any(inside(s, loop) for s in steps))
    divided = any(not isinstance(cut.side, Interval | Taken) for part in evaluation.rows for cut in part.cuts)
    whole = not divided and not any(part.cuts for fit in fits for part in fit.rows)
    if whole and evaluation.loops and named_apart(evaluation, fits):
        return False  # parts that a loop hands out, as their names say, or slices of such
    given = any(part.origin.kind is not OriginKind.PARAMETER for part in evaluation.rows)
    given = given and not all(part.origin.kind is OriginKind.UNDEFINED for part in evaluation.rows)
    return tables or (given and not evaluation.via)


def _divided_for_nothing(evaluation: Evaluation, fits: list[Fit]) -> bool:
    """Whether what is scored is one side of a split, and training was given just what was split, and no side of it.

    Then it does not matter what was split: a list of files will do.
    """
    for part in evaluation.rows:
        drawn = {c for c in part.cuts if c.side == "test" and isinstance(c.key, tuple) and c.key[0] == "split"}
        taught = [p.cuts for fit in fits for p in fit.rows if p.origin == part.origin]
        if len(drawn) != 1 or not taught or any(cuts != part.cuts - drawn for cuts in taught):
            return False
    return bool(evaluation.rows)


def _loaded_twice(evaluation: Evaluation, fits: list[Fit]) -> bool:
    """Whether the loader that is scored is one of the very data set that the loader of training is of.

    Then it does not matter either what that is, if it is given a value once.
    """
    given = given_to(evaluation.site.source.tree)
    scored, *taught = (_loaded(given, loops) for loops in (evaluation.loops, *(fit.loops for fit in fits)))
    if not scored or len(given.get(scored, ())) != 1:
        return False
    return all(one == scored for one in taught) and all(evaluation.rows == fit.rows for fit in fits)


def _loaded(given: dict[str, list[ast.expr]], loops: tuple[ast.AST, ...]) -> str:
    """The name of the data set whose loader the innermost of some loops goes through; nothing where a sampler draws."""
    over = loops[-1].iter if loops and isinstance(loops[-1], ast.For) else None
    while isinstance(over, ast.Call) and over.args:
        over = over.args[0]  # `enumerate(loader)`
    made = given.get(text_of(over), ()) if isinstance(over, ast.Name | ast.Attribute) else ()
    match made:
        case [ast.Call(func=func, args=[ast.Name() | ast.Attribute() as whole, *_], keywords=words)]:
            drawn = any(word.arg in {None, "sampler", "batch_sampler"} for word in words)
            return text_of(whole) if text_of(func).endswith("DataLoader") and not drawn else ""
    return ""


def named_apart(evaluation: Evaluation, fits: list[Fit]) -> bool:
    """Whether the code calls the rows that it fits on training rows, and those that it predicts for test rows."""
    shown = {part_named(name) for name in _names_of(evaluation)}
    taught = {part_named(name) for fit in fits for name in _first_names(fit.site.node)}
    return bool(shown & {"test", "val"}) and taught == {"train"}


def _names_of(evaluation: Evaluation) -> list[str]:
    """What the code calls the rows that a model is held against, or that training watches."""
    if evaluation.purpose is not Purpose.WATCHED:
        return _first_names(evaluation.shown)
    given = [k.value for k in getattr(evaluation.site.node, "keywords", ())]
    return [n.id for value in given for n in ast.walk(value) if isinstance(n, ast.Name)]


def _first_names(node: ast.AST | None) -> list[str]:
    """The names in the first argument of a call."""
    first = node.args[0] if isinstance(node, ast.Call) and node.args else None
    return [n.id for n in ast.walk(first) if isinstance(n, ast.Name)] if first is not None else []


def is_step(made: ast.AST) -> bool:
    """`loss.backward()`, `tape.gradient(loss, weights)`: one step of training."""
    return isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr in _STEPS


_STEPS = frozenset({"backward", "gradient"})
