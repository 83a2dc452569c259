"""A comparison of two tables of results as a report: both as printed, then cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.findings import Figure, Report, Table, Value
from assay.reproduction.comparison import Compared, Comparison, Presence
from assay.reproduction.outcomes import Measured, Outcome
from assay.reproduction.result_tables import Gap, ResultTable

MOST_DRAWN = 60


def report_comparison(found: Comparison, *, figures: bool = False, command: str = "") -> Report:
    """The layout of Fell et al. (2022), Tables 2 to 4, with differences, intervals and verdicts."""
    return Report(
        title="Original and reproduced results",
        question="What happened when somebody tried?",
        tables=tuple(
            table
            for table in (
                _verdicts(found),
                _cells(found),
                _tests(found),
                _printed("Original", found.original),
                _printed("Reproduced", found.reproduced),
                _presence(found),
            )
            if table.rows
        ),
        figures=tuple(_figures(found)) if figures else (),
        left_out=(*found.unmatched, *_undecidable(found), *found.original.left_out, *found.reproduced.left_out),
        command=command,
    )


def _verdicts(found: Comparison) -> Table:
    counts = Counter(cell.judged.outcome for cell in found.judged if cell.judged)
    meaning = {
        Outcome.IDENTICAL: "the same at the precision of the original",
        Outcome.EQUIVALENT: f"shown to differ by less than {found.margin or 0:g}",
        Outcome.CONSISTENT: "another number on the same side of every baseline",
        Outcome.INDISTINGUISHABLE: "another number, within chance at these spreads or test sizes",
        Outcome.DIFFERENT: "across a baseline, beyond chance, or simply another number",
        Outcome.UNDECIDABLE: "the two numbers cannot be compared as printed",
    }
    rows = tuple((outcome.value, counts[outcome], meaning[outcome]) for outcome in Outcome if counts[outcome])
    return Table("Verdicts", ("verdict", "cells", "meaning"), rows)


def _cells(found: Comparison) -> Table:
    columns = ("result", "original", "reproduced", "difference", "95 % interval", "verdict")
    return Table("Cell by cell: reproduced minus original", columns, tuple(map(_cell, found.judged)))


def _cell(cell: Compared) -> tuple[Value, ...]:
    """The difference is exact at the digits that are printed; an interval needs sizes or spreads."""
    difference = None if cell.difference is None else float(cell.difference)
    interval = cell.measured.interval if cell.measured else None
    ends = f"{interval.low:.3f} to {interval.high:.3f}" if interval else None
    verdict = cell.judged.verdict if cell.judged else None
    return (
        f"{_label(cell)}: {cell.metric}",
        _text(cell.original),
        _text(cell.reproduced),
        difference,
        ends,
        verdict,
    )


def _undecidable(found: Comparison) -> Iterator[str]:
    """Why cells could not be compared as printed."""
    for cell in found.judged:
        if cell.judged and cell.judged.outcome is Outcome.UNDECIDABLE:
            yield f"{_label(cell)}: {cell.metric}: {cell.judged.reasons[-1]}"


def _tests(found: Comparison) -> Table:
    """What the intervals and verdicts rest on; equivalence is tested where a margin was stated."""
    rows = tuple(
        (
            *(f"{_label(cell)}: {cell.metric}", cell.measured.method),
            *map(_rounded, (cell.measured.p, cell.p_holm, cell.p_bh)),
            _rounded(cell.judged.p_not_equivalent if cell.judged else None),
        )
        for cell in found.judged
        if cell.measured
    )
    columns = ("result", "method", "p", "p, Holm", "p, BH", "p, margin")
    return Table("Tests of a difference, corrected for their number", columns, rows)


def _label(cell: Compared) -> str:
    return " / ".join(name for name in cell.row if name)


def _printed(title: str, table: ResultTable) -> Table:
    """The table as it was printed, with both kinds of gaps."""
    columns = (*table.names, *table.metrics)
    rows = tuple((*row.names, *(_text(row.cells[metric]) for metric in table.metrics)) for row in table.rows)
    return Table(title, columns, rows)


def _presence(found: Comparison) -> Table:
    counts = Counter(cell.presence for cell in found.cells)
    rows = tuple((presence.value, counts[presence]) for presence in Presence if counts[presence])
    return Table("Cells of the rows and columns that both have", ("result", "cells"), rows)


def _figures(found: Comparison) -> Iterator[Figure]:
    from assay.report.charts import Span, spans

    drawn = [
        Span(
            f"{_label(cell)}: {cell.metric}",
            float(cell.difference or 0),
            (cell.measured.interval.low, cell.measured.interval.high) if cell.measured else None,
        )
        for cell in found.judged
    ]
    if drawn and len(drawn) <= MOST_DRAWN:
        yield spans("Reproduced minus original, with 95 % intervals where they are known", drawn, "difference")


def _text(cell: Measured | Gap) -> str:
    if isinstance(cell, Gap):
        return cell.value
    return cell.value if cell.spread is None else f"{cell.value} ± {cell.spread:g}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.3g}")
