"""Where models are evaluated on rows: metrics, comparisons, cross-validation, and torch's training step."""

from __future__ import annotations

import ast
from collections.abc import Hashable

from assay.leakage.code.dividing import splits
from assay.leakage.code.effects import Effect, How, Role
from assay.leakage.code.language.call import Call
from assay.leakage.code.learnt.kinds import as_bound
from assay.leakage.code.models import by_hand, columns_taken
from assay.leakage.code.state.events import COUNT, DIFFERENCE, LOSS, Evaluation, Imbalance, Purpose, Scheme
from assay.leakage.code.state.in_order import predictions_in_order
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.provenance import tables_in
from assay.leakage.code.state.rows import Cut, cut_rows, joined
from assay.leakage.code.state.values import (
    OF_OUTCOMES,
    UNKNOWN,
    WITHOUT_ROWS,
    Data,
    Estimator,
    Fit,
    Instance,
    Kind,
    Mark,
    Marks,
    Prediction,
    Ref,
    Seq,
    Shape,
    Value,
)
from assay.records import replace

_PAIR = 2
_EXTRA = frozenset({Kind.THRESHOLD, Kind.FILTER, Kind.SWEEP})


def metric(c: Call) -> Value:
    """A score of predictions against what is true; also of a model and rows (`plot_roc_curve(model, X, y)`)."""
    told = _told(c)
    result, measure = united(told), c.name.rpartition(".")[2]
    truth = _name_of_truth(told)
    evaluate_predictions(c.m, c.node, result, measure, accuracy=c.effect.how is How.ACCURACY, truth=truth)
    for position, value in enumerate(c.args):
        model = c.m.plain(value)
        if isinstance(model, Estimator):
            score(c.m, c.node, model, united([c.m.data(v) for v in c.args[position + 1 : position + 2]]), c.name)
    said = frozenset(p if p.rows else replace(p, rows=result.rows) for p in result.predictions)
    return replace(result.summary, marks=frozenset({score_mark(c.m, c.node)}), predictions=said)


def tabulated(c: Call) -> Effect | None:
    """`pd.crosstab(truth, said)` is a confusion matrix; of two columns of a table it is a count, and none of this."""
    if not c.name.endswith(".crosstab"):
        return None
    said = [bool(data.predictions) for data in c.all_data() if data.rows]
    return Effect(Role.METRIC) if len(said) == _PAIR and said[0] != said[1] else None


def _told(c: Call) -> list[Data]:
    """The columns that a measure is given: what is true, what was said of it, perhaps by a model written by hand."""
    given = c.all_data()
    if len(given) < _PAIR:
        return given
    one, other, *rest = given
    if any(data.predictions for data in given):
        return given
    return [_said(c, one, other), _said(c, other, one), *rest]


def _said(c: Call, said: Data, truth: Data) -> Data:
    """What a model or a detector must have said, if this is the truth of it."""
    return by_hand.as_detection(c.m, c.node, by_hand.as_prediction(c.m, c.node, said, truth), truth)


def loss(c: Call) -> Value:
    """`criterion(said, truth)`: what training learns by; on rows set apart it is a score."""
    whole = united(c.all_data())
    evaluate_predictions(c.m, c.node, whole, LOSS)
    return replace(whole.summary, marks=frozenset({score_mark(c.m, c.node)}), predictions=whole.predictions)


def score_mark(m: Machine, node: ast.AST) -> Mark:
    """The trace on a number that tells how good a model is."""
    return Mark(Kind.SCORE, "score", m.site(node))


def curve(c: Call) -> Value:
    """`roc_curve`: a score, and thresholds that know the rows they were computed on."""
    whole = united(c.all_data())
    evaluate_predictions(c.m, c.node, whole, c.name.rpartition(".")[2])
    mark = Mark(Kind.THRESHOLD, c.name.rpartition(".")[2], c.site, whole.rows)
    return Data(marks=frozenset({mark}), shape=Shape.SUMMARY)


def _name_of_truth(given: list[Data]) -> frozenset[str]:
    """The name of the column that predictions are compared with."""
    true = [data for data in given if data.rows and not data.predictions]
    return (true[0].columns.only or frozenset()) if len(true) == 1 else frozenset()


