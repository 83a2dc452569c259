"""Functions that the page calls: judge a pasted text or dropped file, and return reports."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.answers import Answer
from assay.errors import InputError
from assay.extras import missing_package
from assay.findings import Report, Severity
from assay.interface import check_scores, inspect_repository, read_paper, scan_code
from assay.report import Format, encoded

FORMATS = (Format.HTML, Format.MD, Format.TEXT, Format.JSON, Format.CSV, Format.TEX, Format.SARIF)
"""Formats that need no packages beyond those of the page."""
CODE = (".py", ".ipynb")
PAPERS = (".tex", ".md", ".html", ".htm", ".xml", ".docx", ".pdf")
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz")
CHECKLISTS = (".yaml", ".yml")

Judge = Callable[[], list[tuple[str, Answer]]]

_answers: dict[str, Answer] = {}
"""The answers on the page, by their keys."""


def judge_text(text: str) -> str:
    """The verdict on pasted scores, as the page shows it."""
    return _answer_json(lambda: [("scores", _scores_in(text))])


def judge_file(name: str, data: bytes) -> str:
    """The verdicts on a dropped file: code, a zipped repository, a manuscript or a filled checklist."""
    return _answer_json(lambda: _answers_about(name, data))


def report_bytes(key: str, format_: str) -> bytes:
    """A report of the page as a file."""
    return encoded(_answers[key].report, Format(format_))


def prepare() -> None:
    """Load what a score check needs, so that the first check is as fast as the next."""
    encoded(_scores_in("p=10 n=10 acc=0.5").report, Format.HTML)


def _answer_json(judge: Judge) -> str:
    """The answers as JSON for the page, or one sentence about what is wrong with the input."""
    try:
        found = judge()
    except InputError as error:
        return json.dumps({"error": str(error)})
    except ImportError as error:
        missing = missing_package(error)
        if missing is None:
            raise
        return json.dumps({"error": f"{missing} This check does not run in the browser."})
    _answers.clear()
    _answers.update(found)
    return json.dumps({"answers": [_summary(key, answer) for key, answer in found]})


def _summary(key: str, answer: Answer) -> dict[str, object]:
    report = answer.report
    counts = {level.value: sum(f.severity is level for f in report.findings) for level in Severity}
    page = encoded(report, Format.HTML).decode()
    verdicts = [one.verdict.value for one in report.judgements]
    return {"key": key, "title": report.title, "counts": counts, "verdicts": verdicts, "page": page}


def _scores_in(text: str) -> Answer:
    from assay.reported import read_text
    from assay.scores.pasted import (
        LONGEST,
        corrected,
        report_of_pasted,
        rows_of,
        without_settings,
    )

    words = text.split()
    if words and all("=" in word for word in words):
        return check_scores(**dict(word.split("=", 1) for word in words))
    reading = corrected(read_text(without_settings(text[:LONGEST])), text, ())
    if not reading.rows and not reading.unread:
        raise InputError("No scores were recognised", fix="Name each score next to its value: accuracy 0.94.")
    return Answer(report=report_of_pasted(rows_of(text, reading), figures=True))


def _answers_about(name: str, data: bytes) -> list[tuple[str, Answer]]:
    ending = Path(name).suffix.lower()
    with TemporaryDirectory() as folder, chdir(folder):  # so that reports name the file alone
        path = Path(Path(name).name)
        path.write_bytes(data)
        if ending in CODE:
            return [("leakage", scan_code(path))]
        if ending in PAPERS:
            return [("paper", read_paper(path))]
        if ending in CHECKLISTS:
            return [("checklist", Answer(report=_checked(path)))]
        if ending in ARCHIVES:
            return [("repository", inspect_repository(path)), ("leakage", scan_code(path))]
    known = ", ".join((*CODE, *PAPERS, *CHECKLISTS, *ARCHIVES))
    raise InputError(f'Files that end in "{ending}" are not read here', where=name, fix=f"Known: {known}.")


def _checked(path: Path) -> Report:
    from assay.checklists.filled import read_filled
    from assay.checklists.report import report_of

    return report_of([read_filled(path)])
