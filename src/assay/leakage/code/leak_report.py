"""The report about leakage in code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from assay.code import Source
from assay.findings import Finding, Report, Table, Value, note
from assay.leakage.code.facts.pair import LearntFrom, Pair
from assay.leakage.code.leak import Leak
from assay.leakage.code.path_picture import as_text, picture
from assay.leakage.rules.taxonomy_instrument import leakage
from assay.records import replace
from assay.report.wording import counted
from assay.suppressions import Suppression, read_suppressions

if TYPE_CHECKING:
    from assay.leakage.code.analysis import Analysis

_MOST_PICTURES = 40
_NAMED = 6


def report_of(
    analysis: Analysis,
    what: Sequence[str],
    *,
    command: str = "",
    explain: bool = False,
    pictures: bool = False,
    pairs: bool = False,
    why_silent: int | None = None,
) -> Report:
    """Findings, what was followed, and what was not."""
    shown = replace(analysis, leaks=tuple(_explained(analysis))) if explain else analysis
    findings = leakage.run(shown)
    figures = tuple(picture(leak, n) for n, leak in enumerate(analysis.leaks[:_MOST_PICTURES], 1)) if pictures else ()
    tables = [_followed(analysis, findings)]
    if pairs:
        tables.append(pair_table(analysis.pairs))
    if why_silent is not None:
        tables.append(silence_table(analysis, why_silent))
    return Report(
        title=f"Leakage in code: {', '.join(what[:3])}{'…' if len(what) > 3 else ''}",
        question=leakage.question,
        findings=tuple(findings),
        tables=tuple(tables),
        figures=figures,
        left_out=(*analysis.left_out, *_undescribed(analysis)),
        command=command,
        not_examined=_not_examined(analysis),
    )


def pair_table(pairs: Iterable[Pair]) -> Table:
    """Every pair as a row, with the columns that policies ask about."""
    columns = ("model", "trained", "evaluated", "relation", "role", "learnt from evaluated rows", "uses", "models",
               "untouched part left", "choice", "assumptions")  # fmt: skip
    return Table("Pairs of training and evaluation", columns, tuple(_cells(pair) for pair in pairs))


def _cells(pair: Pair) -> tuple[Value, ...]:
    learnt = dict.fromkeys(f"{s.kind} ({s.step})" for s in pair.learnt if s.source is not LearntFrom.TRAINING)
    assumed = dict.fromkeys(f"{a.kind} {a.about}".strip() for a in pair.assumptions)
    relation = f"{pair.relation}: {pair.because}" if pair.because else str(pair.relation)
    return (
        pair.model,
        str(pair.training.location),
        str(pair.evaluation.location),
        relation,
        str(pair.role),
        ", ".join(learnt),
        pair.uses,
        pair.models,
        str(pair.untouched),
        str(pair.choice),
        ", ".join(assumed),
    )


def silence_table(analysis: Analysis, line: int) -> Table:
    """Why nothing was reported about the pairs that touch a line."""
    about = [s for s in analysis.silences if line in {p.line for p in (s.training, s.evaluation, s.step) if p}]
    rows = tuple((s.rule, s.model, str(s.training), str(s.evaluation), s.exemption, s.reason) for s in about)
    columns = ("rule", "model", "trained", "evaluated", "exemption", "reason")
    return Table(f"Why line {line} is silent", columns, rows)


def _not_examined(analysis: Analysis) -> str:
    """Where nothing could be followed, silence is no answer: say so first, with the calls that stood in the way."""
    if not analysis.not_examined:
        return ""
    models, scores = counted(analysis.models, "model"), counted(analysis.evaluations, "score")
    names = ", ".join(name for name, _ in analysis.unknown[:_NAMED])
    calls = f"; calls that are not described: {names}" if names else ""
    return f"{models} and {scores} could be followed: not examined{calls}"


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
        yield f"these calls are not described; Assay assumes that they keep rows as they are: {names}{more}"


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
