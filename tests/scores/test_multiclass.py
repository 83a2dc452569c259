"""Multiclass scores: no honest report is called inconsistent, witnesses are real, proofs are complete."""

import itertools
import warnings
from collections.abc import Iterator, Mapping
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    jaccard_score,
    matthews_corrcoef,
    precision_recall_fscore_support,
)

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.answers import Answer
from assay.scores.check import check
from assay.scores.conventions import Undefined
from assay.scores.exact import Exact, Interval, Root
from assay.scores.multiclass import solve
from assay.scores.multiclass.confusion import Confusion, Margins, filled, margins_of
from assay.scores.multiclass.domains import domains
from assay.scores.multiclass.quantities import read_quantities
from assay.scores.multiclass.refute import refute
from assay.scores.multiclass.rows import Setting, rows
from assay.scores.multiclass.values import Gap, Reading, fits, value
from assay.scores.reading import read_words
from examples_tried import a_third_of

Labels = list[int]
QUICK = 400_000
"""A budget that keeps the property tests short."""


def around(x: float, digits: int, steps: int = 0) -> Interval:
    """What x printed with so many digits leaves open, the last digit off by `steps`."""
    unit = Fraction(1, 10**digits)
    shown = Fraction(round(float(x) * 10**digits) + steps, 10**digits)
    return Interval(shown - unit / 2, shown + unit / 2)


def sklearn_scores(actual: Labels, predicted: Labels, classes: int, zero_division: float = 0) -> dict[str, float]:
    """Every figure by the name we give it, as scikit-learn computes it; undefined ones are left out."""
    every = list(range(classes))
    given_labels = {"labels": every, "zero_division": zero_division}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {
            "acc": accuracy_score(actual, predicted),
            "kappa": cohen_kappa_score(actual, predicted, labels=every),
            "mcc": matthews_corrcoef(actual, predicted),
            "balanced accuracy": balanced_accuracy_score(actual, predicted),
        }
        for average in ("macro", "micro", "weighted"):
            scores = precision_recall_fscore_support(actual, predicted, average=average, **given_labels)
            found |= {f"{n}_{average}": s for n, s in zip(("precision", "recall", "f1"), scores[:3], strict=True)}
            if not np.isnan(zero_division):
                found[f"iou_{average}"] = jaccard_score(actual, predicted, average=average, **given_labels)
        of_classes = precision_recall_fscore_support(actual, predicted, **given_labels)[:3]
        for name, scores in zip(("precision", "recall", "f1"), of_classes, strict=True):
            found |= {f"{name}[{i}]": s for i, s in enumerate(scores)}
    return {name: float(x) for name, x in found.items() if not np.isnan(x)}


def labels_of(confusion: Confusion) -> tuple[Labels, Labels]:
    """Actual and predicted labels with this confusion matrix."""
    cells = [(i, j) for i, row in enumerate(confusion) for j, count in enumerate(row) for _ in range(count)]
    return [i for i, _ in cells], [j for _, j in cells]


def witness_of(answer: Answer) -> Confusion:
    return tuple(tuple(map(int, str(x).split())) for name, x in answer.figures if name.startswith("actual "))


@st.composite
def predictions(draw: st.DrawFn, most_classes: int = 5, most_items: int = 60) -> tuple[Labels, Labels, int]:
    """Actual and predicted labels; every class occurs, but some may never be predicted."""
    classes = draw(st.integers(2, most_classes))
    label = st.integers(0, classes - 1)
    actual = list(range(classes)) + draw(st.lists(label, max_size=most_items - classes))
    accuracy = draw(st.sampled_from([0.3, 0.7, 0.95]))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    favourites = random.permutation(classes)[: draw(st.integers(1, classes))]
    predicted = [y if random.random() < accuracy else int(random.choice(favourites)) for y in actual]
    return actual, predicted, classes


