"""The store from the command line: scripted, or asked at the keyboard."""

import os
import pty
import select
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from scipy import stats

from assay.cli import main
from assay.cli.prompts import matches
from assay.reproduction.categories import categories
from assay.reproduction.fields import FIELDS
from assay.reproduction.folder import example_study, read_study
from assay.reproduction.levels import Level
from assay.reproduction.measures import MEASURES
from assay.reproduction.outcomes import AttemptOutcome, Measured
from assay.reproduction.records import SELECTORS
from assay.reproduction.store.studies import load_study, new_store, open_store
from assay.reproduction.study import Attempt, Experiment, Paper, Study
from assay.reproduction.tables import report_study

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def assay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `assay study …` in an empty folder: the exit code, and all that it says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_STUDY", raising=False)
    monkeypatch.setenv("ASSAY_PERSON", "ada")

    def run(*arguments: str) -> tuple[int, str]:
        code = main(["study", *arguments])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


def stored(where: str = "study.db") -> Study:
    engine = open_store(where)
    study = load_study(engine)
    engine.dispose()
    return study


BEGUN = Study(
    "Ten papers",
    papers=(
        Paper("p1", stated_level=Level.DATA, components=(("Data", ""),), attempts=(Attempt("1", ("Ada", "Grace")),)),
    ),
)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one attempt, made once."""
    path = tmp_path_factory.mktemp("template") / "study.db"
    new_store(path, BEGUN).dispose()
    return path


@pytest.fixture
def begun(assay: Run, template: Path, tmp_path: Path) -> Run:
    """The same in a folder with such a store."""
    shutil.copy(template, tmp_path)
    return assay


def test_a_study_is_entered_by_script(assay: Run):
    assert assay("new", "--title", "Ten papers") == (
        0,
        "assay: a new study in study.db; try `assay study add paper`\n",
    )
    assert assay("add", "paper", "--id", "p1", "--level", "R2-D", "--component", "Data=-")[0] == 0
    assert assay("add", "attempt", "--people", "Ada; Grace") == (0, 'assay: attempt 1 "1" added\n')
    assert stored() == BEGUN
    assert assay("add", "experiment", "--method", "CNN", "--data", "MNIST")[0] == 0
    numbers = ("--metric", "accuracy", "--original", "0.83", "--reproduced", "0.8345", "--baselines", "0.7; 80%")
    assert assay("add", "result", *numbers) == (
        0,
        "assay: result 1 added: identical (the same at the precision of the article)\n",
    )
    assert assay("add", "discrepancy", "--category", "P13", "--severity", "3")[0] == 0
    assert assay("log", "2h", "patch extraction") == (
        0,
        "assay: 2 h of patch extraction logged; 2 of 40 h used\n",
    )
    [paper] = stored().papers
    [attempt] = paper.attempts
    assert paper.components == (("Data", ""),)
    assert attempt.outcome.value == "Success"
    assert attempt.experiments == (
        Experiment("1", "CNN", "MNIST", attempt.experiments[0].status, None, attempt.experiments[0].results),
    )
    assert [(spent.hours, spent.activity) for spent in attempt.log] == [(2, "patch extraction")]
    assert "Ten papers" in assay("check", "study.db")[1]


def test_a_new_study_is_made_where_the_variable_says(assay: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ASSAY_STUDY", "ours.db")
    assert assay("new")[0] == 0
    assert assay("add", "paper", "--id", "p", "--title", "T")[0] == 0
    assert not Path("study.db").exists()


def with_result(begun: Run, *cells: str) -> Attempt:
    """The attempt after one experiment with one result was added."""
    assert begun("add", "experiment", "--method", "CNN", "--data", "MNIST")[0] == 0
    assert begun("add", "result", "--metric", "accuracy", *cells)[0] == 0
    return stored().papers[0].attempts[0]


def test_a_collapsed_result_without_a_baseline_is_a_failure(begun: Run):
    attempt = with_result(begun, "--original", "0.815", "--reproduced", "0.60")
    assert attempt.outcome is AttemptOutcome.FAILURE
    assert (attempt.tally.different, attempt.tally.not_run) == (1, 0)
    assert "1 Failure" in begun("summary", "study.db")[1]


def test_what_cannot_be_decided_has_a_column_and_is_not_called_not_run(begun: Run):
    spreads = (
        "--original-spread",
        "1.0",
        "--original-runs",
        "10",
        "--reproduced-spread",
        "1.1",
        "--reproduced-runs",
        "5",
    )
    attempt = with_result(begun, "--original", "88.0", "--reproduced", "87.9", *spreads)
    assert attempt.outcome is AttemptOutcome.UNDECIDED
    assert (attempt.tally.undecided, attempt.tally.not_run) == (1, 0)
    tables = {table.title: table for table in report_study(stored()).tables}
    ended = tables["Attempts, and how their experiments ended (as Table 4.2)"]
    shares = dict(zip(ended.columns, ended.rows[0], strict=True))
    assert (shares["undecided %"], shares["not run %"]) == (100.0, 0.0)
    assert str(tables["Results"].rows[0][-1]).startswith("not distinguishable at these spreads; Welch: difference -0.1")
    assert tables["Results"].rows[0][3] == "88.0 ± 1 (n = 10)"
    summary = " ".join(begun("summary", "study.db")[1].split())
    assert "1 Undecided" in summary
    assert "0 of 1, 0.0 % (95 % interval 0 to 79); 1 more undecided." in summary


def test_single_runs_give_mean_spread_and_number(begun: Run):
    original = ("--original", "0.815", "--original-spread", "0.005", "--original-runs", "10", "--baselines", "0.79")
    attempt = with_result(begun, *original, "--runs", "0.812;0.81;0.809")
    obtained = attempt.experiments[0].results[0].obtained
    assert obtained == Measured("0.8103", pytest.approx(0.0015275, abs=1e-7), 3)
    assert attempt.outcome is AttemptOutcome.PARTIAL
    assert attempt.tally.not_run == 0
    [results] = [table for table in report_study(stored()).tables if table.title == "Results"]
    row = dict(zip(results.columns, results.rows[0], strict=True))
    assert row["reproduced"] == "0.8103 ± 0.0015 (n = 3)"
    assert row["p"] == pytest.approx(stats.ttest_ind_from_stats(0.815, 0.005, 10, 0.8103, 0.0015275, 3, False)[1], 1e-2)


def test_a_result_still_to_be_obtained_is_not_run(begun: Run):
    attempt = with_result(begun, "--original", "0.815")
    assert (attempt.tally.undecided, attempt.tally.not_run) == (0, 1)
    assert attempt.outcome is AttemptOutcome.NO_RESULT


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("add", "discrepancy", "--category", "P31"), 'there is no category "P31". Did you mean "P'),
        (("add", "discrepancy"), 'discrepancy: "category" is empty'),
        (("add", "result", "--original", "0.9"), "there is no experiment yet. Add one: assay study add experiment."),
        (("add", "paper", "--id", "p2", "--component", "Data"), '"Data" has no "="'),
        (("add", "paper", "--id", "p2", "--year", "soon"), "is not a number"),
        (("add", "attempt", "--paper", "p7"), 'there is no paper "p7"'),
        (("add", "attempt", "--started", "9999-01-01"), '"started" = 9999-01-01 is in the future'),
        (("log", "--day", "9999-01-01", "2h", "x"), "is in the future"),
        (("log", "two", "x"), '"two" is no time. Write it as 2h'),
        (("log", "--", "-2h", "x"), '"-2h" is negative'),
        (("timer", "stop"), "no timer of ada runs"),
        (("list", "papres"), 'there is no kind "papres". Did you mean "paper"?'),
        (("change", "paper", "9", "title=x"), "there is no paper 9"),
        (("change", "paper", "9" * 30, "title=x"), f"there is no paper {'9' * 30}"),
        (("delete", "paper", "9" * 30), f"there is no paper {'9' * 30}"),
        (("undo", "paper", "9" * 30), f"paper {'9' * 30} is not deleted"),
        (("change", "paper", "1", "titel=x"), 'unknown column "titel". Did you mean "title"?'),
        (("undo",), "study.db: nothing was deleted"),
        (("new",), "study.db: holds a study already"),
        (("new", "two.db", "--levels", "2020"), 'Did you mean "2024"?'),
        (("log", "2h", "x", "--store", "no.db"), "no.db: there is no such store. Make it with `assay study new no.db`"),
        (("check", "no.db"), "no.db: does not exist"),
        (("import", "nowhere"), "nowhere: does not exist"),
    ],
)
def test_a_mistake_is_told_in_a_line_and_changes_nothing(begun: Run, arguments: tuple[str, ...], told: str):
    code, said = begun(*arguments)
    assert (code, said.count("\n")) == (2, 1)
    assert told in said
    assert stored() == BEGUN


def test_the_timer_counts(begun: Run):
    assert begun("timer", "start", "training") == (0, "assay: the clock runs for training\n")
    assert begun("timer", "status") == (0, "  0:00 h  ada: training (paper p1, attempt 1)\n")
    assert begun("timer", "start", "reading")[0] == 2
    assert begun("timer", "stop", "--hours", "1h30")[1] == "assay: 1.5 h of training logged; 1.5 of 40 h used\n"
    assert begun("timer", "status") == (0, "")
    begun("timer", "start", "training")
    assert "nothing logged" in begun("timer", "cancel")[1]
    assert len(stored().papers[0].attempts[0].log) == 1


def test_a_clock_is_shown_in_one_line_whatever_its_activity_is_called(begun: Run):
    begun("timer", "start", "reading\n\x1b[31mred")
    assert begun("timer", "status")[1].endswith(r"ada: reading \x1b[31mred (paper p1, attempt 1)" + "\n")


def test_entries_are_listed_changed_deleted_and_brought_back(begun: Run):
    assert begun("change", "attempt", "1", "people=Ada", "budget=20")[0] == 0
    said = begun("list", "attempts")[1]
    assert said == "    1  paper p1, attempt 1, people Ada, budget 20\n"
    assert '"Ada"' in begun("list", "attempts", "--format", "json")[1]
    assert begun("delete", "paper", "1")[1] == 'assay: paper 1 "p1" deleted; `assay study undo` brings it back\n'
    assert stored().papers == ()
    assert begun("undo")[1] == 'assay: paper 1 "p1" is back\n'
    assert stored().papers[0].attempts[0].people == ("Ada",)
    begun("delete", "attempt", "1")
    begun("add", "paper", "--id", "p2")
    begun("delete", "paper", "2")
    listed = begun("list", "--deleted")[1]
    assert listed.startswith("    2  kind paper, id p2\n    1  kind attempt, ")
    assert begun("undo", "attempt", "1") == (0, 'assay: attempt 1 "1" is back\n')
    assert begun("undo", "attempt", "1")[0] == 2


def test_a_name_is_needed_where_there_are_several(begun: Run):
    begun("add", "paper", "--id", "p2")
    code, said = begun("log", "2h", "x")
    assert (code, said) == (2, "assay: there are 2 papers. Name one with --paper: p1, p2.\n")
    assert begun("log", "2h", "x", "--paper", "p1", "--attempt", "1")[0] == 0


def test_a_study_goes_from_folder_to_store_and_back(assay: Run):
    assay("example", "thesis")
    assert assay("import", "thesis")[1] == "assay: in study.db: papers 30, attempts 22\n"
    assert stored() == example_study()
    assert assay("import", "thesis")[0] == 2
    assert assay("import", "thesis", "--replace")[0] == 0
    assert assay("export", "again")[0] == 0
    assert read_study(Path("again")) == read_study(Path("thesis"))
    assert "holds a study already" in assay("export", "again")[1]
    assert assay("export", "again", "--force")[0] == 0
    by_folder, by_store = (assay("check", where, "--select", "D101")[1] for where in ("thesis", "study.db"))
    assert "paper 17" in by_store
    assert by_folder.replace("thesis", "") == by_store.replace("study.db", "")


def test_broken_toml_is_told_with_line_and_column(assay: Run):
    Path("broken").mkdir()
    Path("broken/study.toml").write_text('title = "a"\nsource = b\n')
    code, said = assay("import", "broken")
    assert (code, "at line 2, column 10" in said) == (2, True)
    assert not Path("study.db").exists()


def test_a_store_on_a_server_is_used_by_its_address(assay: Run, postgres: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ASSAY_STUDY", postgres)
    assert assay("new", postgres)[0] == 0
    assert assay("add", "paper", "--id", "p1")[0] == 0
    assert [paper.id for paper in stored(postgres).papers] == ["p1"]


# --- claims ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "trouble"),
    [
        (("--measure", "percentage", "--value", "50"), 'there is no measure "percentage"'),
        (("--measure", "attempts", "--of", "author=Ada", "--value", "1"), '"attempts" knows no "author"'),
        (("--measure", "attempts", "--of", "level=R9", "--value", "1"), '"level=R9" is not known'),
        (("--measure", "attempts", "--of", "outcome=Sucess", "--value", "1"), 'Did you mean "Success"?'),
        (("--measure", "percent", "--value", "1"), '"percent" needs outcome='),
        (("--measure", "attempts", "--value", "many"), "many"),
    ],
)
def test_a_claim_that_cannot_be_computed_is_refused_when_it_is_entered(
    begun: Run, given: tuple[str, ...], trouble: str
):
    code, said = begun("add", "claim", *given)
    assert code == 2
    assert trouble in said
    assert stored().claims == ()


def test_a_claim_is_compared_with_the_records_when_it_is_entered(begun: Run):
    assert "claim 1 added: the records agree" in begun("add", "claim", "--measure", "attempts", "--value", "1")[1]
    said = begun("add", "claim", "--measure", "attempts", "--of", "level=R1", "--value", "1")[1]
    assert "claim 2 added: it says 1, the records give 0" in said


def test_every_measure_and_selector_is_listed_and_completed(begun: Run):
    listed = begun("measures")[1]
    columns = {field.column: field for field in FIELDS["claim"]}
    assert set(columns["measure"].choices()) == set(MEASURES)
    assert {f"{name}=" for name in SELECTORS} <= set(columns["of"].hints())
    assert all(name in listed for name in (*MEASURES, *SELECTORS))


# --- at the keyboard -------------------------------------------------------------------------------


def test_words_are_completed_by_their_beginning_or_their_meaning():
    choices = {code: category.label for code, category in categories().items()}
    assert matches("p1", choices) == ["P1", *(f"P1{n}" for n in range(10))]
    assert matches("seed", choices) == ["P7"]


def converse(arguments: list[str], answers: list[tuple[str, str]]) -> str:
    """Run a command on a terminal; each answer is typed once its question has appeared after the one before."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-m", "assay", "study", *arguments])
    said, start, deadline = "", 0, time.monotonic() + 120
    pending = list(answers)
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            said += os.read(terminal, 4096).decode()
        except OSError:  # the other end is closed: it has finished
            break
        while pending and (at := said.find(pending[0][0], start)) >= 0:
            question, answer = pending.pop(0)
            start = at + len(question)
            os.write(terminal, answer.encode())
    os.close(terminal)
    os.waitpid(child, 0)
    assert not pending, said
    return said


