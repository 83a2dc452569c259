"""Running the user's own command: the one place where Assay executes something, because the plan names it.

The command is a list of words, run without a shell in the plan's folder. Each run gets a configuration file and a
folder of its own. A run that fails, hangs or prints no metrics is recorded, and the others go on.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event
from typing import Any

from assay.ablation.design import Run
from assay.ablation.plan import Plan
from assay.ablation.store import Outcome, Status, Store
from assay.errors import InputError

MAX_OUTPUT = 16 * 1024 * 1024
"""Metrics are looked for in the last bytes of what a run printed."""
MAX_METRICS = 1_000
_POLL = 0.05
_LAST_WORDS = 500


def execute(
    plan: Plan, runs: Sequence[Run], store: Store, *, workers: int = 1, retry: bool = False
) -> Generator[tuple[Run, Outcome]]:
    """Each run with its outcome as soon as it is known; those in the store are not made again.

    `retry` makes those again that failed. When the caller stops asking, running commands are ended.
    """
    known, batches = known_and_missing(plan, runs, store, retry=retry)
    yield from known
    stop = Event()
    with ThreadPoolExecutor(max_workers=workers) as pool:
        try:
            for batch in batches:
                yield from as_they_end({pool.submit(_kept, plan, run, store, stop): run for run in batch})
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def known_and_missing(
    plan: Plan, runs: Sequence[Run], store: Store, *, retry: bool
) -> tuple[list[tuple[Run, Outcome]], list[list[Run]]]:
    """The runs that the store has, and the others in batches, of which one ends before the next begins."""
    known, missing = [], []
    for run in runs:
        outcome = store.get(store.key(run))
        if outcome is None or (retry and outcome.status is not Status.DONE):
            missing.append(run)
        else:
            known.append((run, outcome))
    store.make()
    return known, [missing[:1], missing[1:]] if plan.first_alone else [missing]


def as_they_end(waiting: dict[Future[Outcome], Run]) -> Iterator[tuple[Run, Outcome]]:
    """Each run with its outcome as soon as it is known."""
    while waiting:
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield waiting.pop(future), future.result()


def _kept(plan: Plan, run: Run, store: Store, stop: Event) -> Outcome:
    try:
        outcome = perform(plan, run, stop)
    except OSError as error:
        fix = "Make room, or set TMPDIR to another folder; the runs finished so far are kept."
        raise InputError(f"a run cannot be made ({error.strerror})", where=str(error.filename or ""), fix=fix) from None
    if not stop.is_set():
        store.put(store.key(run), outcome)
    return outcome


def perform(plan: Plan, run: Run, stop: Event) -> Outcome:
    """Make one run, in a temporary folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="assay-ablate-", ignore_cleanup_errors=True) as made:
        out = Path(made).resolve()
        changes = run.setting.changes(plan) | ({plan.seed_key: run.seed} if plan.seed_key else {})
        config = out / f"config.{plan.base.format}"
        config.write_text(plan.base.changed(changes).text(), encoding="utf-8")
        fill = {"{config}": str(config), "{seed}": str(run.seed), "{out}": str(out), "{python}": sys.executable}
        fill |= plan.places
        started = time.monotonic()
        status, code = _run([_filled(word, fill) for word in plan.command], plan, out, stop)
        seconds = round(time.monotonic() - started, 3)
        if status is Status.FAILED:
            return Outcome(status, {}, seconds, f"exit code {code}. {_last_words(out / 'stderr')}".strip())
        if status is Status.TIMED_OUT:
            return Outcome(
                status, {}, seconds, f"ended after {plan.timeout:g} s. {_last_words(out / 'stderr')}".strip()
            )
        source = plan.folder / _filled(plan.metrics_file, fill) if plan.metrics_file else out / "stdout"
        metrics = read_metrics(source)
        if not metrics:
            where = "in the metrics file" if plan.metrics_file else "on standard output"
            return Outcome(Status.NO_METRICS, {}, seconds, f"no JSON object with numbers {where}")
        return Outcome(Status.DONE, metrics, seconds)


def _filled(word: str, fill: Mapping[str, str]) -> str:
    for name, value in fill.items():
        word = word.replace(name, value)
    return word


def _run(command: list[str], plan: Plan, out: Path, stop: Event) -> tuple[Status, int]:
    """Run the command to its end, its time limit, or until we are to stop; its children end with it."""
    with (out / "stdout").open("wb") as stdout, (out / "stderr").open("wb") as stderr:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own command, which the plan names
                command, cwd=plan.folder, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=True
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise InputError(f'"{command[0]}" cannot be run ({why})', fix="Check the plan's command.") from None
        ends = time.monotonic() + plan.timeout
        try:
            while process.poll() is None:
                if time.monotonic() > ends:
                    return Status.TIMED_OUT, 0
                if stop.is_set():
                    return Status.FAILED, 0
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_POLL)
            return (Status.DONE if process.returncode == 0 else Status.FAILED), process.returncode
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and, where there are process groups, everything that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def read_metrics(path: Path) -> dict[str, float]:
    """The numbers of a JSON file, or of the last line in it that is a JSON object; nested names joined by dots."""
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - MAX_OUTPUT))
            text = stream.read(MAX_OUTPUT).decode("utf-8", errors="replace").strip()
    except OSError:
        return {}
    for candidate in (text, *reversed(text.splitlines())):
        if candidate.strip().startswith("{"):
            with contextlib.suppress(ValueError, RecursionError):
                values = json.loads(candidate)
                return dict(list(_numbers(values))[:MAX_METRICS])
    return {}


def _numbers(values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, float]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _numbers(value, f"{above}{name}.")
        elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            yield f"{above}{name}", float(value)


def _last_words(path: Path) -> str:
    """The end of what a run wrote to standard error."""
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - 4 * _LAST_WORDS))
        text = stream.read().decode("utf-8", errors="replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(lines[-3:])[-_LAST_WORDS:]
