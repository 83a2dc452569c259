"""Did the test set leak into training? One subject is a script, a notebook, or a folder, archive or commit of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from assay.corpus.clones import Beat, cloned
from assay.corpus.instruments import Instrument
from assay.corpus.subject import Examined, Subject, Task
from assay.corpus.tables import finding_cells
from assay.findings import Value
from assay.leakage.code.analysis import analyse_source, gathered
from assay.leakage.code.reading.opening import open_code
from assay.leakage.code.reporting import report_of, suppressions_in
from assay.leakage.rules.taxonomy_instrument import leakage
from assay.suppressions import apply_suppressions

_CODES = tuple(rule.code for rule in leakage.rules())


def kind(_: str) -> type:
    """All facts are counts."""
    return int


def is_factor(column: str, task: Task) -> bool:  # noqa: ARG001 - every instrument is asked alike
    """Nothing is scored."""
    return False


def instrument(task: Task, beat: Beat) -> Instrument:
    """The leakage instrument for code."""

    def examine(subject: Subject) -> Examined:
        clone = cloned(subject.source, task, beat)
        opened = open_code(Path(clone.path if clone else subject.source))
        analysis = gathered(analyse_source(opened.code, source) for source in opened.sources)
        comments = list(suppressions_in(opened.sources))
        report = apply_suppressions(report_of(analysis, [subject.name]), comments)
        many = Counter(finding.code for finding in report.findings)
        facts: dict[str, Value] = {
            "files": analysis.files,
            "models": analysis.models,
            "evaluations": analysis.evaluations,
            **{code: many[code] for code in _CODES},
        }
        return Examined(
            facts, tuple(map(finding_cells, report.findings)), left_out=(*opened.left_out, *report.left_out)
        )

    return Instrument(examine, kind)
