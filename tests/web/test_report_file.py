"""The report of an audit as a file: it fits every screen, filters, folds, keeps marks, and prints on few pages."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from chromium import Browser, chromium
from selenium.webdriver.common.by import By

from assay.audit.audit_report import report_of
from assay.audit.execution import run_audit
from assay.audit.recognition import recognise
from assay.report import Format, render

pytestmark = pytest.mark.no_cover  # the report is made by code that has tests of its own; the browser is what is tested

SUBMISSION = Path(__file__).parents[2] / "examples" / "submission"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report on the bundled example."""
    report = report_of(run_audit(recognise([SUBMISSION]), figures=True, workers=0))
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(render(report, Format.HTML), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("downloads")) as made:
        yield made


def count(reader: Browser, selector: str) -> int:
    script = "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility()).length"
    return int(reader.driver.execute_script(script, selector))


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("dark", [False, True])
def test_the_report_is_accessible_and_fits(reader: Browser, page: str, width: int, dark: bool) -> None:
    reader.look(width=width, dark=dark)
    reader.open(page)
    reader.press("Unfold all")  # axe takes the colours of folded text for those of the page behind it
    assert reader.objections() == []
    assert reader.driver.execute_script("return document.documentElement.scrollWidth") <= width


def test_page_one_fits_on_one_screen(reader: Browser, page: str) -> None:
    reader.look()
    reader.open(page)
    assert (
        reader.driver.execute_script("return document.querySelector('.points').getBoundingClientRect().bottom") <= 900
    )
    assert count(reader, ".card") == 0, "everything else is folded"


def test_a_point_leads_to_its_finding(reader: Browser, page: str) -> None:
    reader.look()
    reader.open(page)
    reader.one(".points a").click()
    reader.until("document.querySelector(location.hash).checkVisibility()")


def test_findings_can_be_chosen_by_severity_and_words(reader: Browser, page: str) -> None:
    reader.look()
    reader.open(page)
    reader.driver.find_element(By.XPATH, "//button[.='Unfold all']").click()
    every = count(reader, "#all .card")
    reader.one(".tools input[value=note]").click()
    assert 0 < count(reader, "#all .card") < every
    assert count(reader, "#all .card.note") == 0
    reader.one(".tools input[type=text]").send_keys("SelectKBest")
    assert 0 < count(reader, "#all .card") < 10
    reader.driver.find_element(By.XPATH, "//button[.='Fold all']").click()
    assert count(reader, "#all .card") == 0


def test_a_mark_with_its_reason_is_part_of_the_page_that_is_saved(reader: Browser, page: str, tmp_path: Path) -> None:
    reader.look()
    reader.open(page)
    reader.driver.find_element(By.XPATH, "//button[.='Unfold all']").click()
    reader.driver.find_element(By.XPATH, "//button[starts-with(., 'Not relevant')]").click()
    prompt = reader.driver.switch_to.alert
    prompt.send_keys("the table is a typo of <ours>")
    prompt.accept()
    reader.one(".dismissed .dismissal")
    kept = tmp_path / "kept.html"
    kept.write_text(reader.driver.execute_script("return '<!DOCTYPE html>' + document.documentElement.outerHTML"))
    reader.open(kept.as_uri())
    assert reader.one(".dismissal").get_attribute("textContent") == "Not relevant: the table is a typo of <ours>"
    assert count(reader, ".tools") == 1
    reader.driver.find_element(By.XPATH, "//button[.='Unfold all']").click()
    reader.driver.find_element(By.XPATH, "//button[.='Restore']").click()
    assert count(reader, ".dismissed") == 0


def test_it_prints_on_at_most_four_pages(reader: Browser, page: str) -> None:
    reader.open(page)
    printed = base64.b64decode(reader.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
    with pypdfium2.PdfDocument(printed) as pages:
        assert len(pages) <= 4
        first = " ".join(pages[0].get_textpage().get_text_range().split())
    assert "Questions for the authors" in first
