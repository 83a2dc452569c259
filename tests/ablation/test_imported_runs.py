"""Runs that were made elsewhere, and series that stop when they have enough seeds or run on a cluster."""

from pathlib import Path

import pytest
from made_plans import PIPELINE, PLAN, lines, made, write_plan

from assay.ablation.design import BASE, Run, Setting
from assay.ablation.imported import imported_runs
from assay.ablation.series import LEAST_SEEDS, ablate, summed_up
from assay.cli import main
from assay.errors import InputError

NO_COMMAND = PLAN.replace('command = ["{python}", "-IS", "pipeline.py", "{config}", "{seed}"]\n', "")
ROWS = """seed,model.depth,label rule,auc,note
0,3,as stated,0.80,x
0,2,,0.75,x
0,5.0,,0.90,x
0,3,half,0.70,x
1,3,,0.81,x
1,2,,0.76,x
1,5,,0.91,x
1,3,half,0.72,x
1,9,,0.5,x
,3,,0.5,x
"""


def test_a_table_of_runs_is_bound_to_the_plan_by_its_settings_and_seeds(tmp_path: Path) -> None:
    plan = made(tmp_path / "plan", plan=NO_COMMAND)
    (tmp_path / "runs.csv").write_text(ROWS)
    found = imported_runs(plan, tmp_path / "runs.csv")
    assert found.plan.seeds == (0, 1)
    assert found.results[Run(BASE, 1)].metrics == {"auc": 0.81}
    assert found.results[Run(Setting(((1, 0),)), 0)].metrics == {"auc": 0.70}
    assert len(found.results) == 8
    assert [note.partition(": ")[2] for note in found.left_out] == [
        "its settings fit none of the plan",
        "it has no seed",
    ]
    [auc] = summed_up(found.plan, found.results).effects
    assert [item.label for item in auc.items] == ["depth", "label rule"]


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_a_table_with_another_delimiter_may_have_decimal_commas(tmp_path: Path, delimiter: str) -> None:
    plan = made(tmp_path / "plan", plan=NO_COMMAND)
    (tmp_path / "comma.csv").write_text(ROWS)
    heading, _, body = ROWS.replace(",", delimiter).partition("\n")
    (tmp_path / "other.csv").write_text(f"{heading}\n{body.replace('.', ',')}")
    one, other = (imported_runs(plan, tmp_path / name) for name in ("comma.csv", "other.csv"))
    assert other.results == one.results


def mlflow_run(folder: Path, parameters: dict[str, str], auc: str, stage: str = "active") -> None:
    for kind, values in (("params", parameters), ("metrics", {"auc": f"1 0.1 0\n2 {auc} 1\n"})):
        (folder / kind).mkdir(parents=True)
        for name, text in values.items():
            (folder / kind / name).write_text(text)
    (folder / "meta.yaml").write_text(f"lifecycle_stage: {stage}\n")


def test_the_files_of_mlflow_are_read_with_the_last_value_of_each_metric(tmp_path: Path) -> None:
    plan = made(tmp_path / "plan", plan=NO_COMMAND)
    for seed in "01":
        for name, depth in (("base", "3"), ("deep", "5")):
            parameters = {"seed": seed, "model.depth": depth, "data.label": "any"}
            mlflow_run(tmp_path / "mlruns" / "0" / f"{name}{seed}", parameters, f"0.{depth}{seed}")
    mlflow_run(tmp_path / "mlruns" / "0" / "gone", {"seed": "0"}, "0.9", "deleted")
    found = imported_runs(plan, tmp_path / "mlruns")
    assert found.left_out == ()
    assert found.results[Run(Setting(((0, 1),)), 1)].metrics == {"auc": 0.51}
    assert len(found.results) == 4


def test_a_report_on_imported_runs_runs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = write_plan(tmp_path / "plan", plan=NO_COMMAND)
    (tmp_path / "runs.csv").write_text(ROWS)
    assert main(["ablate", str(plan), "--from", str(tmp_path / "runs.csv")]) == 0
    assert "Not reporting depth moves auc by −0.050…+0.100" in " ".join(capsys.readouterr().out.split())
    assert main(["ablate", str(plan)]) == 2
    assert "the plan names no command" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "text"), [("a.csv", "seed,auc\n"), ("b.csv", "seed,model.depth,auc\n0,77,1\n")])
def test_a_table_without_runs_of_the_plan_is_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match="holds no run"):
        imported_runs(made(tmp_path / "plan"), tmp_path / name)


# --- enough seeds ------------------------------------------------------------------------------------

COUNTED = (
    PIPELINE
    + """
open("made.txt", "a").write(f"{seed}\\n")
"""
)


def seeds_made(folder: Path, enough: str, pipeline: str) -> tuple[set[str], str]:
    plan = made(folder, plan=PLAN.replace("seeds = 3", f"seeds = 12\nenough = {enough}"), pipeline=pipeline)
    found = ablate(plan, folder / "runs")
    return set(lines(folder / "made.txt")), found.left_out[0]


def test_a_series_stops_when_every_change_is_known_well_enough(tmp_path: Path) -> None:
    seeds, note = seeds_made(tmp_path, "0.01", COUNTED)  # the changes are the same at every seed
    assert seeds == {str(seed) for seed in range(LEAST_SEEDS)}
    assert note.startswith(f"{LEAST_SEEDS} of 12 seeds: every change is known to ±")


def test_a_series_that_never_has_enough_uses_all_its_seeds_and_says_so(tmp_path: Path) -> None:
    noisy = COUNTED.replace("score = 0.8 +", "score = 0.8 + 0.3 * ((seed * 7919 + len(str(config))) % 13) / 13 +")
    noisy = noisy.replace("+ 0.05 * (", "+ 0.2 * (seed % 2) * (")
    seeds, note = seeds_made(tmp_path, "0.0001", noisy)
    assert len(seeds) == 12
    assert "±0.0001 was asked for, and no seeds are left" in note


# --- a cluster ---------------------------------------------------------------------------------------


def test_runs_on_a_cluster_give_what_they_give_here(tmp_path: Path) -> None:
    from distributed import LocalCluster

    plan = made(tmp_path, pipeline=COUNTED)
    with LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None
    ) as cluster:
        there = ablate(plan, tmp_path / "there", scheduler=cluster.scheduler_address)
        made_before = len(lines(tmp_path / "made.txt"))
        again = ablate(plan, tmp_path / "there", scheduler=cluster.scheduler_address)
    assert (made_before, len(lines(tmp_path / "made.txt"))) == (12, 12), "finished runs are not made again"
    here = ablate(plan, tmp_path / "here")
    assert there.effects == again.effects == here.effects


def test_an_address_where_no_scheduler_is_gets_one_clear_message(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no scheduler answers"):
        ablate(made(tmp_path), tmp_path / "runs", scheduler="nonsense://:1:2")
