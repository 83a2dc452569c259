"""A real Chromium goes through the pages: types, saves, reloads, uploads, exports; axe objects to nothing."""

from pathlib import Path
from urllib.parse import quote

import pytest
from chromium import Browser
from selenium.webdriver.common.keys import Keys
from visitor import Visitor

from assay.findings import Figure, Judgement, Location, Report, Section, Table, Verdict, certificate
from assay.findings import quote as quoted
from assay.rules import get_rule
from assay.web.models import State

IMPOSSIBLE = "acc 0.9 sens 0.8 spec 0.8, p=10 n=20"
STEPS = [
    {"name": "scores", "about": "scores.toml", "state": "done", "seconds": 1.25, "message": ""},
    {
        "name": "leakage",
        "about": "train.py <script>",
        "state": "failed",
        "seconds": 9.0,
        "message": "it ended <script>",
    },
    {"name": "repository", "about": "", "state": "running", "seconds": 0.0, "message": ""},
    {"name": "paper", "about": "paper.tex", "state": "waiting", "seconds": 0.0, "message": ""},
]
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10"/></svg>'


def a_report() -> Report:
    """A report with something of everything."""
    rule = get_rule("L1.1")
    script = "<script>document.title = 'hacked'</script>"
    findings = [
        rule.finding(
            f"{script} {n}", location=Location(f"{script}.py", n), evidence=[quoted(script * 9, Location("a.py", n))]
        )
        for n in range(1, 6)
    ]
    return Report(
        f"Audit of {script}",
        "Can it be true?",
        judgements=(Judgement("Table 1", Verdict.INCONSISTENT, "No.", (certificate("because", {"p": 1}),)),),
        findings=tuple(findings),
        tables=(Table("A table", ("a", "b"), ((1, script), (2, "x"))),),
        figures=(Figure("A figure", DRAWING, "a square"),),
        left_out=(script,),
        sections=(Section("leakage", "Leakage"),),
    )


@pytest.fixture(scope="module")
def pages(house: Visitor) -> dict[str, str]:
    """A page of every kind."""
    audits = [house.shelve(a_report()), house.shelve(a_report(), "other.zip")]
    sheets = [
        house.post("/checklists", {"checklist": "ml-reproducibility", "subject": "Paper", "by": by}).url.path
        for by in ("Ann", "Ben")
    ]
    house.post(f"{sheets[0]}/propose/audit", {"audit": audits[0].split("/")[-1]})
    chosen = "&".join(f"audit={page.split('/')[-1]}" for page in audits)
    raters = "&".join(f"assessment={page.split('/')[-1]}" for page in sheets)
    study, _, attempt = house.study("Reported <script>")
    house.post(f"{attempt}/timer/start", {"person": "Ann", "activity": "reading"})
    return {
        "start": "/",
        "studies": "/studies",
        "board": study,
        "attempt": attempt,
        "study report": f"{study}/report",
        "rules": "/rules?q=leak",
        "rule": "/rules/L1.1",
        "scores": "/scores",
        "impossible": f"/scores?text={quote(IMPOSSIBLE)}",
        "table": f"/scores?text={quote('Model,Acc,Sens' + chr(10) + 'A,0.9,0.8' + chr(10) + 'B,0.8,0.8')}&p=10&n=20",
        "depth": f"/scores/depth?text={quote(IMPOSSIBLE)}",
        "audits": "/audits",
        "waiting steps": house.shelve_halfway(State.RUNNING),
        "running": house.shelve_halfway(State.RUNNING, steps=STEPS),
        "failed": house.shelve_halfway(State.FAILED, steps=STEPS, message="It took longer than <b>9</b> seconds."),
        "report": audits[0],
        "compare": f"/audits/compare?{chosen}",
        "checklists": "/checklists",
        "fill": sheets[0],
        "missing": f"{sheets[0]}/check",
        "raters": f"/checklists/compare?{raters}",
        "login": "/login",
        "nowhere": "/nowhere",
    }


