"""Where batches are examined: in processes of this machine, or on a Dask cluster.

Both give futures as `concurrent.futures` knows them, and both run the same function, `guard.examine`. Scheduling on a
cluster is Dask's business, and submitting jobs to Slurm dask-jobqueue's.
"""

from __future__ import annotations

import logging
import pickle
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

from assay import __version__
from assay.corpus import guard
from assay.corpus.guard import Part
from assay.corpus.subject import Subject, Task
from assay.errors import InputError
from assay.extras import optional
from assay.records import dataclass

_SLURM_DEFAULTS: Mapping[str, str] = {"jobs": "1", "cores": "1", "memory": "4GB", "walltime": "04:00:00"}
_SLURM_KNOWN = (*_SLURM_DEFAULTS, "processes", "queue", "account", "interface", "python", "extra")
_WAIT = 60.0
"""Seconds to wait for a scheduler."""


class OtherVersionError(RuntimeError):
    """A worker runs another version, so its results could differ."""


@dataclass(frozen=True, slots=True)
class Place:
    """How to have a batch examined, how many at once, and a name for the place."""

    examine: Callable[[Task, Sequence[str], Sequence[Subject]], Future[Part]]
    capacity: Callable[[], int]
    """Called again and again, because cluster workers come and go."""
    words: str


@contextmanager
def on_this_machine(workers: int) -> Iterator[Place]:
    """Processes on this machine, each guarded by a thread."""
    with ThreadPoolExecutor(workers, thread_name_prefix="guard") as pool:

        def examine(task: Task, groups: Sequence[str], subjects: Sequence[Subject]) -> Future[Part]:
            return pool.submit(guard.examine, task, groups, subjects)

        try:
            yield Place(examine, lambda: workers, f"{workers} processes on this machine")
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            guard.stop_all()


@contextmanager
def on_cluster(address: str) -> Iterator[Place]:
    """The workers of a running Dask scheduler."""
    distributed = _distributed()
    try:
        _refuse_unknown(address)
        client = distributed.Client(address, timeout=_WAIT, set_as_default=False)
    except (OSError, ValueError) as error:
        told = f"no scheduler answers ({error or type(error).__name__})"
        raise InputError(told, where=address, fix="Start one with `dask scheduler`, and workers with it.") from None
    with ExitStack() as stack:
        stack.callback(client.close, timeout=5)
        yield _place(client, f"Dask at {address}")
        client.run(guard.stop_all)  # the workers stay, their examining processes need not


def _refuse_unknown(address: str) -> None:
    """Refuse an invalid address at once: a client that discovers it takes two minutes to fail."""
    from distributed.comm.addressing import get_address_host

    get_address_host(address)


@contextmanager
def on_slurm(words: str) -> Iterator[Place]:
    """Workers that dask-jobqueue requests from Slurm; they end with the run."""
    distributed = _distributed()
    with ExitStack() as stack:
        cluster = stack.enter_context(slurm_cluster(words))
        jobs = int(slurm_settings(words)["jobs"])
        cluster.scale(jobs=jobs)
        client = stack.enter_context(distributed.Client(cluster, set_as_default=False))
        yield _place(client, f"Slurm, {jobs} jobs")


def slurm_cluster(words: str) -> Any:
    """The cluster described by ``jobs=10,cores=4,memory=16GB,…``, before any job is submitted."""
    from dask_jobqueue.slurm import SLURMCluster

    settings = slurm_settings(words)
    cores = int(settings["cores"])
    return SLURMCluster(
        cores=cores,
        processes=int(settings.get("processes", str(cores))),
        memory=settings["memory"],
        walltime=settings["walltime"],
        queue=settings.get("queue"),
        account=settings.get("account"),
        interface=settings.get("interface"),
        python=settings.get("python"),
        job_extra_directives=settings["extra"].split(";") if "extra" in settings else [],
    )


def slurm_settings(words: str) -> dict[str, str]:
    """Comma-separated ``key=value`` pairs over the defaults."""
    found = dict(_SLURM_DEFAULTS)
    for word in filter(None, (w.strip() for w in words.split(","))):
        key, equals, value = word.partition("=")
        if not equals or key not in _SLURM_KNOWN:
            fix = f"Write key=value with commas between; keys: {', '.join(_SLURM_KNOWN)}."
            raise InputError(f'"{word}" says nothing about Slurm', where="--slurm", fix=fix)
        if key in {"jobs", "cores", "processes"} and not re.fullmatch(r"[1-9]\d{0,4}", value):
            raise InputError(f"{word} is not a number of {key}", where="--slurm", fix=f"Write {key}=4, for example.")
        found[key] = value
    return found


def _place(client: Any, words: str) -> Place:
    """The cluster as an executor; functions with side effects are never shared between calls.

    The first worker is called for with a task: an adaptive cluster starts none before there is something to do.
    """
    try:
        client.submit(_version, pure=False).result(timeout=_WAIT)
    except TimeoutError:
        told = "the scheduler has no workers"
        raise InputError(told, where=words, fix="Start some with `dask worker ADDRESS`.") from None
    _refuse_other_versions(client, words)
    executor: Executor = client.get_executor(pure=False)

    def examine(task: Task, groups: Sequence[str], subjects: Sequence[Subject]) -> Future[Part]:
        return executor.submit(_unpacked, __version__, pickle.dumps((task, groups, subjects)))

    def capacity() -> int:
        return sum(client.nthreads().values())

    return Place(examine, capacity, f"{words}, {capacity()} workers at the start")


def _unpacked(version: str, batch: bytes) -> Part:
    """Examine a batch sent as bytes, which the scheduler does not take apart.

    A worker that joins later may have another version of Assay than those that were asked at the start.
    """
    if version != __version__:
        raise OtherVersionError(f"a worker has Assay {__version__}, and this is {version}")
    return guard.examine(*pickle.loads(batch))  # noqa: S301 - packed by our own driver


def _refuse_other_versions(client: Any, words: str) -> None:
    """Refuse mixed versions once, at the start, instead of failing for every subject."""
    fix = f"Install Assay {__version__} where the workers run."
    try:
        found = set(client.run(_version).values())
    except Exception as error:  # noqa: BLE001 - whatever the workers' own imports throw
        raise InputError(f"the workers cannot run Assay ({error})", where=words, fix=fix) from None
    if found != {__version__}:
        raise InputError(f"the workers have Assay {', '.join(sorted(found))}", where=words, fix=fix)


def _version() -> str:
    return __version__


def _distributed() -> Any:
    distributed = optional("distributed")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # Assay reports failures itself
    return distributed