def evaluate_predictions(
    m: Machine, node: ast.AST, data: Data, measure: str, *, accuracy: bool = False, truth: frozenset[str] = frozenset()
) -> None:
    """Every prediction in what is scored is an evaluation of the model that made it."""
    told = frozenset(k for k in data.marks if k.kind in _EXTRA)
    for prediction in predictions_in_order(data.predictions):
        rows = prediction.rows or data.rows  # a forecast is made for no rows, but held against some
        if not prediction.model.fits:
            m.trace.untrained.setdefault(prediction.model.serial, set()).add(rows)
        else:
            m.trace.add(
                Evaluation(prediction.model, rows, prediction.marks, measure, m.site(node), Purpose.SCORE,
                           m.loops, prediction.via, accuracy, told, prediction.site.node, truth)
            )  # fmt: skip


def score(m: Machine, node: ast.AST, model: Estimator, data: Data, measure: str, *, accuracy: bool = False) -> None:
    """`model.score(X, y)`."""
    if data.rows or not model.fits:
        said = Prediction(model, data.rows, data.marks, m.site(node), data.via)
        evaluate_predictions(m, node, replace(data, predictions=frozenset({said})), measure, accuracy=accuracy)


def compared(m: Machine, node: ast.AST, left: Data, right: Data, *, accuracy: bool = False) -> Data:
    """`y_pred == y_test` is an accuracy in the making, `y_pred - y_test` an error; with the trace that says so."""
    one, other = left, right
    if left.rows and right.rows and not (left.predictions or right.predictions):
        one, other = by_hand.as_prediction(m, node, left, right), by_hand.as_prediction(m, node, right, left)
    both = united([one, other])
    if bool(one.predictions) != bool(other.predictions):
        said, truth = (one, other) if one.predictions else (other, one)
        if truth.rows and not by_hand.is_guess(said, truth):
            measure, name = "comparison" if accuracy else DIFFERENCE, _name_of_truth([truth])
            evaluate_predictions(m, node, both, measure, accuracy=accuracy, truth=name)
            return both.marked(score_mark(m, node))
    return both


def counted(m: Machine, node: ast.If) -> Data | None:
    """What a condition says about how good a model is: `if said == truth:`, `if said == 1 and truth == 1:`.

    So does one inside another: `if truth == 1:`, and there `if said == 1:`. Where it is counted, that is a score.
    Of several cases (`if (said > 0.5 and truth == 1) or (said < 0.5 and truth == 0):`) each says the same.
    """
    test = _one_case(node.test)
    sides = test.values if isinstance(test, ast.BoolOp) else [test]
    if not any(isinstance(s, ast.Compare) and isinstance(s.ops[0], ast.Eq | ast.NotEq) for s in sides):
        return None
    found = [m.data(m.evaluate(side)) for side in sides]
    if len(found) == 1 and not any(k.kind is Kind.SCORE for k in found[0].marks) and m.asked.rows:
        found.append(m.asked)
    whole = compared(m, test, *found, accuracy=True) if len(found) == _PAIR else united(found)
    if not any(k.kind is Kind.SCORE for k in whole.marks):
        return None
    if any(isinstance(statement, ast.AugAssign) for statement in (*node.body, *node.orelse)):
        evaluate_predictions(m, test, whole, COUNT, accuracy=True)
    return whole.summary


def _one_case(test: ast.expr) -> ast.expr:
    """The first of several cases, where a condition consists of such."""
    cases = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else []
    return cases[0] if len(cases) > 1 and all(isinstance(case, ast.BoolOp) for case in cases) else test


def asked(m: Machine, test: ast.expr) -> Data:
    """The column that a condition compares with a literal: `if truth[i] == 1:`."""
    match test:
        case ast.Compare(left=ast.Name() | ast.Subscript() as column, ops=[ast.Eq()], comparators=[ast.Constant()]):
            return m.data(m.evaluate(column))
    return m.asked


def compare(c: Call) -> Value:
    """`said.eq(truth)`, `np.equal(said, truth)`: as `said == truth`."""
    others = united([c.m.data(v) for v in c.args[-1:] if not isinstance(c.m.plain(v), WITHOUT_ROWS)])
    both = compared(c.m, c.node, c.base, others, accuracy=True)
    return replace(both, shape=Shape.MASK, cuts=frozenset()) if both.rows else both


