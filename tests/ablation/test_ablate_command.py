"""``assay ablate`` as a person meets it: the report in every format, the dry run, exit codes."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from made_plans import PIPELINE, PLAN, write_plan

from assay.ablation.cost import duration
from assay.ablation.design import runs_of
from assay.ablation.plan import read_plan
from assay.ablation.plots import ranges
from assay.ablation.series import ablate
from assay.ablation.store import Outcome, Status, Store
from assay.cli import main
from assay.report import Format

FULL = PLAN.replace("seeds = 3", 'seeds = 3\njoint = 4\npairs = "all"\nmeasures = ["test.auc"]')


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def go(*arguments: str) -> tuple[int, str, str]:
        code = main(["ablate", "plan.toml", "--workers", "2", *arguments])
        return code, *capsys.readouterr()

    return go


def test_the_report_has_the_sentence_the_menu_and_the_seeds(run, tmp_path: Path) -> None:
    write_plan(tmp_path, FULL)
    code, out, _ = run("--format", "json")
    tables = {table["title"]: table for table in json.loads(out)["tables"]}
    assert code == 0
    [words] = [table for title, table in tables.items() if title == "test.auc, in words"]
    assert words["rows"][0] == [
        "depth",
        "Not reporting depth moves test.auc by −0.050…+0.100; seeds alone move it by ±0.010.",
    ]
    menu = tables["The menu, fixed before the first run"]["rows"]
    assert ["depth", "model.depth = 3", "2; 5"] in menu
    told = dict(tables["How it was measured"]["rows"])
    assert told["seeds"] == "0, 1, 2"
    assert "4 random fill-ins" in told["design"]
    assert any("neither alternative alone" in title for title in tables)
    assert any("filled at random" in title for title in tables)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plan whose runs are all made."""
    plan = write_plan(tmp_path_factory.mktemp("finished"), FULL.replace("seeds = 3", "seeds = 2"))
    ablate(read_plan(plan), plan.with_suffix(".runs"), workers=2)
    return plan


@pytest.mark.parametrize("how", [how for how in Format if not how.is_binary])
def test_every_format_is_written(finished: Path, tmp_path: Path, how: Format) -> None:
    assert main(["ablate", str(finished), "-o", str(tmp_path / f"report.{how.value}")]) == 0
    assert (tmp_path / f"report.{how.value}").stat().st_size > 100


def test_the_picture_says_in_words_what_it_shows(finished: Path) -> None:
    figure = ranges(ablate(read_plan(finished), finished.with_suffix(".runs")).effects[0])
    ET.fromstring(figure.svg)
    assert "depth −0.050…+0.100" in figure.alt
    assert "label rule" in figure.svg


def test_a_dry_run_counts_and_runs_nothing(run, tmp_path: Path) -> None:
    write_plan(tmp_path, pipeline="raise SystemExit('must not run')")
    code, out, _ = run("--dry-run")
    assert code == 0
    assert out.startswith("depth\n  as stated: model.depth = 3\n  or: 2; 5\n")
    assert "12 runs with 3 seeds, 0 of them finished already." in out
    assert not (tmp_path / "plan.runs").exists()


def test_a_dry_run_estimates_the_cost_from_finished_runs(run, tmp_path: Path) -> None:
    plan = read_plan(write_plan(tmp_path, PLAN.replace("seeds = 3", "seeds = 3\ntimeout = 600")))
    assert "Cost: unknown until a run has finished; at most 60 minutes, 2 at a time." in run("--dry-run")[1]
    store = Store(tmp_path / "plan.runs", plan)
    store.make()
    for wanted, seconds in zip(runs_of(plan), (100.0, 140.0), strict=False):
        store.put(store.key(wanted), Outcome(Status.DONE, {"auc": 0.5}, seconds))
    out = " ".join(run("--dry-run")[1].split())
    assert "Cost: about 10 minutes for 10 runs, 2 at a time; 2 finished runs took 2 minutes each." in out
    for wanted in runs_of(plan):
        store.put(store.key(wanted), Outcome(Status.DONE, {"auc": 0.5}, 1.0))
    assert "Nothing is left to run." in run("--dry-run")[1]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.031, "0.031 s"), (1.0, "1 s"), (119, "119 s"), (150, "2.5 minutes"), (9_000, "2.5 hours"), (1e6, "11.6 days")],
)
def test_a_duration_has_the_largest_unit_that_fits_twice(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_plan_cannot_write_to_the_terminal(run, tmp_path: Path) -> None:
    write_plan(tmp_path, PLAN.replace('label = "depth"', 'label = "depth\\u001b[31m\\nred"'))
    out = run("--dry-run")[1]
    assert out.startswith("depth\\x1b[31m red\n  as stated: ")


def test_failed_runs_stand_in_the_report_and_change_the_exit_code(run, tmp_path: Path) -> None:
    write_plan(tmp_path, pipeline=PIPELINE.replace("print(json", "assert seed != 1, 'out of luck'\nprint(json"))
    code, out, _ = run()
    assert code == 1
    assert "Runs without metrics" in out
    assert "out of luck" in " ".join(out.split())
    assert "4 of 12 runs gave no metrics; --retry makes them again" in " ".join(out.split())


def test_bad_input_is_one_line_and_exit_code_2(run, tmp_path: Path) -> None:
    write_plan(tmp_path, PLAN.replace("model.depth", "model.dept"))
    code, out, err = run()
    assert (code, out) == (2, "")
    assert err.startswith("assay: ")
    assert err.count("\n") == 1
