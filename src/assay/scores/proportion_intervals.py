"""95 % confidence intervals of a share k/n, by the methods that software offers.

Floating point is enough: a printed interval is compared with a tolerance of one unit in its last place, and no proof
rests on it. Sources: Brown, Cai & DasGupta, "Interval estimation for a binomial proportion", Statist. Sci. 16 (2001);
Newcombe, "Two-sided confidence intervals for the single proportion", Stat. Med. 17 (1998).
"""

from __future__ import annotations

from collections.abc import Callable
from math import asin, exp, lgamma, log, sin, sqrt

Ends = tuple[float, float]
Method = Callable[[int, int], Ends]

Z = 1.959963984540054
_TAIL = 0.025
_STEPS = 60
"""Halvings in search of a quantile: more than the digits of a float."""


def _wald(k: int, n: int, *, corrected: bool = False) -> Ends:
    p = k / n
    half = Z * sqrt(p * (1 - p) / n) + (1 / (2 * n) if corrected else 0)
    return p - half, p + half


def _wilson(k: int, n: int) -> Ends:
    centre, spread = k + Z**2 / 2, Z * sqrt(k * (n - k) / n + Z**2 / 4)
    return (centre - spread) / (n + Z**2), (centre + spread) / (n + Z**2)


def _wilson_corrected(k: int, n: int) -> Ends:
    p, below = k / n, 2 * (n + Z**2)
    low = 2 * k + Z**2 - 1 - Z * sqrt(max(0, Z**2 - 2 - 1 / n + 4 * p * (n * (1 - p) + 1)))
    high = 2 * k + Z**2 + 1 + Z * sqrt(max(0, Z**2 + 2 - 1 / n + 4 * p * (n * (1 - p) - 1)))
    return (0 if k == 0 else low / below), (1 if k == n else high / below)


def _agresti_coull(k: int, n: int) -> Ends:
    items = n + Z**2
    p = (k + Z**2 / 2) / items
    half = Z * sqrt(p * (1 - p) / items)
    return p - half, p + half


def _arcsine(k: int, n: int) -> Ends:
    angle, half = asin(sqrt(k / n)), Z / (2 * sqrt(n))
    return sin(max(0.0, angle - half)) ** 2, sin(min(asin(1), angle + half)) ** 2


def _logit(k: int, n: int) -> Ends:
    if k in (0, n):
        return _clopper_pearson(k, n)
    centre, half = log(k / (n - k)), Z * sqrt(n / (k * (n - k)))
    return 1 / (1 + exp(half - centre)), 1 / (1 + exp(-centre - half))


def _clopper_pearson(k: int, n: int) -> Ends:
    return (
        0 if k == 0 else _beta_quantile(_TAIL, k, n - k + 1),
        1 if k == n else _beta_quantile(1 - _TAIL, k + 1, n - k),
    )


def _jeffreys(k: int, n: int) -> Ends:
    return (
        0 if k == 0 else _beta_quantile(_TAIL, k + 0.5, n - k + 0.5),
        1 if k == n else _beta_quantile(1 - _TAIL, k + 0.5, n - k + 0.5),
    )


METHODS: dict[str, Method] = {
    "Wald": _wald,
    "Wald with continuity correction": lambda k, n: _wald(k, n, corrected=True),
    "Wilson": _wilson,
    "Wilson with continuity correction": _wilson_corrected,
    "Agresti-Coull": _agresti_coull,
    "Clopper-Pearson": _clopper_pearson,
    "Jeffreys": _jeffreys,
    "arcsine": _arcsine,
    "logit": _logit,
}


def _beta_quantile(share: float, a: float, b: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _beta_share(middle, a, b) < share else (low, middle)
    return (low + high) / 2


def _beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    value, c, d = 1.0, 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 20_000):
        up = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / (1 + up * d), 1 + up / c
        value *= c * d
        down = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / (1 + down * d), 1 + down / c
        value *= c * d
        if abs(c * d - 1) < 1e-13:
            break
    return front * value
