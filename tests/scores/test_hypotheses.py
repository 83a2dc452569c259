"""What a paper leaves unsaid is shown as hypotheses: folds with both classes, what 0/0 counts, which set is which."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.findings import EvidenceKind, Verdict
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
