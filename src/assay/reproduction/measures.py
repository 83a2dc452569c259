"""What can be counted over a study's records, by name, so that what a text says of them can be computed again.

Outcomes are taken on one of two bases: by the rule, or as the study states them. A measure gives None where
the records do not hold what it needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from assay.errors import InputError, suggestion
from assay.reproduction.categories import categories
from assay.reproduction.outcomes import AttemptOutcome
from assay.reproduction.study import Attempt, Paper, Study, level_name

KINDS = {"problems": "P", "assumptions": "A", "errors": "E"}
HALF_DIGIT = Fraction(1, 200)
"""Components are printed with two digits, so each may be off by half of the last."""


@dataclass(frozen=True, slots=True)
class Between:
    """A number known to lie in a range, because what it is computed from was rounded."""

    low: Fraction
    high: Fraction


Measured = Fraction | Between | str | tuple[str, ...] | None
Selectors = Mapping[str, str]
Pair = tuple[Paper, Attempt]


@dataclass(frozen=True)
class Records:
    """A study's attempts, with outcomes by the rule or as stated."""

    study: Study
    as_stated: bool = False

    def outcome(self, attempt: Attempt) -> AttemptOutcome:
        """The outcome on this basis."""
        return self._outcomes[id(attempt)]

    @cached_property
    def _outcomes(self) -> dict[int, AttemptOutcome]:
        """Judged once: it takes a statistical test for each result. The study keeps the attempts alive."""
        return {
            id(a): a.stated_outcome if self.as_stated and a.stated_outcome else a.outcome
            for _, a in self.study.attempts()
        }

    def chosen(self, of: Selectors, *, without: str = "") -> list[Pair]:
        """The attempts that all selectors choose, leaving one selector out if wanted."""
        tests = [(_SELECTORS[key], value) for key, value in of.items() if key in _SELECTORS and key != without]
        return [pair for pair in self.study.attempts() if all(test(self, pair, value) for test, value in tests)]


def measured(records: Records, measure: str, of: Selectors) -> Measured:
    """The value of a measure; an unknown measure or selector is an `InputError`."""
    if measure not in MEASURES:
        fix = suggestion(measure, MEASURES) or f"There are: {', '.join(MEASURES)}."
        raise InputError(f'there is no measure "{measure}"', fix=fix)
    compute, own = MEASURES[measure]
    known = {*_SELECTORS, *own}
    for key in of:
        if key not in known:
            raise InputError(f'"{measure}" knows no "{key}"', fix=suggestion(key, known))
    if missing := [key for key in own if key not in of]:
        raise InputError(f'"{measure}" needs {missing[0]}=…', fix="Say what it is of.")
    return compute(records, of)


def spearman(xs: Iterable[float], ys: Iterable[float]) -> float | None:
    """Rank correlation; None when one side does not vary."""
    from scipy import stats

    left, right = list(xs), list(ys)
    if len(set(left)) < 2 or len(set(right)) < 2:
        return None
    return float(stats.spearmanr(left, right).statistic)


def count_of(attempt: Attempt, kind: str) -> int:
    """How many categories of a kind (P, A or E) an attempt met, each counted once as in the thesis."""
    return sum(code.startswith(kind) for code in attempt.categories)


def mean_metric(papers: Iterable[Paper]) -> Between | None:
    """The mean documentation over papers, as far as rounded components tell it."""
    values = [paper.metric for paper in papers]
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return None
    mean = sum(known, Fraction(0)) / len(known)
    return Between(mean - HALF_DIGIT, mean + HALF_DIGIT)


# --- selectors -------------------------------------------------------------------------------------


def _is_level(records: Records, pair: Pair, value: str) -> bool:
    level = pair[0].level
    return level is not None and level_name(level, records.study.naming) == value


def _has_outcome(records: Records, pair: Pair, value: str) -> bool:
    return records.outcome(pair[1]).value in _listed(value)


