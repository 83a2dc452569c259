"""Fuzzing that follows coverage (Atheris, libFuzzer), with oracles for memory and time: `make fuzz-guided`.

Each reader gets a process and its share of the seconds. An input fails when it ends in anything but a result or an
`InputError`, when it takes more memory than `ALLOWED_BYTES + MULTIPLE x its size`, or more than `SECONDS` of the
processor. Failing inputs are kept in build/fuzz.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from readers import READERS, Reader

from assay.errors import InputError

ALLOWED_BYTES = 32 << 20
"""Caches, lazily imported modules and the allocator's own blocks."""
MULTIPLE = 1_000
"""Bytes of memory for a byte of input. Parsed Python code takes about 300; the TOML key of 50,000 parts took 80,000."""
SECONDS = 20.0
LONGEST = 1 << 16
_INSTRUMENTED = ["assay", "tomllib", "html.parser", "json"]


class TooMuchError(Exception):
    """An input that exceeds what its size allows."""


def repeated(data: bytes, seed: int) -> bytes:
    """Repeat a slice many times: what multiplies in memory is rarely reached by single changes."""
    chance = random.Random(seed)
    start = chance.randrange(len(data) + 1)
    piece = data[start : start + chance.randint(1, 8)] or b"["
    times = min(2 ** chance.randint(4, 15), (LONGEST - len(data)) // len(piece))
    return data[:start] + piece * max(0, times) + data[start:]


def _reset_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _resident(field: str) -> int:
    found = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found
    return int(found[1]) << 10


_ATTEMPTS = 3
"""What libraries load or reserve once is gone by the third time; what an input takes is taken each time."""


def judge(reader: Reader, data: bytes) -> None:
    """Read an input; raise when it fails."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            _judge_once(reader, data)
        except TooMuchError:
            if attempt == _ATTEMPTS:
                raise
        else:
            return


def _judge_once(reader: Reader, data: bytes) -> None:
    _reset_peak()
    before, began = _resident("VmRSS"), time.process_time()
    with suppress(InputError):
        reader.read(data)
    grown, seconds = _resident("VmHWM") - before, time.process_time() - began
    if grown > ALLOWED_BYTES + MULTIPLE * len(data):
        raise TooMuchError(f"{grown >> 20} MB for {len(data)} bytes")
    if seconds > SECONDS:
        raise TooMuchError(f"{seconds:.0f} s for {len(data)} bytes")


def _fuzz(reader: Reader, seconds: int, found: Path) -> None:
    """Fuzz one reader; does not return."""
    import atheris

    with atheris.instrument_imports(include=_INSTRUMENTED), suppress(InputError):
        reader.read(reader.seed)  # imports what it needs, instrumented

    def mutated(data: bytes, largest: int, seed: int) -> bytes:
        changed = repeated(data, seed) if seed % 8 == 0 else atheris.Mutate(data, largest)
        return bytes(changed[:largest])

    with tempfile.TemporaryDirectory() as corpus:
        Path(corpus, "seed").write_bytes(reader.seed)
        options = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-artifact_prefix={found}/"]
        options += ["-print_final_stats=1", "-rss_limit_mb=4000", "-timeout=120", "-len_control=0"]
        atheris.Setup([sys.argv[0], *options, corpus], lambda data: judge(reader, data), custom_mutator=mutated)
        atheris.Fuzz()


def _figure(name: str, said: str) -> int:
    values = re.findall(rf"{name}:?\s+(\d+)", said)
    return int(values[-1]) if values else 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=3600, help="for all readers together")
    parser.add_argument("--found", type=Path, default=Path("build/fuzz"), help="where failing inputs are kept")
    parser.add_argument("--only", help="readers whose name contains this")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        _fuzz(next(reader for reader in READERS if reader.name == given.one), given.seconds, given.found)
    chosen = [reader for reader in READERS if not given.only or given.only in reader.name]
    share, inputs, failed = max(2, given.seconds // len(chosen)), 0, 0
    for reader in chosen:
        found = given.found / reader.name.replace("/", "-").replace(" ", "-")
        found.mkdir(parents=True, exist_ok=True)
        words = [sys.executable, __file__, "--one", reader.name, "--seconds", str(share), "--found", str(found)]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        many = _figure("stat::number_of_executed_units", done.stderr)
        inputs, failed = inputs + many, failed + (done.returncode != 0)
        _say(f"{reader.name:40} {many:8,} inputs  coverage {_figure('cov', done.stderr):6,}")
        if done.returncode:
            _say((done.stdout + done.stderr)[-3000:])
    _say(f"{len(chosen)} readers, {inputs:,} inputs, {failed} readers failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
