"""A running application, and people who visit it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Browser, chromium
from served import served
from visitor import Visitor

from assay.web.settings import Limits, Settings

PATIENT = Limits(check_seconds=60, depth_seconds=120)
"""On a loaded machine a verdict takes longer; the tests of these limits set their own."""


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """One application for all tests that do not mind what others do in it."""
    settings = Settings(tmp_path_factory.mktemp("house"), limits=PATIENT)
    with served(settings) as base, Visitor(base, settings) as visitor:
        yield visitor


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "data", limits=PATIENT)


@pytest.fixture
def visitor(settings: Settings) -> Iterator[Visitor]:
    """A visitor of an application of its own."""
    with served(settings) as base, Visitor(base, settings) as made:
        yield made


@pytest.fixture(scope="session")
def browser(house: Visitor, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser that visits the house."""
    with chromium(tmp_path_factory.mktemp("downloads")) as made:
        made.base = house.base
        made.look()
        yield made
