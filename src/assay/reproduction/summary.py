"""A study on one page, as plain sentences: what was tried, what came of it, what was difficult, what to doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from assay.findings import Severity
from assay.records import dataclass
from assay.reproduction.attempted import GOOD, Tried, by_level, by_outcome, experiments_by_end, tried
from assay.reproduction.categories import BLOCKS_EXPERIMENT, categories, codes_of
from assay.reproduction.correlations import Correlation, correlations
from assay.reproduction.intervals import of_share
from assay.reproduction.levels import Level, level_name
from assay.reproduction.outcomes import AttemptOutcome
from assay.reproduction.records import KINDS
from assay.reproduction.rules import reproduction
from assay.reproduction.study import Study

_MOST = 3


@dataclass(frozen=True, slots=True)
class Part:
    """A heading with the sentences below it."""

    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """One page."""

    title: str
    source: str
    parts: tuple[Part, ...]


def summarised(study: Study) -> Summary:
    """The page; a part of which the records hold nothing is left out."""
    attempts = tried(study)
    parts = (
        ("What was tried", _scope(study, attempts)),
        ("What came of it", _results(study, attempts)),
        ("What was difficult", _difficulties(attempts)),
        ("What documentation had to do with it", _documentation(attempts)),
        ("What to doubt", _doubts(study, attempts)),
    )
    made = [Part(heading, tuple(sentences)) for heading, sentences in parts]
    return Summary(study.title or "Reproduction study", study.source, tuple(part for part in made if part.sentences))


def _scope(study: Study, attempts: Sequence[Tried]) -> Iterator[str]:
    made = f"{_many(len(study.papers), 'paper')}{_span(study)}, {_many(len(attempts), 'attempt')}"
    yield f"{made}{_by_level(study)}."
    spent = [(one.attempt.hours, one.attempt.budget) for one in attempts if one.attempt.hours is not None]
    people = {person for one in attempts for person in one.attempt.people}
    if spent:
        by = f" by {_many(len(people), 'person', 'people')}" if people else ""
        total = sum((hours for hours, _ in spent), Decimal(0))
        full = sum(hours >= budget for hours, budget in spent)
        yield f"{_number(total)} hours{by}; {full} of {len(spent)} attempts used up their budget."


def _span(study: Study) -> str:
    years = sorted({paper.year for paper in study.papers if paper.year is not None})
    return f" of {' to '.join(map(str, dict.fromkeys((years[0], years[-1]))))}" if years else ""


def _by_level(study: Study) -> str:
    known = Counter(paper.level for paper in study.papers if paper.level)
    listed = [f"{known[level]} {level_name(level, study.naming)}" for level in Level if known[level]]
    return f" (levels: {', '.join(listed)})" if listed else ""


def _results(study: Study, attempts: Sequence[Tried]) -> Iterator[str]:
    if not attempts:
        return
    ended = by_outcome(attempts)
    yield "Outcomes by the rule: " + ", ".join(f"{len(members)} {outcome}" for outcome, members in ended) + "."
    yield f"Reproduced at least in part: {_share_reproduced(attempts)}."
    levels = by_level(attempts)
    if len(levels) > 1:
        listed = (f"{level_name(level, study.naming)} {_share_reproduced(members)}" for level, members in levels)
        yield f"By level: {'; '.join(listed)}."
    total = sum(one.tally.experiments for one in attempts)
    if total:
        how = ", ".join(f"{number} {kind}" for kind, number in experiments_by_end(attempts).items())
        yield f"Experiments: {sum(one.tally.run for one in attempts)} of {total} were run; {how}."


def _difficulties(attempts: Sequence[Tried]) -> Iterator[str]:
    for kind, letter in KINDS.items():
        yield from _most_common(attempts, kind, codes_of(letter))
    yield from _correlated(attempts, "problems", "errors")
    reasons = Counter(reason.value for one in attempts for reason in one.attempt.reasons)
    if reasons:
        listed = ", ".join(f"{reason} ({number})" for reason, number in reasons.most_common())
        yield f"Why experiments were not run: {listed}."
    severities = [d.severity for one in attempts for d in one.attempt.discrepancies if d.severity is not None]
    if grave := sum(severity >= BLOCKS_EXPERIMENT for severity in severities):
        yield f"{_many(grave, 'discrepancy', 'discrepancies')} blocked an experiment or a whole attempt."


def _most_common(attempts: Sequence[Tried], kind: str, codes: Sequence[str]) -> Iterator[str]:
    met = [(code, number) for code in codes if (number := sum(code in one.met for one in attempts))]
    most = sorted(met, key=lambda item: -item[1])[:_MOST]
    if most:
        listed = "; ".join(f"{categories()[code].label} ({code}, {number})" for code, number in most)
        yield f"Most common {kind}, with the number of attempts: {listed}."


def _documentation(attempts: Sequence[Tried]) -> Iterator[str]:
    known: dict[AttemptOutcome, list[float]] = {}
    for one in attempts:
        if one.paper.metric is not None:
            known.setdefault(one.outcome, []).append(float(one.paper.metric))
    if known:
        listed = ", ".join(
            f"{o} {sum(known[o]) / len(known[o]):.2f} ({len(known[o])})" for o in AttemptOutcome if o in known
        )
        yield f"Mean Article Model Metric by outcome, with the number of papers: {listed}."
    yield from _correlated(attempts, "metric", "outcome")


def _correlated(attempts: Sequence[Tried], one: str, other: str) -> Iterator[str]:
    yield from (_sentence(found) for found in correlations(attempts) if (found.one, found.other) == (one, other))


def _sentence(found: Correlation) -> str:
    ends = f", 95 % interval {found.interval.low:.2f} to {found.interval.high:.2f}" if found.interval else ""
    head = f"{found.one.capitalize()} and {found.other}: {found.method}'s rank correlation {found.value:.2f}"
    return f"{head} (n = {found.n}{ends}, p = {found.p:.2g})."


def _doubts(study: Study, attempts: Sequence[Tried]) -> Iterator[str]:
    found = Counter(finding.severity for finding in reproduction.run(study))
    if found:
        listed = ", ".join(_many(found[severity], severity.value) for severity in Severity if found[severity])
        yield f"Assay's checks report {listed} about the records and the claims."
    wrong = [one.name for one in attempts if one.attempt.stated_outcome not in (None, one.outcome)]
    if wrong:
        yield f"Stated with another outcome than the rule gives: {', '.join(wrong)}."
    alone = sum(len(one.attempt.people) == 1 for one in attempts)
    if alone:
        yield f"{alone} of {len(attempts)} attempts were the work of one person."
    if attempts:
        yield "Intervals assume that attempts are a random sample of independent cases. Few studies are."


def _share_reproduced(attempts: Sequence[Tried]) -> str:
    """With what the share could be at most where some attempts decide nothing."""
    number, of = sum(one.outcome in GOOD for one in attempts), len(attempts)
    interval = of_share(number / of, of)
    ends = f"{100 * interval.low:.0f} to {100 * interval.high:.0f}"
    undecided = sum(one.outcome is AttemptOutcome.UNDECIDED for one in attempts)
    more = f"; {undecided} more undecided" if undecided else ""
    return f"{number} of {of}, {100 * number / of:.1f} % (95 % interval {ends}){more}"


def _many(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _number(value: Decimal) -> str:
    return f"{value.normalize():f}"