KINDS = [
    "start", "rules", "rule", "scores", "impossible", "table", "depth", "audits", "waiting steps", "running", "failed",
    "report", "compare", "checklists", "fill", "missing", "raters", "login", "studies", "board", "attempt",
    "study report",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_axe_objects_to_nothing_by_day_on_a_desk_and_by_night_on_a_phone(
    browser: Browser, pages: dict[str, str], kind: str
) -> None:
    browser.open(pages[kind])
    if kind == "impossible":
        browser.one(".depth")
    for width, dark in ((390, True), (1280, False)):
        browser.look(width=width, dark=dark)
        assert browser.objections() == []


def test_nothing_in_a_hostile_report_acts(browser: Browser, pages: dict[str, str]) -> None:
    browser.open(pages["report"])
    assert "hacked" in browser.one("h1").text, "it is there, as text"
    assert browser.driver.title == "scores.toml – Assay"
    assert browser.ask("return document.querySelectorAll('main script').length") == 0


def test_the_verdict_appears_while_somebody_types(browser: Browser) -> None:
    browser.open("/scores")
    browser.one("#text").send_keys(IMPOSSIBLE)
    browser.wait_for("These scores cannot come from one test set of 10 positives and 20 negatives.")
    browser.wait_for("it would be consistent if")
    assert "text=acc" in browser.driver.current_url, "the address reproduces the check"
    browser.one("#text").send_keys(Keys.CONTROL, "a")
    browser.one("#text").send_keys("acc 0.8 sens 0.8 spec 0.8, p=10 n=20")
    browser.wait_for("✓ consistent")
    browser.driver.refresh()
    browser.wait_for("✓ consistent")


def test_the_button_checks_every_row_of_a_longer_table(browser: Browser) -> None:
    rows = "".join(f"M{number},0.853,0.816,0.875\n" for number in range(12))
    browser.open("/scores")
    browser.one("#text").send_keys(f"Model,Acc,Sens,Spec\n{rows}49 positives and 80 negatives")
    browser.wait_for("4 more rows: press Check to see them all.")
    browser.one("#scores-form button").click()
    browser.wait_for("12 consistent")


def test_the_keyboard_alone_leads_to_the_content_and_through_the_form(browser: Browser) -> None:
    browser.open("/scores")
    browser.one("body").send_keys(Keys.TAB)
    assert browser.driver.switch_to.active_element.text == "Skip to the content"
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.driver.switch_to.active_element.get_attribute("id") == "main"
    browser.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.driver.switch_to.active_element.get_attribute("id") == "text"


def test_colours_are_chosen_and_kept(browser: Browser) -> None:
    browser.look(dark=False)
    browser.open("/rules?q=leak")
    light = browser.ask("return getComputedStyle(document.body).backgroundColor")
    browser.one("[data-theme-toggle]").click()
    browser.until("document.documentElement.dataset.theme === 'dark'")
    assert "q=leak" in browser.driver.current_url
    assert browser.ask("return getComputedStyle(document.body).backgroundColor") != light
    browser.open("/")
    assert browser.ask("return document.documentElement.dataset.theme") == "dark"
    browser.one("[data-theme-toggle]").click()
    browser.until("document.documentElement.dataset.theme === 'light'")
    assert browser.ask("return getComputedStyle(document.body).backgroundColor") == light


def test_rules_are_found_while_somebody_types(browser: Browser) -> None:
    browser.open("/rules")
    browser.one("#q").send_keys("S101")
    browser.until("document.querySelectorAll('#found a').length === 1")  # not a list that some of the letters gave
    browser.one("#found a").click()
    browser.wait_for("Impossible scores")


def test_an_upload_shows_its_progress_and_then_its_report(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "sheet.yaml"
    file.write_text('checklist: code-completeness\nanswers: {"1": {answer: "yes", evidence: setup.py}}\n')
    browser.open("/")
    browser.one("#files").send_keys(str(file))
    browser.press("Audit")
    browser.wait_for("Some items of the checklist have no answer.")
    assert browser.one("h1").text == "Audit of sheet.yaml"
    browser.press("Delete this audit")
    browser.wait_for("was deleted")
    browser.press("Undo")
    browser.wait_for("Some items of the checklist have no answer.")


def test_entries_are_saved_by_themselves_and_are_there_after_a_reload(browser: Browser, pages: dict[str, str]) -> None:
    browser.open(pages["fill"])
    browser.one("input[value=no]").click()
    browser.wait_for("Saved ")
    browser.one("#evidence-models-1").send_keys("section 3 <b>")
    browser.wait_for("1 of 21 answered")
    browser.open("/checklists")
    browser.open(pages["fill"])
    assert browser.one("input[value=no]").is_selected()


def test_pages_work_without_javascript(browser: Browser, pages: dict[str, str]) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open("/scores")
        browser.one("#text").send_keys(IMPOSSIBLE)
        browser.press("Check")
        browser.wait_for("These scores cannot come from one test set of 10 positives and 20 negatives.")
        browser.open(f"{pages['fill']}?section=2")
        browser.one("#evidence-theory-1").send_keys("without scripts")
        browser.press("Save and go on")
        browser.until("location.search === '?section=3'")  # else the next page may come after the one that is opened
        browser.open(f"{pages['fill']}?section=2")
        assert browser.one("#evidence-theory-1").get_attribute("value") == "without scripts"
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
