"""Diagnosis: faults planted in honest scores are found again, and nothing is proposed that does not hold."""

from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from assay.findings import Verdict
from assay.scores.answers import consistent, inconsistent
from assay.scores.check import Hypothesis, Result, check
from assay.scores.definitions import SCORES, Matrix
from assay.scores.diagnosis import PRIORS, RepairKind, diagnose
from assay.scores.diagnosis.averages import CLASS_AVERAGES
from assay.scores.diagnosis.figures import misprinted_digits
from assay.scores.diagnosis.misprints import one_digit, shifted, transposed
from assay.scores.exact import INFINITY, compare
from assay.scores.experiment import Aggregation, Experiment, FoldModel
from assay.scores.reading import read_words


def diagnosed(words, **options):
    experiment = read_words(words.split())
    assert check(experiment).verdict is Verdict.INCONSISTENT
    return diagnose(experiment, check, **options)


def size(repair):
    whole = repair.experiment.datasets[0].whole
    return whole.p, whole.n


def figures(repair):
    return {r.name: r.printed for r in repair.experiment.reported}


def meanings(repair):
    return [r.score.name for r in repair.experiment.reported]


def test_scores_of_another_test_set_are_traced_to_its_size():
    found = diagnosed("p=49 n=80 acc=.455 recall=.45 spec=.457 prec=.321", sizes_up_to=300)
    sizes = [size(repair) for repair in found.repairs]
    assert sizes[0] == (20, 35)
    assert found.repairs[0].answer.witness == (Matrix(9, 11, 19, 16),)
    assert found.repairs[0].kind is RepairKind.ANOTHER_SET
    assert found.repairs[0].fitted == 6
    assert "the smallest with 20 + 35 items" in found.repairs[0].sentence


def test_one_wrong_digit_is_found_in_a_garbled_figure():
    # The worked example of Fazekas & Kovács, section 3.3, with its accuracy .6821 misprinted.
    found = diagnosed("p=1000 n=6000 acc=0.6801 npv=0.9401 f1=0.4004", budget=500, sizes_up_to=0)
    assert figures(found.repairs[0])["acc"] == "0.6821"
    assert found.repairs[0].sentence == (
        "It would be consistent if acc were 0.6821, not 0.6801 (1 of 108 changes of this kind would do)."
    )


def test_oversampling_before_the_split_is_found_in_the_electrohysterogram_scores():
    # Fazekas & Kovács, section 5.2: 38 positives that had been oversampled to 244.
    found = diagnosed("p=38 n=262 acc=0.9447 sens=0.9139 spec=0.9733")
    assert found.repairs[0].kind is RepairKind.OVERSAMPLED
    assert size(found.repairs[0]) == (244, 262)
    assert (found.repairs[0].fitted, found.repairs[0].tried) == (1, 224)


def test_oversampling_is_found_also_where_nothing_is_known_of_the_folds():
    found = diagnosed("p=38 n=262 folds=5 aggregation=mean acc=0.9447 sens=0.9139 spec=0.9733 eps=0.0001")
    assert [size(repair) for repair in found.repairs] == [(244, 262)]
    assert [matrix.p + matrix.n for matrix in found.repairs[0].answer.witness] == [101, 101, 101, 101, 102]
    assert "changes were tried with stratified folds only" in found.left_out


def test_with_few_checks_those_that_fit_without_folds_are_tried_first():
    words = "p=38 n=262 folds=5 fold_model=stratified aggregation=mean acc=0.9447 sens=0.9139 spec=0.9733"
    found = diagnosed(words, budget=60)
    assert "minority class oversampled: only 8 changes were tried" in found.left_out
    assert [size(repair) for repair in found.repairs] == [(244, 262)]


