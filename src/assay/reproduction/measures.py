"""What can be counted over a study's records, by name, so that what a text says of them can be computed again.

A measure gives None where the records do not hold what it needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from assay.errors import InputError, suggestion
from assay.records import dataclass
from assay.reproduction.categories import categories
from assay.reproduction.levels import Level, level_name
from assay.reproduction.outcomes import AttemptOutcome
from assay.reproduction.records import KINDS, SELECTORS, Pair, Records, Selectors, check_selectors, count_of, listed
from assay.reproduction.study import Attempt, Paper

HALF_DIGIT = Fraction(1, 200)
"""Components are printed with two digits, so each may be off by half of the last."""


@dataclass(frozen=True, slots=True)
class Between:
    """A number known to lie in a range, because what it is computed from was rounded."""

    low: Fraction
    high: Fraction


Measured = Fraction | Between | str | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Measure:
    """How something is counted, and the selectors that it cannot do without or knows besides."""

    compute: Callable[[Records, Selectors], Measured]
    meaning: str
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


def measured(records: Records, measure: str, of: Selectors) -> Measured:
    """The value of a measure; an unknown measure or selector is an `InputError`."""
    if measure not in MEASURES:
        fix = suggestion(measure, MEASURES) or f"There are: {', '.join(MEASURES)}."
        raise InputError(f'there is no measure "{measure}"', fix=fix)
    chosen = MEASURES[measure]
    known = {*SELECTORS, *chosen.needs, *chosen.takes}
    for key in of:
        if key not in known:
            raise InputError(
                f'"{measure}" knows no "{key}"', fix=suggestion(key, known) or f"It knows {', '.join(sorted(known))}."
            )
    if missing := [key for key in chosen.needs if key not in of]:
        raise InputError(f'"{measure}" needs {missing[0]}=…', fix=f"It is the {chosen.meaning}.")
    check_selectors(records.study, of)
    return chosen.compute(records, of)


def spearman(xs: Iterable[float], ys: Iterable[float]) -> float | None:
    """Rank correlation; None when one side does not vary."""
    from scipy import stats

    left, right = list(xs), list(ys)
    if len(set(left)) < 2 or len(set(right)) < 2:
        return None
    return float(stats.spearmanr(left, right).statistic)


def mean_metric(papers: Iterable[Paper]) -> Between | None:
    """The mean documentation over papers, as far as rounded components determine it."""
    values = [paper.metric for paper in papers]
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return None
    mean = sum(known, Fraction(0)) / len(known)
    return Between(mean - HALF_DIGIT, mean + HALF_DIGIT)


# --- measures --------------------------------------------------------------------------------------


def _attempts(records: Records, of: Selectors) -> Measured:
    return Fraction(len(records.chosen(of)))


def _papers(records: Records, of: Selectors) -> Fraction:
    if others := of.keys() - {"level", "year"}:
        raise InputError(f'"papers" knows no "{min(others)}"', fix="It knows level and year; attempts knows more.")
    none = Attempt("")  # papers are counted whether or not somebody tried
    tests = [(SELECTORS[key].test, value) for key, value in of.items()]
    selected = [paper for paper in records.study.papers if not paper.excluded]
    return Fraction(sum(all(test(records, (p, none), value) for test, value in tests) for p in selected))


def _percent(records: Records, of: Selectors) -> Measured:
    """Of the attempts that the other selectors choose, how many per cent ended so."""
    among = records.chosen(of, without="outcome")
    return Fraction(100 * len(records.chosen(of)), len(among)) if among else None


def _percent_of_attempts(records: Records, of: Selectors) -> Measured:
    """How many per cent of all attempts the selectors choose."""
    everyone = len(records.chosen({}))
    return Fraction(100 * len(records.chosen(of)), everyone) if everyone else None


def _percent_of_papers(records: Records, of: Selectors) -> Measured:
    """How many per cent of all papers the selectors choose, whether or not somebody tried."""
    chosen, everyone = _papers(records, of), _papers(records, {})
    return 100 * chosen / everyone if everyone else None


def _largest_group(records: Records, of: Selectors) -> Measured:
    """The outcomes that the most attempts ended in."""
    ended = Counter(records.outcome(attempt).value for _, attempt in records.chosen(of))
    return tuple(sorted(name for name, number in ended.items() if number == max(ended.values())))


def _hours(records: Records, of: Selectors) -> Measured:
    hours = [attempt.hours for _, attempt in records.chosen(of)]
    return None if None in hours else sum((Fraction(h) for h in hours if h is not None), Fraction(0))


def _reasons(records: Records, of: Selectors) -> Measured:
    return tuple(sorted({reason.value for _, attempt in records.chosen(of) for reason in attempt.reasons}))


def _met(records: Records, of: Selectors) -> Measured:
    """How many categories of a kind were met, each counted once per attempt."""
    return Fraction(sum(count_of(attempt, KINDS.get(of["kind"], "")) for _, attempt in records.chosen(of)))


def _experiments(records: Records, of: Selectors) -> Measured:
    return Fraction(sum(attempt.tally.experiments for _, attempt in records.chosen(of)))


def _share(records: Records, of: Selectors) -> Measured:
    """How many per cent of the experiments ended so."""
    kinds = ("identical", "consistent", "different", "undecided", "not_run")
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
    kind = KINDS.get(of.get("kind", ""), "")
    met = (code for _, attempt in records.chosen(of) for code in attempt.categories)
    return tuple(sorted({code for code in met if code.startswith(kind)}))


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


def _counts_among(records: Records, of: Selectors) -> dict[str, list[int]]:
    """The numbers of categories met in each of the groups that `among` names, be they levels or outcomes."""
    kind = KINDS.get(of["kind"], "")
    levels = {level_name(level, records.study.naming) for level in Level}
    groups = {}
    for name in listed(of["among"]):
        chosen = records.chosen({**of, "level" if name in levels else "outcome": name})
        groups[name] = [count_of(attempt, kind) for _, attempt in chosen]
    return groups


def _median_gap(records: Records, of: Selectors) -> Measured:
    """How far apart the medians of two groups are in the number of categories met."""
    from statistics import median

    numbers = list(_counts_among(records, of).values())
    if len(numbers) != 2 or not all(numbers):
        return None
    return abs(Fraction(median(numbers[0])) - Fraction(median(numbers[1])))


def _widest(records: Records, of: Selectors) -> Measured:
    """The groups whose middle half is spread widest."""
    groups = _counts_among(records, of)
    if not all(groups.values()):
        return None
    widths = {name: high - low for name, (low, high) in ((n, _quartiles(v)) for n, v in groups.items())}
    return tuple(sorted(name for name, width in widths.items() if width == max(widths.values())))


def _same_whiskers(records: Records, of: Selectors) -> Measured:
    """Whether box plots of the groups have their whiskers at the same numbers."""
    groups = _counts_among(records, of)
    return "yes" if len({_whiskers(values) for values in groups.values() if values}) == 1 else "no"


def _quartiles(values: Sequence[int]) -> tuple[float, float]:
    from statistics import quantiles

    if len(values) == 1:
        return float(values[0]), float(values[0])
    low, _, high = quantiles(values, method="inclusive")
    return low, high


def _whiskers(values: Sequence[int]) -> tuple[int, int]:
    """The outermost values within one and a half quartile ranges of the box, as Tukey draws them."""
    low, high = _quartiles(values)
    reach = 1.5 * (high - low)
    near = [value for value in values if low - reach <= value <= high + reach]
    return min(near), max(near)


def _mean_metric(records: Records, of: Selectors) -> Measured:
    return mean_metric(paper for paper, _ in records.chosen(of))


def _correlation(records: Records, of: Selectors) -> Measured:
    """Spearman's rank correlation between two things known of each attempt."""
    names = listed(of["between"])
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
        outcome = records.outcome(pair[1])
        return None if outcome is AttemptOutcome.UNDECIDED else -float(list(AttemptOutcome).index(outcome))
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
    """By outcome; the component "metric" is the mean of all."""
    values: dict[str, list[Fraction]] = {}
    for paper, attempt in records.study.attempts():
        known = dict(paper.components).get(component)
        value = paper.metric if component == "metric" else Fraction(known) if known else None
        if value is not None:
            values.setdefault(records.outcome(attempt).value, []).append(value)
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


