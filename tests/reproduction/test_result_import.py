"""A table of results becomes many experiments and results in one command."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine

from assay.cli import main
from assay.errors import InputError
from assay.reproduction.result_files import read_raw
from assay.reproduction.result_import import results_in
from assay.reproduction.store.results import add_results
from assay.reproduction.store.studies import load_study, new_store, open_store
from assay.reproduction.study import Attempt, Reason, Study

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def assay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_STUDY", raising=False)

    def run(*words: str) -> tuple[int, str]:
        code = main(["study", *words])
        said = capsys.readouterr()
        return code, said.out + said.err

    assert run("new")[0] == 0
    return run


def only_attempt(store: str = "study.db") -> Attempt:
    engine = open_store(store)
    try:
        [paper] = load_study(engine).papers
    finally:
        engine.dispose()
    [attempt] = paper.attempts
    return attempt


def numbers(attempt: Attempt) -> list[tuple[str, str, str, str, str | None]]:
    return [
        (e.method, e.data, r.metric, r.original.value, r.reproduced and r.reproduced.value)
        for e in attempt.experiments
        for r in e.results
    ]


def test_a_newcomer_records_46_experiments_from_a_csv_in_one_command(assay: Run):
    lines = [f"SVM,set {n},0.{900 + n},0.{900 + n}" for n in range(46)]
    Path("paper.csv").write_text("method,dataset,accuracy,accuracy_reproduced\n" + "\n".join(lines))
    code, said = assay("add", "results", "paper.csv", "--paper", "lecun98")
    assert code == 0
    assert 'paper "lecun98" (new), attempt "1" (new): 46 new experiments; results: 46 new' in said
    assert "46 identical" in said
    assert only_attempt().tally.identical == 46


NEWCOMERS = {
    "experiment,method,dataset,metric,original,reproduced": "E{n},CNN,set {n},accuracy,0.9{n},0.9{n}",
    "Experiment,Model,Dataset,Metric,Reported,Reproduced,Notes": "{n},CNN,set {n},Accuracy,0.9{n},0.9{n},as printed",
    "paper,experiment,metric,original,reproduced": "results,CNN on set {n},accuracy,0.9{n},0.9{n}",
    "id,description,metric,paper value,our value": "{n},CNN on set {n},accuracy,0.9{n},0.9{n}",
    "Model,Data,Metric,Paper,Ours": "CNN,set {n},AUC,9{n}.0%,9{n}.0%",
    "Method,Dataset,Metric,Original,Reproduced,Comment": "CNN,set {n},accuracy,9.{n} ± 0.1,9.{n} ± 0.1,",
}
"""Headings as people write them, and a row for each experiment."""


@pytest.mark.parametrize("headings", NEWCOMERS)
def test_a_first_table_needs_nothing_but_its_file(assay: Run, headings: str):
    Path("study.db").unlink()
    rows = "\n".join(NEWCOMERS[headings].format(n=10 + n) for n in range(46))
    Path("results.csv").write_text(f"{headings}\n{rows}\n", encoding="utf-8")
    code, said = assay("add", "results", "results.csv")
    assert (code, 'paper "results" (new), attempt "1" (new): 46 new experiments; results: 46 new' in said) == (0, True)
    assert only_attempt().tally.identical == 46
    code, said = assay("add", "results", "results.csv")
    assert (code, "46 there already" in said) == (0, True), "the same command again"


def test_a_table_of_a_further_paper_has_to_name_it(assay: Run):
    Path("a.csv").write_text("method,accuracy\nCNN,0.9\n")
    Path("b.csv").write_text("method,accuracy\nCNN,0.9\n")
    assert assay("add", "results", "a.csv")[0] == 0
    code, said = assay("add", "results", "b.csv")
    assert (code, "which paper are the results from?" in said) == (2, True)


def test_the_spread_of_a_percentage_is_one_too_and_a_dash_is_no_number(assay: Run):
    Path("a.csv").write_text("method,metric,original,reproduced\nCNN,acc,93.0% ± 0.5,92.0 ± 0.4%\nSVM,acc,0.9,-\n")
    assert assay("add", "results", "a.csv")[0] == 0
    cnn, svm = (experiment.results[0] for experiment in only_attempt().experiments)
    assert cnn.original.spread == pytest.approx(0.005)
    assert svm.reproduced is None


def test_the_first_table_begins_the_study_but_a_store_that_is_named_must_be_there(assay: Run):
    Path("study.db").unlink()
    Path("paper.csv").write_text("method,accuracy\nCNN,0.93\n")
    assert assay("add", "results", "paper.csv", "--paper", "p1", "--store", "other.db")[0] == 2
    code, said = assay("add", "results", "paper.csv", "--paper", "p1")
    assert (code, "a new study in study.db" in said) == (0, True)
    assert len(only_attempt().experiments) == 1


LATEX = r"""
\begin{table}\caption{Accuracy}\begin{tabular}{lcc}\toprule
 & \multicolumn{2}{c}{Accuracy} \\
