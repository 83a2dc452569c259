"""Reports made from matrices, as an honest or a mistaken author would print them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

from assay.scores.constraints import Constraint
from assay.scores.conventions import Undefined
from assay.scores.definitions import SCORES, Matrix
from assay.scores.exact import INFINITY, Interval
from assay.scores.means import Part, Reported
from assay.scores.means.problem import each, shares
from assay.scores.means.verify import holds, values


def means(eps: str = "0.0001", **printed: str) -> list[Reported]:
    """Reported means with a symmetric uncertainty."""
    return [reported(name, text, Fraction(eps)) for name, text in printed.items()]


def reported(name: str, text: str, eps: Fraction, **extras: object) -> Reported:
    interval = Interval(Fraction(text) - eps, Fraction(text) + eps)
    return Reported(Constraint(SCORES[name], interval, (), name, text), **extras)  # type: ignore[arg-type]


def rounded(x: float, digits: int) -> Interval:
    """What a figure rounded to so many digits leaves open."""
    half, value = Fraction(1, 2 * 10**digits), Fraction(round(x * 10**digits), 10**digits)
    return Interval(value - half, value + half)


def matrices(part: Part) -> list[Matrix]:
    return [Matrix(a, part.p - a, part.n - b, b) for a in range(part.p + 1) for b in range(part.n + 1)]


def some_matrix_set_fits(parts: Sequence[Part], report: Sequence[Reported]) -> bool | None:
    """The truth by trying everything."""
    outcomes = {holds(parts, report, witness) for witness in product(*(matrices(part) for part in each(parts)))}
    return True if True in outcomes else None if None in outcomes else False


def printed_by_author(
    parts: Sequence[Part], truth: Sequence[Matrix], name: str, random: Random, *, wrong: bool
) -> Reported | None:
    """What an author prints of one score; None where there is nothing to print."""
    one = Reported(
        Constraint(SCORES[name], Interval(None, None), (), name, "?"), undefined=random.choice(list(Undefined))
    )
    found = values(one, truth, random.choice(one.conventions))
    if found is None or all(value is None for value in found):
        return None
    if INFINITY in found:
        return replace(one, constraint=replace(one.constraint, interval=Interval(None, None, infinite=True)))
    weights = shares(parts, [value is not None for value in found])
    counted = [float(value) for value in found if value is not None]
    mean = sum(float(w) * float(v) for w, v in zip(weights, found, strict=True) if v is not None)
    digits = random.randint(1, 3)
    step = 10.0**-digits
    error = random.choice([-2, -1, 1, 2]) * step if wrong else 0.0
    extras: dict[str, object] = {}
    if len({part.weight for part in parts}) == 1 and len(counted) > 1 and random.random() < 0.5:
        ddof = random.choice([0, 1])
        centre = sum(counted) / len(counted)
        sd = (sum((v - centre) ** 2 for v in counted) / (len(counted) - ddof)) ** 0.5
        extras["sd"], extras["ddof"] = rounded(sd, digits), random.choice([(0, 1), (ddof,)])
    if random.random() < 0.4:
        extras["minimum"] = rounded(min(counted), digits)
    if random.random() < 0.4:
        extras["maximum"] = rounded(max(counted), digits)
    return replace(one, constraint=replace(one.constraint, interval=rounded(mean + error, digits)), **extras)  # type: ignore[arg-type]
