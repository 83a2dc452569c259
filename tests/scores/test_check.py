"""Whole experiments: every worked example of the paper, the readings, and the Python interface.

Examples are those of Fazekas & Kovács, "Testing the consistency of performance scores reported for
binary classification problems"; where the figures printed in copies of the paper are garbled, the
authors' own notebooks decide.
"""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores import check_file, check_scores
from assay.scores.batch import check_all
from assay.scores.check import check
from assay.scores.definitions import SCORES, Matrix
from assay.scores.experiment import Aggregation
from assay.scores.folds import Classes, any_kfold
from assay.scores.reading import read_file, read_words


def checked(words):
    return check(read_words(words.split()))


def verdict(words):
    return checked(words).verdict


def test_section_3_2_an_accuracy_fixes_the_true_negatives_when_the_true_positives_are_known():
    # tp = 30 of 40 leaves only tn = 72, more than the 70 negatives there are
    assert verdict("p=40 n=70 acc=0.927 tp=30") is Verdict.INCONSISTENT
    assert verdict("p=40 n=80 acc=0.850 tp=30") is Verdict.CONSISTENT


@pytest.mark.parametrize("shared", ["tn / n", "1 - fp / n", "float32(tn / n)"])
def test_equal_scores_that_a_program_computes_in_different_ways_may_be_printed_differently(shared):
    # 13 of 40: tp / p prints 0.33; one minus the false positive rate, or single precision, prints 0.32
    tn, fp, n = 13, 27, 40
    specificity = {"tn / n": tn / n, "1 - fp / n": 1 - fp / n, "float32(tn / n)": float(np.float32(tn / n))}[shared]
    assert verdict(f"p=40 n=40 sens={13 / 40:.2f} spec={specificity:.2f}") is Verdict.CONSISTENT


def test_section_3_3_exactly_two_matrices_fit():
    result = check_scores(p=1000, n=6000, acc="0.6821", npv="0.9401", f1="0.4004", eps="0.0001")
    answer = result.decisive.answer
    assert answer.count == 2
    assert (answer.witness[0].tp, answer.witness[0].tn) == (743, 4031)


@pytest.mark.parametrize(
    "words",
    [
        "p=1000 n=6000 acc=0.6801 npv=0.9401 f1=0.4004 eps=0.0001",  # as it stands in print
        "p=1000 n=6000 acc=0.6831 npv=0.9401 f1=0.4004 eps=0.0001",
        "p=1100 n=6000 acc=0.6821 npv=0.9401 f1=0.4004 eps=0.0001",
    ],
)
def test_section_3_3_any_other_accuracy_or_size_does_not_fit(words):
    assert verdict(words) is Verdict.INCONSISTENT


FOLDS = """
aggregation = "mean"
eps = 0.0001
folds = [{{p = 100, n = 201}}, {{p = 100, n = 200}}, {{p = 100, n = 200}}, {{p = 101, n = 200}}, {{p = 101, n = 200}}]
scores = {{acc = {}, sens = 0.7391, spec = 0.8741}}
"""


@pytest.mark.parametrize(("acc", "expected"), [("0.8290", Verdict.CONSISTENT), ("0.8280", Verdict.INCONSISTENT)])
def test_section_4_3_3_means_over_known_folds(tmp_path, acc, expected):
    path = tmp_path / "study.toml"
    path.write_text(FOLDS.format(acc))
    (result,) = check_file(path)
    assert result.verdict is expected


def test_section_4_4_3_numbers_of_fold_configurations():
    assert any_kfold(30, 300, 5, classes=Classes.TRAINABLE).count == 673
    assert any_kfold(38, 262, 5, classes=Classes.BOTH).count == 918
    assert any_kfold(244, 262, 5, classes=Classes.BOTH).count == 2_616_607


def test_section_5_2_the_electrohysterogram_scores_are_impossible_and_one_sentence_says_why():
    result = checked("p=38 n=262 folds=5 acc=0.9447 sens=0.9139 spec=0.9733 eps=0.0001")
    assert result.verdict is Verdict.INCONSISTENT
    assert len(result.hypotheses) == 4
    assert "283.38" in result.decisive.answer.reason
    assert "no whole number" in result.decisive.answer.reason


def test_section_5_2_oversampled_positives_make_them_possible():
    assert verdict("p=244 n=262 folds=5 acc=0.9447 sens=0.9139 spec=0.9733 eps=0.0001") is Verdict.CONSISTENT


