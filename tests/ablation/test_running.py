"""Runs are made once, whatever happens to them or to us."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from made_plans import PIPELINE, PLAN, lines, made, write_plan

from assay.ablation.design import BASE, Run
from assay.ablation.execution import read_metrics
from assay.ablation.series import ablate
from assay.ablation.store import Status, Store
from assay.errors import InputError
from patience import until

LOGGED = 'open("log", "a").write(f"{sys.argv[2]}\\n")\n'


def replaced(old: str, new: str) -> str:
    assert old in PIPELINE
    return PIPELINE.replace(old, new)


def test_every_run_is_made_once_and_then_remembered(tmp_path: Path) -> None:
    plan = made(tmp_path, pipeline=PIPELINE + LOGGED)
    first = ablate(plan, tmp_path / "runs", workers=2)
    again = ablate(plan, tmp_path / "runs")
    assert len(lines(tmp_path / "log")) == len(first.results) == 12
    assert again.results == first.results
    assert first.results[Run(BASE, 2)].metrics == {"test.auc": pytest.approx(0.82), "test.loss": 1.0}


def test_a_changed_seed_key_configuration_or_command_is_another_run(tmp_path: Path) -> None:
    plain = made(tmp_path)
    keys = {Store(tmp_path, plain).key(Run(BASE, seed)) for seed in (0, 1)}
    for change in (("pipeline.py", "./pipeline.py"), ("seeds = 3", 'seeds = 3\nseed_key = "seed"')):
        keys.add(Store(tmp_path, made(tmp_path, plan=PLAN.replace(*change))).key(Run(BASE, 0)))
    keys.add(Store(tmp_path, made(tmp_path, config=write_config(tmp_path, "depth = 3", "depth = 4"))).key(Run(BASE, 0)))
    assert len(keys) == 5


def write_config(folder: Path, old: str, new: str) -> str:
    return (folder / "config.toml").read_text().replace(old, new)


def test_a_changed_file_makes_other_runs_when_the_plan_lists_it(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("1")
    plan = made(tmp_path, plan=PLAN.replace("seeds = 3", 'seeds = 1\ndepends = ["data.csv"]'))
    before = Store(tmp_path, plan).key(Run(BASE, 0))
    (tmp_path / "data.csv").write_text("2")
    assert Store(tmp_path, plan).key(Run(BASE, 0)) != before


@pytest.mark.parametrize(
    ("command", "edited"),
    [
        ('"pipeline.py", "{config}", "{seed}"]', "pipeline.py"),
        ('"-m", "pipeline", "{config}", "{seed}"]', "pipeline.py"),
        ('"-m", "tools.train", "{config}", "{seed}"]', "tools/train.py"),
        ('"pipeline.py", "{config}", "{seed}", "data.csv"]', "data.csv"),
        ('"pipeline.py", "{config}", "{seed}", "--data=data.csv"]', "data.csv"),
    ],
)
def test_an_edited_file_that_the_command_names_is_another_run(tmp_path: Path, command: str, edited: str) -> None:
    (tmp_path / "tools").mkdir()
    for name in ("data.csv", "tools/train.py", "unrelated.py"):
        (tmp_path / name).write_text("")
    plan = made(tmp_path, plan=PLAN.replace('"-IS", "pipeline.py", "{config}", "{seed}"]', command))
    before = Store(tmp_path, plan).key(Run(BASE, 0))
    (tmp_path / "unrelated.py").write_text("changed = 1")
    assert Store(tmp_path, plan).key(Run(BASE, 0)) == before
    (tmp_path / edited).write_text("changed = 1")
    assert Store(tmp_path, plan).key(Run(BASE, 0)) != before


@pytest.mark.parametrize("edited", ["helpers.py", "tools/__init__.py", "tools/scaling.py"])
def test_an_edited_module_that_the_script_imports_is_another_run(tmp_path: Path, edited: str) -> None:
    (tmp_path / "tools").mkdir()
    for name, text in {
        "helpers.py": "from tools import scaling",
        "tools/__init__.py": "",
        "tools/scaling.py": "",
    }.items():
        (tmp_path / name).write_text(text)
    plan = made(tmp_path, pipeline="import json\nimport helpers\n" + PIPELINE)
    before = Store(tmp_path, plan).key(Run(BASE, 0))
    (tmp_path / edited).write_text("from tools import scaling\nchanged = 1\n")
    assert Store(tmp_path, plan).key(Run(BASE, 0)) != before


def test_a_script_that_does_not_parse_is_watched_alone(tmp_path: Path) -> None:
    assert Store(tmp_path, made(tmp_path, pipeline="import helpers\nprint 1\n")).key(Run(BASE, 0))


def test_an_inline_program_is_no_file_to_watch(tmp_path: Path) -> None:
    inline = '"-c", "' + "pass;" * 90 + '", "{config}", "{seed}"]'
    plan = made(tmp_path, plan=PLAN.replace('"pipeline.py", "{config}", "{seed}"]', inline))
    assert Store(tmp_path, plan).key(Run(BASE, 0))


def test_an_edited_script_never_gives_yesterdays_numbers(tmp_path: Path) -> None:
    plan = PLAN.replace("seeds = 3", "seeds = 1")
    ablate(made(tmp_path, plan=plan), tmp_path / "runs")
    changed = ablate(made(tmp_path, plan=plan, pipeline=replaced("0.8 +", "0.7 +")), tmp_path / "runs")
    assert changed.results[Run(BASE, 0)].metrics["test.auc"] == pytest.approx(0.7)


def test_a_script_that_changes_under_way_stops_the_series(tmp_path: Path) -> None:
    edits_itself = PIPELINE + 'open("pipeline.py", "a").write("# edited\\n")\n'
    with pytest.raises(InputError, match=r"pipeline\.py.*changed while runs were being made"):
        ablate(made(tmp_path, pipeline=edits_itself), tmp_path / "runs")
    assert not list((tmp_path / "runs").rglob("*.json"))


def test_a_failing_run_is_recorded_with_its_last_words_and_the_rest_go_on(tmp_path: Path) -> None:
    failing = replaced(
        "print(json", 'if seed == 1 and config["data"]["label"] == "half": sys.exit("no memory")\nprint(json'
    )
    found = ablate(made(tmp_path, pipeline=failing), tmp_path / "runs", workers=2)
    [(run, outcome)] = found.failed
    assert (run.seed, outcome.status, outcome.message) == (1, Status.FAILED, "exit code 1. no memory")
    [label] = [
        item for one in found.effects if one.measure == "test.auc" for item in one.items if item.label == "label rule"
    ]
    assert label.spread.value == pytest.approx(0.1)
    assert label.spread.seeds == 2


def test_failed_runs_are_made_again_only_on_demand(tmp_path: Path) -> None:
    failing = replaced("print(json", 'import os\nif seed == 1 and not os.path.exists("fixed"): sys.exit(1)\nprint(json')
    plan = made(tmp_path, pipeline=failing)
    assert len(ablate(plan, tmp_path / "runs").failed) == 4
    (tmp_path / "fixed").touch()
    assert len(ablate(plan, tmp_path / "runs").failed) == 4
    assert not ablate(plan, tmp_path / "runs", retry=True).failed


def test_a_hanging_run_is_ended_with_its_children(tmp_path: Path) -> None:
    hanging = replaced(
        "print(json",
        """if seed == 1 and config["data"]["label"] == "half":
    import subprocess
    child = subprocess.Popen(["sleep", "60"])
    open("child", "w").write(str(child.pid))
    child.wait()
