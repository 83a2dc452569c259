"""The pytest plug-in: tests that fail when something was fitted on the rows that a model is tested on.

``pytest --assay-leakage`` watches every test; the fixture ``assay_leakage`` watches the test that asks for it.
Importing this costs next to nothing, for pytest imports it wherever Assay is installed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from assay.leakage.watching import Watch


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the option."""
    parser.getgroup("assay", "leakage of test rows (Assay)").addoption(
        "--assay-leakage", action="store_true", help="Fail tests that fit anything on the rows a model is tested on."
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Watch the test itself, not its fixtures: those may be shared."""
    if not item.config.getoption("assay_leakage", default=False):
        return (yield)
    from assay.leakage.watching import watch

    with watch(warn=False) as watched:
        result = yield
    demand_no_leak(watched)
    return result


@pytest.fixture
def assay_leakage() -> Iterator[Watch]:
    """A watch over the test, which fails when a leak was seen; `.report()` tells more."""
    from assay.leakage.watching import watch

    with watch(warn=False) as watched:
        yield watched
    demand_no_leak(watched)


def demand_no_leak(watched: Watch) -> None:
    """Fail with the report when there is a leak that matters and that is not a mere suspicion."""
    from assay.findings import Confidence, Severity
    from assay.report import Format, render

    report = watched.report()
    grave = [f.code for f in report.findings if f.severity is not Severity.NOTE and f.confidence is not Confidence.LOW]
    if grave:
        pytest.fail(render(report.only(grave), Format.TEXT), pytrace=False)
