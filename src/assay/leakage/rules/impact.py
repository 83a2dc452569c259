"""What a staged leak shows: a score that it inflates, and a lead over other models that vanishes without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Severity, numbers
from assay.leakage.rules.taxonomy_instrument import PAPER
from assay.rules import Instrument, Source

if TYPE_CHECKING:
    from assay.leakage.impact.advantage import Advantage
    from assay.leakage.impact.experiment import Impact


def _example(text: str) -> Impact:
    """A CSV of scores: one line for each fold of each model, with the leak and without it."""
    import csv

    from assay.leakage.impact.experiment import Impact, Paired

    scores: dict[str, list[tuple[float, float]]] = {}
    for row in csv.DictReader(text.strip().splitlines()):
        scores.setdefault(row["model"], []).append((float(row["leaky"]), float(row["clean"])))
    results = tuple(Paired(name, tuple(a for a, _ in s), tuple(b for _, b in s)) for name, s in scores.items())
    return Impact("duplicates", "L1.4", "copies of test rows among the training rows", "AUC", results)


leakage_impact = Instrument("leakage-impact", "How much optimism would this leak cause?", _example, "csv")


@leakage_impact.rule(
    "LX7",
    title="Measured effect of a leak on the score",
    severity=Severity.NOTE,
    failing="""
model,leaky,clean
forest,0.93,0.86
forest,0.91,0.85
forest,0.94,0.86
""",
    passing="""
model,leaky,clean
forest,0.87,0.86
forest,0.84,0.85
forest,0.86,0.86
""",
    source=Source(PAPER, "Finding 1: Data leakage causes irreproducible results"),
    advice="If your study has this leak, expect its score to fall by about this much once the leak is closed.",
    confidence=Confidence.HIGH,
)
def inflated_score(impact: Impact) -> Iterator[Finding]:
    """How much a leak matters depends on the table and on the model: scaling may cost nothing, imputation a lot.

    Assay repeats the leak on this table, with the same splits and seeds as a version without it. The interval of the
    difference allows for splits that share rows.
    """
    for result in impact.results:
        low, high = result.interval()
        if low > 0:
            leaky, clean = result.means
            yield inflated_score.finding(
                f"The leak ({impact.title}, {impact.code}) raises the {impact.measure} of {result.model} "
                f"from {clean:.3f} to {leaky:.3f}: optimism {result.optimism:.3f} "
                f"(95 % interval {low:.3f} to {high:.3f}).",
                subject=f"{impact.about or impact.leak}: {result.model}",
                evidence=[
                    numbers(
                        {
                            "clean": round(clean, 4),
                            "leaky": round(leaky, 4),
                            "optimism": round(result.optimism, 4),
                            "splits": len(result.leaky),
                        }
                    )
                ],
            )


@leakage_impact.rule(
    "LX8",
    title="Model advantage that disappears without the leak",
    severity=Severity.WARNING,
    failing="""
model,leaky,clean
forest,0.93,0.76
forest,0.91,0.75
forest,0.92,0.76
logistic,0.80,0.79
logistic,0.81,0.80
logistic,0.79,0.79
""",
    passing="""
model,leaky,clean
forest,0.93,0.86
forest,0.91,0.85
forest,0.92,0.87
logistic,0.80,0.79
logistic,0.81,0.80
logistic,0.79,0.79
""",
    source=Source(PAPER, "A case study of civil war prediction"),
    advice="Close the leak before you conclude that one kind of model is better.",
    confidence=Confidence.MEDIUM,
)
def vanished_lead(impact: Impact) -> Iterator[Finding]:
    """Flexible models profit more from a leak than simple ones, so a leak can decide which model looks best.

    That happened in all four studies of civil war that found complex models far superior. The rule compares
    differences, not ranks: the lead is significant with the leak, significantly smaller without it, and then no longer
    distinguishable from zero.
    """
    from assay.leakage.impact.advantage import Lead, pairs_of_interest

    vanished: dict[str, list[Advantage]] = {}
    for pair in pairs_of_interest(impact):
        if pair.verdict in {Lead.GONE, Lead.REVERSED}:
            vanished.setdefault(pair.first, []).append(pair)
    for first, pairs in vanished.items():
        leads = ", ".join(f"{pair.second} by {pair.leaky.value:.3f}" for pair in pairs)
        left = ", ".join(f"{pair.clean.value:+.3f}" for pair in pairs)
        yield vanished_lead.finding(
            f"With the leak, {first} beats {leads} ({impact.measure}). Without it, no lead is left ({left}).",
            subject=f"{impact.about or impact.leak}: {first}",
            evidence=[
                numbers(
                    {
                        "difference with the leak": round(pair.leaky.value, 4),
                        "difference without it": round(pair.clean.value, 4),
                        "95 % interval": f"{pair.clean.low:+.4f} to {pair.clean.high:+.4f}",
                        "p": round(pair.clean.p, 4),
                    },
                    f"{first} against {pair.second}",
                )
                for pair in pairs
            ],
        )