print(json""",
    )
    plan = made(tmp_path, plan=PLAN.replace("seeds = 3", "seeds = 2\ntimeout = 5"), pipeline=hanging)
    found = ablate(plan, tmp_path / "runs", workers=2)
    [(run, outcome)] = found.failed
    assert (run.seed, outcome.status) == (1, Status.TIMED_OUT)
    until(lambda: ended(Path("/proc", (tmp_path / "child").read_text(), "stat")))


def ended(process: Path) -> bool:
    """Whether a process is gone, or waits only for somebody to take note of its end."""
    try:
        return process.read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.parametrize(
    "printed",
    ["print('no metrics')", "print('{broken')", "print('[1, 2]')", 'print(\'{"a": "b"}\')', "pass", "print(chr(0))"],
)
def test_output_without_metrics_is_recorded_as_such(tmp_path: Path, printed: str) -> None:
    two_runs = PLAN.split("[[item]]")[0].replace("seeds = 3", "seeds = 2") + "[[item]]" + PLAN.split("[[item]]")[2]
    silent = PIPELINE.replace("print(json", f"if seed == 1: {printed}; sys.exit()\nprint(json").replace(
        'print("training ...")', ""
    )
    found = ablate(made(tmp_path, plan=two_runs, pipeline=silent), tmp_path / "runs")
    assert {outcome.status for _, outcome in found.failed} == {Status.NO_METRICS}
    assert len(found.failed) == 2


def test_metrics_may_come_in_a_file(tmp_path: Path) -> None:
    into_file = PIPELINE.replace("print(json.dumps(", "json.dump(").replace("True}))", 'True}, open(sys.argv[3], "w"))')
    plan = PLAN.replace('"{seed}"]', '"{seed}", "{out}/metrics.json"]\nmetrics_file = "{out}/metrics.json"')
    plan = plan.replace("seeds = 3", "seeds = 1")
    found = ablate(made(tmp_path, plan=plan, pipeline=into_file), tmp_path / "runs")
    assert not found.failed


def test_the_seed_may_go_into_the_configuration(tmp_path: Path) -> None:
    plan = PLAN.replace(', "{seed}"]', ']\nseed_key = "seed"')
    found = ablate(
        made(tmp_path, plan=plan, pipeline=replaced("int(sys.argv[2])", 'config["seed"]')), tmp_path / "runs"
    )
    assert found.results[Run(BASE, 2)].metrics["test.auc"] == pytest.approx(0.82)


@pytest.mark.parametrize(
    ("text", "metrics"),
    [
        ('{"a": 1, "b": {"c": 0.5, "d": null}, "e": true, "f": [1]}', {"a": 1.0, "b.c": 0.5}),
        ('log\n{"a": 1}\nlog\n{"a": 2}\nmore log', {"a": 2.0}),
        ('{"a": NaN, "b": Infinity, "c": 3}', {"c": 3.0}),
        ('{\n "a": 1\n}\n', {"a": 1.0}),
        ("{" * 10_000, {}),
        ("", {}),
    ],
)
def test_metrics_are_the_finite_numbers_of_the_last_json_object(tmp_path: Path, text: str, metrics: dict) -> None:
    (tmp_path / "out").write_text(text)
    assert read_metrics(tmp_path / "out") == metrics


def test_when_every_run_fails_the_reason_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none of the 12 runs gave metrics .*broken pipe"):
        ablate(made(tmp_path, pipeline="import sys; sys.exit('broken pipe')"), tmp_path / "runs", workers=2)


def test_a_command_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match='"no-such-program" cannot be run'):
        ablate(made(tmp_path, plan=PLAN.replace("{python}", "no-such-program")), tmp_path / "runs")


def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    plan = PLAN.replace('"{seed}"]', '"{seed}", "; touch intruder", "$(touch intruder)"]').replace(
        "seeds = 3", "seeds = 1"
    )
    ablate(made(tmp_path, plan=plan), tmp_path / "runs")
    assert not (tmp_path / "intruder").exists()


def test_an_unknown_measure_is_refused_with_a_suggestion(tmp_path: Path) -> None:
    plan = PLAN.replace("seeds = 3", 'seeds = 1\nmeasures = ["test.acu"]')
    with pytest.raises(InputError, match=r"Did you mean .test\.auc"):
        ablate(made(tmp_path, plan=plan), tmp_path / "runs")


def test_a_damaged_result_is_made_again(tmp_path: Path) -> None:
    plan = made(tmp_path, pipeline=PIPELINE + LOGGED)
    first = ablate(plan, tmp_path / "runs")
    one, other, *_ = (tmp_path / "runs").rglob("*.json")
    one.write_text("{")
    other.write_text('{"status": "unheard of", "metrics": {}, "seconds": 1, "message": ""}')
    again = ablate(plan, tmp_path / "runs")
    assert len(lines(tmp_path / "log")) == 12 + 2
    assert {run: o.metrics for run, o in again.results.items()} == {run: o.metrics for run, o in first.results.items()}


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(InputError, match="runs"):
        ablate(made(tmp_path), tmp_path / "runs" / "deeper")


@pytest.mark.parametrize("place", ["os.fsync", "pathlib.Path.write_text"])
def test_a_full_disk_is_told_and_earlier_runs_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    short = PLAN.replace("seeds = 3", "seeds = 1")
    ablate(made(tmp_path, plan=short), tmp_path / "runs")
    more = made(tmp_path, plan=PLAN.replace("seeds = 3", "seeds = 2"))

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(place, full)
    with pytest.raises(InputError, match=r"No space left on device.*kept"):
        ablate(more, tmp_path / "runs")
    monkeypatch.undo()
    assert len(list((tmp_path / "runs").rglob("*.json"))) == 4
    assert not ablate(more, tmp_path / "runs").failed


def test_a_terminated_series_ends_its_children_and_keeps_finished_runs(tmp_path: Path) -> None:
    hanging = """if seed == 1:
    import os, subprocess
    child = subprocess.Popen(["sleep", "60"])
    open("children.part", "w").write(f"{os.getpid()} {child.pid}")
    os.rename("children.part", "children")
    child.wait()
print(json"""
    plan = write_plan(tmp_path, pipeline=replaced("print(json", hanging))
    command = [sys.executable, "-m", "assay", "ablate", str(plan), "--workers", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    until((tmp_path / "children").exists)
    process.terminate()
    _, complaint = process.communicate()
    assert (process.returncode, complaint) == (130, "assay: interrupted; what was finished before is kept\n")
    for child in (tmp_path / "children").read_text().split():
        until(lambda child=child: ended(Path("/proc", child, "stat")))
    assert len(list((tmp_path / "plan.runs").rglob("*.json"))) == 4


def test_after_kill_9_the_series_goes_on_where_it_was(tmp_path: Path) -> None:
    fourth = 'import os, time\nwhile os.path.exists("gate") and len(open("log").readlines()) >= 4: time.sleep(0.02)\n'
    (tmp_path / "gate").touch()
    plan = write_plan(tmp_path, pipeline=PIPELINE + LOGGED + fourth)
    command = [sys.executable, "-m", "assay", "ablate", str(plan), "--workers", "1", "--format", "json"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    runs = tmp_path / "plan.runs"
    until(lambda: len(lines(tmp_path / "log")) == 4)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    (tmp_path / "gate").unlink()
    assert len(list(runs.rglob("*.json"))) == 3
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    report = json.loads(finished.stdout)
    assert any("in words" in table["title"] for table in report["tables"])
    assert len(list(runs.rglob("*.json"))) == 12
    assert len(lines(tmp_path / "log")) == 13  # the one that was under way is made again