@settings(max_examples=a_third_of(40), deadline=None)
@given(predictions(), st.data())
def test_scores_that_scikit_learn_printed_are_never_inconsistent(made: tuple[Labels, Labels, int], data: st.DataObject):
    actual, predicted, classes = made
    zero_division = data.draw(st.sampled_from([0.0, 1.0, np.nan]))
    scores = sklearn_scores(actual, predicted, classes, zero_division)
    names = data.draw(st.lists(st.sampled_from(sorted(scores)), min_size=1, max_size=5, unique=True))
    digits = data.draw(st.integers(2, 4))
    reported = {name: around(scores[name], digits) for name in names}
    answer = solve(np.bincount(actual, minlength=classes).tolist(), reported, budget=QUICK)
    assert answer.verdict is not Verdict.INCONSISTENT, (answer.reason, scores)
    if answer.verdict is Verdict.CONSISTENT and "takes for granted" not in answer.reason:
        again = sklearn_scores(*labels_of(witness_of(answer)), classes)
        assert all(abs(again[name] - scores[name]) < 1.01 * 10**-digits for name in names)


@settings(max_examples=25, deadline=None)
@given(predictions(), st.integers(2, 4), st.booleans())
def test_whole_classification_reports_are_consistent(made: tuple[Labels, Labels, int], digits: int, weighted: bool):
    actual, predicted, classes = made
    scores = sklearn_scores(actual, predicted, classes)
    averages = ("macro", "weighted") if weighted else ("macro",)
    names = ["acc", *(f"{n}_{a}" for n in ("precision", "recall", "f1") for a in averages)]
    names += [f"{n}[{i}]" for n in ("precision", "recall", "f1") for i in range(classes)]
    answer = solve(np.bincount(actual).tolist(), {n: around(scores[n], digits) for n in names})
    assert answer.verdict is Verdict.CONSISTENT, answer.reason


def test_most_single_digit_errors_in_classification_reports_are_caught():
    caught = 0
    for seed in range(25):
        random = np.random.default_rng(seed)
        actual = random.integers(0, 4, 300)
        predicted = np.where(random.random(300) < 0.8, actual, random.integers(0, 4, 300))
        scores = sklearn_scores(actual.tolist(), predicted.tolist(), 4)
        names = ["acc"] + [f"{n}[{i}]" for n in ("precision", "recall", "f1") for i in range(4)]
        wrong = random.choice(names)
        reported = {n: around(scores[n], 3, int(random.integers(1, 10)) if n == wrong else 0) for n in names}
        caught += solve(np.bincount(actual).tolist(), reported).verdict is Verdict.INCONSISTENT
    assert caught >= 24


# An independent evaluation of every score under every convention, straight from the cells of the matrix.


def matrices(counts: tuple[int, ...]) -> list[Confusion]:
    def rows_of(items: int, cells: int) -> Iterator[tuple[int, ...]]:
        for bars in itertools.combinations(range(items + cells - 1), cells - 1):
            edges = (-1, *bars, items + cells - 1)
            yield tuple(b - a - 1 for a, b in itertools.pairwise(edges))

    return list(itertools.product(*(list(rows_of(c, len(counts))) for c in counts)))


def plain_score(confusion: Confusion, label: int, score: str, gap: Gap) -> Fraction | None:
    total, items, hits = sum(map(sum, confusion)), sum(confusion[label]), confusion[label][label]
    predicted = sum(row[label] for row in confusion)
    top, bottom = {
        "recall": (hits, items),
        "precision": (hits, predicted),
        "f1": (2 * hits, items + predicted),
        "specificity": (total - items - predicted + hits, total - items),
        "iou": (hits, items + predicted - hits),
    }[score]
    left_out = score == "f1" and (
        (gap is Gap.SKIP_MISSED and not hits) or (gap is Gap.SKIP_UNPREDICTED and not (items and predicted))
    )
    if bottom == 0 or left_out:
        return None if gap.fill is None else Fraction(gap.fill)
    return Fraction(top, bottom)


def plain_mean(confusion: Confusion, score: str, average: str, gap: Gap) -> Fraction | None:
    values = [plain_score(confusion, i, score, gap) for i in range(len(confusion))]
    weights = [sum(row) if average == "weighted" else 1 for row in confusion]
    kept = [(v, w) for v, w in zip(values, weights, strict=True) if v is not None]
    if (gap is Gap.NEVER and len(kept) < len(values)) or not sum(w for _, w in kept):
        return None
    return sum(v * w for v, w in kept) / Fraction(sum(w for _, w in kept))


