"""The report on staged leaks."""

from __future__ import annotations

from collections.abc import Sequence

from assay.findings import Report, Table
from assay.leakage.impact.advantage import Advantage, pairs_of_interest
from assay.leakage.impact.experiment import Impact
from assay.leakage.impact.plots import impact_figure
from assay.leakage.rules.impact import leakage_impact


def report_of(impacts: Sequence[Impact], about: str, left_out: Sequence[str] = (), *, figures: bool = True) -> Report:
    """Scores with and without each leak, the optimism, and whether a lead survives the correction."""
    return Report(
        title=f"Optimism by leakage: {about}",
        question=leakage_impact.question,
        findings=tuple(f for impact in impacts for f in leakage_impact.run(impact)),
        tables=tuple(table for impact in impacts for table in _tables(impact)),
        figures=(impact_figure(impacts),) if figures else (),
        left_out=tuple(left_out),
    )


def _tables(impact: Impact) -> list[Table]:
    pairs = pairs_of_interest(impact)
    return [_scores(impact), *([_leads(impact, pairs)] if pairs else [])]


def _scores(impact: Impact) -> Table:
    rows = []
    for place, name in enumerate(impact.ranking(leaky=True), 1):
        result = next(r for r in impact.results if r.model == name)
        leaky, clean = result.means
        low, high = result.interval()
        rank = impact.ranking(leaky=False).index(name) + 1
        interval = f"{low:.3f} to {high:.3f}"
        rows.append((name, round(leaky, 3), round(clean, 3), round(result.optimism, 3), interval, f"{place}, {rank}"))
    number = len(impact.results[0].leaky)
    paper = f"{impact.about}, " if impact.about else ""
    return Table(
        f"{paper}{impact.code} {impact.leak}: {impact.title} ({impact.measure}, {number} {impact.unit})",
        ("model", "leaky", "clean", "optimism", "95 % interval", "rank leaky, clean"),
        tuple(rows),
    )


def _leads(impact: Impact, pairs: Sequence[Advantage]) -> Table:
    return Table(
        f"Is it better? Differences in {impact.measure} ({impact.leak})",
        ("model", "against", "leaky", "clean", "95 % interval", "p", "lead"),
        tuple(
            (
                pair.first,
                pair.second,
                f"{pair.leaky.value:+.3f}",
                f"{pair.clean.value:+.3f}",
                f"{pair.clean.low:+.3f} to {pair.clean.high:+.3f}",
                f"{pair.clean.p:.3f}" if pair.clean.p >= 0.001 else "< 0.001",
                pair.verdict.value,
            )
            for pair in pairs
        ),
    )
