"""The report on staged leaks."""

from __future__ import annotations

from collections.abc import Sequence

from assay.findings import Report, Table
from assay.leakage.impact.experiment import Impact
from assay.leakage.rules.impact import leakage_impact


def report_of(impacts: Sequence[Impact], about: str, left_out: Sequence[str] = ()) -> Report:
    """Scores with and without each leak, the optimism, and what follows from it."""
    return Report(
        title=f"Optimism by leakage: {about}",
        question=leakage_impact.question,
        findings=tuple(f for impact in impacts for f in leakage_impact.run(impact)),
        tables=tuple(_table(impact) for impact in impacts),
        left_out=tuple(left_out),
    )


def _table(impact: Impact) -> Table:
    rows = []
    for place, name in enumerate(impact.ranking(leaky=True), 1):
        result = next(r for r in impact.results if r.model == name)
        leaky, clean = result.means
        low, high = result.interval()
        rank = impact.ranking(leaky=False).index(name) + 1
        interval = f"{low:.3f} to {high:.3f}"
        rows.append((name, round(leaky, 3), round(clean, 3), round(result.optimism, 3), interval, f"{place}, {rank}"))
    splits = len(impact.results[0].leaky)
    return Table(
        f"{impact.code} {impact.leak}: {impact.title} ({impact.measure}, {splits} splits)",
        ("model", "leaky", "clean", "optimism", "95 % interval", "rank leaky, clean"),
        tuple(rows),
    )