PLANTED = {
    "two digits transposed": (
        "p=120 n=310 acc=0.879 sens=0.808 spec=0.960",
        RepairKind.TRANSPOSED,
        lambda r: figures(r)["spec"] == "0.906",
    ),
    "a share printed as a tenth": (
        "p=120 n=310 acc=0.0879 sens=0.808 spec=0.906",
        RepairKind.POINT,
        lambda r: figures(r)["acc"] == "0.879",
    ),
    "accuracy and specificity exchanged": (
        "p=120 n=310 acc=0.906 sens=0.808 spec=0.879",
        RepairKind.EXCHANGED,
        lambda r: figures(r) == {"acc": "0.879", "sens": "0.808", "spec": "0.906"},
    ),
    "the other class as the positive one": (
        "p=310 n=120 acc=0.879 sens=0.808 spec=0.906 f1=0.789",
        RepairKind.CLASSES,
        lambda r: size(r) == (120, 310),
    ),
    "negative predictive value called precision": (
        "p=120 n=310 acc=0.879 sens=0.808 precision=0.924",
        RepairKind.NAME,
        lambda r: meanings(r) == ["acc", "sens", "npv"],
    ),
    "an error rate called accuracy": (
        "p=120 n=310 acc=0.121 sens=0.808 spec=0.906",
        RepairKind.NAME,
        lambda r: r.experiment.reported[0].complement,
    ),
    "precision and F1 weighted over the classes": (
        "p=120 n=310 sens=0.808 precision=0.881 f1=0.880 mcc=0.704",
        RepairKind.CLASS_AVERAGE,
        lambda r: meanings(r) == ["sens", "ppv_weighted", "f1_weighted", "mcc"],
    ),
    "figures cut off": (
        "p=120 n=310 acc=0.879 sens=0.808 spec=0.906 f1=0.788 mcc=0.704 precision=0.769",
        RepairKind.ROUNDING,
        lambda r: "cut off" in r.what,
    ),
    "a digit of the class count": (
        "p=126 n=310 acc=0.8791 sens=0.8083 spec=0.9065",
        RepairKind.MISCOUNT,
        lambda r: size(r) == (120, 310),
    ),
    "the counts of all data, the scores of a fifth": (
        "p=603 n=1549 acc=0.8791 sens=0.8083 spec=0.9065",
        RepairKind.PART,
        lambda r: size(r) == (120, 310),
    ),
    "minority oversampled to balance": (
        "p=120 n=310 acc=0.8323 sens=0.7581 spec=0.9065",
        RepairKind.OVERSAMPLED,
        lambda r: size(r) == (310, 310),
    ),
    "majority undersampled to balance": (
        "p=120 n=310 acc=0.8500 sens=0.8083 spec=0.8917",
        RepairKind.UNDERSAMPLED,
        lambda r: size(r) == (120, 120),
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_among_the_three_most_plausible(fault):
    words, kind, is_it = PLANTED[fault]
    best = diagnosed(words, budget=1000, sizes_up_to=0).repairs[:3]
    assert any(repair.kind is kind and is_it(repair) for repair in best), [r.sentence for r in best]


@st.composite
def faulty_reports(draw):
    """Honest scores of a random matrix, and which of their digits to misprint."""
    p, n = draw(st.integers(1, 60)), draw(st.integers(1, 60))
    matrix = Matrix(tp := draw(st.integers(0, p)), p - tp, n - (tn := draw(st.integers(0, n))), tn)
    names = draw(st.lists(st.sampled_from(["acc", "sens", "spec", "ppv", "f1", "mcc", "lrp"]), min_size=1, unique=True))
    values = {name: SCORES[name].value(matrix) for name in names}
    finite = {name: float(value) for name, value in values.items() if value not in (None, INFINITY)}
    texts = {name: f"{value:.{draw(st.integers(1, 4))}f}" for name, value in finite.items()}
    return p, n, texts or {"acc": "0.50"}, draw(st.integers(0, 1000))


@given(faulty_reports())
@settings(max_examples=10, deadline=None)
def test_every_repair_has_a_witness_that_gives_the_repaired_scores(report):
    p, n, texts, pick = report
    words = [f"p={p}", f"n={n}", *(f"{name}={text}" for name, text in texts.items())]
    slips = [change.experiment for change in misprinted_digits(read_words(words))]
    faulty = slips[pick % len(slips)]
    found = diagnose(faulty, check, budget=80, sizes_up_to=10)
    for repair in found.repairs:
        assert repair.answer.verdict is Verdict.CONSISTENT
        (matrix,) = repair.answer.witness
        assert (matrix.p, matrix.n) == size(repair)
        assert all(r.constraint(repair.experiment.undefined).holds(matrix) for r in repair.experiment.reported)
        assert repair.experiment != faulty
    shares = [repair.plausibility for repair in found.repairs]
    assert all(a >= b for a, b in pairwise(shares))
    assert sum(shares) <= 1 + 1e-9
    assert len(shares) <= 8
    assert max(Counter(repair.kind for repair in found.repairs).values(), default=0) <= 3


def test_a_kind_that_fits_easily_is_believed_less_than_one_that_had_to_be_exact():
    found = diagnosed("p=120 n=310 acc=0.8791 sens=0.8083 spec=0.9056", budget=1000)
    exact, *others = found.repairs
    assert exact.kind is RepairKind.TRANSPOSED
    assert all(repair.plausibility < exact.plausibility / 2 for repair in others)


def test_the_same_change_is_not_proposed_under_two_names():
    repairs = diagnosed("p=310 n=120 acc=0.879 sens=0.808 spec=0.906").repairs
    seen = [(size(r), tuple((s.score.name, s.interval) for s in r.experiment.reported)) for r in repairs]
    assert len(set(seen)) == len(seen)


def test_a_diagnosis_is_the_same_each_time_and_keeps_to_its_budget():
    calls = []

    def counted(experiment):
        calls.append(experiment)
        return check(experiment)

    experiment = read_words(["p=1000", "n=6000", "acc=0.6801", "npv=0.9401", "f1=0.4004"])
    first = diagnose(experiment, counted, budget=60, sizes_up_to=0)
    assert len(calls) <= 60 + 2  # the experiment itself, and the scores that conflict in it
    assert any(left.startswith("one digit misprinted: only") for left in first.left_out)
    assert diagnose(experiment, check, budget=60, sizes_up_to=0) == first


def test_an_empty_diagnosis_says_what_was_tried():
    found = diagnosed("p=3 n=4 acc=0.91234567 sens=0.81234567 spec=0.71234567", budget=300, sizes_up_to=0)
    assert found.repairs == ()
    assert found.sentence.endswith("that were tried, none would make these scores consistent.")


@pytest.mark.parametrize(
    "words",
    [
        "p=10 n=20 tp=12",
        "p=10 n=20 lrp=inf acc=0.123",
        "p=10 n=20 acc=[0.91,0.92]",
        "p=0 n=20 acc=0.93",
        "p=10 n=20 acc=0.91 eps=0.001",
        "p=10 n=20 acc=91 percent=true",
        "p=10 n=20 err=0.91 mcc=-0.99",
        "p=2 n=900000000000000 acc=0.5 sens=0.7",
    ],
)
def test_unusual_figures_and_sizes_are_diagnosed_without_a_crash(words):
    found = diagnosed(words, budget=120)
    assert all(repair.answer.verdict is Verdict.CONSISTENT for repair in found.repairs)


def by_trying_every_matrix(experiment):
    """An independent check of means and pooled scores over tiny test sets."""
    parts = [d.whole for d in experiment.datasets]
    for cells in product(*(product(range(s.p + 1), range(s.n + 1)) for s in parts)):
        matrices = [Matrix(tp, s.p - tp, s.n - tn, tn) for (tp, tn), s in zip(cells, parts, strict=True)]
        if experiment.aggregation is Aggregation.POOLED:
            pooled = Matrix(*(sum(column) for column in zip(*matrices, strict=True)))
            fits = all(r.constraint(experiment.undefined).holds(pooled) for r in experiment.reported)
        else:
            fits = all(_mean(r.score, matrices) in r.interval for r in experiment.reported)
        if fits:
            return Result(experiment, (Hypothesis("", consistent(*matrices)),))
    return Result(experiment, (Hypothesis("", inconsistent("tried all")),))


def _mean(score, matrices):
    return sum(score.value(matrix) for matrix in matrices) / len(matrices)


def test_scores_averaged_where_the_paper_says_pooled_are_recognised():
    honest = (Matrix(2, 1, 1, 3), Matrix(4, 1, 1, 1))
    words = [f"{name}={float(_mean(SCORES[name], honest)):.3f}" for name in ("acc", "sens", "spec")]
    experiment = read_words(["p=3", "n=4", *words])
    (first,) = experiment.datasets
    second = replace(first, whole=replace(first.whole, p=5, n=2))
    pooled = replace(experiment, datasets=(first, second), aggregation=Aggregation.POOLED)
    assert by_trying_every_matrix(pooled).verdict is Verdict.INCONSISTENT
    best = diagnose(pooled, by_trying_every_matrix).repairs[0]
    assert (best.kind, best.experiment.aggregation) == (RepairKind.AGGREGATION, Aggregation.MEAN)
    assert "averaged (each scored, then the mean taken)" in best.sentence
    assert len(best.answer.witness) == 2


def test_a_test_set_that_was_left_out_is_named():
    experiment = read_words(["p=3", "n=4", "acc=0.714", "sens=0.667", "f1=0.667"])
    (first,) = experiment.datasets
    datasets = (first, replace(first, whole=replace(first.whole, p=5, n=2, name="Vienna")))
    best = diagnose(replace(experiment, datasets=datasets, aggregation=Aggregation.POOLED), by_trying_every_matrix)
    assert any("the test set Vienna had been left out" in repair.sentence for repair in best.repairs)


def test_other_folds_are_considered_where_there_are_folds():
    experiment = read_words(["p=38", "n=262", "folds=5", "fold_model=stratified", "aggregation=mean", "acc=0.9447"])
    asked = []

    def refusing(candidate):
        asked.append(candidate.datasets[0])
        return Result(candidate, (Hypothesis("", inconsistent("no")),))

    diagnose(experiment, refusing)
    foldings = [d.folding for d in asked if d.folding != experiment.datasets[0].folding]
    assert {f.model for f in foldings if f} == set(FoldModel) - {FoldModel.UNKNOWN}
    assert {f.k for f in foldings if f} == {2, 3, 4, 5, 10}
    assert None in foldings
    assert Aggregation.POOLED in {d.aggregation for d in asked}


def test_the_test_set_is_left_alone_where_several_may_be_meant():
    experiment = read_words(["p=120", "n=310", "acc=0.879", "sens=0.808", "spec=0.960"])
    other = replace(experiment.datasets[0], whole=replace(experiment.datasets[0].whole, n=311))
    alternatives = (("first", experiment.datasets), ("second", (other,)))
    found = diagnose(replace(experiment, alternatives=alternatives), check, budget=300)
    assert figures(found.repairs[0])["spec"] == "0.906"
    assert {repair.experiment.datasets for repair in found.repairs} == {experiment.datasets}
    assert "changes of the test set were not tried, as several may be meant" in found.left_out


def test_slips_of_the_pen():
    assert set(one_digit("0.9")) == {f"{d}.9" for d in range(1, 10)} | {f"0.{d}" for d in range(9)}
    assert "04.5%" not in set(one_digit("94.5%"))
    assert list(transposed("0.945 ± 0.03")) == ["9.045 ± 0.03", "0.495 ± 0.03", "0.954 ± 0.03", "0.945 ± 0.30"]
    assert list(shifted("94.5%")) == ["945%", "9.45%", "9450%", "0.945%"]
    assert list(shifted(".05")) == ["0.5", "0.005", "5", "0.0005"]


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), st.integers(0, 12))
@settings(max_examples=20, deadline=None)
def test_class_averages_are_those_of_scikit_learn(tp, fn, fp, tn):
    if tp + fn == 0 or fp + tn == 0:
        return
    matrix = Matrix(tp, fn, fp, tn)
    truth = [1] * (tp + fn) + [0] * (fp + tn)
    predicted = [1] * tp + [0] * fn + [1] * fp + [0] * tn
    theirs = {"sens": recall_score, "ppv": precision_score, "f1": f1_score}
    for average in CLASS_AVERAGES:
        for name, function in theirs.items():
            score = average.scores[name]
            value = score.value(matrix)
            if value is None:
                values = [top / bottom for top, bottom in (u(*matrix) for u in score.undefined_as) if bottom]
            else:
                values = [float(value)]
            manner = average.name.partition(" ")[0]
            expected = {function(truth, predicted, average=manner, zero_division=z) for z in (0.0, 1.0)}
            assert sorted(values) == pytest.approx(sorted(expected if value is None else [min(expected)]))


