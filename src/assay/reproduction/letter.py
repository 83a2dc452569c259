"""A letter to the authors of a paper: what was tried, what went well, what was missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.reproduction.attempted import GOOD, Tried
from assay.reproduction.categories import categories, severities
from assay.reproduction.outcomes import Outcome
from assay.reproduction.study import Discrepancy, Experiment, Study

_ALIKE = (Outcome.IDENTICAL, Outcome.EQUIVALENT, Outcome.CONSISTENT)
_MOST = 10


def letter(study: Study, one: Tried) -> str:
    """The letter as Markdown, to be read and changed before it is sent."""
    parts = (
        ("", _opening(study, one)),
        ("What went well", _went_well(one)),
        ("What was missing or unclear", _missing(one)),
        ("What we had to assume", _discrepancies(one, "A")),
        ("What may explain differences", _discrepancies(one, "E")),
        ("Results that differ", _differences(one)),
        ("With what we ran it", _environment(one)),
        ("", _closing(one)),
    )
    blocks = []
    for heading, lines in parts:
        text = "\n".join(lines)
        if text:
            blocks.append(f"## {heading}\n\n{text}" if heading else text)
    return "\n\n".join(blocks) + "\n"


def _opening(study: Study, one: Tried) -> Iterator[str]:
    paper, tally = one.paper, one.tally
    names = ", ".join(paper.authors)
    yield f"Dear {names or 'authors'},\n"
    cited = f'"{paper.title or paper.id}"' + (f" ({', '.join(filter(None, (paper.venue, str(paper.year or ''))))})"
                                              if paper.venue or paper.year else "")  # fmt: skip
    part = f', as part of "{study.title}"' if study.title else ""
    hours = f" We spent {one.attempt.hours} of {one.attempt.budget} hours." if one.attempt.hours is not None else ""
    yield f"we tried to reproduce your paper {cited}{part}.{hours}"
    if tally.experiments:
        ended = {"identical": tally.identical, "consistent": tally.consistent, "different": tally.different,
                 "not to be decided": tally.undecided}  # fmt: skip
        results = ", ".join(f"{number} {how}" for how, number in ended.items() if number)
        yield f"We ran {tally.run} of {tally.experiments} experiments{f'; results: {results}' if results else ''}."
    yield f"By the rule of our study the outcome is: {one.outcome}."


def _went_well(one: Tried) -> Iterator[str]:
    full = [name for name, score in one.paper.components if score and float(score) == 1]
    if full:
        yield f"- Fully documented: {', '.join(full)}."
    alike = [e for e in one.attempt.experiments if e.was_run and e.outcome in _ALIKE]
    if alike:
        yield f"- We obtained your results again for: {_experiments(alike)}."
    elif one.outcome in GOOD:
        yield "- We obtained results again at least in part."


def _experiments(alike: Sequence[Experiment]) -> str:
    """Methods with their data sets; from the eleventh on only how many."""
    named = "; ".join(one.title or "an experiment" for one in alike[:_MOST])
    return named + (f" and {len(alike) - _MOST} more" if len(alike) > _MOST else "")


def _missing(one: Tried) -> Iterator[str]:
    yield from _discrepancies(one, "P")
    absent = [name for name, score in one.paper.components if score and float(score) == 0]
    if absent:
        yield f"- Not documented: {', '.join(absent)}."


def _discrepancies(one: Tried, kind: str) -> Iterator[str]:
    """Discrepancies of a kind, the gravest first."""
    found = [d for d in one.attempt.discrepancies if d.category.startswith(kind)]
    for discrepancy in sorted(found, key=lambda d: -(d.severity if d.severity is not None else -1)):
        yield _line(discrepancy)


def _line(discrepancy: Discrepancy) -> str:
    label = categories()[discrepancy.category].label
    said = f"- {label[0].upper()}{label[1:]}"
    if discrepancy.note:
        said += f": {discrepancy.note}"
    if discrepancy.severity is not None:
        said += f" ({severities()[discrepancy.severity]})"
    if discrepancy.effect:
        said += f"; measured effect {discrepancy.effect}" + (f" on {discrepancy.effect_on}" if discrepancy.effect_on
                                                             else "")  # fmt: skip
    return said + "."


def _differences(one: Tried) -> Iterator[str]:
    found = [
        (e.title or f"experiment {e.id}", result, obtained)
        for e in one.attempt.experiments
        for result in e.results
        if (obtained := result.obtained) is not None and result.outcome is Outcome.DIFFERENT
    ]
    for name, result, obtained in found[:_MOST]:
        yield f"- {name}, {result.metric}: you report {result.original.value}, we obtained {obtained.value}."
    if len(found) > _MOST:
        yield f"- And {len(found) - _MOST} more, in the attached table."


def _environment(one: Tried) -> Iterator[str]:
    attempt = one.attempt
    named = (("Code", attempt.commit), ("Machine", attempt.hardware or attempt.environment),
             ("Container", attempt.container))  # fmt: skip
    yield from (f"- {name}: {value}." for name, value in named if value)
    if attempt.packages:
        yield f"- {len(attempt.packages)} packages; the list is attached."


def _closing(one: Tried) -> Iterator[str]:
    yield "Did we misread anything? We will gladly correct our record and repeat what you think was wrong.\n"
    yield "With kind regards,\n\n" + (", ".join(one.attempt.people) or "(your names)")
