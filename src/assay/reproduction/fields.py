"""What a person is asked for when an entry of a study is made: the columns of its table, each with its question.

Light to import: the command line is built from this table, and forms in the browser can be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from assay.records import dataclass

Choices = Mapping[str, str]
"""The words that an answer may be, each with what it means."""


class Form(StrEnum):
    """How the answer to a question is written."""

    TEXT = "text"
    NUMBER = "number"
    COUNT = "whole number"
    POSITIVE = "whole number from 1"
    DAY = "day"
    PRINTED = "number as printed"
    PRINTED_LIST = "numbers as printed"
    LEVEL = "level of documentation"
    PAIRS = "pairs of names and values"


@dataclass(frozen=True, slots=True)
class Field:
    """One cell to fill in."""

    column: str
    question: str
    needed: bool = False
    several: bool = False
    """Whether several words may stand in it, with semicolons between them."""
    choices: Callable[[], Choices] | None = None
    """What can stand in it, if that is a closed list."""
    hints: Callable[[], Choices] | None = None
    """How an answer may begin, for completion, if there is no closed list."""
    form: Form = Form.TEXT
    asked: bool = True
    """Whether a form at the keyboard asks for it; what a command captures is only an option."""


def _categories() -> Choices:
    from assay.reproduction.categories import categories

    return {code: category.label for code, category in categories().items()}


def _severities() -> Choices:
    from assay.reproduction.categories import severities

    return {str(step): meaning for step, meaning in enumerate(severities())}


def _members(name: str) -> Callable[[], Choices]:
    def choices() -> Choices:
        from assay.reproduction import levels, outcomes, study

        kind = next(found for module in (study, levels, outcomes) if (found := getattr(module, name, None)))
        return dict.fromkeys((member.value for member in kind), "")

    return choices


def _measures() -> Choices:
    from assay.reproduction.measures import MEASURES

    return {name: measure.meaning for name, measure in MEASURES.items()}


def _selectors() -> Choices:
    from assay.reproduction.measures import EXTRA_SELECTORS
    from assay.reproduction.records import SELECTORS

    known = {name: selector.meaning for name, selector in SELECTORS.items()} | EXTRA_SELECTORS
    return {f"{name}=": meaning for name, meaning in known.items()}


_REASON = _members("Reason")

FIELDS: Mapping[str, tuple[Field, ...]] = {
    "study": (
        Field("title", "Title of the study"),
        Field("source", "Who made it, and where it is published"),
        Field("levels", "Naming of the levels of documentation", choices=_members("Naming")),
    ),
    "paper": (
        Field("id", "Short name, as in p1 or lecun98", needed=True),
        Field("title", "Title"),
        Field("year", "Year", form=Form.COUNT),
        Field("level", "What it shares: R1 code and data, R2-D data, R2-M code, R3 neither", form=Form.LEVEL),
        Field("metric", "Degree of documentation as printed", form=Form.PRINTED),
        Field("doi", "DOI"),
        Field("authors", "Authors", several=True),
        Field("venue", "Journal or conference"),
        Field("type", "Type of paper", choices=_members("PaperType")),
        Field("affiliation", "Where its authors work", choices=_members("Affiliation")),
        Field("rank", "Place in the list from which papers were selected", form=Form.COUNT),
        Field("excluded", "Why it was excluded, if it was"),
        Field("degree", "Gundersen & Kjensmo's metric, as 0.32", form=Form.PRINTED, asked=False),
    ),
    "assessment": (
        Field("assessor", "Who assessed the paper", needed=True),
        Field("day", "Day, as 2018-06-18", form=Form.DAY),
        Field(
            "scores",
            "Scores, as Method=0.50; Data=- if that does not apply",
            needed=True,
            several=True,
            form=Form.PAIRS,
        ),
    ),
    "attempt": (
        Field("attempt", "Short name (the next number if empty)"),
        Field("people", "Who tries", several=True),
        Field("budget", "Hours to spend (40 if empty)", form=Form.NUMBER),
        Field("hours", "Hours spent, if there is no log", form=Form.NUMBER),
        Field("started", "First day, as 2018-06-18", form=Form.DAY),
        Field("ended", "Last day", form=Form.DAY),
        Field("environment", "Machine, system and libraries"),
        Field("reasons", "Why it stopped short", several=True, choices=_REASON),
        Field("outcome", "Outcome as stated elsewhere, to compare", choices=_members("AttemptOutcome")),
        Field("experiments", "Number of experiments, if they are not listed", form=Form.COUNT),
        Field("identical", "Of these, identical", form=Form.COUNT),
        Field("consistent", "Of these, consistent", form=Form.COUNT),
        Field("different", "Of these, different", form=Form.COUNT),
        Field("not_run", "Of these, not run", form=Form.COUNT),
        Field("commit", "Version of the code that was run", asked=False),
        Field("hardware", "Processor, memory, graphics card", asked=False),
        Field("packages", "Packages with versions, as pip freeze prints them", several=True, asked=False),
        Field("container", "Container image", asked=False),
    ),
    "protocol": (
        Field("locked", "Day on which it was fixed (today if empty)", form=Form.DAY),
        Field("budget", "Hours to spend (40 if empty)", form=Form.NUMBER),
        Field("margin", "Difference that would not matter", form=Form.NUMBER),
        Field("experiments", "Planned experiments", several=True),
    ),
    "time": (
        Field("day", "Day, as 2018-06-18", form=Form.DAY),
        Field("hours", "Hours", needed=True, form=Form.NUMBER),
        Field("activity", "Activity"),
        Field("person", "Who worked"),
    ),
    "experiment": (
        Field("experiment", "Short name (the next number if empty)"),
        Field("method", "Method"),
        Field("data", "Data set or function"),
        Field("status", "How far it came", choices=_members("Status")),
        Field("reason", "Why it was not run", choices=_REASON),
        Field(
            "level", "What the paper shares for it: R1 code and data, R2-D data, R2-M code, R3 neither", form=Form.LEVEL
        ),
    ),
    "result": (
        Field("metric", "What was measured, as in accuracy", needed=True),
        Field("direction", "Which way it gets better", choices=_members("Direction")),
        Field("original", "Original number, as printed", needed=True, form=Form.PRINTED),
        Field("original_spread", "Its standard deviation over runs", form=Form.NUMBER),
        Field("original_runs", "Over how many runs", form=Form.COUNT),
        Field("original_items", "Of how many answers, if it is a share", form=Form.COUNT),
        Field("reproduced", "Reproduced number, with its digits", form=Form.PRINTED),
        Field("reproduced_spread", "Its standard deviation over runs", form=Form.NUMBER),
        Field("reproduced_runs", "Over how many runs", form=Form.COUNT),
        Field("reproduced_items", "Of how many answers, if it is a share", form=Form.COUNT),
        Field("baselines", "Numbers it was compared to", several=True, form=Form.PRINTED_LIST),
        Field("runs", "Reproduced numbers of single runs", several=True, form=Form.PRINTED_LIST),
        Field("margin", "Difference that would not matter, stated beforehand", form=Form.NUMBER),
    ),
    "discrepancy": (
        Field("category", "Category, P1 to P20, A1 to A15 or E1 to E15", needed=True, choices=_categories),
        Field("instances", "How often (once if empty)", form=Form.POSITIVE),
        Field("severity", "Severity, 0 to 4", choices=_severities),
        Field("effect", "Measured effect, a number with its sign", form=Form.PRINTED),
        Field("effect_on", "On which metric"),
        Field("because", "Categories that led to it", several=True, choices=_categories),
        Field("together", "Label shared with what did harm only together"),
        Field("note", "What happened"),
        Field("effect_source", "Where the effect was measured", asked=False),
    ),
    "claim": (
        Field("where", "Where it stands"),
        Field("says", "What it says"),
        Field("measure", "What is counted (see `assay study measures`)", needed=True, choices=_measures),
        Field("of", "Of what, as level=R1; lacks=P1", several=True, hints=_selectors, form=Form.PAIRS),
        Field("value", "The number as printed", needed=True),
    ),
    "scale": (
        Field("where", "Where it stands"),
        Field("question", "Question", needed=True),
        Field("scores", "Scores it allows, the best first", several=True, form=Form.PRINTED_LIST),
    ),
}
"""For each kind of entry, what is asked, in the order of its table's columns."""