def cross_validate(c: Call) -> Value:
    """Folds made out of sight: the model is fitted on one side and scored on the other, again and again."""
    model = _cross_validated_model(c)
    features = c.data(1, "X", "dtrain", "train_set", "pool")
    target = features if c.effect.how is How.NO_ESTIMATOR else c.data(2, "y")
    if c.effect.how is How.FITTED and model.fits:  # it divides the rows that the model has
        features = target = Data(joined(fit.rows for fit in model.fits))
    says = c.name.endswith("cross_val_predict")
    accuracy = not says and ("scoring" not in c.keywords or c.constant(-1, "scoring") == "accuracy")
    scheme = splits.scheme(c, c.value(-1, "cv"))
    folds = Purpose.CROSS_VALIDATION
    held = cross_validated(c, model, features, target, purpose=folds, scheme=scheme, accuracy=accuracy)
    if says:
        said = Prediction(held.model, held.rows, held.marks, c.site)
        return replace(features, shape=Shape.COLUMN, predictions=frozenset({said}))
    judged = Prediction(model, features.rows, features.marks, c.site)
    return Data(marks=frozenset({score_mark(c.m, c.node)}), shape=Shape.SUMMARY, predictions=frozenset({judged}))


def _cross_validated_model(c: Call) -> Estimator:
    """The model that a call cross-validates; one of its own where it is given none."""
    given = UNKNOWN if c.effect.how is How.NO_ESTIMATOR else c.m.plain(c.value(0, "estimator", "model") or c.base)
    model = given.network if isinstance(given, Instance) else given
    if isinstance(model, Estimator):
        return model
    return Estimator(c.effect, c.name.rpartition(".")[2], c.site, ("cv", c.node))


def cross_validated(
    c: Call, model: Estimator, features: Data, target: Data, *, purpose: Purpose, scheme: Scheme, accuracy: bool = False
) -> Evaluation:
    """Write down a cross-validation, and give what was written."""
    key: Hashable = ("folds", c.node, c.m.stack, c.m.rounds)
    rows = features.rows or target.rows
    train, test = (cut_rows(rows, [Cut(key, side)]) for side in splits.SIDES)
    fit = Fit(
        c.site,
        train,
        features.marks | of_target(target),
        columns_taken.reaching(c.m, model, features.columns),
        target.columns.only or frozenset(),
        target.marks,
        via=features.via,
    )
    trained = replace(model, fits=frozenset({fit}))
    splits.record(c, key, scheme, united([features, target]), c.name.rpartition(".")[2])
    held = Evaluation(
        trained, test, features.marks, c.name.rpartition(".")[2], c.site, purpose, c.m.loops, features.via, accuracy
    )
    c.m.trace.add(held)
    return held


def of_target(target: Data) -> Marks:
    """What was learnt on the way to the outcome, but for what defines it: its classes, its unit, what it is made of.

    `y / y.max()` says in what the outcome is counted, and tells no model anything of other rows.
    """
    grouped = frozenset(k for k in target.marks if k.kind is Kind.STATISTIC and k.supervised)
    marks = map(as_bound, target.marks - grouped) if target.shape is Shape.MASK else target.marks - grouped
    return frozenset(k for k in marks if k.rows and k.kind not in OF_OUTCOMES)


def backward(c: Call, loss: Data) -> None:
    """`loss.backward()`: the networks behind the loss learn from the rows that they were shown."""
    m = c.m
    m.trace.step_loops[c.site] = m.loops
    for prediction in predictions_in_order(loss.predictions):
        shown, via = prediction.rows, prediction.via
        fit = Fit(c.site, shown, prediction.marks, loss.columns, frozenset(), loops=m.loops, via=via)
        told = (mark.site for mark in loss.marks if mark.kind is Kind.SCORE)
        m.trace.taught.update((site, prediction.model.serial, tables_in(shown)) for site in told)
        for key, value in list(m.heap.items()):
            if (now := _taught(value, prediction.model, fit)) is not value:
                m.store(Ref(key), now)


def _taught(value: Value, model: Estimator, fit: Fit) -> Value:
    """A value after a step of training, if it is the network that is trained."""
    network = value.network if isinstance(value, Instance) else value
    if not isinstance(network, Estimator) or network.serial != model.serial:
        return value
    now = replace(network, fits=network.fits | {fit})
    return replace(value, network=now) if isinstance(value, Instance) else now


def imbalance(c: Call, told: str) -> None:
    """Write down a sign that one class is rare."""
    c.m.trace.add(Imbalance(c.site, told))


def pair(value: Value, m: Machine) -> tuple[Data, Data]:
    """`(X, y)` given as one argument."""
    plain = m.plain(value)
    if isinstance(plain, Seq) and len(plain.items) >= 2:
        return m.data(plain.items[0]), m.data(plain.items[1])
    return m.data(value), m.data(value)
