"""Assay as static files: the core runs in a real browser, also after the network has gone."""

import io
import json
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from chromium import Browser, chromium
from selenium.webdriver.common.by import By

from assay.errors import InputError
from assay.site import bridge
from assay.site.builder import RUNTIME, build_site

pytestmark = pytest.mark.no_cover  # the package runs in the browser

ROOT = Path(__file__).parents[2]
PARTS = ROOT / "build" / "site-parts"
LARGEST = 30_000_000
LEAKY = """import pandas as pd
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
table = pd.read_csv("data.csv")
X = SelectKBest(k=10).fit_transform(table.drop(columns="y"), table["y"])
a, b, c, d = train_test_split(X, table["y"], random_state=0)
print(LogisticRegression().fit(a, c).score(b, d))
"""
SENTENCES = ("We tested on 300 images, 100 positives and 200 negatives.", "The code is available on request.")
TABLE = (("Method", "Accuracy", "Sensitivity", "Specificity"), ("Ours", "0.90", "0.80", "0.80"))
PAPER = r"\documentclass{article}\title{A}\begin{document}We train a model on 100 images.\end{document}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not PARTS.is_dir():
        pytest.fail("the static site needs Pyodide: run `make site-parts`", pytrace=False)
    out = tmp_path_factory.mktemp("site")
    assert build_site(out, PARTS / "node_modules" / "pyodide", PARTS / "wheels") < LARGEST
    return out


class Files(SimpleHTTPRequestHandler):
    """A static file server that remembers what it was asked for."""

    extensions_map: ClassVar[dict[str, str]] = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }
    asked: ClassVar[list[str]] = []

    def log_message(self, *_: Any) -> None:
        self.asked.append(self.requestline)


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[ThreadingHTTPServer]:
    made = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(site)))
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture(scope="module")
def page(server: ThreadingHTTPServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("downloads")) as made:
        made.base = f"http://127.0.0.1:{server.server_port}"
        made.look()
        made.open("/")
        ready(made)
        yield made


def ready(page: Browser) -> None:
    page.until("document.getElementById('status').textContent.startsWith('Ready')")


def answers(page: Browser) -> str:
    page.until("document.querySelector('.answer, .message.error') !== null")
    ready(page)
    return page.driver.find_element(By.ID, "answers").text


def drop(page: Browser, folder: Path, name: str, content: str | bytes) -> str:
    page.driver.execute_script("document.getElementById('answers').replaceChildren()")
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    page.driver.find_element(By.ID, "file").send_keys(str(folder / name))
    return answers(page)


def paste(page: Browser, text: str) -> str:
    page.driver.execute_script("document.getElementById('answers').replaceChildren()")
    area = page.one("#text")
    area.clear()
    area.send_keys(text)
    page.one("#check").click()
    return answers(page)


def test_pasted_scores_get_their_verdict(page: Browser) -> None:
    assert "inconsistent" in paste(
        page, "Accuracy 0.90, sensitivity 0.80, specificity 0.80 (100 positives, 200 negatives)"
    )
    assert "1 error" not in paste(page, "p=100 n=200 acc=0.80 sens=0.80 spec=0.80")
    assert "No scores were recognised" in paste(page, "nothing to see")


def test_a_verdict_comes_with_its_picture(page: Browser) -> None:
    paste(page, "Accuracy 0.90, sensitivity 0.80, specificity 0.80 (100 positives, 200 negatives)")
    page.driver.switch_to.frame(page.one(".answer iframe"))
    pictures = page.driver.find_elements(By.CSS_SELECTOR, "svg[role=img]")
    described = [picture.get_attribute("aria-label") or "" for picture in pictures]
    shapes = page.driver.find_elements(By.CSS_SELECTOR, "svg[role=img] polygon")
    page.driver.switch_to.default_content()
    assert any("The bands have no point in common" in text for text in described)
    assert len(shapes) == 6  # three layers for each of the two bands in conflict


def test_the_page_is_accessible_and_fits_a_phone(page: Browser) -> None:
    for width in (1280, 390):
        for dark in (False, True):
            page.look(width=width, dark=dark)
            assert page.objections() == []
            assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
    page.look()


def test_an_unknown_file_is_refused_in_a_sentence(page: Browser, tmp_path: Path) -> None:
    assert 'Files that end in ".xyz" are not read here' in drop(page, tmp_path, "a.xyz", "x")