def _used_all_hours(_: Records, pair: Pair, value: str) -> bool:
    hours = pair[1].hours
    return hours is not None and (hours >= pair[1].budget) == (value == "all")


_SELECTORS: dict[str, Callable[[Records, Pair, str], bool]] = {
    "paper": lambda _, pair, value: pair[0].id == value,
    "level": _is_level,
    "year": lambda _, pair, value: str(pair[0].year) == value,
    "outcome": _has_outcome,
    "has": lambda _, pair, value: value in pair[1].categories,
    "lacks": lambda _, pair, value: value not in pair[1].categories,
    "hours": _used_all_hours,
    "without": lambda _, pair, value: count_of(pair[1], KINDS.get(value, value)) == 0,
}


def _listed(value: str) -> list[str]:
    return [word.strip() for word in value.split(",")]


# --- measures --------------------------------------------------------------------------------------


def _attempts(records: Records, of: Selectors) -> Measured:
    return Fraction(len(records.chosen(of)))


def _papers(records: Records, of: Selectors) -> Measured:
    if others := of.keys() - {"level", "year"}:
        raise InputError(f'"papers" knows no "{min(others)}"', fix="It knows level and year; attempts knows more.")
    none = Attempt("")  # papers are counted whether or not somebody tried
    tests = [(_SELECTORS[key], value) for key, value in of.items()]
    return Fraction(sum(all(test(records, (p, none), value) for test, value in tests) for p in records.study.papers))


def _percent(records: Records, of: Selectors) -> Measured:
    """Of the attempts that the other selectors choose, how many per cent ended so."""
    among = records.chosen(of, without="outcome")
    return Fraction(100 * len(records.chosen(of)), len(among)) if among else None


def _experiments(records: Records, of: Selectors) -> Measured:
    return Fraction(sum(attempt.tally.experiments for _, attempt in records.chosen(of)))


def _share(records: Records, of: Selectors) -> Measured:
    """How many per cent of the experiments ended so."""
    kinds = ("identical", "consistent", "different", "not_run")
    if of["ended"] not in kinds:
        raise InputError(f'there is no "ended={of["ended"]}"', fix=f"There are: {', '.join(kinds)}.")
    tallies = [attempt.tally for _, attempt in records.chosen(of)]
    total = sum(tally.experiments for tally in tallies)
    return Fraction(100 * sum(getattr(tally, of["ended"]) for tally in tallies), total) if total else None


def _outcome(records: Records, of: Selectors) -> Measured:
    found = {records.outcome(attempt).value for _, attempt in records.chosen(of)}
    return found.pop() if len(found) == 1 else None


def _instances(records: Records, of: Selectors) -> Measured:
    found = (d for _, attempt in records.chosen(of) for d in attempt.discrepancies if d.category == of["category"])
    return Fraction(sum(d.instances for d in found))


def _categories(records: Records, of: Selectors) -> Measured:
    return tuple(sorted({code for _, attempt in records.chosen(of) for code in attempt.categories}))


def _most_common(records: Records, of: Selectors) -> Measured:
    """The categories of a kind that the most attempts met."""
    kind = KINDS.get(of["kind"], of["kind"])
    met = Counter(code for _, a in records.chosen(of) for code in a.categories if categories()[code].kind == kind)
    most = max(met.values(), default=0)
    return tuple(sorted(code for code, number in met.items() if number == most))


def _most_discrepancies(records: Records, of: Selectors) -> Measured:
    """The papers whose attempts met the most categories of a kind, or of all kinds."""
    kind = KINDS.get(of["kind"], "")
    met = {paper.id: count_of(attempt, kind) for paper, attempt in records.chosen(of)}
    return tuple(sorted(paper for paper, number in met.items() if number == max(met.values())))


