"""Which tests are traced for coverage: tracing makes code two to three times slower, so repetitions run without it.

Every test runs. Of a test with many cases, some are traced, spread over all of them; of a property, the first examples.
Tests of the whole, whose parts have tests of their own, are marked `no_cover`.
"""

import contextlib
import functools
import math
from collections import defaultdict
from collections.abc import Generator, Iterator
from typing import Any

import pytest

EXAMPLES = 10
"""Examples of a property to trace: the later ones seldom reach another line."""
CASES = 20
"""Cases of a parametrised test to trace. The 1,969 labelled programs take 14.6 s of CPU by it instead of 26.6 s."""
TRACED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Choose the cases to trace; every process of a run chooses the same."""
    tests = defaultdict(list)
    for item in items:
        tests[item.nodeid.partition("[")[0]].append(item)
    for cases in tests.values():
        step = math.ceil(len(cases) / CASES)
        for number, item in enumerate(cases):
            item.stash[TRACED] = number % step == 0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Pause the measurement while a case that is not traced runs, and when a property has seen enough examples."""
    measuring = getattr(item.config.pluginmanager.getplugin("_cov"), "cov_controller", None)
    if measuring is None or item.get_closest_marker("no_cover"):
        return (yield)
    if not item.stash[TRACED]:
        with _paused(measuring):
            return (yield)
    handle = getattr(getattr(item, "obj", None), "hypothesis", None)
    if handle is None:
        return (yield)
    with contextlib.ExitStack() as later:
        judge, seen = handle.inner_test, 0

        @functools.wraps(judge)  # hypothesis derives the examples from the source of the test: they stay the same
        def counted(*given: Any, **named: Any) -> object:
            nonlocal seen
            seen += 1
            if seen == EXAMPLES + 1:
                later.enter_context(_paused(measuring))
            return judge(*given, **named)

        handle.inner_test = counted
        later.callback(setattr, handle, "inner_test", judge)
        return (yield)


@contextlib.contextmanager
def _paused(measuring: Any) -> Iterator[None]:
    measuring.pause()
    try:
        yield
    finally:
        measuring.resume()
