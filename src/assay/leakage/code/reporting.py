"""The report about leakage in code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from assay.code import Source
from assay.findings import Finding, Report, Table, note
from assay.leakage.code.analysis import Analysis
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.drawing import as_text, picture
from assay.leakage.rules.taxonomy_instrument import leakage
from assay.records import replace
from assay.suppressions import Suppression, read_suppressions

_MOST_PICTURES = 40
_NAMED = 6


def report_of(
    analysis: Analysis, what: Sequence[str], *, command: str = "", explain: bool = False, pictures: bool = False
) -> Report:
    """Findings, what was followed, and what was not."""
    shown = replace(analysis, leaks=tuple(_explained(analysis))) if explain else analysis
    findings = leakage.run(shown)
    figures = tuple(picture(leak, n) for n, leak in enumerate(analysis.leaks[:_MOST_PICTURES], 1)) if pictures else ()
    return Report(
        title=f"Leakage in code: {', '.join(what[:3])}{'…' if len(what) > 3 else ''}",
        question=leakage.question,
        findings=tuple(findings),
        tables=(_followed(analysis, findings),),
        figures=figures,
        left_out=(*analysis.left_out, *_undescribed(analysis)),
        command=command,
    )


def _explained(analysis: Analysis) -> Iterator[Leak]:
    for leak in analysis.leaks:
        yield replace(leak, evidence=(*leak.evidence, note(f"how the rows flow:\n{as_text(leak)}")))


def _followed(analysis: Analysis, findings: list[Finding]) -> Table:
    columns = ("files", "models", "evaluations", "findings")
    return Table(
        "What was followed", columns, ((analysis.files, analysis.models, analysis.evaluations, len(findings)),)
    )


def _undescribed(analysis: Analysis) -> Iterator[str]:
    """Calls of unknown effect, said in one sentence."""
    if analysis.unknown:
        names = ", ".join(name for name, _ in analysis.unknown[:_NAMED])
        more = f" and {len(analysis.unknown) - _NAMED} more" if len(analysis.unknown) > _NAMED else ""
        yield f"the effect of these calls is not described; they were taken to keep rows as they are: {names}{more}"


def with_imported(analysis: Analysis, sources: Iterable[Source], beside: Iterable[Source]) -> list[Source]:
    """The files that were examined, and those that they import and in which a leak was found."""
    examined = list(sources)
    missing = {leak.location.path for leak in analysis.leaks} - {source.path for source in examined}
    return examined + [source for source in beside if source.path in missing]


def suppressions_in(sources: Iterable[Source]) -> Iterator[Suppression]:
    """The suppressions in the audited code, cell by cell in notebooks."""
    for source in sources:
        if not source.mentions("assay:"):
            continue
        if source.notebook is None:
            yield from read_suppressions(source.text, source.path, python=True)
            continue
        lines = source.lines
        ends = [start for start, _ in source.cells[1:]] + [len(lines) + 1]
        for (start, cell), end in zip(source.cells, ends, strict=True):
            text = "\n".join(lines[start - 1 : end - 1])
            yield from read_suppressions(text, source.path, python=True, cell=cell)
