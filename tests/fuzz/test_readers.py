"""Whatever a reader is given, it ends: in a result or in an `InputError`, and in no other way.

`make fuzz` tries some hundred times as many inputs. A watchdog turns an input that hangs into a failure.
"""

import contextlib
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from readers import READERS, Reader
from spoiling import spoilt

from assay.errors import InputError

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "fuzz"
SECONDS = 60
"""So much of the processor may one input take before it counts as a hang."""


@contextmanager
def watchdog() -> Iterator[None]:
    def bark(_number: int, _frame: object) -> None:
        raise TimeoutError(f"an input has taken more than {SECONDS} seconds")

    before = signal.signal(signal.SIGPROF, bark)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def put_to(reader: Reader, data: bytes) -> None:
    with watchdog(), contextlib.suppress(InputError):
        reader.read(data)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_spoilt_input_ends_in_a_result_or_an_input_error(reader: Reader) -> None:
    few, many = (3, 150) if reader.slow else (8, 2_000)

    @settings(max_examples=many if LONG else few, suppress_health_check=list(HealthCheck), database=None)
    @given(st.one_of(spoilt(reader.seed), spoilt(reader.seed), st.binary(max_size=200)))
    @example(b"")
    @example(reader.seed)
    def claim(data: bytes) -> None:
        put_to(reader, data)

    claim()


FOUND = [
    ("study toml", b"p = " + b"9" * 5_000),
    ("study json", b'{"experiment": [{"p": ' + b"9" * 5_000 + b"}]}"),
    ("study toml", b"a = " + b"[" * 5_000),
    ("checklist", b"title = " + b"9" * 5_000),
    ("configuration", b"a = " + b"9" * 5_000),
    ("configuration", b"a = " + b"[" * 5_000),
    ("repository pyproject.toml", b"a = " + b"9" * 5_000),
    ("reproduction study.toml", b"a = " + b"9" * 5_000),
    ("paper in HTML", b"<html><body><p>We split <![e the data.</p></body></html>"),
    ("paper in JATS", b"<article><front/><arti!DOCTYPE x><p>We split the data.</p></article>"),
]
"""What fuzzing has found, kept so that it stays fixed."""


@pytest.mark.parametrize(("name", "data"), FOUND)
def test_what_was_found_stays_mended(name: str, data: bytes) -> None:
    put_to(next(reader for reader in READERS if reader.name == name), data)
