"""Facts of a study as rows of a store's tables, and back: no judgement, nothing left out."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from assay.reproduction.categories import category
from assay.reproduction.outcomes import Measured
from assay.reproduction.store import schema
from assay.reproduction.study import (
    Assessment,
    Attempt,
    Claim,
    Counts,
    Discrepancy,
    Experiment,
    Paper,
    Protocol,
    Reason,
    Result,
    Scale,
    Scores,
    Spent,
    Study,
)

Values = dict[str, Any]
"""What a row holds besides its number, its version and what it belongs to."""

# --- to rows ---------------------------------------------------------------------------------------


def study_values(study: Study) -> Values:
    """The study without its papers, claims and scales."""
    return {
        "title": study.title,
        "source": study.source,
        "naming": study.naming,
        "attainable": study.attainable,
    }


def paper_values(paper: Paper) -> Values:
    """The paper without its attempts."""
    return {
        "name": paper.id,
        "title": paper.title,
        "year": paper.year,
        "level": paper.stated_level,
        "components": paper.components,
        "stated_metric": paper.stated_metric,
        "doi": paper.doi,
        "authors": paper.authors,
        "venue": paper.venue,
        "type": paper.type,
        "affiliation": paper.affiliation,
        "rank": paper.rank,
        "excluded": paper.excluded,
        "degree": paper.degree,
    }


def assessment_values(assessment: Assessment) -> Values:
    """The assessment."""
    return {"assessor": assessment.assessor, "day": assessment.day, "scores": assessment.scores}


def attempt_values(attempt: Attempt) -> Values:
    """The attempt without log, experiments and discrepancies."""
    counts = attempt.counts
    return {
        "name": attempt.id,
        "people": attempt.people,
        "budget": attempt.budget,
        "stated_hours": attempt.stated_hours,
        "started": attempt.started,
        "ended": attempt.ended,
        "environment": attempt.environment,
        "reasons": tuple(reason.value for reason in attempt.reasons),
        "stated_outcome": attempt.stated_outcome,
        "experiments": counts and counts.experiments,
        "identical": counts and counts.identical,
        "consistent": counts and counts.consistent,
        "different": counts and counts.different,
        "not_run": counts and counts.not_run,
        "commit": attempt.commit,
        "hardware": attempt.hardware,
        "packages": attempt.packages,
        "container": attempt.container,
    }


def protocol_values(protocol: Protocol) -> Values:
    """The protocol."""
    return {
        "locked": protocol.locked,
        "budget": protocol.budget,
        "margin": protocol.margin,
        "experiments": protocol.experiments,
    }


def spent_values(spent: Spent) -> Values:
    """The entry."""
    return {"day": spent.day, "hours": spent.hours, "activity": spent.activity, "person": spent.person}


def experiment_values(experiment: Experiment) -> Values:
    """The experiment without its results."""
    return {
        "name": experiment.id,
        "method": experiment.method,
        "data": experiment.data,
        "status": experiment.status,
        "reason": experiment.reason,
        "level": experiment.level,
    }


def result_values(result: Result) -> Values:
    """The result; of baselines only what they are, as in a folder."""
    again = result.reproduced
    return {
        "metric": result.metric,
        "direction": result.direction,
        "original": result.original.value,
        "original_spread": result.original.spread,
        "original_runs": result.original.runs,
        "original_items": result.original.items,
        "reproduced": again and again.value,
        "reproduced_spread": again and again.spread,
        "reproduced_runs": again and again.runs,
        "reproduced_items": again and again.items,
        "baselines": tuple(baseline.value for baseline in result.baselines),
        "runs": result.runs,
        "margin": result.margin,
    }


def discrepancy_values(discrepancy: Discrepancy) -> Values:
    """The discrepancy."""
    return {
        "category": discrepancy.category,
        "instances": discrepancy.instances,
        "severity": discrepancy.severity,
        "effect": discrepancy.effect,
        "effect_on": discrepancy.effect_on,
        "because": discrepancy.because,
        "together": discrepancy.together,
        "note": discrepancy.note,
        "effect_source": discrepancy.effect_source,
    }


def claim_values(claim: Claim) -> Values:
    """The claim."""
    return {
        "place": claim.where,
        "says": claim.says,
        "measure": claim.measure,
        "of": claim.of,
        "value": claim.value,
    }


def scale_values(scale: Scale) -> Values:
    """The scale."""
    return {"place": scale.where, "question": scale.question, "scores": scale.scores}


# --- from rows -------------------------------------------------------------------------------------


def study_of(row: schema.StudyRow) -> Study:
    """The study without its papers, claims and scales."""
    return Study(row.title, row.source, row.naming, attainable=row.attainable)


def paper_of(
    row: schema.PaperRow, attempts: tuple[Attempt, ...] = (), assessments: tuple[Assessment, ...] = ()
) -> Paper:
    """The paper with what belongs to it."""
    return Paper(
        id=row.name,
        title=row.title,
        year=row.year,
        stated_level=row.level,
        components=_scores(row.components),
        stated_metric=row.stated_metric,
        attempts=attempts,
        doi=row.doi,
        authors=row.authors,
        venue=row.venue,
        type=row.type,
        affiliation=row.affiliation,
        rank=row.rank,
        excluded=row.excluded,
        degree=row.degree,
        assessments=assessments,
    )


def assessment_of(row: schema.AssessmentRow) -> Assessment:
    """The assessment."""
    return Assessment(row.assessor, _scores(row.scores), row.day)


def _scores(values: Scores) -> Scores:
    scores = _pairs(values)
    _refuse_words(value for _, value in scores)
    return scores


def _refuse_words(values: Iterable[str]) -> None:
    """A value that is no number is a `ValueError` here, where its place is still known."""
    for value in filter(None, values):
        Fraction(value)


def attempt_of(
    row: schema.AttemptRow,
    log: tuple[Spent, ...] = (),
    experiments: tuple[Experiment, ...] = (),
    discrepancies: tuple[Discrepancy, ...] = (),
    protocols: tuple[Protocol, ...] = (),
) -> Attempt:
    """The attempt with what belongs to it."""
    numbers = [row.experiments, row.identical, row.consistent, row.different, row.not_run]
    given = [number for number in numbers if number is not None]
    return Attempt(
        id=row.name,
        people=row.people,
        budget=row.budget,
        stated_hours=row.stated_hours,
        started=row.started,
        ended=row.ended,
        environment=row.environment,
        reasons=tuple(map(Reason, row.reasons)),
        stated_outcome=row.stated_outcome,
        counts=Counts(*given) if given else None,
        log=log,
        experiments=experiments,
        discrepancies=discrepancies,
        protocol=next(iter(protocols), None),
        commit=row.commit,
        hardware=row.hardware,
        packages=row.packages,
        container=row.container,
    )


def protocol_of(row: schema.ProtocolRow) -> Protocol:
    """The protocol."""
    return Protocol(row.locked, row.budget, row.margin, row.experiments)


def spent_of(row: schema.SpentRow) -> Spent:
    """The entry."""
    return Spent(row.day, row.hours, row.activity, row.person)


def experiment_of(row: schema.ExperimentRow, results: tuple[Result, ...] = ()) -> Experiment:
    """The experiment with its results."""
    return Experiment(row.name, row.method, row.data, row.status, row.reason, results, row.level)


def result_of(row: schema.ResultRow) -> Result:
    """The result."""
    again, spread = row.reproduced, (row.reproduced_spread, row.reproduced_runs, row.reproduced_items)
    return Result(
        metric=row.metric,
        original=Measured(row.original, row.original_spread, row.original_runs, row.original_items),
        reproduced=None if again is None else Measured(again, *spread),
        baselines=tuple(map(Measured, row.baselines)),
        direction=row.direction,
        runs=row.runs,
        margin=row.margin,
    )


def discrepancy_of(row: schema.DiscrepancyRow) -> Discrepancy:
    """The discrepancy."""
    return Discrepancy(
        category=category(row.category).code,
        instances=row.instances,
        severity=row.severity,
        effect=row.effect,
        effect_on=row.effect_on,
        because=row.because,
        together=row.together,
        note=row.note,
        effect_source=row.effect_source,
    )


def claim_of(row: schema.ClaimRow) -> Claim:
    """The claim."""
    return Claim(row.place, row.says, row.measure, _pairs(row.of), row.value)


def scale_of(row: schema.ScaleRow) -> Scale:
    """The scale."""
    return Scale(row.place, row.question, row.scores)


def _pairs(values: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The same; but a list that holds no pairs, which only another hand can have written, fails here."""
    return tuple((name, value) for name, value in values)
