"""Processes that work for another one."""

import fcntl
import os
import subprocess
import sys
import time
from pathlib import Path

from assay.workers import is_starved, pool
from patience import until

BOSS = """
import sys
from assay.workers import pool
from test_workers import hold

if __name__ == "__main__":
    with pool(2) as processes:
        list(processes.map(hold, sys.argv[1:]))
"""


def hold(file: str) -> None:
    """Lock the file, and be busy for longer than anybody waits; the lock goes when the process does."""
    with Path(file).open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.write("held")
        stream.flush()
        time.sleep(3600)


def is_free(file: Path) -> bool:
    with file.open() as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_workers_give_results_in_order():
    with pool(2) as processes:
        assert list(processes.map(abs, [-3, 2, -1])) == [3, 2, 1]


def test_workers_end_with_a_process_that_is_killed(tmp_path):
    program, files = tmp_path / "boss.py", [tmp_path / "a", tmp_path / "b"]
    program.write_text(BOSS)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    with subprocess.Popen([sys.executable, program, *files], env=environment) as boss:
        until(lambda: all(file.exists() and file.read_text() for file in files))
        assert not any(map(is_free, files))
        boss.kill()
    until(lambda: all(map(is_free, files)))


STARVING = """
import mmap, resource, time
resource.setrlimit(resource.RLIMIT_AS, (2**28, 2**28))
heap = []
try:
    while True:
        heap.append(mmap.mmap(-1, 2**16))
except OSError:
    time.sleep(3600)
"""


def test_a_process_at_the_end_of_its_memory_is_told_from_one_without_a_limit_and_one_that_has_ended():
    with subprocess.Popen([sys.executable, "-c", STARVING]) as starving:
        until(lambda: is_starved(starving.pid))
        starving.kill()
    assert not is_starved(starving.pid)
    assert not is_starved(os.getpid())
