"""One fact as one row: read from the cells that a person fills in, and written back to the same cells.

Folders of tables, the store and its forms share these columns, and so the same values are good or bad in all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

from assay.errors import InputError
from assay.patterns import regex
from assay.reproduction.categories import category, severities
from assay.reproduction.levels import Level, Naming, level_name, level_named
from assay.reproduction.outcomes import AttemptOutcome, Direction, Measured
from assay.reproduction.rows import Row, joined
from assay.reproduction.study import (
    DEFAULT_BUDGET,
    Affiliation,
    Assessment,
    Attempt,
    Claim,
    Counts,
    Discrepancy,
    Experiment,
    Paper,
    PaperType,
    Protocol,
    Reason,
    Result,
    Scale,
    Scores,
    Spent,
    Status,
)

_COUNTS = ("experiments", "identical", "consistent", "different", "not_run")
_DOI = regex(r"(https?://(dx\.)?doi\.org/|doi:\s?)?10\.\d{4,9}/\S{1,300}")
_MEASURED = ("", "_spread", "_runs", "_items")

PAPER_DETAILS = ("doi", "authors", "venue", "type", "affiliation", "rank", "excluded", "degree")
PAPER = ("id", "title", "year", "level", "metric", *PAPER_DETAILS)
ASSESSMENT = ("assessor", "day", "scores")
ATTEMPT_DETAILS = ("commit", "hardware", "packages", "container")
ATTEMPT = (
    *("attempt", "people", "budget", "hours", "started", "ended", "environment", "reasons", "outcome"),
    *_COUNTS,
    *ATTEMPT_DETAILS,
)
SPENT = ("day", "hours", "activity", "person")
PROTOCOL = ("locked", "budget", "margin", "experiments")
EXPERIMENT = ("experiment", "method", "data", "status", "reason", "level")
RESULT = (
    *("metric", "direction"),
    *(f"{which}{part}" for which in ("original", "reproduced") for part in _MEASURED),
    *("baselines", "runs", "margin"),
)
DISCREPANCY = (
    "category",
    "instances",
    "severity",
    "effect",
    "effect_on",
    "because",
    "together",
    "note",
    "effect_source",
)
CLAIM = ("where", "says", "measure", "of", "value")
SCALE = ("where", "question", "scores")
OPTIONAL = frozenset({*PAPER_DETAILS, *ATTEMPT_DETAILS, "person", "effect_source"})
"""Columns that a folder's table has only where a row fills them; an experiment's level is one too."""

# --- reading ---------------------------------------------------------------------------------------


def read_paper(
    row: Row,
    naming: Naming,
    components: Scores = (),
    attempts: tuple[Attempt, ...] = (),
    assessments: tuple[Assessment, ...] = (),
) -> Paper:
    """A paper, with its level under the name that the scheme gives it."""
    return Paper(
        id=row.needed("id"),
        title=row.text("title"),
        year=row.count("year"),
        stated_level=read_level(row, naming),
        components=components,
        stated_metric=row.printed("metric"),
        attempts=attempts,
        doi=_doi(row),
        authors=row.words("authors"),
        venue=row.text("venue"),
        type=row.choice("type", PaperType),
        affiliation=row.choice("affiliation", Affiliation),
        rank=row.count("rank"),
        excluded=row.text("excluded"),
        degree=row.printed("degree"),
        assessments=assessments,
    )


def _doi(row: Row) -> str:
    """As it was written, which may be the address of the resolver."""
    text = row.text("doi")
    if text and not _DOI.fullmatch(text.strip()):
        raise row.error(f'"doi" = {text[:40]!r} is no DOI', "Write it as 10.1371/journal.pdig.0000145.")
    return text


def read_level(row: Row, naming: Naming) -> Level | None:
    """The level under the name that the scheme gives it."""
    name = row.text("level").strip()
    try:
        return level_named(name, naming) if name else None
    except InputError as error:
        raise row.error(error.what, error.fix) from None


def read_assessment(row: Row, today: date) -> Assessment:
    """What one person found; scores are pairs, as Method=0.50, with a dash for what does not apply."""
    scores = Row(row.where, dict(read_pairs(row, "scores", "Write it as Method=0.50; Data=-.")))
    return Assessment(row.needed("assessor"), read_components(scores), row.day("day", today))


def read_components(row: Row) -> Scores:
    """How well each component is documented; every column but that of the paper is one."""
    names = [name for name, cell in row.cells.items() if name != "paper" and cell.strip()]
    return tuple((name, "" if row.text(name).strip() == "-" else _score(row, name)) for name in names)


def _score(row: Row, name: str) -> str:
    """A component's value as printed; a sign, an exponent or a percentage is none of its forms."""
    value = row.text(name).strip()
    if not value.replace(".", "", 1).isdecimal() or not value[0].isdecimal():
        raise row.error(f'"{name}" = {value[:40]!r} is no score', 'Write it as 0.50, or "-" if it does not apply.')
    return value


