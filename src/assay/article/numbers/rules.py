"""The rules about numbers in a paper's text."""

from __future__ import annotations

from collections.abc import Iterator

from assay.article.numbers.claims import Clash, ClashKind, clashes
from assay.findings import Confidence, Finding, Severity, certificate, note, quote
from assay.rules import Instrument, Rule, Source

_SOURCE = Source("Cappelen & Mølnå, Performing reproductions to understand the state of reproducibility, 2018", "P14")
_GRIM = Source("Brown & Heathers, The GRIM test, Social Psychological and Personality Science 8(4), 2017")


def _read_example(text: str) -> tuple[Clash, ...]:
    from assay.article.reading.markup import read_markdown

    return tuple(clashes(read_markdown(text, "paper.md")))


numbers = Instrument("article-numbers", "Do the numbers in the text agree with each other?", _read_example, "markdown")


def _found(rule: Rule[tuple[Clash, ...]], kind: ClashKind, facts: tuple[Clash, ...]) -> Iterator[Finding]:
    for clash in facts:
        if clash.kind is kind:
            evidence = [
                quote(clash.quote, clash.location),
                certificate(f"said: {clash.said}; follows: {clash.follows}"),
            ]
            if clash.other is not None:
                evidence.append(quote(f"{clash.other_quote}: {clash.follows}", clash.other))
            message = f"the text says {clash.said}, but {clash.follows} follows"
            if kind is ClashKind.TABLE:
                message = f"the text says {clash.said}, the table says {clash.follows} for {clash.other_quote}"
                evidence.append(note("Found by comparing names: the sentence may be about something else."))
            yield rule.finding(message, location=clash.location, evidence=evidence)


@numbers.rule(
    "A201",
    title="Share that does not follow from its counts",
    severity=Severity.WARNING,
    failing="# Results\n\nWe could reproduce 17 of 30 papers (55 %).",
    passing="# Results\n\nWe could reproduce 17 of 30 papers (56.7 %).",
    source=_GRIM,
    advice="Correct the share or the counts.",
    confidence=Confidence.HIGH,
)
def share_of_counts(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """A share that is printed with its counts can be checked by anybody; when it is wrong, one of the three is."""
    yield from _found(share_of_counts, ClashKind.SHARE, facts)


@numbers.rule(
    "A202",
    title="Parts that do not add up",
    severity=Severity.WARNING,
    failing="# Data\n\nThere were 100 patients (60 men and 41 women).",
    passing="# Data\n\nThere were 101 patients (60 men and 41 women).",
    source=_SOURCE,
    advice="Correct the numbers, or say who belongs to neither or both.",
    confidence=Confidence.MEDIUM,
)
def parts_of_whole(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """Parts in brackets after a whole are read as all of it; when they are not, a reader cannot tell who is missing."""
    yield from _found(parts_of_whole, ClashKind.PARTS, facts)


@numbers.rule(
    "A203",
    title="Figure in the text that its table contradicts",
    severity=Severity.WARNING,
    failing=(
        "# Results\n\nDeepThing reaches an accuracy of 0.953.\n\n"
        "| Method | Accuracy | Recall |\n|---|---|---|\n| DeepThing | 0.945 | 0.91 |\n"
    ),
    passing=(
        "# Results\n\nDeepThing reaches an accuracy of 0.945.\n\n"
        "| Method | Accuracy | Recall |\n|---|---|---|\n| DeepThing | 0.945 | 0.91 |\n"
    ),
    source=_SOURCE,
    advice="Make the text and the table say the same, or name the experiment that the sentence is about.",
    confidence=Confidence.LOW,
)
def text_and_table(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """When the text and the table give different figures for one thing, nobody can tell which was measured."""
    yield from _found(text_and_table, ClashKind.TABLE, facts)