Method & CIFAR & SVHN \\ \midrule
CNN & 92.1 $\pm$ 0.2 & \textbf{88.3} \\
SVM & 80.0 & -- \\ \bottomrule \end{tabular}\end{table}
"""


def test_a_latex_table_with_two_levels_of_headings_names_metric_and_data(assay: Run):
    Path("table.tex").write_text(LATEX)
    said = assay("add", "results", "table.tex", "--paper", "p1")[1]
    assert numbers(only_attempt()) == [
        ("CNN", "CIFAR", "Accuracy", "92.1", None),
        ("CNN", "SVHN", "Accuracy", "88.3", None),
        ("SVM", "CIFAR", "Accuracy", "80.0", None),
    ]
    assert only_attempt().experiments[0].results[0].original.spread == 0.2
    assert "left out: 1 cells without a number" in said


def test_pasted_text_has_data_sets_as_columns_when_a_metric_is_named(assay: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("Method\tMNIST\tSVHN\nours\t0.93\t0.81\nSVM\t0.91\t0.80\n"))
    assert assay("add", "results", "-", "--paper", "p1", "--metric", "accuracy")[0] == 0
    assert ("SVM", "SVHN", "accuracy", "0.80", None) in numbers(only_attempt())


def test_a_long_table_takes_every_column_of_a_result(assay: Run):
    Path("long.csv").write_text(
        "experiment,method,data,metric,original,reproduced,baselines,runs\n"
        "a,CNN,MNIST,accuracy,0.93,,0.91; 0.90,0.930; 0.932\n"
        "a,CNN,MNIST,AUC,0.97,0.95,,\n"
    )
    assert assay("add", "results", "long.csv", "--paper", "p1")[0] == 0
    [experiment] = only_attempt().experiments
    assert (experiment.id, len(experiment.results)) == ("a", 2)
    assert experiment.results[0].runs == ("0.930", "0.932")


def test_reproduced_numbers_can_come_later_and_nothing_is_stored_twice(assay: Run):
    Path("original.csv").write_text("method,accuracy\nCNN,0.93\nSVM,0.80\n")
    Path("mine.csv").write_text("method,accuracy\nCNN,0.93\n")
    assay("add", "results", "original.csv", "--paper", "p1")
    said = assay("add", "results", "original.csv", "mine.csv", "--paper", "p1")[1]
    assert "0 new experiments; results: 1 completed, 1 there already" in said
    assert [number[-1] for number in numbers(only_attempt())] == ["0.93", None]


def test_other_numbers_than_those_stored_are_refused_and_nothing_is_changed(assay: Run):
    Path("one.csv").write_text("method,accuracy,accuracy_reproduced\nCNN,0.93,0.92\n")
    Path("two.csv").write_text("method,accuracy,accuracy_reproduced\nNew,0.5,0.5\nCNN,0.93,0.80\n")
    assay("add", "results", "one.csv", "--paper", "p1")
    code, said = assay("add", "results", "two.csv", "--paper", "p1")
    assert code == 2
    assert "is there already, with other numbers" in said
    assert len(only_attempt().experiments) == 1


@pytest.mark.parametrize(
    ("name", "text", "words", "trouble"),
    [
        ("a.csv", "paper,method,metric,original\np,CNN,acc,0.9\nq,SVM,acc,0.8\n", (), "results of 2 papers: p, q"),
        ("a.tex", "No table here.", ("--paper", "p"), "holds no table"),
        ("a.tex", LATEX + "\n\n" + LATEX, ("--paper", "p"), "holds 2 tables"),
        ("a.tex", LATEX, ("--paper", "p", "--table", "3"), "has no table 3"),
        ("a.csv", "method,metric,original,colour\nCNN,acc,0.9,red\n", ("--paper", "p"), 'unknown column "colour"'),
        ("a.csv", "method,accuracy\nCNN,high\n", ("--paper", "p"), "has no column with results"),
        ("a.csv", "method,accuracy\nCNN,0.9\nSVM,-\nSVM,0.8\n", ("--paper", "p"), "is there twice"),
    ],
)
def test_what_cannot_be_imported_is_refused_with_what_to_do(
    assay: Run, name: str, text: str, words: tuple[str, ...], trouble: str
):
    Path(name).write_text(text)
    code, said = assay("add", "results", name, *words)
    assert (code, trouble in said) == (2, True), said


def test_an_import_that_fails_half_way_leaves_the_store_as_it_was(database: str, tmp_path: Path):
    (tmp_path / "table.csv").write_text("method,accuracy,accuracy_reproduced\nCNN,0.93,0.92\nSVM,0.8,0.8\n")
    found = results_in(read_raw(tmp_path / "table.csv")).experiments
    engine: Engine = new_store(database, Study("a study"))
    first, second = found
    clash = type(second)(
        second.name, second.method, second.data, (*second.results, {**second.results[0], "original": "0.9"})
    )
    with pytest.raises(InputError):
        add_results(engine, "p1", "", [first, clash])
    assert load_study(engine) == Study("a study")
    assert add_results(engine, "p1", "", found).results == 2
    engine.dispose()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Method,Data set,Original accuracy,Reproduced accuracy\nCNN,MNIST,0.905,0.900\n", ()),
        ("Method,Data set,accuracy (paper),accuracy (ours)\nCNN,MNIST,0.905,0.900\n", ()),
        ("Method,Data set,accuracy,accuracy - rerun\nCNN,MNIST,0.905,0.900\n", ()),
        ("Model,Benchmark,Paper,Ours\nCNN,MNIST,0.905,0.900\n", ("--metric", "accuracy")),
        ("Model,Dataset,Metric,Original,Reproduced\nCNN,MNIST,accuracy,0.905,0.900\n", ()),
        ("Model,Dataset,Measure,Reported,Ours\nCNN,MNIST,accuracy,0.905,0.900\n", ()),
        ("method;dataset;accuracy;accuracy_reproduced\nCNN;MNIST;0,905;0,900\n", ()),
        ("method\tdataset\taccuracy\taccuracy_reproduced\nCNN\tMNIST\t0,905\t0,900\n", ()),
    ],
)
def test_headings_and_decimal_commas_are_read_as_people_write_them(assay: Run, text: str, words: tuple[str, ...]):
    Path("paper.csv").write_text(text)
    assert assay("add", "results", "paper.csv", "--paper", "p1", *words)[0] == 0
    assert numbers(only_attempt()) == [("CNN", "MNIST", "accuracy", "0.905", "0.900")]


def test_a_column_of_baselines_belongs_to_the_only_metric(assay: Run):
    Path("paper.csv").write_text("method,original F1,reproduced F1,baseline\nA,0.905,0.900,0.85\nB,0.9,0.8,-\n")
    assert assay("add", "results", "paper.csv", "--paper", "p1")[0] == 0
    assert numbers(only_attempt()) == [("A", "", "F1", "0.905", "0.900"), ("B", "", "F1", "0.9", "0.8")]
    assert [len(e.results[0].baselines) for e in only_attempt().experiments] == [1, 0]
    assert only_attempt().tally.consistent == 1


def test_methods_as_columns_are_no_pair_of_original_and_reproduced(assay: Run):
    Path("paper.csv").write_text("dataset,SVM,Ours\nMNIST,0.905,0.900\n")
    assert assay("add", "results", "paper.csv", "--paper", "p1", "--metric", "accuracy")[0] == 0
    assert [number[3:] for number in numbers(only_attempt())] == [("0.905", None), ("0.900", None)]


def test_a_pair_without_a_metric_is_asked_for_one(assay: Run):
    Path("paper.csv").write_text("method,paper,ours\nCNN,0.905,0.900\n")
    code, said = assay("add", "results", "paper.csv", "--paper", "p1")
    assert (code, 'which metric do the columns "paper" and "ours" hold' in said) == (2, True)


def test_thousands_are_no_decimals(assay: Run):
    Path("paper.csv").write_text("method;accuracy\nCNN;1,905\nSVM;2,900\n")
    assert assay("add", "results", "paper.csv", "--paper", "p1")[0] == 2


def test_experiments_that_were_not_run_come_with_their_reason(assay: Run):
    Path("long.csv").write_text(
        "method,dataset,metric,original,reproduced,status,reason\n"
        "CNN,MNIST,accuracy,0.93,0.93,,\nCNN,SVHN,accuracy,0.97,,not run,data\nCNN,SVHN,AUC,0.99,,,\n"
    )
    assert assay("add", "results", "long.csv", "--paper", "p1")[0] == 0
    assert (only_attempt().tally.identical, only_attempt().tally.not_run) == (1, 1)
    assert [experiment.reason for experiment in only_attempt().experiments] == [None, Reason.DATA]


def test_numbers_that_cannot_be_compared_are_asked_about_at_once_and_by_check(assay: Run):
    Path("paper.csv").write_text("method,accuracy,accuracy_reproduced\nCNN,93.0,0.930\n")
    question = "is one of 93.0 and 0.930 a percentage? Write its percent sign"
    assert f"experiment 1, accuracy: {question}" in assay("add", "results", "paper.csv", "--paper", "p1")[1]
    assert f"paper p1, experiment 1, accuracy: {question}" in " ".join(assay("check", "study.db")[1].split())


def test_a_result_is_judged_when_it_is_entered(assay: Run):
    Path("paper.csv").write_text("method,accuracy\nCNN,0.930\n")
    assay("add", "results", "paper.csv", "--paper", "p1")
    said = assay("add", "result", "--metric", "AUC", "--original", "0.815", "--reproduced", "0.60")[1]
    assert "result 2 added: different (another number, and no baseline)" in said


@pytest.mark.parametrize(
    ("reproduced", "runs", "found"),
    [
        ("0.930", "0.912; 0.918; 0.930", True),  # the best of three
        ("0.920", "0.912; 0.918; 0.930", False),
        ("0.92", "0.9201; 0.9249; 0.9299", False),  # 0.92497, rounded
        ("0.92", "0.9288; 0.9290", False),  # 0.9289, cut off
        ("92.0", "0.912; 0.918; 0.930", True),  # a percentage beside shares
        ("92.0%", "0.912; 0.918; 0.930", False),
    ],
)
def test_a_number_that_is_not_the_mean_of_its_runs_is_found(assay: Run, reproduced: str, runs: str, found: bool):
    Path("long.csv").write_text(f"method,metric,original,reproduced,runs\nCNN,accuracy,0.930,{reproduced},{runs}\n")
    assay("add", "results", "long.csv", "--paper", "p1")
    assert ("D125" in assay("check", "study.db")[1]) == found