def plain_value(confusion: Confusion, name: str, reading: Reading) -> Exact | None:
    gap = reading.gap
    k, total = len(confusion), sum(map(sum, confusion))
    hits = sum(confusion[i][i] for i in range(k))
    rows_, columns = list(map(sum, confusion)), list(map(sum, zip(*confusion, strict=True)))
    chance = sum(r * c for r, c in zip(rows_, columns, strict=True))
    missing = next(iter(reading.whole), None)
    if name == "acc":
        return Fraction(hits, total)
    if name == "kappa":
        return Fraction(total * hits - chance, total**2 - chance) if chance != total**2 else missing
    if name == "mcc":
        spread = (total**2 - sum(r * r for r in rows_)) * (total**2 - sum(c * c for c in columns))
        top = total * hits - chance
        return Root((top > 0) - (top < 0), Fraction(top**2, spread)) if spread else missing
    if "[" in name:
        score, label = name.rstrip("]").split("[")
        found = plain_score(confusion, int(label), score, gap)
        return Fraction(0) if found is None and gap is not Gap.NEVER else found  # a table lists 0 for it
    score, average = name.split("_")
    if score == "f1" and reading.f1_of_means:
        precision, recall = (plain_mean(confusion, s, average, gap) for s in ("precision", "recall"))
        if precision is None or recall is None:
            return None
        return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)
    return plain_mean(confusion, score, average, gap)


READINGS = [
    Reading(gap, f1_of_means, whole)
    for gap in Gap
    for f1_of_means in (False, True)
    for whole in ([()] if gap is Gap.NEVER else [(Fraction(0),), (Fraction(1),), (Fraction(-1),)])
]
NAMES = ["acc", "kappa", "mcc", "recall[0]", "precision[1]", "f1[1]", "iou[0]"] + [
    f"{s}_{a}" for s in ("recall", "precision", "f1", "specificity", "iou") for a in ("macro", "weighted")
]
SMALL = {counts: matrices(counts) for counts in [(2, 2, 1), (3, 1, 1), (1, 1, 2), (4, 3)]}


OTHER_SHARES = ["bacc", "bm", "mk", "mcc", "kappa", "fm", "gm", "upm", "f1n", "f2", "f0.5n"]
UNBOUNDED = ["dor", "lrp", "lrn", "pt"]


def one_versus_rest(confusion: Confusion, label: int, score: str) -> float:
    """Any score of a class in floating point, straight from the textbook; not a number where it is 0/0."""
    total, items, tp = sum(map(sum, confusion)), sum(confusion[label]), float(confusion[label][label])
    fp = sum(row[label] for row in confusion) - tp
    fn, tn = items - tp, total - items - fp
    with np.errstate(divide="ignore", invalid="ignore"):
        sens, spec, ppv, npv = (np.float64(a) / (a + b) for a, b in ((tp, fn), (tn, fp), (tp, fp), (tn, fn)))
        lrp, lrn = sens / (1 - spec), (1 - sens) / spec
        chance = ((tp + fp) * (tp + fn) + (tn + fn) * (tn + fp)) / total**2
        formulas = {
            "bacc": (sens + spec) / 2,
            "bm": sens + spec - 1,
            "mk": ppv + npv - 1,
            "mcc": (tp * tn - fp * fn) / np.sqrt(np.float64((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))),
            "kappa": ((tp + tn) / total - chance) / np.float64(1 - chance),
            "fm": np.sqrt(ppv * sens),
            "gm": np.sqrt(sens * spec),
            "upm": np.float64(4 * tp * tn) / (4 * tp * tn + (tp + tn) * (fp + fn)),
            "f1n": np.float64(2 * tn) / (2 * tn + fp + fn),
            "f2": np.float64(5 * tp) / (5 * tp + 4 * fn + fp),
            "f0.5n": np.float64(1.25 * tn) / (1.25 * tn + 0.25 * fp + fn),
            "dor": np.float64(tp * tn) / (fp * fn),
            "lrp": lrp,
            "lrn": lrn,
            "pt": 1 / (1 + np.sqrt(lrp)),
        }
    return float(formulas[score])