def test_a_discrepancy_is_asked_for_with_completion(begun: Run):
    begun("add", "discrepancy", "--category", "P13")
    answers = [
        ("Category", "P99\n"),
        ('"P99" is not known', ""),
        ("Category", "guessed\t\t\t"),
        ("A11 ", "\x15a1\t1\n"),
        ("How often", "0\n"),
        ("Leave out what did not occur", ""),
        ("How often", "2\n"),
        ("Severity, 0 to 4", "3\n"),
        ("Measured effect", "much\n"),
        ("is no number", ""),
        ("Measured effect", "-0.01\n"),
        ("On which metric", "accuracy\n"),
        ("Categories that led", "p13\n"),
        ("only together", "\n"),
        ("What happened", "a rate\n"),
    ]
    said = converse(["add", "discrepancy"], answers)
    assert "discrepancy 2 added" in said
    made = stored().papers[0].attempts[0].discrepancies[1]
    assert (made.category, made.instances, made.severity, made.effect) == ("A11", 2, 3, "-0.01")
    assert (made.effect_on, made.because, made.note) == ("accuracy", ("P13",), "a rate")


def test_each_answer_is_checked_before_the_next_question(begun: Run):
    answers = [
        ("Short name", "p9\n"),
        ("Title", "\n"),
        ("Year", "20x0\n"),
        ("is not a number", ""),
        ("Year", "2012\n"),
        ("What it shares", "2020\n"),
        ("there is no level", ""),
        ("What it shares", "R1\n"),
        ("Degree", "\n"),
        ("DOI", "\n"),
        ("Authors", "\n"),
        ("Journal", "\n"),
        ("Type", "empirical\n"),
        ("is not known", ""),
        ("Type", "experimental\n"),
        ("work", "\n"),
        ("selected", "\n"),
        ("excluded", "\n"),
        ("documents Data", "\n"),
    ]
    assert 'paper 2 "p9" added' in converse(["add", "paper"], answers)
    assert stored().papers[1].year == 2012


def test_what_it_belongs_to_is_asked_for_and_the_end_of_input_stores_nothing(begun: Run):
    begun("add", "paper", "--id", "p2", "--title", "Another")
    begun("add", "attempt", "--paper", "p2")
    said = converse(["log", "2h", "reading"], [("Which paper", "p2\n")])
    assert "2 h of reading logged" in said
    assert stored().papers[1].attempts[0].log
    before = stored()
    said = converse(["add", "experiment"], [("Which paper", "p1\n"), ("Short name", "\x04")])
    assert "stopped; what was finished before is kept" in said
    assert stored() == before
