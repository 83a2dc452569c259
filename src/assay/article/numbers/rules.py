"""The rules about numbers in a paper's text."""

from __future__ import annotations

from collections.abc import Iterator

from assay.article.numbers.claims import clashes
from assay.article.numbers.clash import Clash, ClashKind
from assay.findings import Confidence, Finding, Severity, certificate, note, quote
from assay.rules import Instrument, Rule, Source

_SOURCE = Source("Cappelen & Mølnå, Performing reproductions to understand the state of reproducibility, 2018", "P14")
_GRIM = Source("Brown & Heathers, The GRIM test, Social Psychological and Personality Science 8(4), 2017")


def _read_example(text: str) -> tuple[Clash, ...]:
    from assay.article.reading.markup import read_markdown

    return tuple(clashes(read_markdown(text, "paper.md")))


numbers = Instrument("article-numbers", "Do the numbers in the text agree with each other?", _read_example, "markdown")


_FOLLOWS = "the text says {clash.said}, but its figures give {clash.follows}"
_MESSAGES = {
    ClashKind.TABLE: "the text says {clash.said}, but the table says {clash.follows} for {clash.other_quote}",
    ClashKind.SUMMARY: "the table gives {clash.said}, but its rows give {clash.follows}",
    ClashKind.COLUMN: "the table gives {clash.said}, but its counts give {clash.follows}",
    ClashKind.ABSTRACT: "the abstract gives {clash.said}, but the table gives {clash.follows} for {clash.other_quote}",
    ClashKind.BEST: "the text says that {clash.said}, but the table gives {clash.follows}",
    ClashKind.REPEAT: "one table gives {clash.said}, but another gives {clash.follows}",
    ClashKind.BOLD: "the table marks {clash.said} as best, but another figure is higher: {clash.follows}",
}


def _found(rule: Rule[tuple[Clash, ...]], kind: ClashKind, facts: tuple[Clash, ...]) -> Iterator[Finding]:
    for clash in facts:
        if clash.kind is kind:
            evidence = [
                quote(clash.quote, clash.location),
                certificate(f"said: {clash.said}; follows: {clash.follows}"),
            ]
            if clash.other is not None:
                evidence.append(quote(f"{clash.other_quote}: {clash.follows}", clash.other))
            message = _MESSAGES.get(kind, _FOLLOWS).format(clash=clash)
            if kind in {ClashKind.TABLE, ClashKind.ABSTRACT}:
                evidence.append(note("Possible: if the sentence is about another experiment that no table shows."))
            yield rule.finding(message, location=clash.location, evidence=evidence)