@settings(max_examples=a_third_of(60), deadline=None)
@given(st.data())
def test_other_scores_of_a_class_and_their_means_agree_with_trying_every_matrix(data: st.DataObject):
    counts = data.draw(st.sampled_from(sorted(SMALL)))
    name = data.draw(st.sampled_from(OTHER_SHARES + UNBOUNDED))
    single = name in UNBOUNDED or data.draw(st.booleans())

    def reported(confusion: Confusion) -> float:
        values = [one_versus_rest(confusion, i, name) for i in range(len(counts))]
        return values[0] if single else float(np.mean(values))

    every = [x for x in map(reported, SMALL[counts]) if np.isfinite(x)]
    true = data.draw(st.sampled_from(sorted(set(every))))
    shown = round(true, 3) + data.draw(st.sampled_from([0, 0, 0.01, -0.01, 0.1]))
    window = Interval(Fraction(shown) - Fraction(1, 1990), Fraction(shown) + Fraction(1, 1990))
    answer = solve(counts, {f"{name}[0]" if single else f"{name}_macro": window}, undefined=Undefined.NEVER)
    possible = any(abs(x - shown) < 1 / 1990 for x in every)
    assert answer.verdict is (Verdict.CONSISTENT if possible else Verdict.INCONSISTENT), answer.reason


def test_large_classes_take_exact_arithmetic_beyond_64_bits():
    # 1,500 items to the fourth power, times the digits printed, overflow 64 bits; the scores are those of a real matrix
    confusion = ((450, 25, 25), (35, 425, 40), (5, 10, 485))
    names = ("mcc", "gm", "upm", "dor")
    true = {f"{name}[1]": around(one_versus_rest(confusion, 1, name), 4) for name in names}
    assert solve((500,) * 3, true).verdict is not Verdict.INCONSISTENT
    wrong = true | {"mcc[1]": around(0.9, 4)}
    assert solve((500,) * 3, wrong).verdict is Verdict.INCONSISTENT


@pytest.mark.parametrize("name", ["gm", "mcc", "kappa", "bacc", "lrp", "lrn", "pt", "dor", "upm", "f2"])
def test_a_micro_average_of_any_score_follows_from_the_number_correct(name: str):
    pooled = ((40, 10), (10, 90))  # 40 of 50 items correct in 3 classes, all decisions against the rest together
    true = one_versus_rest(pooled, 0, name)
    assert solve((20, 20, 10), {f"{name}_micro": around(true, 4)}).verdict is Verdict.CONSISTENT
    assert solve((20, 20, 10), {f"{name}_micro": around(true, 4), "acc": exactly("0.82")}).conflict


def some_matrix_fits(counts: tuple[int, ...], reported: Mapping[str, Interval]) -> bool:
    def fits_all(confusion: Confusion, reading: Reading) -> bool:
        values = ((plain_value(confusion, name, reading), i) for name, i in reported.items())
        return all(x is not None and x in interval for x, interval in values)

    return any(fits_all(m, reading) for reading in READINGS for m in SMALL[counts])


@settings(max_examples=a_third_of(40), deadline=None)
@given(st.data())
def test_agrees_with_trying_every_confusion_matrix(data: st.DataObject):
    counts = data.draw(st.sampled_from(sorted(SMALL)))
    confusion = data.draw(st.sampled_from(SMALL[counts]))
    reading = data.draw(st.sampled_from(READINGS))
    names = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    digits = data.draw(st.integers(1, 3))
    reported = {}
    for name in names:
        true = plain_value(confusion, name, reading)
        if true is not None:
            off = data.draw(st.sampled_from([0, 0, 0, 1, -3]))
            about = around(float(true), digits, off)
            reported[name] = Interval(about.lo, about.hi, data.draw(st.booleans()), data.draw(st.booleans()))
    answer = solve(counts, reported)
    assert (answer.verdict is Verdict.CONSISTENT) == some_matrix_fits(counts, reported), answer.reason
    assert answer.verdict is not Verdict.UNDECIDED


@settings(max_examples=a_third_of(40), deadline=None)
@given(predictions(most_items=40), st.sampled_from(READINGS), st.integers(1, 4), st.data())
def test_every_row_holds_for_a_matrix_that_gives_the_figures(
    made: tuple[Labels, Labels, int], reading: Reading, digits: int, data: st.DataObject
):
    actual, predicted, classes = made
    confusion = np.zeros((classes, classes), dtype=int)
    np.add.at(confusion, (actual, predicted), 1)
    margins = margins_of(tuple(map(tuple, confusion.tolist())))
    names = [n for n in NAMES if "[" not in n] + ["npv_macro", "fdr_macro", "acc_ovr_weighted", "f1_micro"]
    names += [f"{n}_macro" for n in OTHER_SHARES] + ["mcc_weighted", "gm_weighted", "f2_weighted"]
    asked = read_quantities(margins.counts, dict.fromkeys(names, Interval(None, None)))
    found = {q: value(q, margins, reading) for q in asked}
    true = {q.name: float(1 - x[0] if q.complement else x[0]) for q, x in found.items() if x}
    quantities = read_quantities(margins.counts, {n: around(x, digits) for n, x in true.items()})
    correct = range(sum(margins.correct), sum(margins.correct) + 1)
    setting = Setting(margins.counts, correct, domains(margins.counts, correct, quantities, reading.gap), reading)
    for row in rows(setting, quantities):
        points = [
            int(row.points(i, np.array([d]), np.array([q]))[0])
            for i, (d, q) in enumerate(zip(margins.correct, margins.predicted, strict=True))
        ]
        assert row.constant + sum(points) >= 0, row.statement
    assert refute(setting.domains, rows(setting, quantities)) is None


