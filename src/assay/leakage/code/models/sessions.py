"""Networks of TensorFlow 1: a session runs parts of a graph, and is given the rows each time."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.leakage.code.models import fitting, transforming
from assay.leakage.code.scored import scoring
from assay.leakage.code.state.events import LOSS
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import UNKNOWN, Data, Estimator, Mapping, Prediction, Seq, Shape, Value
from assay.patterns import regex

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call

SESSION = "session"
"""How the table describes what runs a graph."""
_STEPS = frozenset({"minimize", "apply_gradients"})
_STEP = regex(r"(?:train|optimi[sz]er?|update)(?:_?(?:op|ops|step))?$")
_MEASURES = (
    ("acc", "accuracy"),
    ("auc", "auc"),
    ("f1", "f1"),
    ("mse", "mse"),
    ("error", "error"),
    ("loss", LOSS),
    ("cost", LOSS),
)
"""What graphs measure, by the names that people give it."""


def run(c: Call, model: Estimator) -> Value:
    """`session.run(step, feed_dict={x: X_train, y: y_train})` trains, `session.run(output, …)` asks."""
    data = c.data(1, "feed_dict")
    wanted = c.node.args[0] if c.node.args else next((k.value for k in c.node.keywords if k.arg == "fetches"), None)
    if not data.rows or wanted is None:
        return UNKNOWN
    listed = wanted.elts if isinstance(wanted, ast.List | ast.Tuple) else [wanted]
    steps = _steps(c.m.source.tree)
    if any(text_of(one) in steps or _STEP.search(text_of(one)) for one in listed):
        fitting.keep(c, fitting.fitted(c, model, data, UNKNOWN))
        return Data(shape=Shape.SUMMARY)
    found = tuple(_asked(c, model, data, text_of(one)) for one in listed)
    return found[0] if listed == [wanted] else Seq(found)


def evaluated(c: Call) -> Value | None:
    """`accuracy.eval({x: X_test, y: y_test})`: the session around is asked for one part of the graph."""
    given = c.value(0, "feed_dict") if c.name == "eval" else None
    if given is None or not isinstance(c.m.plain(given), Mapping) or not isinstance(c.node.func, ast.Attribute):
        return None
    open_ones = [v for v in c.m.heap.values() if isinstance(v, Estimator) and v.effect.how == SESSION]
    data = c.m.data(given)
    return _asked(c, open_ones[-1], data, text_of(c.node.func.value)) if open_ones and data.rows else None


def _asked(c: Call, model: Estimator, data: Data, name: str) -> Data:
    """What the graph says of rows, or how good that is."""
    measure = next((told for word, told in _MEASURES if word in name.lower()), None)
    if measure is None:
        return transforming.predicted(c, model, data)
    scoring.score(c.m, c.node, model, data, measure, accuracy=measure == "accuracy")
    said = frozenset({Prediction(model, data.rows, data.marks, c.site)})
    return Data(marks=frozenset({scoring.score_mark(c.m, c.node)}), shape=Shape.SUMMARY, predictions=said)


@lru_cache(maxsize=16)
def _steps(tree: ast.AST | None) -> frozenset[str]:
    """What the code calls the steps by which a graph learns."""
    made = (n for n in ast.walk(tree) if isinstance(n, ast.Assign)) if tree is not None else ()
    return frozenset(
        text_of(target)
        for n in made
        if isinstance(n.value, ast.Call) and isinstance(n.value.func, ast.Attribute) and n.value.func.attr in _STEPS
        for target in n.targets
    )
