"""In a notebook: `%assay` scans the cells that were run, and results show themselves as HTML."""

from types import SimpleNamespace

import nbformat
import pytest
from nbclient import NotebookClient

from assay.checklists.filled import filled_of
from assay.findings import Judgement, Report, Table, Verdict
from assay.leakage.code.analysis import analyse_text
from assay.notebook import Scanner, scan_cells
from assay.repository.check import assess
from assay.repository.facts import read_repository
from assay.rules import get_rule
from assay.scores import check_scores
from assay.tree.opening import tree_of

READ = """from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier
from sklearn.datasets import load_breast_cancer
X, y = load_breast_cancer(return_X_y=True)"""
CHOOSE = "X_best = SelectKBest(k=2).fit_transform(X, y)"
SCORE = "cross_val_score(DecisionTreeClassifier(), X_best, y).mean()"


@pytest.fixture(scope="module")
def notebook() -> nbformat.NotebookNode:
    """A notebook after a real kernel has run it."""
    cells = [
        "%load_ext assay",
        READ,
        CHOOSE,
        SCORE,
        "%assay",
        "%assay L2",
        "%assay L9",
        f"from assay.leakage import watch\nwith watch(warn=False) as seen:\n    {CHOOSE}\n    {SCORE}\nseen",
        "%unload_ext assay",
        "get_ipython().find_line_magic('assay') is None",
    ]
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    NotebookClient(made, timeout=120, kernel_name="python3").execute()
    return made


def html_of(notebook: nbformat.NotebookNode, number: int) -> str:
    [output] = [o for o in notebook.cells[number - 1].outputs if "data" in o]
    return str(output["data"]["text/html"])


def test_magic_shows_the_leak_with_its_cell(notebook: nbformat.NotebookNode) -> None:
    shown = html_of(notebook, 5)
    assert "Feature selection on test rows" in shown
    assert "cell 3" in shown
    assert "SelectKBest(k=2)" in shown


def test_magic_takes_codes(notebook: nbformat.NotebookNode) -> None:
    assert "SelectKBest(k=2)" not in html_of(notebook, 6)


def test_a_wrong_code_is_told_in_a_line(notebook: nbformat.NotebookNode) -> None:
    [output] = notebook.cells[6].outputs
    assert output["text"].startswith("assay: ")


def test_a_watch_names_the_cell_where_it_saw_the_leak(notebook: nbformat.NotebookNode) -> None:
    shown = html_of(notebook, 8)
    assert "SelectKBest was fitted on 114 of the 114 rows" in shown
    assert "notebook:cell 8:3" in shown


def test_magic_goes_when_it_is_unloaded(notebook: nbformat.NotebookNode) -> None:
    assert notebook.cells[9].outputs[0]["data"]["text/plain"] == "True"


def test_a_cell_that_was_mended_and_run_again_counts_once() -> None:
    fixed = "X_best = X"
    history = ["", READ, CHOOSE, SCORE, fixed, SCORE]
    shell = SimpleNamespace(history_manager=SimpleNamespace(input_hist_raw=history))
    scanner = Scanner(shell)
    for count, cell in enumerate(["a", "b", "c", "b", "c"], 1):
        scanner.ran(SimpleNamespace(info=SimpleNamespace(cell_id=cell), execution_count=count))
    assert scanner.cells() == [READ, "", "", fixed, SCORE]
    report = scanner.scan()
    assert report is not None
    assert report.clean


def test_runs_of_unknown_cells_all_count() -> None:
    scanner = Scanner(SimpleNamespace(history_manager=SimpleNamespace(input_hist_raw=["", READ, CHOOSE, SCORE])))
    scanner.ran(SimpleNamespace(info=None, execution_count=1))
    assert not scan_cells(scanner.cells()).clean


def test_a_comment_in_a_cell_silences_its_finding() -> None:
    silenced = f"{CHOOSE}  # assay: ignore[L1.3] shown to the class as a mistake"
    report = scan_cells([READ, silenced, SCORE])
    assert [f.code for f in report.findings if f.code == "L1.3"] == []
    assert len(report.suppressed) == 1


@pytest.mark.parametrize("cell", ["def f(:", "!rm -rf x", "%%bash\nls", "\x00", "é" * 10, "(" * 500])
def test_odd_cells_do_not_disturb_the_scan(cell: str) -> None:
    assert [f.code for f in scan_cells([READ, CHOOSE, cell, SCORE]).findings] == ["L1.3"]


RESULTS = [
    pytest.param(Report("A <b>title</b>"), "A &lt;b&gt;title", id="report"),
    pytest.param(get_rule("L1.1").finding("said so"), "said so", id="finding"),
    pytest.param(Judgement("s", Verdict.UNDECIDED, "time ran out"), "time ran out", id="judgement"),
    pytest.param(Table("t", ("a",), ((1,),)), "<td", id="table"),
    pytest.param(check_scores(p=10, n=10, acc=0.5), "consistent", id="scores"),
    pytest.param(analyse_text(f"{READ}\n{CHOOSE}\n{SCORE}"), "L1.3", id="analysis of code"),
    pytest.param(filled_of("checklist: model-info-sheet\n", "sheet.yaml"), "21", id="filled checklist"),
    pytest.param(assess(read_repository(tree_of({"a.py": "x = 1"}))), "R1", id="repository"),
]


@pytest.mark.parametrize(("result", "shown"), RESULTS)
def test_results_show_themselves(result: Report, shown: str) -> None:
    assert shown in result._repr_html_()