@numbers.rule(
    "A201",
    title="Percentage contradicts its counts",
    severity=Severity.WARNING,
    failing="# Results\n\nWe could reproduce 17 of 30 papers (55 %).",
    passing="# Results\n\nWe could reproduce 17 of 30 papers (56.7 %).",
    source=_GRIM,
    advice="Correct the percentage or the counts.",
    confidence=Confidence.HIGH,
)
def share_of_counts(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """A percentage can be checked against the two counts printed with it.

    If they disagree, one of the three is wrong.
    """
    yield from _found(share_of_counts, ClashKind.SHARE, facts)


@numbers.rule(
    "A202",
    title="Parts that do not sum to the total",
    severity=Severity.WARNING,
    failing="# Data\n\nThere were 100 patients (60 men and 41 women).",
    passing="# Data\n\nThere were 101 patients (60 men and 41 women).",
    source=_SOURCE,
    advice="Correct the numbers, or say which items belong to no part or to several.",
    confidence=Confidence.MEDIUM,
)
def parts_of_whole(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """Readers take the parts in brackets after a total for all of it.

    If they do not add up, some items are unaccounted for.
    """
    yield from _found(parts_of_whole, ClashKind.PARTS, facts)


@numbers.rule(
    "A203",
    title="Text contradicts the table",
    severity=Severity.WARNING,
    failing=(
        "# Results\n\nDeepThing reaches an accuracy of 0.954.\n\n"
        "| Method | Accuracy | Recall |\n|---|---|---|\n| DeepThing | 0.945 | 0.91 |\n"
    ),
    passing=(
        "# Results\n\nDeepThing reaches an accuracy of 0.945.\n\n"
        "| Method | Accuracy | Recall |\n|---|---|---|\n| DeepThing | 0.945 | 0.91 |\n"
    ),
    source=_SOURCE,
    advice="Make the text and the table say the same, or name the experiment that the sentence is about.",
    confidence=Confidence.MEDIUM,
)
def text_and_table(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """The text gives a figure that nothing else in the paper prints, and a slip turns it into the table's figure.

    The sentence repeats other figures of the same row or column, or names it together with the score.
    """
    yield from _found(text_and_table, ClashKind.TABLE, facts)


_MEANS = """# Results

| Class | Precision | Recall | F1 | AUC |
|---|---|---|---|---|
| cat | 0.90 | 0.80 | 0.85 | 0.95 |
| dog | 0.80 | 0.70 | 0.75 | 0.91 |
| Average | {} | 0.75 | 0.80 | 0.93 |
"""


@numbers.rule(
    "A204",
    title="Mean or total contradicts its rows",
    severity=Severity.WARNING,
    failing=_MEANS.format("0.88"),
    passing=_MEANS.format("0.85"),
    source=_SOURCE,
    advice="Correct the mean or total, or say how it was weighted.",
    confidence=Confidence.MEDIUM,
)
def summary_of_rows(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """In a row of means or totals, most figures follow from their column; one that does not is wrong.

    Rows that deviate in most columns are weighted or summarise something else, and are not reported.
    """
    yield from _found(summary_of_rows, ClashKind.SUMMARY, facts)


_BOLD = """# Results

Table: Results on the test set, best results in bold.

| Method | Accuracy | AUC |
|---|---|---|
| A | 0.90 | 0.91 |
| B | 0.88 | {} |
| C | **0.91** | **0.94** |
| D | 0.87 | 0.92 |
"""


@numbers.rule(
    "A205",
    title="Bold figure is not the best",
    severity=Severity.WARNING,
    failing=_BOLD.format("0.95"),
    passing=_BOLD.format("0.93"),
    source=_SOURCE,
    advice="Mark the best figure, or say what bold means.",
    confidence=Confidence.MEDIUM,
)
def bold_is_best(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """If the caption says that bold marks the best figure, readers take the bold figure for the winner."""
    yield from _found(bold_is_best, ClashKind.BOLD, facts)


_GAIN = "# Results\n\nPruning improves the accuracy from 80.0% to 84.0%, a gain of {} points."


@numbers.rule(
    "A206",
    title="Reported change contradicts its two figures",
    severity=Severity.WARNING,
    failing=_GAIN.format("6.0"),
    passing=_GAIN.format("4.0"),
    source=_SOURCE,
    advice="Correct one of the three figures.",
    confidence=Confidence.HIGH,
)
def change_between_figures(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """A change from a to b is their difference, or that difference relative to one of them.

    Any other figure is wrong.
    """
    yield from _found(change_between_figures, ClashKind.GAIN, facts)


_PARTITION = "# Data\n\nWe use 70% for training, 15% for validation and {}% for testing."


@numbers.rule(
    "A207",
    title="Split does not sum to 100 %",
    severity=Severity.WARNING,
    failing=_PARTITION.format("20"),
    passing=_PARTITION.format("15"),
    source=_SOURCE,
    advice="Correct the percentages, or say what the rest was used for.",
    confidence=Confidence.HIGH,
)
def split_adds_up(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """Training, validation and test sets together are all of the data.

    If the percentages do not add up to 100, part of the data is unaccounted for.
    """
    yield from _found(split_adds_up, ClashKind.SPLIT, facts)


_GUESS = "# Results\n\nFor the {}-class task the chance level is 25%."


@numbers.rule(
    "A208",
    title="Chance level contradicts the number of classes",
    severity=Severity.WARNING,
    failing=_GUESS.format("five"),
    passing=_GUESS.format("four"),
    source=_SOURCE,
    advice="Correct the chance level, or say how frequent the classes are.",
    confidence=Confidence.MEDIUM,
)
def chance_among_classes(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """Guessing among k equally frequent classes is right in one case of k.

    Any other chance level needs an explanation.
    """
    yield from _found(chance_among_classes, ClashKind.CHANCE, facts)


_COLUMN = """# Data

| Class | Images | % |
|---|---|---|
| cat | 50 | 25.0 |
| dog | 30 | {} |
| cow | 80 | 40.0 |
| hen | 40 | 20.0 |
"""


@numbers.rule(
    "A209",
    title="Percentage contradicts the count in its row",
    severity=Severity.WARNING,
    failing=_COLUMN.format("18.0"),
    passing=_COLUMN.format("15.0"),
    source=_GRIM,
    advice="Correct the count or the percentage.",
    confidence=Confidence.HIGH,
)
def share_in_table(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """If the other percentages of a column follow from the counts beside them, one that does not is a misprint."""
    yield from _found(share_in_table, ClashKind.COLUMN, facts)


_ABSTRACT = (
    "# A study\n\n## Abstract\n\nWe reach an accuracy of {} on the test set.\n\n## Results\n\n"
    + "We describe the data and the settings of the model. " * 20
    + "\n\n| Method | Accuracy | Recall |\n|---|---|---|\n| Ours | 0.934 | 0.91 |\n"
)


@numbers.rule(
    "A210",
    title="Abstract contradicts the table",
    severity=Severity.WARNING,
    failing=_ABSTRACT.format("94.3%"),
    passing=_ABSTRACT.format("93.4%"),
    source=_SOURCE,
    advice="Make the abstract and the results say the same, or show where the figure comes from.",
    confidence=Confidence.MEDIUM,
)
def abstract_and_body(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """The abstract is what most people read, and a slip in it spreads.

    The figure is printed nowhere else in the paper, and a slip turns it into the table's figure for the same score.
    """
    yield from _found(abstract_and_body, ClashKind.ABSTRACT, facts)


_BEST = """# Results

DeepThing achieves the highest accuracy in Table 1.

| Method | Accuracy | AUC |
|---|---|---|
| Forest | 0.90 | 0.91 |
| Boosting | {} | 0.93 |
| DeepThing | 0.92 | 0.94 |
"""


@numbers.rule(
    "A211",
    title="Claim to be best contradicts the table",
    severity=Severity.WARNING,
    failing=_BEST.format("0.95"),
    passing=_BEST.format("0.91"),
    source=_SOURCE,
    advice="Correct the claim, or name the rows that it excludes.",
    confidence=Confidence.MEDIUM,
)
def best_in_table(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """A sentence that calls one method the best is wrong if another row is better in every table with that method."""
    yield from _found(best_in_table, ClashKind.BEST, facts)


_REPEAT = """# Results

| Method | Accuracy | Recall | AUC |
|---|---|---|---|
| Forest | 0.902 | 0.871 | 0.913 |
| DeepThing | 0.934 | 0.912 | 0.951 |

# Ablation

| Method | Accuracy | Recall | AUC |
|---|---|---|---|
| DeepThing | 0.934 | {} | 0.951 |
| without depth | 0.921 | 0.899 | 0.942 |
"""


@numbers.rule(
    "A212",
    title="Same row with different figures in two tables",
    severity=Severity.WARNING,
    failing=_REPEAT.format("0.921"),
    passing=_REPEAT.format("0.912"),
    source=_SOURCE,
    advice="Make both tables give the same figure, or say how the two rows differ.",
    confidence=Confidence.MEDIUM,
)
def same_row_twice(facts: tuple[Clash, ...]) -> Iterator[Finding]:
    """If two tables print the same row and all its figures but one agree, one of the two tables is wrong."""
    yield from _found(same_row_twice, ClashKind.REPEAT, facts)