def test_margins_are_possible_exactly_when_some_matrix_has_them():
    for counts, every_matrix in SMALL.items():
        real = {margins_of(m) for m in every_matrix}
        total, every = sum(counts), range(sum(counts) + 1)
        for correct in itertools.product(*(range(c + 1) for c in counts)):
            for predicted in itertools.product(every, repeat=len(counts)):
                if sum(predicted) == total:
                    margins = Margins(counts, correct, predicted)
                    assert margins.possible == (margins in real)
                    assert not margins.possible or margins_of(filled(margins)) == margins


@given(st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=4, max_size=4))
def test_a_matrix_is_rebuilt_from_its_margins(cells: list[list[int]]):
    margins = margins_of(tuple(map(tuple, cells)))
    rebuilt = filled(margins)
    assert margins_of(rebuilt) == margins
    assert min(min(row) for row in rebuilt) >= 0


def exactly(x: str) -> Interval:
    return Interval(Fraction(x), Fraction(x))


def test_ordinary_accuracy_has_its_ordinary_meaning():
    answer = solve((50, 50, 50), {"acc": around(0.9467, 4), "kappa": around(0.92, 4), "f1_macro": around(0.9466, 4)})
    assert answer.verdict is Verdict.CONSISTENT
    assert sum(row[i] for i, row in enumerate(witness_of(answer))) == 142


def test_inconsistent_when_accuracy_is_no_whole_number_of_items():
    answer = solve((50, 50, 50), {"acc": around(0.945, 4)})
    assert answer.verdict is Verdict.INCONSISTENT
    assert "between 141.7425 and 141.7575 correct ones of 150 items" in answer.reason
    assert answer.conflict == ("acc",)


@pytest.mark.parametrize("other", ["recall_weighted", "f1_micro", "precision_micro", "micro recall"])
def test_inconsistent_when_an_average_that_is_accuracy_differs_from_it(other: str):
    answer = solve((50, 30, 20), {"acc": around(0.9, 2), other: around(0.91, 2)})
    assert answer.verdict is Verdict.INCONSISTENT
    assert answer.conflict == ("acc", other)


def test_a_weighted_f1_of_0_leaves_no_other_mean_f1():
    answer = solve((6, 4, 3), {"f1_macro": around(0.4, 4), "f1_weighted": around(0, 4)})
    assert answer.verdict is Verdict.INCONSISTENT
    assert answer.reason.startswith("f1_weighted in [-0.00005, 0.00005] leaves no correct item")


@pytest.mark.parametrize("zero", ["f1_macro", "f1_weighted", "precision_macro", "recall_macro", "miou"])
def test_a_mean_of_0_over_the_classes_leaves_no_correct_item(zero: str):
    answer = solve((6, 4, 3), {"acc": around(1 / 13, 4), zero: around(0, 4)})
    assert answer.verdict is Verdict.INCONSISTENT
    assert set(answer.conflict) == {"acc", zero}
    assert solve((6, 4, 3), {"acc": around(0, 4), zero: around(0, 4)}).verdict is Verdict.CONSISTENT


def test_a_mean_that_only_rounds_to_0_may_leave_correct_items():
    assert solve((600, 400), {"acc": around(0.001, 3), "f1_macro": around(0, 2)}).verdict is Verdict.CONSISTENT


def test_mean_recall_of_equally_large_classes_is_accuracy():
    assert solve((50, 50), {"acc": around(0.9, 2), "balanced accuracy": around(0.92, 2)}).conflict == (
        "acc",
        "balanced accuracy",
    )
    assert solve((50, 200), {"acc": around(0.9, 2), "balanced accuracy": around(0.92, 2)}).verdict is Verdict.CONSISTENT