def _median_gap(records: Records, of: Selectors) -> Measured:
    """How far apart the medians of two levels are in the number of categories met."""
    from statistics import median

    kind, sides = KINDS.get(of["kind"], ""), _listed(of["levels"])
    others = {key: value for key, value in of.items() if key != "level"}
    numbers = [[count_of(a, kind) for _, a in records.chosen({**others, "level": level})] for level in sides]
    if len(numbers) != 2 or not all(numbers):
        return None
    return abs(Fraction(median(numbers[0])) - Fraction(median(numbers[1])))


def _mean_metric(records: Records, of: Selectors) -> Measured:
    return mean_metric(paper for paper, _ in records.chosen(of))


def _correlation(records: Records, of: Selectors) -> Measured:
    """Spearman's rank correlation between two things known of each attempt."""
    names = _listed(of["between"])
    if len(names) != 2 or not set(names) <= {*KINDS, "metric", "outcome"}:
        fix = "Name two of problems, assumptions, errors, metric, outcome."
        raise InputError(f'"between={of["between"]}" is not understood', fix=fix)
    columns = [[_known(records, pair, name) for pair in records.chosen(of)] for name in names]
    if any(value is None for column in columns for value in column):
        return None
    found = spearman(*([value for value in column if value is not None] for column in columns))
    return None if found is None else Fraction(found)


def _known(records: Records, pair: Pair, name: str) -> float | None:
    if name == "metric":
        return None if pair[0].metric is None else float(pair[0].metric)
    if name == "outcome":
        return -float(list(AttemptOutcome).index(records.outcome(pair[1])))
    return float(count_of(pair[1], KINDS[name]))


def _over_representation(records: Records, of: Selectors) -> Measured:
    """How much larger a level's share is among the attempts that ended so than among all."""
    ended = records.chosen({"outcome": of["outcome"]})
    all_, level = list(records.study.attempts()), records.chosen({"level": of["level"]})
    if not ended or not level:
        return None
    both = records.chosen({"outcome": of["outcome"], "level": of["level"]})
    return Fraction(len(both), len(ended)) / Fraction(len(level), len(all_))


def _component_means(records: Records, component: str) -> dict[str, Fraction]:
    values: dict[str, list[Fraction]] = {}
    for paper, attempt in records.study.attempts():
        if value := dict(paper.components).get(component):
            values.setdefault(records.outcome(attempt).value, []).append(Fraction(value))
    return {outcome: sum(found, Fraction(0)) / len(found) for outcome, found in values.items()}


def _leads(records: Records, of: Selectors) -> Measured:
    """Whether papers that ended so are the best documented in a component; "no value" if it does not apply to them."""
    means = _component_means(records, of["component"])
    if of["outcome"] not in means:
        return "no value"
    return "yes" if all(means[of["outcome"]] > mean for o, mean in means.items() if o != of["outcome"]) else "no"


def _zero(records: Records, of: Selectors) -> Measured:
    """The components that are 0 for every paper that ended so."""
    names = dict.fromkeys(name for paper, _ in records.study.attempts() for name, _ in paper.components)
    return tuple(sorted(n for n in names if _component_means(records, n).get(of["outcome"]) == 0))


MEASURES: dict[str, tuple[Callable[[Records, Selectors], Measured], tuple[str, ...]]] = {
    "attempts": (_attempts, ()),
    "papers": (_papers, ()),
    "percent": (_percent, ("outcome",)),
    "experiments": (_experiments, ()),
    "share": (_share, ("ended",)),
    "outcome": (_outcome, ("paper",)),
    "instances": (_instances, ("category",)),
    "categories": (_categories, ("paper",)),
    "most common": (_most_common, ("kind",)),
    "most discrepancies": (_most_discrepancies, ("kind",)),
    "median gap": (_median_gap, ("kind", "levels")),
    "mean metric": (_mean_metric, ()),
    "correlation": (_correlation, ("between",)),
    "over-representation": (_over_representation, ("level", "outcome")),
    "leads": (_leads, ("outcome", "component")),
    "zero": (_zero, ("outcome",)),
}
"""Each measure with the selectors that it cannot do without."""
