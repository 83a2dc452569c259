"""How long before `assay` answers? Against a bare interpreter, which nothing written in Python can beat.

    python bench/startup.py [RUNS]

Each round runs every command once, so that a busy spell of the machine strikes all alike; the table shows medians.
Byte code goes to a folder of its own and is warm when measuring begins, as on a user's second call.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

TARGET = 0.3
"""Seconds: what still feels immediate."""
ASSAY = str(Path(sys.executable).parent / "assay")
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import assay": [sys.executable, "-c", "import assay"],
    "assay --version": [ASSAY, "--version"],
    "assay --help": [ASSAY, "--help"],
}


def timed(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Wall and CPU seconds of one run."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def machine() -> str:
    """What a reader must know to compare these numbers with others."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    busy = "; BUSY, so wall times are too long: go by CPU" if load > cores / 2 else ""
    return (
        f"Python {platform.python_version()}, {platform.system()}, {processor()}, {cores} cores, load {load:.1f}{busy}"
    )


def processor() -> str:
    """The processor's name, where the system tells."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text().splitlines() if told.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    print(f"{machine()}\nmedian of {runs} runs, in seconds; the target is {TARGET} s of wall time\n")
    with tempfile.TemporaryDirectory() as cache:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = cache
        for command in COMMANDS.values():
            timed(command, environment)
        rounds = [{name: timed(command, environment) for name, command in COMMANDS.items()} for _ in range(runs)]
    print(f"{'command':<18}{'wall':>8}{'CPU':>8}{'over bare':>12}   target")
    bare = median(r["python -c pass"][0] for r in rounds)
    for name in COMMANDS:
        wall, cpu = (median(r[name][which] for r in rounds) for which in (0, 1))
        print(f"{name:<18}{wall:>8.3f}{cpu:>8.3f}{wall - bare:>12.3f}   {'met' if wall <= TARGET else 'MISSED'}")


if __name__ == "__main__":
    main()