def test_kappa_of_equally_large_classes_follows_from_accuracy():
    assert solve((40, 40, 40), {"acc": around(0.9, 3), "kappa": around(0.85, 3)}).verdict is Verdict.CONSISTENT
    answer = solve((40, 40, 40), {"acc": around(0.9, 3), "kappa": around(0.86, 3)})
    assert answer.verdict is Verdict.INCONSISTENT
    assert set(answer.conflict) == {"acc", "kappa"}


def test_the_mean_one_versus_rest_accuracy_is_a_score_of_its_own():
    assert solve((50, 50, 50), {"acc_ovr_macro": around(0.9644, 4)}).verdict is Verdict.CONSISTENT
    answer = solve((50, 50, 50), {"acc": around(0.9644, 4)})
    assert answer.verdict is Verdict.INCONSISTENT
    assert "one-versus-rest" in answer.reason


def test_inconsistent_when_a_class_has_no_such_recall_precision_and_f1():
    reported = {"recall[cat]": around(0.8, 2), "precision[cat]": around(0.87, 2), "f1[cat]": around(0.82, 2)}
    answer = solve((50, 60, 70), reported, classes=("cat", "dog", "owl"))
    assert answer.verdict is Verdict.INCONSISTENT
    assert answer.conflict == ("recall[cat]", "precision[cat]", "f1[cat]")
    assert "Class cat has 50 of 180 items" in answer.reason
    assert "predictions, but" in answer.reason


def test_the_weighted_sum_of_a_proof_can_be_recomputed_by_hand():
    counts, correct = (88, 42, 20), range(134, 135)
    reported = {"acc": around(0.8933, 4), "kappa": around(0.85, 2)}
    quantities = read_quantities(counts, reported)
    setting = Setting(counts, correct, domains(counts, correct, quantities, Gap.NEVER), Reading())
    proof = refute(setting.domains, rows(setting, quantities))
    assert proof is not None
    assert proof.total < 0
    assert proof.names == ("acc", "kappa")
    assert solve(counts, reported).verdict is Verdict.INCONSISTENT


def test_both_definitions_of_the_macro_f1_are_accepted():
    confusion = ((30, 10, 0), (0, 20, 0), (5, 5, 10))
    margins = margins_of(confusion)
    quantities = read_quantities(
        margins.counts, dict.fromkeys(("precision_macro", "recall_macro", "f1_macro"), exactly("0"))
    )
    shown = {}
    for f1_of_means in (False, True):
        reported = {
            q.name: around(float((value(q, margins, Reading(Gap.NEVER, f1_of_means)) or (0, 0))[0]), 4)
            for q in quantities
        }
        assert solve(margins.counts, reported | {"acc": around(0.75, 4)}).verdict is Verdict.CONSISTENT
        shown[f1_of_means] = reported["f1_macro"]
    assert shown[False] != shown[True]


@pytest.mark.parametrize(
    ("policy", "precision"), [(Undefined.ZERO, "0.4"), (Undefined.ONE, "0.7333"), (Undefined.SKIP, "0.6")]
)
def test_the_convention_for_a_class_that_is_never_predicted_is_tried(policy: Undefined, precision: str):
    # 20 + 20 + 10 items; the third class is never predicted, the others are right 12 of 20 times each.
    reported = {
        "acc": exactly("0.6"),
        "recall[2]": exactly("0"),
        "precision_macro": around(float(precision), 4),
        "recall_macro": around(0.5, 4),
    }
    assert solve((20, 20, 10), reported, undefined=policy).verdict is Verdict.CONSISTENT
    assert solve((20, 20, 10), reported).verdict is Verdict.CONSISTENT


def test_a_class_that_a_mean_leaves_out_may_be_listed_with_0():
    # 4 fn, 3 fp, 8 tn: the positives' F1 is 0 by its counts, and 0/0 by precision and recall for the mean over classes
    reported = {"f1[1]": around(0.0, 4), "recall_macro": around(0.3636, 4), "f1_macro": around(0.6957, 4)}
    assert solve((11, 4), reported).verdict is Verdict.CONSISTENT
    assert solve((11, 4), reported | {"f1[1]": around(0.1, 4)}).verdict is Verdict.INCONSISTENT
    assert solve((11, 4), reported, undefined=Undefined.ZERO).verdict is Verdict.INCONSISTENT