MEASURES = {
    "attempts": Measure(_attempts, "number of attempts"),
    "papers": Measure(_papers, "number of selected papers, tried or not; takes level and year"),
    "percent": Measure(_percent, "share of the chosen attempts with the outcome, in per cent", ("outcome",)),
    "percent of attempts": Measure(_percent_of_attempts, "share of all attempts that are chosen, in per cent"),
    "percent of papers": Measure(_percent_of_papers, "share of all papers that are chosen, in per cent"),
    "largest group": Measure(_largest_group, "the most frequent outcomes"),
    "experiments": Measure(_experiments, "number of experiments"),
    "share": Measure(
        _share,
        "share of experiments that ended as identical, consistent, different, undecided or not_run, in per cent",
        ("ended",),
    ),
    "outcome": Measure(_outcome, "the outcome of a paper", ("paper",)),
    "hours": Measure(_hours, "hours spent"),
    "reasons": Measure(_reasons, "why experiments were not run"),
    "instances": Measure(_instances, "how often a category was met", ("category",)),
    "categories": Measure(_categories, "the categories that a paper met", ("paper",), ("kind",)),
    "met": Measure(_met, "number of categories of a kind that were met, once per attempt", ("kind",)),
    "most common": Measure(_most_common, "the categories of a kind that most attempts met", ("kind",)),
    "most discrepancies": Measure(_most_discrepancies, "the papers with the most categories of a kind", ("kind",)),
    "median gap": Measure(_median_gap, "difference of the medians of two groups in categories met", ("kind", "among")),
    "widest": Measure(_widest, "the group with the widest middle half in categories met", ("kind", "among")),
    "same whiskers": Measure(
        _same_whiskers, "yes if box plots of the groups end at the same numbers", ("kind", "among")
    ),
    "mean metric": Measure(_mean_metric, "mean documentation of the papers"),
    "correlation": Measure(
        _correlation,
        "Spearman's correlation between two of problems, assumptions, errors, metric and outcome",
        ("between",),
    ),
    "over-representation": Measure(
        _over_representation,
        "a level's share among attempts with the outcome, divided by its share among all",
        ("level", "outcome"),
    ),
    "leads": Measure(
        _leads, "yes if papers with the outcome are the best documented in a component", ("outcome", "component")
    ),
    "zero": Measure(_zero, "the components that are 0 for every paper with the outcome", ("outcome",)),
}
"""Everything that a claim can be about."""

EXTRA_SELECTORS = {
    "ended": "how experiments ended, for share",
    "category": "a category, for instances",
    "kind": "problems, assumptions or errors",
    "among": "groups to compare, as R1,R2-D or Success,Failure",
    "between": "two things to correlate, as problems,errors",
    "component": "a component of the Article Model, for leads",
}
"""What single measures need besides the selectors."""
