"""What coverage is taken of: tracing doubles the time of a test, so that it is left out where it tells nothing new."""

import functools
from collections.abc import Generator
from typing import Any

import pytest

ENOUGH = 10
"""Examples of a property to trace: the later ones seldom reach another line."""


@pytest.fixture
def unmeasured(no_cover: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of the whole, whose parts have tests of their own: neither they nor their processes are traced."""
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Pause the measurement when a test made by hypothesis has seen enough examples."""
    handle = getattr(getattr(item, "obj", None), "hypothesis", None)
    measuring = getattr(item.config.pluginmanager.getplugin("_cov"), "cov_controller", None)
    if handle is None or measuring is None:
        return (yield)
    judge, seen = handle.inner_test, 0

    @functools.wraps(judge)  # hypothesis derives the examples from the source of the test: they stay the same
    def counted(*given: Any, **named: Any) -> object:
        nonlocal seen
        seen += 1
        if seen == ENOUGH + 1:
            measuring.pause()
        return judge(*given, **named)

    handle.inner_test = counted
    try:
        return (yield)
    finally:
        handle.inner_test = judge
        if seen > ENOUGH:
            measuring.resume()