@pytest.mark.parametrize("zero_division", [0.0, 1.0, np.nan])
def test_a_correlation_of_0_stands_beside_every_convention_for_classes(zero_division: float):
    # scikit-learn prints 0 for an MCC of 0/0, whatever it is told to do about the precision of a class
    actual, predicted = [0] * 3 + [1] * 2 + [2] * 2, [0] * 7
    scores = sklearn_scores(actual, predicted, 3, zero_division)
    reported = {
        "recall[0]": around(1.0, 4),
        "precision_macro": around(scores["precision_macro"], 4),
        "mcc": around(scores["mcc"], 4),
    }
    assert solve((3, 2, 2), reported).verdict is Verdict.CONSISTENT


def test_means_over_classes_without_items_are_never_called_inconsistent():
    assert solve((10, 10, 0), {"recall_macro": around(0.93, 3)}).verdict is Verdict.UNDECIDED
    assert solve((10, 10, 0), {"acc": around(0.93, 3)}).verdict is Verdict.INCONSISTENT


def test_ten_classes_of_a_large_test_set_get_a_witness():
    random = np.random.default_rng(5)
    actual = random.choice(10, 10_000, p=random.dirichlet(np.full(10, 5)))
    predicted = np.where(random.random(10_000) < 0.85, actual, random.integers(0, 10, 10_000))
    scores = sklearn_scores(actual.tolist(), predicted.tolist(), 10)
    names = ("acc", "precision_macro", "recall_macro", "f1_macro", "f1_weighted", "kappa", "mcc")
    answer = solve(np.bincount(actual).tolist(), {n: around(scores[n], 3) for n in names})
    assert answer.verdict is Verdict.CONSISTENT
    assert fits(
        witness_of(answer),
        read_quantities(np.bincount(actual).tolist(), {n: around(scores[n], 3) for n in names}),
        Reading(),
    )


def test_too_large_a_problem_is_still_tested_for_its_number_of_correct_items():
    counts = [50] * 1000
    assert solve(counts, {"acc": around(0.76, 2), "recall_weighted": around(0.78, 2)}).verdict is Verdict.INCONSISTENT
    assert solve(counts, {"acc": around(0.76, 2), "f1_macro": around(0.7, 2)}).verdict is Verdict.UNDECIDED


def test_a_spent_budget_gives_no_verdict():
    reported = {"acc": around(0.83, 2), "iou_macro": around(0.70123, 5), "mcc": around(0.7812, 4)}
    answer = solve((61, 79, 83, 98), reported, budget=1000)
    assert answer.verdict is Verdict.UNDECIDED
    assert answer == solve((61, 79, 83, 98), reported, budget=1000)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("f1", "f1_macro"),
        ("acc_macro", "acc_ovr_macro"),
        ("acc[0]", "recall[...]"),
        ("recall[7]", "0 to 2"),
        ("recal_macro", 'Did you mean "recall"'),
        ("lrp_macro", "Tested are"),
        ("weighted kappa", "Leave it out"),
        ("macro micro f1", "Keep one"),
    ],
)
def test_ambiguous_and_unknown_names_are_refused_with_a_hint(name: str, hint: str):
    with pytest.raises(InputError) as error:
        solve((10, 20, 30), {name: around(0.8, 2)})
    assert hint in str(error.value)


@pytest.mark.parametrize("counts", [(), (10,), (0, 0), (5, -1)])
def test_class_counts_must_make_sense(counts: tuple[int, ...]):
    with pytest.raises(InputError):
        solve(counts, {"acc": around(0.8, 2)})


@pytest.mark.parametrize(
    "words",
    [
        "classes=9,15,18,11,30 bacc=0.3830 recall_macro=0.3830 precision_macro=0.3773",
        "classes=25,4,15,42,9,60 mcc=0.179 f1_macro=0.278 precision_macro=0.304 recall_macro=0.316",
        "classes=29,9,11,49 precision_macro=0.7037 precision_weighted=0.8223",
        "classes=38,2,55,44,27,26 bacc=0.3691 f1_weighted=0.2491 recall_weighted=0.2396",
    ],
)
def test_honest_figures_of_many_classes_are_decided(words: str) -> None:
    """Real scikit-learn reports; a search by small changes found no matrix for them."""
    assert check(read_words(words.split())).verdict is Verdict.CONSISTENT
