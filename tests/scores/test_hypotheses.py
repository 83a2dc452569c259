"""What a paper leaves unsaid is shown as hypotheses: folds with both classes, what 0/0 counts, which set is which."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.findings import EvidenceKind, Verdict
from assay.scores import check_scores
from assay.scores.check import check
from assay.scores.definitions import Matrix
from assay.scores.parts import by_name
from assay.scores.reading import read_words
from assay.scores.reporting import judgement_of

ONE_CLASS_FOLDS = "p=38 n=262 folds=5 aggregation=mean acc=0.8867 f1=0.85 ppv=0.55"


def result(words: str):
    return check(read_words(words.split()))


def notes(words: str) -> list[str]:
    return [e.text for e in judgement_of(result(words)).evidence if e.kind is EvidenceKind.NOTE]


def test_folds_with_both_classes_are_a_hypothesis_where_only_one_class_folds_fit():
    found = {h.reading: h.answer for h in result(ONE_CLASS_FOLDS).hypotheses}
    both = found["the mean over 5 folds of equal size, each with both classes"]
    anyhow = found["the mean over 5 folds of equal size, classes distributed in any way"]
    assert (both.verdict, anyhow.verdict) == (Verdict.INCONSISTENT, Verdict.CONSISTENT)
    assert any(not (m.p and m.n) for m in anyhow.witness)


def test_folds_with_both_classes_are_not_mentioned_where_they_add_nothing():
    readings = [h.reading for h in result("p=50 n=100 folds=5 aggregation=mean acc=0.9 f1=0.85").hypotheses]
    assert not any("both classes" in reading for reading in readings)


def test_the_fold_model_can_be_named():
    found = result("p=12 n=18 folds=3 aggregation=mean fold_model=both-classes acc=0.8 f1=0.7")
    assert found.verdict is Verdict.CONSISTENT
    assert all(m.p and m.n for m in found.decisive.answer.witness)


def test_too_few_items_for_both_classes_in_every_fold_are_refused():
    with pytest.raises(InputError, match="too few for both classes"):
        result("p=3 n=18 folds=5 aggregation=mean fold_model=both-classes acc=0.8")


def test_each_convention_for_0_by_0_has_its_verdict_where_it_matters():
    (told,) = [note for note in notes("p=0 n=40 acc=0.75 sens=0") if "0/0" in note]
    assert told == "Where sens is 0/0: counted as 0, consistent; counted as 1, inconsistent; left out, inconsistent."


def test_a_mixture_of_conventions_is_called_one():
    assert any(note.endswith("Only a mixture of these fits.") for note in notes(ONE_CLASS_FOLDS))


def test_every_convention_fails_where_the_figures_are_impossible_with_0_by_0():
    (told,) = [note for note in notes("p=0 n=40 acc=0.75 sens=0.3") if "0/0" in note]
    assert told.count("inconsistent") == 3


@pytest.mark.parametrize(
    "words",
    [
        "p=100 n=200 acc=0.9 sens=0.8 spec=0.95",
        "p=100 n=200 acc=0.90 sens=0.80 spec=0.80",
        "p=38 n=262 folds=5 acc=0.9447 sens=0.9139 spec=0.9733",
        "p=0 n=40 undefined=zero acc=0.75 sens=0",
    ],
)
def test_conventions_are_not_mentioned_where_they_cannot_matter_or_are_given(words):
    assert not any("0/0" in note for note in notes(words))


def test_a_witness_over_named_sets_uses_their_names():
    experiment = read_words(["setup=drive.test.fov", "aggregation=mean", "acc=0.9494", "sens=0.7450"])
    found = check(experiment)
    named = by_name(experiment, found.decisive.reading, found.decisive.answer.witness)
    sizes = {d.whole.name: (d.whole.p, d.whole.n) for d in experiment.datasets}
    assert list(named) == list(sizes)
    assert all((matrix.p, matrix.n) == sizes[name] for name, matrix in named.items())


def test_sets_without_names_are_numbered():
    experiment = read_words(["p=10", "n=20", "folds=2", "aggregation=mean", "acc=0.9"])
    witness = (Matrix(5, 0, 1, 9), Matrix(4, 1, 1, 9))
    assert list(by_name(experiment, "", witness)) == ["part 1", "part 2"]


def test_notes_begin_with_a_capital_letter_unless_a_setup_is_named():
    told = notes("setup=drive.test acc=0.9494 sens=0.7450")
    assert any(note.startswith("drive.test.all") for note in told)
    assert all(note.startswith("drive.test.") for note in told)
    assert notes("p=38 n=262 folds=5 acc=0.9447")[0].startswith("The mean over")


def test_a_median_of_pooled_counts_is_refused_and_not_called_impossible() -> None:
    with pytest.raises(InputError, match="no reading"):
        check_scores(p=10, n=20, folds=5, aggregation="pooled", acc_median=".9")


FOLDS = [{"p": 5, "n": 5}] * 2


@pytest.mark.parametrize("aggregation", ["pooled", "mean", "unknown"])
@pytest.mark.parametrize("listed", [FOLDS, FOLDS * 2])
def test_listed_folds_of_repeats_count_every_item_as_often_as_it_was_tested(
    aggregation: str, listed: list[dict[str, int]]
) -> None:
    """39 of 40 predictions are right; 10 + 10 items tested once could not give it."""
    found = check_scores(p=10, n=10, repeats=2, folds=listed, aggregation=aggregation, acc="0.975")
    assert found.verdict is Verdict.CONSISTENT


@pytest.mark.parametrize(("acc", "verdict"), [("0.9222", Verdict.CONSISTENT), ("0.917", Verdict.INCONSISTENT)])
def test_one_fold_repeated_is_the_whole_set_tested_several_times(acc: str, verdict: Verdict) -> None:
    assert check_scores(p=10, n=20, folds=1, repeats=3, aggregation="mean", acc=acc).verdict is verdict


@pytest.mark.parametrize(
    ("bounds", "verdict"),
    [
        ({"acc_at_least": "0.85", "acc_at_most": "0.95"}, Verdict.CONSISTENT),
        ({"acc_min": "0.85", "acc_at_most": "0.95"}, Verdict.CONSISTENT),
        ({"acc_at_least": "0.91"}, Verdict.INCONSISTENT),
        ({"acc_at_most": "0.89"}, Verdict.INCONSISTENT),
        ({"err_at_least": "0.15"}, Verdict.INCONSISTENT),
    ],
)
def test_bounds_need_not_be_attained(bounds: dict[str, str], verdict: Verdict) -> None:
    figures = {"err": "0.10"} if "err_at_least" in bounds else {"acc": "0.90"}
    found = check_scores(p=40, n=60, folds=5, fold_model="stratified", aggregation="mean", **figures, **bounds)
    assert found.verdict is verdict
    if verdict is Verdict.CONSISTENT:
        accuracies = [(m.tp + m.tn) / (m.p + m.n) for m in found.decisive.answer.witness]
        assert min(accuracies) >= 0.845
        assert max(accuracies) <= 0.955


def test_a_bound_beside_the_extreme_itself_is_refused() -> None:
    with pytest.raises(InputError, match="min and at_least"):
        check_scores(p=40, n=60, folds=5, acc="0.90", acc_min="0.85", acc_at_least="0.80")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 12)), min_size=5, max_size=5), st.integers(0, 3))
def test_honest_bounds_are_never_refuted(hits: list[tuple[int, int]], slack: int) -> None:
    values = [Fraction(tp + tn, 20) for tp, tn in hits]
    mean, low, high = sum(values, Fraction(0)) / 5, min(values), max(values)
    figures = {"acc": f"{float(mean):.3f}", "acc_at_least": f"{float(low) - slack / 50:.3f}"}
    figures["acc_at_most"] = f"{float(high) + slack / 50:.3f}"
    found = check_scores(p=40, n=60, folds=5, fold_model="stratified", aggregation="mean", **figures)
    assert found.verdict is Verdict.CONSISTENT


def test_what_is_not_reported_may_be_none_or_nan() -> None:
    found = check_scores(p=10, n=20, acc=0.9, sens=None, spec=float("nan"))
    assert found.verdict is Verdict.CONSISTENT
