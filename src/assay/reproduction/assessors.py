"""How far two people agree who assessed the same papers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from assay.findings import Table, Value
from assay.records import dataclass
from assay.reproduction.intervals import Interval, of_mean, of_share
from assay.reproduction.study import Assessment, Study

Answers = Sequence[tuple[str, str, str]]
"""A question with the scores that two people gave it."""
_FEWEST_PAPERS = 4
"""With fewer papers, leaving one out says too little about the others for an interval."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two people over the questions that both answered."""

    one: str
    other: str
    papers: int
    answers: int
    equal: int
    kappa: float | None
    """Cohen's kappa; None where both always gave the same score."""
    interval: Interval | None


def agreements(study: Study) -> Iterator[Agreement]:
    """Every two people who assessed a paper in common."""
    by_person = _assessments_by_person(study)
    for one, other in combinations(sorted(by_person), 2):
        shared = _shared_answers(by_person[one], by_person[other])
        if shared:
            every = _pooled(shared)
            equal = sum(_same(a, b) for _, a, b in every)
            yield Agreement(one, other, len(shared), len(every), equal, _kappa(every), _jackknife(shared))


def _assessments_by_person(study: Study) -> dict[str, dict[str, Assessment]]:
    """Each person's assessments, by the paper they are about."""
    found: dict[str, dict[str, Assessment]] = {}
    for paper in study.papers:
        for assessment in paper.assessments:
            found.setdefault(assessment.assessor, {})[paper.id] = assessment
    return found


def _shared_answers(one: Mapping[str, Assessment], other: Mapping[str, Assessment]) -> list[Answers]:
    """The questions that both people answered, for each paper that both assessed."""
    both = (_answers(assessment, other[paper]) for paper, assessment in one.items() if paper in other)
    return [answers for answers in both if answers]


def _pooled(papers: Iterable[Answers]) -> Answers:
    return [answer for paper in papers for answer in paper]


def agreement_tables(study: Study) -> Iterator[Table]:
    """Agreement of every two people, and for each question."""
    rows: list[tuple[Value, ...]] = []
    for found in agreements(study):
        share = of_share(found.equal / found.answers, found.answers)
        ends = (round(found.interval.low, 2), round(found.interval.high, 2)) if found.interval else (None, None)
        kappa = None if found.kappa is None else round(found.kappa, 2)
        percent = (round(100 * value, 1) for value in (found.equal / found.answers, share.low, share.high))
        rows.append((f"{found.one}, {found.other}", found.papers, found.answers, *percent, kappa, *ends))
    columns = ("assessors", "papers", "answers", "equal %", "low %", "high %", "kappa", "low", "high")
    yield Table("Agreement between assessors (Cohen's kappa, jackknife over papers)", columns, tuple(rows))
    yield Table(
        "Questions on which assessors differ",
        ("question", "answers", "equal", "mean difference"),
        tuple(_by_question(study)),
    )


def _by_question(study: Study) -> Iterator[tuple[Value, ...]]:
    """The questions on which people differ, most first."""
    found: dict[str, list[tuple[str, str]]] = {}
    two_people = (pair for paper in study.papers for pair in combinations(paper.assessments, 2))
    for question, a, b in _pooled(_answers(one, other) for one, other in two_people):
        found.setdefault(question, []).append((a, b))
    rows = []
    for question, pairs in found.items():
        equal = sum(_same(a, b) for a, b in pairs)
        if equal < len(pairs):
            rows.append((question, len(pairs), equal, _mean_difference(pairs)))
    yield from sorted(rows, key=lambda row: row[2] / row[1])


def _mean_difference(pairs: Iterable[tuple[str, str]]) -> float | None:
    gaps = [abs(Fraction(a) - Fraction(b)) for a, b in pairs if a and b]
    return round(float(sum(gaps, Fraction(0)) / len(gaps)), 2) if gaps else None


def _answers(one: Assessment, other: Assessment) -> Answers:
    theirs: Mapping[str, str] = dict(other.scores)
    return [(question, score, theirs[question]) for question, score in one.scores if question in theirs]


def _same(one: str, other: str) -> bool:
    """Equal scores, printed with any number of digits; "does not apply" equals only itself."""
    return Fraction(one) == Fraction(other) if one and other else one == other


def _kappa(answers: Answers) -> float | None:
    """Agreement beyond what the two people's own shares of each score would give by chance (Cohen 1960)."""
    pairs = [(Fraction(a) if a else None, Fraction(b) if b else None) for _, a, b in answers]
    n = len(pairs)
    scores = {score for pair in pairs for score in pair}
    expected = sum(sum(a == s for a, _ in pairs) * sum(b == s for _, b in pairs) for s in scores) / n**2
    observed = sum(a == b for a, b in pairs) / n
    return None if expected == 1 else (observed - expected) / (1 - expected)


def _jackknife(papers: Sequence[Answers]) -> Interval | None:
    """An interval for kappa from leaving out one paper at a time: answers about one paper are not independent."""
    if len(papers) < _FEWEST_PAPERS:
        return None
    whole = _kappa(_pooled(papers))
    without = [_kappa(_pooled((*papers[:at], *papers[at + 1 :]))) for at in range(len(papers))]
    known = [kappa for kappa in without if kappa is not None]
    if whole is None or len(known) < len(papers):
        return None
    n = len(papers)
    found = of_mean([n * whole - (n - 1) * kappa for kappa in known])
    return Interval(max(-1.0, found.low), min(1.0, found.high)) if found else None