def read_attempt(
    row: Row,
    log: tuple[Spent, ...] = (),
    experiments: tuple[Experiment, ...] = (),
    discrepancies: tuple[Discrepancy, ...] = (),
    protocol: Protocol | None = None,
    *,
    today: date,
) -> Attempt:
    """An attempt, with what belongs to it."""
    budget = row.number("budget")
    numbers = [row.count(column) for column in _COUNTS]
    given = [number for number in numbers if number is not None]
    if given and len(given) < len(numbers):
        missing = _COUNTS[numbers.index(None)]
        raise row.error(f'"{missing}" is empty', "Give all five counts, or none and the experiments one by one.")
    made = Attempt(
        id=row.needed("attempt"),
        people=row.words("people"),
        budget=DEFAULT_BUDGET if budget is None else budget,
        stated_hours=row.number("hours"),
        started=row.day("started", today),
        ended=row.day("ended", today),
        environment=row.text("environment"),
        reasons=row.choices("reasons", Reason),
        stated_outcome=row.choice("outcome", AttemptOutcome),
        counts=Counts(*given) if given else None,
        log=log,
        experiments=experiments,
        discrepancies=discrepancies,
        protocol=protocol,
        commit=row.text("commit"),
        hardware=row.text("hardware"),
        packages=row.words("packages"),
        container=row.text("container"),
    )
    check_whole(made, row)
    return made


def check_whole(attempt: Attempt, row: Row) -> None:
    """What the parts of an attempt must be to each other; the row is for messages."""
    if attempt.counts and attempt.experiments:
        raise row.error("has counts and experiments", "Leave out the counts: they are computed.")
    there = {d.category for d in attempt.discrepancies}
    for d in attempt.discrepancies:
        for cause in d.because:
            if cause not in there:
                what = f"{d.category} is there because of {cause}, which the attempt does not have"
                raise row.error(what, f'Keep {cause}, or take it out of "because".')


def read_spent(row: Row, today: date) -> Spent:
    """An entry of the time log."""
    row.needed("hours")
    hours = row.number("hours") or Decimal(0)
    return Spent(row.day("day", today), hours, row.text("activity"), row.text("person").strip())


def read_protocol(row: Row, today: date) -> Protocol:
    """What was fixed before the first result; without a budget, the usual one."""
    budget, margin = row.number("budget"), row.number("margin")
    return Protocol(
        locked=row.day("locked", today),
        budget=DEFAULT_BUDGET if budget is None else budget,
        margin=None if margin is None else float(margin),
        experiments=row.words("experiments"),
    )


def read_experiment(row: Row, naming: Naming, results: tuple[Result, ...] = ()) -> Experiment:
    """An experiment; one with results was run, unless it says otherwise."""
    status = row.choice("status", Status) or (Status.RUN if results else Status.PLANNED)
    reason = row.choice("reason", Reason)
    if reason and status is Status.RUN:
        raise row.error("was run and has a reason why it was not", "Empty the reason, or write not run.")
    about = (row.needed("experiment"), row.text("method"), row.text("data"))
    return Experiment(*about, status, reason, results, read_level(row, naming))


def read_result(row: Row) -> Result:
    """A result, which needs a metric and the number that the paper prints."""
    row.needed("metric", "Name what was measured, as in accuracy.")
    original = _measured(row, "original")
    if original is None:
        raise row.error('"original" is empty', "Write the number that the paper prints.")
    margin = row.number("margin")
    return Result(
        metric=row.text("metric"),
        original=original,
        reproduced=_measured(row, "reproduced"),
        baselines=tuple(map(Measured, row.all_printed("baselines"))),
        direction=row.choice("direction", Direction),
        runs=row.all_printed("runs"),
        margin=None if margin is None else float(margin),
    )


def _measured(row: Row, column: str) -> Measured | None:
    value = row.printed(column)
    if not value:
        return None
    spread = row.number(f"{column}_spread")
    runs, items = row.count(f"{column}_runs"), row.count(f"{column}_items")
    return Measured(value, None if spread is None else float(spread), runs, items)


def read_discrepancy(row: Row) -> Discrepancy:
    """A discrepancy of a known category, with a severity on the scale."""
    try:
        code = category(row.needed("category")).code
        because = tuple(category(cause).code for cause in row.words("because"))
    except InputError as error:
        raise row.error(error.what, error.fix) from None
    severity, instances = row.count("severity"), row.positive("instances")
    if severity is not None and severity >= len(severities()):
        raise row.error(f'"severity" = {severity} is off the scale', f"It goes from 0 to {len(severities()) - 1}.")
    return Discrepancy(
        category=code,
        instances=instances or 1,
        severity=severity,
        effect=row.printed("effect"),
        effect_on=row.text("effect_on"),
        because=because,
        together=row.text("together"),
        note=row.text("note"),
        effect_source=row.text("effect_source"),
    )