def test_the_slide_level_row_of_a_reproduction_cannot_come_from_the_129_test_slides():
    result = check_scores(setup="camelyon16.test", accuracy=".455", recall=".45", specificity=".457", precision=".321")
    assert result.verdict is Verdict.INCONSISTENT
    assert result.decisive.answer.conflict == ("accuracy",)
    assert "129" in result.decisive.answer.reason


def test_readings_are_listed_side_by_side_and_one_that_fits_is_enough():
    result = checked("p=38 n=262 folds=5 acc=0.9633 sens=0.9139 spec=0.9733")
    verdicts = [h.answer.verdict for h in result.hypotheses]
    assert verdicts == [Verdict.INCONSISTENT] * 3 + [Verdict.CONSISTENT]
    assert result.verdict is Verdict.CONSISTENT
    assert result.decisive is result.hypotheses[-1]


def test_a_stated_aggregation_leaves_no_other_reading():
    pooled = checked("p=38 n=262 folds=5 aggregation=pooled acc=0.9633")
    assert [h.reading for h in pooled.hypotheses] == ["counts pooled over 5 folds (38 positives and 262 negatives)"]
    mean = checked("p=38 n=262 folds=5 aggregation=mean fold_model=stratified acc=0.9633")
    assert len(mean.hypotheses) == 1


def test_folds_that_cannot_be_stratified_are_read_as_ordinary_folds():
    result = checked("p=2 n=2 folds=4 aggregation=mean acc=0.75")
    assert [h.answer.verdict for h in result.hypotheses] == [Verdict.CONSISTENT]


NESTED = """
[[experiment]]
name = "sets"
sets = [{p = 10, n = 20}, {p = 5, n = 5}]
scores = {sens = 0.75}

[[experiment]]
name = "datasets"
aggregation = "mean"
datasets = [{p = 10, n = 20, folds = 5, aggregation = "pooled"}, {p = 5, n = 5}]
scores = {sens = 0.75}

[[experiment]]
name = "means of means"
aggregation = "mean"
datasets = [
  {p = 10, n = 20, folds = 5, aggregation = "mean", fold_model = "stratified"},
  {p = 4, n = 8, folds = 2, aggregation = "mean", fold_model = "stratified"},
]
scores = {sens = 0.70, spec = 0.80}
"""


