"""Runs on a Dask cluster: the same commands, made by its workers; results are kept here.

The workers need the plan's folder under the same path, as on a shared disk. Scheduling is Dask's business. When a
series is stopped, runs that have begun go on to their end or their time limit.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from threading import Event

from assay.ablation.design import Run
from assay.ablation.execution import as_they_end, known_and_missing, perform
from assay.ablation.plan import Plan
from assay.ablation.store import Outcome, Store
from assay.errors import InputError
from assay.extras import optional

_WAIT = 60.0
"""Seconds for a scheduler to answer."""


def execute_on_cluster(
    address: str, plan: Plan, runs: Sequence[Run], store: Store, *, retry: bool = False
) -> Generator[tuple[Run, Outcome]]:
    """Each run with its outcome as soon as it is known; those in the store are not made again."""
    known, batches = known_and_missing(plan, runs, store, retry=retry)
    yield from known
    if not any(batches):
        return
    with _workers(address) as workers:
        for batch in batches:
            waiting: dict[Future[Outcome], Run] = {workers.submit(_perform_there, plan, run): run for run in batch}
            try:
                for run, outcome in as_they_end(waiting):
                    store.put(store.key(run), outcome)
                    yield run, outcome
            finally:
                for future in waiting:
                    future.cancel()


def _perform_there(plan: Plan, run: Run) -> Outcome:
    if not plan.folder.is_dir():
        raise InputError("a worker of the cluster does not see this folder", where=str(plan.folder),
                         fix="Put the plan on a disk that all workers share.")  # fmt: skip
    return perform(plan, run, Event())


@contextmanager
def _workers(address: str) -> Iterator[Executor]:
    distributed = optional("distributed")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are reported in our own words
    try:
        optional("distributed.comm.addressing").get_address_host(address)  # no address is refused at once
        client = distributed.Client(address, timeout=_WAIT, set_as_default=False)
    except (OSError, ValueError) as error:
        what = f"no scheduler answers ({error or type(error).__name__})"
        raise InputError(what, where=address, fix="Start one with `dask scheduler`, and workers with it.") from None
    try:
        client.wait_for_workers(1, timeout=_WAIT)
        yield client.get_executor(pure=False)
    except TimeoutError:
        fix = "Start some with `dask worker ADDRESS`."
        raise InputError("the scheduler has no workers", where=address, fix=fix) from None
    finally:
        client.close(timeout=5)
