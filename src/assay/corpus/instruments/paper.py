"""Does the paper say enough? One subject is a paper: LaTeX, PDF, HTML, XML or Markdown."""

from __future__ import annotations

from pathlib import Path

from assay.article.assessment import Assessment
from assay.article.model import Record, article_model, degrees
from assay.article.numbers import clashes
from assay.article.numbers.rules import numbers
from assay.article.proposals import propose, record_of, unsearched
from assay.article.reading import read_paper
from assay.article.report import report_of
from assay.audit.paper_scores import check_scores
from assay.corpus.clones import Beat
from assay.corpus.instruments import Instrument
from assay.corpus.subject import Examined, Subject, Task
from assay.corpus.tables import finding_cells, verdict_cells
from assay.errors import InputError
from assay.findings import Report, Value
from assay.repository.remotes import is_url


def kind(column: str) -> type:
    """All facts but the title are shares of what the Article Model asks for."""
    return str if column == "title" else float


def is_factor(column: str, task: Task) -> bool:  # noqa: ARG001 - every instrument is asked alike
    """True for scores from 0 to 1."""
    return kind(column) is float


def instrument(task: Task, beat: Beat) -> Instrument:  # noqa: ARG001 - every instrument is opened alike
    """The article instrument with Assay's own proposals; score tables are tested on request."""
    scores = bool(task.option("check-scores"))
    return Instrument(lambda subject: _examined(subject, scores=scores), kind)


def _examined(subject: Subject, *, scores: bool) -> Examined:
    if is_url(subject.source):
        raise InputError("is on the network", where=subject.name, fix="Download the paper and name the file.")
    paper = read_paper(Path(subject.source))
    record = record_of(paper, propose(paper))
    report = report_of([Assessment(record)], [*paper.left_out, *unsearched(paper)])
    checked = check_scores(paper) if scores else Report("")
    findings = (*report.findings, *numbers.run(tuple(clashes(paper))), *checked.findings)
    return Examined(
        _facts(paper.title, record),
        tuple(map(finding_cells, findings)),
        tuple(map(verdict_cells, checked.judgements)),
        (*report.left_out, *checked.left_out),
    )


def _facts(title: str, record: Record) -> dict[str, Value]:
    components = {component.id.replace("-", "_"): record.component(component) for component in article_model()}
    found = {"metric": record.metric, **degrees(record), **components}
    return {"title": title, **{name: None if v is None else round(float(v), 4) for name, v in found.items()}}
