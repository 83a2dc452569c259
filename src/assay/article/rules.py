"""The rules of the article room: figures that cannot be, credit without evidence, and what a paper leaves out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from importlib import resources

from assay.article.assessment import Assessment, Printed, assessment_of
from assay.article.model import Component, Grade, Part, all_parts, article_model, attainable
from assay.findings import Confidence, Finding, Location, Severity, certificate, quote
from assay.rules import Instrument, Source

_THESIS = "Cappelen & Mølnå, Performing reproductions to understand the state of reproducibility, master thesis, 2018"
_GRIM = "Brown & Heathers, The GRIM test, Social Psychological and Personality Science 8, 2017"
_PAPER_MARK = "---\n"


def _read_example(text: str) -> Assessment:
    """An assessment; what follows a line ``---`` stands for the text of the paper."""
    told, _, paper = text.partition(_PAPER_MARK)
    facts = assessment_of(told, "example.yaml")
    return Assessment(facts.record, facts.components, facts.metric, paper)


article = Instrument(
    "article", "Does the paper say enough for others to judge and repeat its study?", _read_example, "yaml"
)


@article.rule(
    "A101",
    title="Documentation component above its maximum",
    severity=Severity.ERROR,
    failing="components: {implementation: 1.17}\n",
    passing="components: {implementation: 1.00}\n",
    source=Source(_THESIS, "table A.3, paper 29"),
    advice="Recalculate it as the mean of its sub-components.",
    confidence=Confidence.PROVEN,
)
def outside_scale(facts: Assessment) -> Iterator[Finding]:
    """A component is a mean of values from 0 to 1. A larger value was summed where it should be averaged."""
    for component, printed in _components(facts):
        if printed.value > 1:
            yield outside_scale.finding(
                f"{component.title} has the score {printed.text}, but no score can exceed 1",
                subject=facts.record.paper,
                location=_place(facts, printed.line),
                evidence=[certificate(f"every sub-component of {component.title} is at most 1, so their mean is")],
            )


@article.rule(
    "A102",
    title="Component score impossible from its sub-components",
    severity=Severity.ERROR,
    failing="components: {research: 0.70}\n",
    passing="components: {research: 1.00}\n",
    source=Source(_GRIM),
    advice="Recalculate it from the sub-components.",
    confidence=Confidence.PROVEN,
)
def unattainable(facts: Assessment) -> Iterator[Finding]:
    """A mean of a few graded sub-components can take only certain values.

    Any other value is a mistake. Rounded and truncated digits are both accepted.
    """
    for component, printed in _components(facts):
        possible = attainable(component)
        if printed.value > 1 or any(_prints_as(value, printed) for value in possible):
            continue
        below = max(value for value in possible if value < printed.value)
        above = min(value for value in possible if value > printed.value)
        yield unattainable.finding(
            f"{component.title} has the score {printed.text}, which no grades of its sub-components can produce",
            subject=facts.record.paper,
            location=_place(facts, printed.line),
            evidence=[
                certificate(
                    f"the nearest values that its sub-components can give are {_decimal(below)} and {_decimal(above)}",
                    {"below": float(below), "above": float(above)},
                )
            ],
        )


@article.rule(
    "A103",
    title="Component score contradicts its sub-components",
    severity=Severity.ERROR,
    failing="components: {phenomenon: 1.00}\nparts:\n  phenomenon: {value: 0.5, quote: spoken words}\n",
    passing="components: {phenomenon: 0.50}\nparts:\n  phenomenon: {value: 0.5, quote: spoken words}\n",
    source=Source(_THESIS, "section 3.2"),
    advice="Correct the score, or the sub-component that was changed after it.",
    confidence=Confidence.PROVEN,
)
def not_the_mean(facts: Assessment) -> Iterator[Finding]:
    """The component's score follows from those of its sub-components.

    A score that was typed in becomes wrong when one of them changes.
    """
    for component, printed in _components(facts):
        assessed = {part.id for part in component.parts} <= facts.record.grades.keys()
        value = facts.record.component(component)
        if assessed and value is not None and not _prints_as(value, printed):
            yield not_the_mean.finding(
                f"{component.title} has the score {printed.text}, but its grades give {_decimal(value)}",
                subject=facts.record.paper,
                location=_place(facts, printed.line),
                evidence=[certificate(_mean_shown(facts, component))],
            )


@article.rule(
    "A104",
    title="Article Model Metric contradicts its components",
    severity=Severity.ERROR,
    failing="metric: 0.85\ncomponents: {research: 1.00, method: 0.50, pseudocode: 0.50}\n",
    passing="metric: 0.67\ncomponents: {research: 1.00, method: 0.50, pseudocode: 0.50}\n",
    source=Source(_THESIS, "section 3.2 and table A.3"),
    advice="Recalculate it without the components that do not apply; they do not count as 0 or 1.",
    confidence=Confidence.PROVEN,
)
def not_the_metric(facts: Assessment) -> Iterator[Finding]:
    """The Article Model Metric is the mean of the components that apply. A wrong value ranks the paper wrongly."""
    printed = facts.metric
    bounds = _metric_bounds(facts) if printed else None
    if printed is None or bounds is None:
        return
    low, high = bounds
    if low - printed.unit < printed.value < high + printed.unit:
        return
    shown = _decimal(low) if low == high else f"between {_decimal(low)} and {_decimal(high)}"
    yield not_the_metric.finding(
        f"the stated metric is {printed.text}, but the components give {shown}",
        subject=facts.record.paper,
        location=_place(facts, printed.line),
        evidence=[certificate(_components_shown(facts))],
    )


@article.rule(
    "A105",
    title="Documentation score without a supporting quote",
    severity=Severity.WARNING,
    failing="parts:\n  goal: {value: 1}\n",
    passing="parts:\n  goal: {value: 1, quote: We aim to tell speech from noise.}\n",
    source=Source(_THESIS, "section 3.2.1: explicitly mentioned in the article"),
    advice="Quote the words of the paper that earn the score, or set it to 0.",
    confidence=Confidence.PROVEN,
)
def without_quote(facts: Assessment) -> Iterator[Finding]:
    """The score counts only what the paper itself says. The quote lets a second reader check it."""
    for part, grade in _grades(facts):
        if grade.value and not grade.quote:
            yield without_quote.finding(
                f"{part.id} has a credit of {_decimal(grade.value)} but no quote",
                subject=facts.record.paper,
                location=_place(facts, grade.line),
            )


@article.rule(
    "A106",
    title="Quote not found in the paper",
    severity=Severity.ERROR,
    failing="parts:\n  hardware: {value: 1, quote: All runs used one GPU.}\n---\nTraining took two days.\n",
    passing="parts:\n  hardware: {value: 1, quote: All runs used one GPU.}\n---\nAll runs used one\nGPU.\n",
    source=Source(_THESIS, "section 3.2.1: explicitly mentioned in the article"),
    advice="Copy the words as they stand, and mark what you leave out with …",
    confidence=Confidence.HIGH,
)
def invented_quote(facts: Assessment) -> Iterator[Finding]:
    """A quote that is not in the paper was misremembered or made up, so its score has no support.

    Only letters and digits are compared: line breaks, hyphens and missing formulas do not matter, but a formula that
    the quote writes out does.
    """
    text = _letters(facts.text)
    if not text:
        return
    for part, grade in _grades(facts):
        pieces = [_letters(piece) for piece in re.split(r"…|\.\.\.|\[(?:cite|ref|formula)\]", grade.quote)]
        if grade.value and not all(piece in text for piece in pieces):
            yield invented_quote.finding(
                f"{part.id} is credited for a quote that is not in the paper",
                subject=facts.record.paper,
                location=_place(facts, grade.line),
                evidence=[quote(grade.quote[:300], _place(facts, grade.line) or Location(""))],
            )


@article.rule(
    "A107",
    title="Automatic score not confirmed by a person",
    severity=Severity.NOTE,
    failing="parts:\n  goal: {value: 0, proposed: assay}\n",
    passing="parts:\n  goal: {value: 0}\n",
    source=Source(_THESIS, "section 3.2"),
    advice='Read the quote in the paper. If it supports the score, remove the line "proposed".',
    confidence=Confidence.PROVEN,
)
def unconfirmed(facts: Assessment) -> Iterator[Finding]:
    """Assay proposes scores by matching words. Only a person can decide what a paper documents."""
    for part, grade in _grades(facts):
        if grade.proposed and grade.line is not None:
            value = "not applicable" if grade.value is None else _decimal(grade.value)
            yield unconfirmed.finding(
                f"{part.id}: nobody has confirmed the value {value} that {grade.proposed} proposed",
                subject=facts.record.paper,
                location=_place(facts, grade.line),
            )


@article.rule(
    "A108",
    title="Sub-component without a score",
    severity=Severity.WARNING,
    failing="parts:\n  pseudocode: {value: 0}\n",
    passing="parts:\n" + "".join(f"  {part}: 0\n" for part in all_parts()),
    source=Source(_THESIS, "section 3.2"),
    advice="Give it a score, or write - if it does not apply.",
    confidence=Confidence.PROVEN,
)
def not_assessed(facts: Assessment) -> Iterator[Finding]:
    """A sub-component without a score is left out of the mean as if it did not apply.

    That changes the paper's score.
    """
    if not facts.record.grades:  # only figures were given, as in a table of components
        return
    missing = {part.id for part in facts.record.missing}
    for component in article_model():
        open_ = [part.id for part in component.parts if part.id in missing]
        if open_:
            yield not_assessed.finding(
                f"{component.title}: {', '.join(open_)} not assessed",
                subject=facts.record.paper,
                location=_place(facts, None),
            )


@article.rule(
    "A109",
    title="Item not documented in the paper",
    severity=Severity.NOTE,
    failing="parts:\n  hardware: {value: 0}\n",
    passing="parts:\n  hardware: {value: 1, quote: All runs used one GPU.}\n",
    source=Source(_THESIS, "section 3.2"),
    advice="As an author, add it to the paper; as a reader, ask the authors.",
    confidence=Confidence.HIGH,
)
def not_documented(facts: Assessment) -> Iterator[Finding]:
    """Anyone who reproduces the study must guess what the paper does not say, or ask the authors.

    The search may have missed a passage.
    """
    for part, grade in _grades(facts):
        if grade.value is None or grade.value >= 1:
            continue
        absent = "no passage was recognised as saying it, so ask" if grade.proposed else "not documented"
        state = f"documented only in part ({_decimal(grade.value)})" if grade.value else absent
        yield not_documented.finding(
            f"{part.id}: {state}",
            subject=facts.record.paper,
            location=_place(facts, grade.line),
            evidence=[quote(grade.quote, Location(grade.where or facts.record.path))] if grade.quote else [],
            advice=f"Ask the authors: {questions()[part.id]}",
            confidence=_sureness(grade),
        )


@cache
def questions() -> dict[str, str]:
    """What to ask the authors about each sub-component."""
    return tomllib.loads((resources.files("assay.article") / "questions.toml").read_text(encoding="utf-8"))


def _sureness(grade: Grade) -> Confidence:
    """How sure a grade is: as sure as its proposal says, until a person has confirmed it."""
    said = (level for level in (Confidence.MEDIUM, Confidence.LOW) if level.value in grade.proposed)
    return next(said, Confidence.LOW) if grade.proposed else Confidence.HIGH


def _grades(facts: Assessment) -> Iterator[tuple[Part, Grade]]:
    for part in all_parts().values():
        if part.id in facts.record.grades:
            yield part, facts.record.grades[part.id]


def _components(facts: Assessment) -> Iterator[tuple[Component, Printed]]:
    for component in article_model():
        if component.id in facts.components:
            yield component, facts.components[component.id]


def _place(facts: Assessment, line: int | None) -> Location | None:
    return Location(facts.record.path, line) if facts.record.path else None


def _prints_as(value: Fraction, printed: Printed) -> bool:
    """Whether a value can have been printed so, rounded or cut."""
    return abs(value - printed.value) <= printed.unit / 2 or 0 <= value - printed.value < printed.unit


def _metric_bounds(facts: Assessment) -> tuple[Fraction, Fraction] | None:
    """Between which values the metric lies: exactly from the grades, within rounding from printed components."""
    if facts.record.grades:
        value = facts.record.metric
        return (value, value) if value is not None else None
    printed = list(facts.components.values())
    if not printed:
        return None
    total, slack = sum((p.value for p in printed), Fraction(0)), sum((p.unit for p in printed), Fraction(0)) / 2
    return (total - slack) / len(printed), (total + slack) / len(printed)


def _mean_shown(facts: Assessment, component: Component) -> str:
    values = facts.record.applicable(component)
    return "; ".join(f"{part.id} {_decimal(value)}" for part, value in values.items())


def _components_shown(facts: Assessment) -> str:
    if facts.record.grades:
        found = ((c.title, facts.record.component(c)) for c in article_model())
        return "; ".join(f"{title} {_decimal(value)}" for title, value in found if value is not None)
    return "; ".join(f"{component.title} {printed.text}" for component, printed in _components(facts))


def _decimal(value: Fraction) -> str:
    return f"{float(value):.4g}"


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
