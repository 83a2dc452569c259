"""What a person is asked for when an entry of a study is made: the columns of its table, each with its question.

Light to import: the command line is built from this table, and forms in the browser can be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assay.records import dataclass

Choices = Mapping[str, str]
"""The words that an answer may be, each with what it means."""


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


def _categories() -> Choices:
    from assay.reproduction.categories import categories

    return {code: category.label for code, category in categories().items()}


def _severities() -> Choices:
    from assay.reproduction.categories import severities

    return {str(step): meaning for step, meaning in enumerate(severities())}


def _members(name: str) -> Callable[[], Choices]:
    def choices() -> Choices:
        from assay.reproduction import outcomes, study

        kind = getattr(study, name, None) or getattr(outcomes, name)
        return dict.fromkeys((member.value for member in kind), "")

    return choices


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
        Field("year", "Year"),
        Field("level", "What it shares: R1 code and data, R2-D data, R2-M code, R3 neither"),
        Field("metric", "Degree of documentation as printed"),
    ),
    "attempt": (
        Field("attempt", "Short name (the next number if empty)"),
        Field("people", "Who tries", several=True),
        Field("budget", "Hours to spend (40 if empty)"),
        Field("hours", "Hours spent, if there is no log"),
        Field("started", "First day, as 2018-06-18"),
        Field("ended", "Last day"),
        Field("environment", "Machine, system and libraries"),
        Field("reasons", "Why it stopped short", several=True, choices=_REASON),
        Field("outcome", "Outcome as stated elsewhere, to compare", choices=_members("AttemptOutcome")),
        Field("experiments", "Number of experiments, if they are not listed"),
        Field("identical", "Of these, identical"),
        Field("consistent", "Of these, consistent"),
        Field("different", "Of these, different"),
        Field("not_run", "Of these, not run"),
    ),
    "time": (
        Field("day", "Day, as 2018-06-18"),
        Field("hours", "Hours", needed=True),
        Field("activity", "Activity"),
    ),
    "experiment": (
        Field("experiment", "Short name (the next number if empty)"),
        Field("method", "Method"),
        Field("data", "Data set or function"),
        Field("status", "How far it came", choices=_members("Status")),
        Field("reason", "Why it was not run", choices=_REASON),
    ),
    "result": (
        Field("metric", "What was measured, as in accuracy", needed=True),
        Field("direction", "Which way it gets better", choices=_members("Direction")),
        Field("original", "Original number, as printed", needed=True),
        Field("original_spread", "Its standard deviation over runs"),
        Field("original_runs", "Over how many runs"),
        Field("original_items", "Of how many answers, if it is a share"),
        Field("reproduced", "Reproduced number, with its digits"),
        Field("reproduced_spread", "Its standard deviation over runs"),
        Field("reproduced_runs", "Over how many runs"),
        Field("reproduced_items", "Of how many answers, if it is a share"),
        Field("baselines", "Numbers it was compared to", several=True),
        Field("runs", "Reproduced numbers of single runs", several=True),
        Field("margin", "Difference that would not matter, stated beforehand"),
    ),
    "discrepancy": (
        Field("category", "Category, P1 to P20, A1 to A15 or E1 to E15", needed=True, choices=_categories),
        Field("instances", "How often (once if empty)"),
        Field("severity", "Severity, 0 to 4", choices=_severities),
        Field("effect", "Measured effect, a number with its sign"),
        Field("effect_on", "On which metric"),
        Field("because", "Categories that led to it", several=True, choices=_categories),
        Field("together", "Label shared with what did harm only together"),
        Field("note", "What happened"),
    ),
    "claim": (
        Field("where", "Where it stands"),
        Field("says", "What it says"),
        Field("measure", "What is counted", needed=True),
        Field("of", "Of what, as level=R1; lacks=P1"),
        Field("value", "The number as printed", needed=True),
    ),
    "scale": (
        Field("where", "Where it stands"),
        Field("question", "Question", needed=True),
        Field("scores", "Scores it allows, the best first", several=True),
    ),
}
"""For each kind of entry, what is asked, in the order of its table's columns."""
