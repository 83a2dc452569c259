"""The same run on a Dask cluster: a real scheduler, several worker processes, and what is left when they are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster
from scripts_corpus import MakeList

from assay.corpus import open_results
from assay.corpus.executors import on_cluster, slurm_cluster, slurm_settings
from assay.errors import InputError
from patience import PATIENCE, until

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts processes that do not outlive the test."""
    started: list[subprocess.Popen[bytes]] = []

    def run(*command: str, **options: object) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen(command, cwd=tmp_path, **(QUIET | options)))  # type: ignore[call-overload]
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.wait()


def parts(out: Path) -> int:
    return len(list((out / "subjects").glob("part-*.parquet")))


def recorded(out: Path) -> list[tuple[object, ...]]:
    return list(open_results(out).query("select row, outcome from subjects order by row").rows)


def test_workers_and_scheduler_may_be_killed(start: Start, scripts: MakeList, tmp_path: Path) -> None:
    listing, out = scripts(14, hanging=(13,)), tmp_path / "out"
    told = tmp_path / "scheduler.json"
    common = ["--no-dashboard", "--scheduler-file", str(told)]
    scheduler = start(
        sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", *common
    )
    until(lambda: told.exists() and told.read_text().endswith("}"))  # it is not written in one go
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", *common]
    workers = [start(*worker) for _ in range(2)]
    address = json.loads(told.read_text())["address"]
    run = [sys.executable, "-m", "assay", "corpus", "run", str(listing), "--instrument", "leakage", "--out", str(out)]

    driver = start(*run, "--scheduler", address, "--batch", "1", stderr=subprocess.PIPE)
    until(lambda: parts(out) >= 4)
    os.kill(workers[0].pid, signal.SIGKILL)
    until(lambda: parts(out) >= 13)  # the other worker did the rest, and hangs at the last subject
    os.kill(scheduler.pid, signal.SIGKILL)
    _, said = driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 2
    assert b"the cluster's scheduler is gone. Give the same command again" in said
    assert recorded(out) == [(row, "done") for row in range(13)]

    subprocess.run([*run, "--workers", "1", "--time-limit", "5"], check=True, capture_output=True)
    assert recorded(out) == [*((row, "done") for row in range(13)), (13, "time")]


def test_an_adaptive_cluster_that_begins_without_workers_is_used() -> None:
    """It starts workers only for tasks, so waiting for a worker would be waiting for ever."""
    options = {"n_workers": 0, "processes": False, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**options) as cluster:  # type: ignore[no-untyped-call]
        cluster.adapt(minimum=0, maximum=1, interval="50ms")
        with on_cluster(cluster.scheduler_address) as place:
            assert "1 workers at the start" in place.words


FAKE_SBATCH = """#!/bin/sh
script=$(cat "$1")
sh -c "$script" > /dev/null 2>&1 &
echo Submitted batch job $!
"""
"""As the real one does, it has read the script when it returns: whoever gave it deletes it then."""
FAKE_SCANCEL = """#!/bin/sh
kill "$1"
"""


def test_slurm_is_asked_for_workers(scripts: MakeList, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, text in (("sbatch", FAKE_SBATCH), ("scancel", FAKE_SCANCEL)):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    listing, out = scripts(4), tmp_path / "out"
    run = [sys.executable, "-m", "assay", "corpus", "run", str(listing), "--instrument", "leakage", "--out", str(out)]
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    done = subprocess.run(
        [*run, "--slurm", "jobs=1,memory=1GB,interface=lo"],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert "4 subjects: 4 examined, 0 failed" in done.stdout
    assert open_results(out).rows == 4
    assert json.loads((out / "run.json").read_text())["sessions"][0]["place"] == "Slurm, 1 jobs, 1 workers at the start"


def test_what_is_asked_of_slurm_is_what_was_said() -> None:
    words = "jobs=3,cores=4,memory=16GB,walltime=02:00:00,queue=long,account=lab,extra=--exclusive"
    with slurm_cluster(words) as cluster:
        script = cluster.job_script()
    for line in ("#SBATCH -p long", "#SBATCH -A lab", "--cpus-per-task=4", "#SBATCH -t 02:00:00", "--exclusive"):
        assert line in script
    assert "--nworkers 4" in script
    assert slurm_settings("")["jobs"] == "1"


@pytest.mark.parametrize("words", ["cores", "colour=red", "jobs=0", "jobs=many"])
def test_words_that_say_nothing_about_slurm_are_refused(words: str) -> None:
    with pytest.raises(InputError, match="--slurm"):
        slurm_settings(words)
