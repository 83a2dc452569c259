"""A real browser, and what it is asked about every page: does axe object, does anything fail, does the page fit?"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import axe_core_python
import pytest
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
PATIENCE = 180
FRUGAL = ("--in-process-gpu", "--renderer-process-limit=1", "--disable-extensions", "--disable-component-update")
"""What a browser that sees one page at a time need not do."""
RUN_AXE = """
const done = arguments[arguments.length - 1];
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const told = (violation) => violation.nodes.map((node) => `${violation.id}: ${node.target} ${node.failureSummary}`);
axe.run({runOnly: rules, resultTypes: ['violations']}).then((found) => done(found.violations.flatMap(told)));
"""
"""All rules on all of the page; only what is violated is told at length, for the rest would be much to send."""


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.fail(f"the tests of pages need {name}: run `make browser`", pytrace=False)
    return found


class Browser:
    """Chromium without a window."""

    def __init__(self, downloads: Path) -> None:
        options = ChromeOptions()
        # The sandbox needs rights that root in a container does not have; /dev/shm may be small there.
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", *FRUGAL):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.binary_location = _program("chromium")
        self.driver = Chrome(options=options, service=Service(_program("chromedriver")))
        self.driver.set_script_timeout(PATIENCE)
        self.base = ""

    def look(self, *, width: int = 1280, dark: bool = False) -> None:
        """As on a desk or on a phone, by day or by night."""
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def open(self, path: str) -> None:
        self.driver.get(self.base + path)

    def one(self, selector: str) -> WebElement:
        """The first element that fits, once it is there."""
        found = WebDriverWait(self.driver, PATIENCE).until(lambda d: d.find_elements(By.CSS_SELECTOR, selector))
        return found[0]

    def wait_for(self, text: str) -> None:
        """Until the page says this; one that is just being replaced says nothing."""
        passing = [StaleElementReferenceException]
        WebDriverWait(self.driver, PATIENCE, ignored_exceptions=passing).until(
            lambda d: text in d.find_element(By.TAG_NAME, "main").text
        )

    def until(self, script: str) -> None:
        """Until the page answers a question with yes; a page that is about to go has no say."""
        WebDriverWait(self.driver, PATIENCE, ignored_exceptions=[WebDriverException]).until(
            lambda d: d.execute_script(f"return {script}")
        )

    def press(self, label: str) -> None:
        """A button or a link, by its words."""
        path = f"//main//*[self::button or self::a or self::summary][normalize-space()={label!r}]"
        button = WebDriverWait(self.driver, PATIENCE).until(lambda d: d.find_elements(By.XPATH, path))[0]
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()

    def ask(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def objections(self) -> list[str]:
        """What axe has against the page, and what failed in it."""
        if not self.ask("return 'axe' in window"):
            self.driver.execute_script(AXE)
        self.until("document.getAnimations().every(one => one.playState !== 'running')")
        told: list[str] = self.driver.execute_async_script(RUN_AXE)
        failed = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        if self.ask("return document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            told.append("the page is wider than the screen")
        return [*told, *failed]


@contextmanager
def chromium(downloads: Path) -> Iterator[Browser]:
    browser = Browser(downloads)
    try:
        yield browser
    finally:
        browser.driver.quit()
