"""What a staged leak shows: a score that it inflates, and a ranking of models that it turns round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Severity, numbers
from assay.leakage.rules.taxonomy_instrument import PAPER
from assay.rules import Instrument, Source

if TYPE_CHECKING:
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
    title="A leak that inflates the score",
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
    """How much a leak matters depends on the table and on the model: a scaler costs nothing, an imputer everything.

    So the leak is staged on the table at hand, with the same splits and seeds as a version without it, and the
    difference is reported with an interval that allows for splits which share their rows.
    """
    for result in impact.results:
        low, high = result.interval()
        if low > 0:
            leaky, clean = result.means
            yield inflated_score.finding(
                f"{impact.title} ({impact.code}) would raise the {impact.measure} of {result.model} from {clean:.3f} "
                f"to {leaky:.3f}: optimism {result.optimism:.3f} (95 % interval {low:.3f} to {high:.3f})",
                subject=result.model,
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
    title="A leak that turns the ranking of models round",
    severity=Severity.WARNING,
    failing="""
model,leaky,clean
forest,0.93,0.76
forest,0.91,0.75
logistic,0.80,0.79
logistic,0.81,0.80
""",
    passing="""
model,leaky,clean
forest,0.93,0.86
forest,0.91,0.85
logistic,0.80,0.79
logistic,0.81,0.80
""",
    source=Source(PAPER, "A case study of civil war prediction"),
    advice="Do not conclude that one kind of model is better before the leak is closed.",
    confidence=Confidence.MEDIUM,
)
def flipped_ranking(impact: Impact) -> Iterator[Finding]:
    """Flexible models profit more from a leak than simple ones, so a leak can decide which model looks best.

    In all four studies of civil war that found complex models far superior, that superiority was the leak's.
    """
    for first, second, agree in impact.flips:
        yield flipped_ranking.finding(
            f"with the leak {first} beats {second}; without it the order is the other way round",
            subject=f"{first}, {second}",
            evidence=[numbers({"share of splits with both orders": round(agree, 3)})],
        )
