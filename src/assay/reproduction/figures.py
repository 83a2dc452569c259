"""The pictures of a report on a study: Figures 4.1 to 4.7 and 5.1 of Cappelen & Mølnå (2018), for any study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.findings import Figure
from assay.report.charts import Group, boxes, grouped_bars, heat_map, stacked_bars
from assay.reproduction.attempted import Tried, by_level, by_outcome, discrepancies_of
from assay.reproduction.categories import categories, codes_of, severities
from assay.reproduction.levels import level_name
from assay.reproduction.records import KINDS
from assay.reproduction.study import Discrepancy, Study

_ALL_KINDS = (*KINDS.items(), ("all", ""))


def figures_of(study: Study, attempts: Sequence[Tried], *, most: int) -> Iterator[Figure]:
    """All pictures that the records allow; those that show every attempt only up to `most` of them."""
    if not attempts:
        return
    for number, kind in enumerate(KINDS, 1):
        yield _categories(study, attempts, kind, number)
    yield from _severities(attempts)
    if len(attempts) <= most:
        yield _heat_map(attempts)
        yield _each_attempt(attempts)
    if levels := [(level_name(level, study.naming), members) for level, members in by_level(attempts)]:
        yield _boxes("Discrepancies by level (as Figure 4.6)", levels)
    ended = [(outcome.value, members) for outcome, members in by_outcome(attempts) if members]
    yield _boxes("Discrepancies by outcome (as Figure 4.7)", ended)
    yield from _components(attempts)


def _categories(study: Study, attempts: Sequence[Tried], kind: str, number: int) -> Figure:
    codes = codes_of(KINDS[kind])
    groups = [(level_name(level, study.naming), members) for level, members in by_level(attempts)]
    if unknown := [one for one in attempts if one.paper.level is None]:
        groups.append(("level unknown", unknown))
    series = [(name, [float(sum(code in one.met for one in members)) for code in codes]) for name, members in groups]
    rows = [f"{code}  {categories()[code].label}" for code in codes]
    return stacked_bars(f"{kind.capitalize()} by category (as Figure 4.{number})", rows, series, "attempts")


def _severities(attempts: Sequence[Tried]) -> Iterator[Figure]:
    """How grave the discrepancies were, category by category, where somebody noted it."""
    every = {code: _graded(attempts, code) for code in categories()}
    graded = {code: found for code, found in every.items() if found}
    if graded:
        rows = [f"{code}  {categories()[code].label}" for code in graded]
        series = [
            (f"{step}: {meaning}", [_instances(found, step) for found in graded.values()])
            for step, meaning in enumerate(severities())
        ]
        yield stacked_bars("Discrepancies by severity", rows, series, "instances")


def _graded(attempts: Sequence[Tried], code: str) -> list[Discrepancy]:
    return [one for one in discrepancies_of(attempts, code) if one.severity is not None]


def _instances(discrepancies: Sequence[Discrepancy], severity: int) -> float:
    return float(sum(one.instances for one in discrepancies if one.severity == severity))


def _heat_map(attempts: Sequence[Tried]) -> Figure:
    values = [[_number(one, letter) for one in attempts] for _, letter in _ALL_KINDS]
    names = [kind for kind, _ in _ALL_KINDS]
    return heat_map("Discrepancies of each attempt (as Figure 4.4)", names, [one.name for one in attempts], values)


def _each_attempt(attempts: Sequence[Tried]) -> Figure:
    series = [(kind, [_number(one, letter) for one in attempts]) for kind, letter in KINDS.items()]
    rows = [one.name for one in attempts]
    return grouped_bars("Discrepancies of each attempt (as Figure 4.5)", rows, series, "categories met")


def _boxes(title: str, groups: Sequence[tuple[str, Sequence[Tried]]]) -> Figure:
    panels: list[tuple[str, list[Group]]] = []
    for kind, letter in _ALL_KINDS:
        numbers = [(name, [_number(one, letter) for one in members]) for name, members in groups]
        panels.append((kind, [(name, [float(n) for n in found if n is not None]) for name, found in numbers]))
    return boxes(title, panels, "categories met")


def _number(one: Tried, letter: str) -> int | None:
    """How many categories were met; errors of an attempt without a result are not 0, for nobody could look for them."""
    return None if letter == "E" and not one.has_result else one.kinds(letter)


def _components(attempts: Sequence[Tried]) -> Iterator[Figure]:
    names = list(dict.fromkeys(name for one in attempts for name, _ in one.paper.components))
    series = [
        (outcome.value, [_mean_score(members, name) for name in names])
        for outcome, members in by_outcome(attempts)
        if members
    ]
    if names:
        yield grouped_bars("Documentation by outcome (as Figure 5.1)", names, series, "mean score")


def _mean_score(attempts: Sequence[Tried], component: str) -> float | None:
    scores = (dict(one.paper.components).get(component) for one in attempts)
    known = [float(score) for score in scores if score]
    return sum(known) / len(known) if known else None