def test_several_sets_and_datasets_nest(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(NESTED)
    sets, datasets, means = check_file(path)
    assert [h.reading for h in sets.hypotheses] == [
        "counts pooled over 2 sets (15 positives and 25 negatives)",
        "the mean over 2 test sets",
    ]
    assert [h.answer.verdict for h in sets.hypotheses] == [Verdict.INCONSISTENT, Verdict.CONSISTENT]
    assert [h.reading for h in datasets.hypotheses] == ["the mean over 2 datasets, each with its folds pooled"]
    assert means.verdict is Verdict.CONSISTENT
    assert len(means.decisive.answer.witness) == 7


def test_spreads_make_a_mean_more_telling():
    words = "p=38 n=262 folds=5 aggregation=mean fold_model=stratified acc=0.850 sens=0.789"
    assert verdict(words) is Verdict.CONSISTENT
    assert verdict(f"{words} sens_sd=0.700") is Verdict.INCONSISTENT, "a share cannot vary that much"
    assert verdict(f"{words} sens_min=0.900") is Verdict.INCONSISTENT, "a minimum above the mean"


def test_a_score_that_contradicts_its_synonym_is_caught():
    result = checked("p=100 n=200 spec=0.90 fpr=0.20")
    assert result.verdict is Verdict.INCONSISTENT
    assert set(result.decisive.answer.conflict) == {"spec", "fpr"}


def test_results_travel_between_processes():
    result = check_scores(p=10, n=20, acc="0.9", mcc="0.8", **{"f0.5": "0.87"})
    assert pickle.loads(pickle.dumps(result)) == result
    assert result.experiment.aggregation is Aggregation.UNKNOWN


def test_section_5_1_a_region_that_is_not_named_is_tried_every_way():
    result = check_scores(setup="drive.test#03", acc="0.9425", sens="0.7000", spec="0.9838")
    fitting = [h.reading for h in result.hypotheses if h.answer.verdict is Verdict.CONSISTENT]
    assert fitting == ["drive.test.fov#03, one test set of 32,886 positives and 192,841 negatives"]
    assert len(result.hypotheses) == 4


def test_the_images_of_a_collection_are_pooled_or_averaged():
    result = check_scores(setup="drive.test.fov", acc="0.9", sens="0.7")
    assert [h.reading for h in result.hypotheses] == [
        "counts pooled over 20 sets (577,649 positives and 3,960,494 negatives)",
        "the mean over 20 test sets",
    ]
    assert result.verdict is Verdict.CONSISTENT


def test_a_multiclass_setup_asks_what_is_positive():
    with pytest.raises(InputError, match="melanoma"):
        check_scores(setup="isic2017.test", acc="0.9")


def test_a_result_shows_itself_in_words_and_in_a_notebook():
    impossible = check_scores(p=49, n=80, acc=".455")
    assert "no whole number" in repr(impossible)
    page = impossible._repr_html_()
    assert "S101" in page
    assert "<svg" in page
    assert impossible.to_dict()["judgements"][0]["verdict"] == "inconsistent"
    possible = check_scores(p=10, n=10, acc="0.95")
    assert "tp=9" in repr(possible)
    assert "misprints" in possible.to_dict()["judgements"][0]["evidence"][-1]["text"]


def test_a_mean_over_folds_is_drawn_too():
    figures = checked("p=20 n=30 folds=5 aggregation=mean acc=0.80 sens=0.75").report().figures
    assert len(figures) == 1
    assert not checked("p=38 n=262 folds=5 aggregation=mean acc=0.9447").report().figures


def test_many_experiments_are_spread_over_processes_in_order(tmp_path):
    rows = "".join(f"row {i},10,{i + 1},0.5\n" for i in range(120))
    path = tmp_path / "study.csv"
    path.write_text("name,p,n,sens\n" + rows)
    experiments = list(read_file(path))
    results = list(check_all(experiments, workers=2))
    assert [r.experiment.name for r in results] == [f"row {i}" for i in range(120)]
    assert results == list(check_all(experiments, workers=1))


def test_a_weighted_mean_counts_parts_by_their_sizes(tmp_path):
    path = tmp_path / "study.toml"
    sets = "sets = [{p = 10, n = 0}, {p = 30, n = 0}]"
    path.write_text(f'{sets}\naggregation = "weighted"\nscores = {{sens = "0.775"}}\n')  # 31 of 40
    (weighted,) = check_file(path)
    assert weighted.verdict is Verdict.CONSISTENT
    path.write_text(f'{sets}\naggregation = "mean"\nscores = {{sens = "0.775"}}\n')  # t/20 + u/60 = 46.5/60
    (plain,) = check_file(path)
    assert plain.verdict is Verdict.INCONSISTENT
    assert any("weights" in str(row[0]) for table in plain.report().tables for row in table.rows)


def test_a_weighted_mean_over_folds():
    words = "p=11 n=20 folds=3 aggregation=weighted fold_model=stratified acc=0.8065"
    assert verdict(words) is Verdict.CONSISTENT  # 25 of 31
    assert verdict(words.replace("0.8065", "0.8100")) is Verdict.INCONSISTENT
    assert verdict("p=11 n=20 folds=3 aggregation=weighted fold_model=any acc=0.8065") is Verdict.UNDECIDED


def test_low_means_over_unknown_folds_are_possible():
    # A fold with every positive found cannot occur here, yet folds with half of them found can.
    assert verdict("p=13 n=31 folds=3 aggregation=mean fold_model=any acc=0.54 sens=0.29") is Verdict.CONSISTENT


@settings(max_examples=60)
@given(st.data())
def test_honest_means_over_unknown_folds_are_never_called_inconsistent(data):
    k, size = data.draw(st.integers(2, 4)), data.draw(st.integers(3, 12))
    folds = [data.draw(st.integers(0, size)) for _ in range(k)]
    p = sum(folds)
    assume(0 < p < k * size)
    matrices = []
    for positives in folds:
        tp, tn = data.draw(st.integers(0, positives)), data.draw(st.integers(0, size - positives))
        matrices.append(Matrix(tp, positives - tp, size - positives - tn, tn))
    words = f"p={p} n={k * size - p} folds={k} aggregation=mean fold_model=any"
    for name in data.draw(st.lists(st.sampled_from(["acc", "sens", "spec", "ppv", "f1"]), min_size=1, unique=True)):
        values = [SCORES[name].value(m) or Fraction(0) for m in matrices]
        words += f" {name}={float(sum(values) / k):.{data.draw(st.integers(2, 4))}f}"
    assert verdict(words) is not Verdict.INCONSISTENT