def test_a_checklist_can_be_taken_away_and_a_filled_one_is_checked(page: Browser, tmp_path: Path) -> None:
    assert page.driver.find_elements(By.CSS_SELECTOR, "#checklists button")
    from assay.checklists.files import load
    from assay.checklists.template import yaml_form

    assert "21 warnings" in drop(page, tmp_path, "sheet.yaml", yaml_form(load("model-info-sheet")))


def word_manuscript() -> bytes:
    import docx

    made = docx.Document()
    made.add_heading("Results", 1)
    made.add_paragraph(" ".join(SENTENCES))
    made.add_paragraph("Table 1. Results on the test set of 100 positives and 200 negatives", style="Caption")
    table = made.add_table(rows=2, cols=4)
    for row, words in zip(table.rows, TABLE, strict=True):
        for cell, word in zip(row.cells, words, strict=True):
            cell.text = word
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def pdf_manuscript() -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    stream = io.BytesIO()
    canvas = Canvas(stream)
    canvas.setFont("Helvetica", 10)
    for line, text in enumerate(["Results", *SENTENCES * 4]):
        canvas.drawString(72, 750 - 20 * line, text)
    canvas.save()
    return stream.getvalue()


def test_a_word_manuscript_is_read_with_its_tables(page: Browser, tmp_path: Path) -> None:
    assert "Article Model" in drop(page, tmp_path, "paper.docx", word_manuscript())
    assert "acc 0.90, sens 0.80, spec 0.80" in open_report(page, "")


def test_a_pdf_manuscript_is_read_and_a_broken_one_refused(page: Browser, tmp_path: Path) -> None:
    assert "Article Model" in drop(page, tmp_path, "paper.pdf", pdf_manuscript())
    assert "The code is available on request." in open_report(page, "")
    assert "is broken, or no PDF" in drop(page, tmp_path, "paper.pdf", b"%PDF-1.4 and nothing more")


def test_without_a_network_everything_goes_on(page: Browser, server: ThreadingHTTPServer, tmp_path: Path) -> None:
    """With the server gone, nothing can leave the computer; the page works all the same."""
    page.driver.execute_async_script("navigator.serviceWorker.ready.then(arguments[0])")
    assert {line.split()[0] for line in Files.asked} == {"GET"}
    server.shutdown()
    server.server_close()
    asked = len(Files.asked)
    assert "L1.3" in open_report(page, drop(page, tmp_path, "train.py", LEAKY))
    notebook = {"cells": [{"cell_type": "code", "source": LEAKY, "metadata": {}, "outputs": [], "execution_count": 1}]}
    document = json.dumps({**notebook, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert "error" in drop(page, tmp_path, "train.ipynb", document)
    assert "Article Model" in drop(page, tmp_path, "paper.tex", PAPER)
    page.driver.refresh()
    ready(page)
    assert "inconsistent" in paste(page, "p=100 n=200 acc=0.90 sens=0.80 spec=0.80")
    assert len(Files.asked) == asked


def open_report(page: Browser, _: str) -> str:
    frame = page.one(".answer iframe")
    page.driver.switch_to.frame(frame)
    text = page.driver.find_element(By.TAG_NAME, "body").text
    page.driver.switch_to.default_content()
    return text


def test_a_repository_archive_is_judged_and_its_reports_are_written_in_every_text_format() -> None:
    """What the page asks of Python, here without a browser."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("project/train.py", LEAKY)
        archive.writestr("project/README.md", "# A project\n")
    shown = json.loads(bridge.judge_file("project.zip", packed.getvalue()))["answers"]
    assert [answer["key"] for answer in shown] == ["repository", "leakage"]
    assert "L1.3" in shown[1]["page"]
    for made in bridge.FORMATS:
        assert b"train.py" in bridge.report_bytes("leakage", made.value)


@pytest.mark.parametrize("gone", ["pyodide", "wheels"])
def test_missing_parts_are_named(tmp_path: Path, gone: str) -> None:
    for folder in ("pyodide", "wheels"):
        (tmp_path / folder).mkdir()
    if gone == "wheels":
        for name in RUNTIME:
            (tmp_path / "pyodide" / name).touch()
    with pytest.raises(InputError, match="Run `make site`"):
        build_site(tmp_path / "out", tmp_path / "pyodide", tmp_path / "wheels")