@pytest.mark.parametrize("average", CLASS_AVERAGES, ids=lambda average: average.name)
def test_class_averages_rise_with_every_right_decision(average):
    for score in average.scores.values():
        for tp, tn in product(range(1, 5), range(1, 6)):
            here = score.value(Matrix(tp, 6 - tp, 7 - tn, tn))
            assert compare(score.value(Matrix(tp + 1, 5 - tp, 7 - tn, tn)), here) > 0
            assert compare(score.value(Matrix(tp, 6 - tp, 6 - tn, tn + 1)), here) > 0


def test_every_kind_has_a_prior_with_a_reason():
    assert set(PRIORS) == set(RepairKind)
    assert all(0 < prior.share < 1 and prior.why.endswith(".") for prior in PRIORS.values())


def test_two_slips_are_found_where_one_explains_nothing():
    # The weighted averages of ISIC 2016 in the paper of Fazekas & Kovács, section 5.3: averaged and cut off.
    experiment = read_words(["p=75", "n=304", "acc=0.7704", "sens=0.7704", "spec=0.6622", "f1=0.7839"])
    assert isinstance(experiment, Experiment)
    found = diagnose(experiment, partial(check, hasty=True))
    assert found.repairs
    assert found.repairs[0].kind is RepairKind.PAIR
    assert "weighted by their sizes" in found.repairs[0].what