def read_claim(row: Row) -> Claim:
    """A claim, with what it is about as pairs."""
    of = read_pairs(row, "of", "Write it as level=R1; lacks=P1.")
    return Claim(row.text("where"), row.text("says"), row.needed("measure"), of, row.needed("value"))


def read_pairs(row: Row, column: str, form: str) -> Scores:
    """The names and values of a cell such as level=R1; lacks=P1."""
    pairs = [word.partition("=") for word in row.words(column)]
    if wrong := next((key for key, sign, _ in pairs if not sign), None):
        raise row.error(f'"{column}": {wrong[:40]!r} has no value', form)
    return tuple((key.strip(), value.strip()) for key, _, value in pairs)


def read_scale(row: Row) -> Scale:
    """The scores that a question allows."""
    return Scale(row.text("where"), row.needed("question"), row.all_printed("scores"))


# --- writing ---------------------------------------------------------------------------------------


def paper_cells(paper: Paper, naming: Naming) -> list[str]:
    """In the order of `PAPER`."""
    return [
        *(paper.id, paper.title, _cell(paper.year), _level_cell(paper.stated_level, naming), paper.stated_metric),
        *(paper.doi, joined(paper.authors), paper.venue),
        *map(_cell, (paper.type, paper.affiliation, paper.rank)),
        *(paper.excluded, paper.degree),
    ]


def _level_cell(level: Level | None, naming: Naming) -> str:
    return level_name(level, naming) if level else ""


def assessment_cells(assessment: Assessment) -> list[str]:
    """In the order of `ASSESSMENT`."""
    scores = joined(f"{name}={value or '-'}" for name, value in assessment.scores)
    return [assessment.assessor, _cell(assessment.day), scores]


def component_cells(paper: Paper, names: Sequence[str]) -> list[str]:
    """One cell for each name; a dash for a component that does not apply."""
    cells: Mapping[str, str] = {name: value or "-" for name, value in paper.components}
    return [cells.get(name, "") for name in names]


def attempt_cells(attempt: Attempt) -> list[str]:
    """In the order of `ATTEMPT`."""
    c = attempt.counts
    counts = [c.experiments, c.identical, c.consistent, c.different, c.not_run] if c else [None] * len(_COUNTS)
    return [
        attempt.id,
        joined(attempt.people),
        *map(_cell, (attempt.budget, attempt.stated_hours, attempt.started, attempt.ended)),
        attempt.environment,
        joined(attempt.reasons),
        _cell(attempt.stated_outcome),
        *map(_cell, counts),
        *(attempt.commit, attempt.hardware, joined(attempt.packages), attempt.container),
    ]


def spent_cells(entry: Spent) -> list[str]:
    """In the order of `SPENT`."""
    return [_cell(entry.day), str(entry.hours), entry.activity, entry.person]


def protocol_cells(protocol: Protocol) -> list[str]:
    """In the order of `PROTOCOL`."""
    return [*map(_cell, (protocol.locked, protocol.budget, protocol.margin)), joined(protocol.experiments)]


def experiment_cells(e: Experiment, naming: Naming) -> list[str]:
    """In the order of `EXPERIMENT`."""
    return [e.id, e.method, e.data, e.status, _cell(e.reason), _level_cell(e.level, naming)]


def result_cells(result: Result) -> list[str]:
    """In the order of `RESULT`."""
    return [
        *(result.metric, _cell(result.direction)),
        *_measured_cells(result.original),
        *_measured_cells(result.reproduced),
        joined(baseline.value for baseline in result.baselines),
        joined(result.runs),
        _cell(result.margin),
    ]


def _measured_cells(measured: Measured | None) -> list[str]:
    if measured is None:
        return [""] * len(_MEASURED)
    return [measured.value, *map(_cell, (measured.spread, measured.runs, measured.items))]


def discrepancy_cells(d: Discrepancy) -> list[str]:
    """In the order of `DISCREPANCY`."""
    numbers = (str(d.instances), _cell(d.severity))
    return [d.category, *numbers, d.effect, d.effect_on, joined(d.because), d.together, d.note, d.effect_source]


def claim_cells(claim: Claim) -> list[str]:
    """In the order of `CLAIM`."""
    of = joined(f"{key}={value}" for key, value in claim.of)
    return [claim.where, claim.says, claim.measure, of, claim.value]


def scale_cells(scale: Scale) -> list[str]:
    """In the order of `SCALE`."""
    return [scale.where, scale.question, joined(scale.scores)]


def _cell(value: object) -> str:
    return "" if value is None else str(value)
