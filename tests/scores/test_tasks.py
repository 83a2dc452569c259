"""Several classes, regressions and rankings, from words to verdicts."""

import pytest

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores import check_file, check_scores
from assay.scores.check import check
from assay.scores.compilation import experiment_of
from assay.scores.reading import read_words
from assay.scores.tasks import MulticlassExperiment, RankingExperiment, RegressionExperiment


def checked(words):
    return check(read_words(words.split()))


@pytest.mark.parametrize(
    ("words", "kind", "verdict"),
    [
        ("classes=50,50,50 acc=0.9467 f1_macro=0.9466 recall[1]=0.92", MulticlassExperiment, Verdict.CONSISTENT),
        ("classes=50,50,50 acc=0.9400 recall_macro=0.9467", MulticlassExperiment, Verdict.INCONSISTENT),
        ("classes=a:30,b:70,c:10 recall[a]=0.95", MulticlassExperiment, Verdict.INCONSISTENT),
        ("classes=isic2017.test acc=0.90", MulticlassExperiment, Verdict.CONSISTENT),
        ("task=regression n=100 variance=4.0 mae=0.80 rmse=1.00 r2=0.75", RegressionExperiment, Verdict.CONSISTENT),
        ("task=regression n=4 mae=0.01 rmse=10", RegressionExperiment, Verdict.INCONSISTENT),
        ("p=10 n=7 auc=0.95", RankingExperiment, Verdict.CONSISTENT),
        ("p=2 n=2 auc=0.95", RankingExperiment, Verdict.INCONSISTENT),
        ("p=50 n=50 auc=0.60 sens=0.90 spec=0.90", RankingExperiment, Verdict.INCONSISTENT),
        ("p=50 n=50 gini=0.90 sens=0.90 spec=0.90", RankingExperiment, Verdict.CONSISTENT),
        ("p=50 n=50 auc=0.95 gini=0.50", RankingExperiment, Verdict.INCONSISTENT),
        ("p=50 n=50 auc=0.95 acc=0.90 sens=0.80 spec=0.80", RankingExperiment, Verdict.INCONSISTENT),
    ],
)
def test_each_task_has_its_own_exact_test(words, kind, verdict):
    result = checked(words)
    assert isinstance(result.experiment, kind)
    assert result.verdict is verdict
    report = result.report()
    assert bool(report.findings) is (verdict is Verdict.INCONSISTENT)


def test_a_witness_of_several_classes_is_a_table_whose_rows_are_the_class_counts():
    witness = dict(checked("classes=50,30 acc=0.90").report().judgements[0].evidence[0].values)
    rows = [sum(map(int, str(witness[f"actual {i}"]).split())) for i in range(2)]
    assert rows == [50, 30]


def test_an_area_over_several_sets_is_said_to_be_left_out():
    sets = [{"p": 50, "n": 100}, {"p": 30, "n": 90}]
    experiment = experiment_of({"sets": sets, "scores": {"auc": "0.9", "acc": "0.90"}}, where="test")
    assert "auc" in check(experiment).report().left_out[0]
    assert not checked("p=50 n=100 folds=5 auc=0.9 acc=0.90").report().left_out


@pytest.mark.parametrize(
    ("words", "needle"),
    [
        ("classes=50,50 p=3 acc=0.9", "two classes"),
        ("task=multiclass acc=0.9", "class counts are missing"),
        ("classes=tpehg acc=0.9", "has two classes"),
        ("classes=50 acc=0.9", "class"),
        ("classes=a:50,a:30,b:20 acc=0.9", "a name of its own"),
        ("classes=a:50,30 acc=0.9", "a name of its own"),
        ("classes=50,50,50 f1=0.9", "needs an average"),
        ("classes=50,50,50 acc=95", "Did you mean 95%"),
        ("classes=50,50,50 acc=0.9±0.1", "a spread needs several folds"),
        ("task=regression mae=1", "needs n"),
        ("task=regression n=10 mae=1 folds=5 repeats=2", "takes no folds and no repeats"),
        ("classes=50,50,50 acc=0.9 aggregation=mean", "takes no aggregation"),
        ("p=5 n=5 acc=0.9 variance=3", "takes no variance"),
        ("task=regression n=10 acc=1", "not a regression score"),
        ("task=regression n=10 mae=1 mae_sd=1", "one plain figure"),
        ("task=regression n=10 mae=1.0 variance=-1", "variance"),
        ("p=5 n=5 auc=91", "Did you mean 91%"),
        ("task=weather n=5 acc=0.9", "task"),
    ],
)
def test_what_does_not_fit_the_task_is_refused(words, needle):
    with pytest.raises(InputError) as caught:
        checked(words)
    assert needle in str(caught.value)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("classes=50,50,50 acc=101.2%", "acc is never above 1; 101.2% is."),
        ("classes=50,50,50 folds=5 kappa=-1.02", "kappa is never below -1; -1.02 is."),
        ("p=10 n=10 f1_macro=1.05 f1=0.9", "f1_macro is never above 1; 1.05 is."),
        ("p=5 n=5 auc=1.9", "auc is never above 1; 1.9 is."),
        ("p=20 n=20 folds=5 auc=1.2", "auc is never above 1; 1.2 is."),
        ("auc=101.2% sens=0.9", "auc is never above 1; 101.2% is."),
    ],
)
def test_a_figure_that_cannot_be_a_score_is_a_finding(words, reason):
    result = checked(words)
    assert result.verdict is Verdict.INCONSISTENT
    assert result.decisive.answer.reason == reason
    assert len(result.report().findings) == 1


def test_the_python_interface_takes_lists_and_tables():
    assert check_scores(classes=[50, 50, 50], acc="0.9467").verdict is Verdict.CONSISTENT
    assert check_scores(classes={"a": 3, "b": 4}, acc="0.90").verdict is Verdict.INCONSISTENT
    result = check_scores(task="regression", n=10, mae="1.0", target_range=["0", "5"], integer=True)
    assert result.verdict is Verdict.CONSISTENT


@pytest.mark.parametrize(("ddof", "verdict"), [(0, Verdict.INCONSISTENT), (1, Verdict.CONSISTENT)])
def test_words_and_files_whose_numbers_are_text_may_say_how_a_variance_was_divided(ddof, verdict, tmp_path):
    # ten values from 0 to 10 vary by 25 at most when divided by n, and by 27.8 when divided by n - 1
    values = {
        "task": "regression",
        "n": "10",
        "variance": "27.0",
        "target_range": "0.0,10.0",
        "ddof": str(ddof),
        "mae": "1",
    }
    assert checked(" ".join(f"{name}={value}" for name, value in values.items())).verdict is verdict
    rows = tmp_path / "rows.csv"
    rows.write_text(",".join(values) + "\n" + ",".join(f'"{value}"' for value in values.values()) + "\n")
    assert [result.verdict for result in check_file(rows)] == [verdict]


def test_a_conflict_that_does_not_need_the_area_is_told_as_one_of_the_scores():
    impossible_scores = checked("p=50 n=50 auc=0.95 acc=0.90 sens=0.80 spec=0.80").report()
    assert [f.code for f in impossible_scores.findings] == ["S101"]
    impossible_area = checked("p=50 n=50 auc=0.60 sens=0.90 spec=0.90").report()
    assert [f.code for f in impossible_area.findings] == ["S105"]


def test_harrells_c_is_not_taken_for_an_area_under_the_curve():
    with pytest.raises(InputError, match="not a score"):
        checked("p=50 n=50 c_index=0.95")
