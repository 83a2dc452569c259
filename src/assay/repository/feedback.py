"""The feedback file: a table of factors with their thresholds, then a section for each with its parts.

The layout is that of Loos (2022), Figure A.1, so that authors who know the one find their way in the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.report.markdown import escaped
from assay.repository.check import Assessment
from assay.repository.factors import Band, FactorScore
from assay.repository.profiles import Profile
from assay.repository.profiles.default import QUESTIONS

_SAID = {
    Band.GOOD: "At or above the top threshold (T): good.",
    Band.FAIR: "Above the average threshold (A): some improvements are recommended.",
    Band.WEAK: "Above the lower threshold (L): improvements should be made.",
    Band.POOR: "At or below the lower threshold (L): major improvements should be made.",
    Band.NOT_JUDGED: "Not judged: the repository gives no occasion.",
}


def feedback(assessment: Assessment) -> str:
    """The whole file, as Markdown; the profile of the thesis has its own words."""
    if assessment.profile is Profile.LOOS2022:
        from assay.repository.research.loos2022 import feedback as of_the_thesis
        from assay.repository.research.loos2022 import indicators_of

        return of_the_thesis(indicators_of(assessment.facts))
    return "\n".join(_lines(assessment)) + "\n"


def _lines(assessment: Assessment) -> Iterator[str]:
    yield f"# Reproducibility factor scoring of {escaped(assessment.facts.name)} (from 0 to 1)"
    yield ""
    yield "| Reproducibility factor | Score | Feedback | T* | A* | L* |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for factor in assessment.factors:
        limits = factor.thresholds
        average = "-" if limits.average is None else f"{limits.average:g}"
        yield (
            f"| {factor.name} | {_number(factor.score)} | {_SAID[factor.band]} "
            f"| {limits.top:g} | {average} | {limits.lower:g} |"
        )
    yield ""
    yield "*: the same for all factors, settled and not fitted; the factors are those of Loos (2022)."
    for factor in assessment.factors:
        yield from _section(factor, assessment)
    yield from ("", "## Questions for a person", "", "No program can judge these factors.", "")
    yield from (f"- {q.factor}: {q.question}" for q in QUESTIONS)


def _section(factor: FactorScore, assessment: Assessment) -> Iterator[str]:
    yield from ("", f"## {factor.name} feedback", "")
    for number, part in enumerate(factor.parts, 1):
        yield f"{number}. {part.name} ({_number(part.score)} out of 1, weight {part.weight:g}): {escaped(part.said)}."
    if factor.advice:
        yield from ("", factor.advice)
    remedies = [f for f in assessment.findings if f.code in factor.rules]
    if remedies:
        yield ""
    for finding in remedies[:5]:
        place = f" ({escaped(str(finding.location))})" if finding.location else ""
        yield f"- {finding.code}: {escaped(finding.message)}{place}. {escaped(finding.advice)}"
    if len(remedies) > 5:
        yield f"- and {len(remedies) - 5} more"


def _number(score: float | None) -> str:
    return "-" if score is None else f"{score:.2f}"
