"""A study checked: every rule, every claim computed again, and the tables that follow from the records."""

from __future__ import annotations

from collections.abc import Iterator

from assay.findings import Judgement, Report, Table, Verdict, note
from assay.reproduction.claims import Examined, Standing, examined
from assay.reproduction.rules import reproduction
from assay.reproduction.rules.documentation import metric_agrees
from assay.reproduction.study import Study


def check_study(study: Study) -> Report:
    """What the records say of themselves, and where they, the figures and the words disagree."""
    claims = examined(study)
    return Report(
        title=study.title or "Reproduction study",
        question=reproduction.question,
        judgements=(*_metric_judgement(study), *_claim_judgements(claims)),
        findings=tuple(reproduction.run(study)),
        tables=_claim_table(claims),
        left_out=tuple(_left_out(study, claims)),
    )


def _metric_judgement(study: Study) -> Iterator[Judgement]:
    stated = [paper for paper in study.papers if paper.stated_metric and paper.metric is not None]
    wrong = [paper.id for paper in stated if not metric_agrees(paper)]
    if stated:
        verdict = Verdict.INCONSISTENT if wrong else Verdict.CONSISTENT
        said = f"{len(stated) - len(wrong)} of {len(stated)} metrics are the mean of their components"
        evidence = (note(f"not so: {', '.join(wrong)}"),) if wrong else ()
        yield Judgement("documentation", verdict, said, evidence)


def _claim_judgements(claims: list[Examined]) -> Iterator[Judgement]:
    """One verdict for each place that claims something."""
    places: dict[str, list[Examined]] = {}
    for result in claims:
        places.setdefault(result.claim.where, []).append(result)
    for where, results in places.items():
        standing = [result.standing for result in results]
        holds = standing.count(Standing.HOLDS)
        unknown = standing.count(Standing.UNKNOWN) + standing.count(Standing.NOT_UNDERSTOOD)
        verdict = Verdict.INCONSISTENT if holds + unknown < len(results) else Verdict.CONSISTENT
        said = f"{holds} of {len(results)} claims follow from the records"
        if as_stated := standing.count(Standing.AS_STATED):
            said += f", {as_stated} more only with the outcomes as stated"
        yield Judgement(where, Verdict.UNDECIDED if unknown == len(results) else verdict, said)


def _claim_table(claims: list[Examined]) -> tuple[Table, ...]:
    """The claims that do not simply hold."""
    rows = tuple(
        (c.claim.where, c.claim.says, c.claim.value, c.by_rule, c.as_stated, c.standing.value)
        for c in claims
        if c.standing is not Standing.HOLDS
    )
    columns = ("where", "claim", "printed", "by the rule", "as stated", "it")
    return (Table("Claims that do not simply follow", columns, rows),) if rows else ()


def _left_out(study: Study, claims: list[Examined]) -> Iterator[str]:
    for result in claims:
        if result.standing is Standing.UNKNOWN:
            yield f"{result.claim.where}: {result.claim.says or result.claim.measure}: the records do not say"
    for paper, attempt in study.attempts():
        for experiment, obtained in attempt.results():
            if obtained.question:
                yield f"paper {paper.id}, experiment {experiment.id}, {obtained.metric}: {obtained.question}"
    unscored = sum(not paper.components for paper in study.papers)
    if unscored:
        yield f"documentation of {unscored} {'paper' if unscored == 1 else 'papers'}: not assessed"
