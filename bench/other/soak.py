"""Reads and judges hostile and ordinary material in a loop, and demands that memory stay flat and nothing crash.

    PYTHONPATH=tests/fuzz:tests python bench/other/soak.py [SECONDS]        (default: an hour)

The material is that of tests/fuzz, every seed as it is and spoilt anew in every round, and the bundled submission,
which is audited as it is and with every file spoilt, in turns, and its report rendered in every format. The memory
after a first stretch, in which caches fill, is the measure for all that follows.
"""

from __future__ import annotations

import gc
import random
import shutil
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from readers import READERS, Reader
from spoiling import DEEDS, TOKENS

from assay.audit.audit_report import report_of
from assay.audit.execution import run_audit
from assay.audit.recognition import recognise
from assay.errors import InputError
from assay.report import Format, encoded

SUBMISSION = Path(__file__).parents[2] / "examples" / "submission"
WARM_UP = 0.25
"""The share of the time in which caches may fill."""
MOST_GROWTH = 50 * 1024 * 1024
SLOWEST = 60.0


@dataclass
class Tally:
    """What happened so far."""

    inputs: int = 0
    audits: int = 0
    refused: int = 0
    crashes: dict[str, bytes] = field(default_factory=dict)
    slowest: tuple[float, str] = (0.0, "")


def resident() -> int:
    """Bytes of memory that this process holds now."""
    gc.collect()
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise OSError("this system does not tell how much memory a process holds")


def put(tally: Tally, reader: Reader, data: bytes) -> None:
    """One input to one reader."""
    start = time.monotonic()
    try:
        reader.read(data)
    except InputError:
        tally.refused += 1
    except Exception:  # noqa: BLE001 - that is what is looked for
        tally.crashes.setdefault(f"{reader.name}: {traceback.format_exc().strip().splitlines()[-1]}", data)
    tally.inputs += 1
    tally.slowest = max(tally.slowest, (time.monotonic() - start, reader.name))


def spoil(chance: random.Random, seed: bytes) -> bytes:
    """The seed after a few of the deeds of the fuzz tests."""
    data = seed
    for _ in range(chance.randint(1, 5)):
        a, b = chance.randint(0, len(data)), chance.randint(0, len(data))
        data = chance.choice(DEEDS)(data, a, b, chance.choice(TOKENS))[:200_000]
    return data


def audit(tally: Tally, chance: random.Random | None) -> None:
    """The bundled submission, as it is or with every file spoilt, audited in this process and rendered in every way."""
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(shutil.copytree(SUBMISSION, Path(folder, "submission")))
        for file in sorted(file for file in copied.rglob("*") if file.is_file() and chance):
            file.write_bytes(spoil(chance, file.read_bytes()) if chance else b"")
        try:
            audited = run_audit(recognise([copied]), workers=0, figures=True)
        except InputError:
            tally.refused += 1
            return
        for step in audited.failed:
            if "internal fault" in step.message:
                tally.crashes.setdefault(f"audit, {step.name}: {step.message}", b"")
        report = report_of(audited)
        for how in Format:
            encoded(report, how)
    tally.audits += 1


def main() -> int:
    """Loop until the time is over; 1 when something crashed, hung or grew."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3600.0
    chance = random.Random(0)
    tally, start, base, rounds = Tally(), time.monotonic(), 0, 0
    while (passed := time.monotonic() - start) < seconds:
        for reader in READERS:
            if not reader.slow or rounds % 20 == 0:
                put(tally, reader, reader.seed)
                put(tally, reader, spoil(chance, reader.seed))
        audit(tally, None if rounds % 2 else chance)
        rounds += 1
        if not base and passed > WARM_UP * seconds:
            base = resident()
    grown = resident() - base if base else 0
    slow, where = tally.slowest
    done = f"{tally.inputs:,} inputs and {tally.audits:,} audits in {rounds:,} rounds"
    print(f"{done}, {tally.refused:,} refused as they should be")
    print(f"memory after warming up {base / 1e6:,.0f} MB, growth since {grown / 1e6:+,.1f} MB")
    print(f"slowest input {slow:.1f} s ({where}), crashes {len(tally.crashes)}")
    for told, data in tally.crashes.items():
        print(f"  {told}\n    {data[:300]!r}")
    return int(bool(tally.crashes) or grown > MOST_GROWTH or slow > SLOWEST)


if __name__ == "__main__":
    sys.exit(main())
