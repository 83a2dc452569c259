"""Which models are compared with which, and what their number does to the p-values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, groupby

from assay.comparison.multiplicity import Correction, adjusted
from assay.comparison.results import Difference
from assay.errors import InputError, suggestion

MOST_PAIRS = 300


def pairs_of(models: Sequence[str], claim: str | None) -> list[tuple[str, str]]:
    """The model said to be better with each other one, or without a claim all with all."""
    if claim is None:
        pairs = list(combinations(models, 2))
    elif claim in models:
        pairs = [(claim, other) for other in models if other != claim]
    else:
        fix = suggestion(claim, models) or f"The models are {', '.join(models)}."
        raise InputError(f'"{claim}" is said to be better but is no model', fix=fix)
    if len(pairs) > MOST_PAIRS:
        fix = "Name the one to compare with the others: --claim."
        raise InputError(f"{len(models)} models make {len(pairs)} pairs", fix=fix)
    return pairs


def corrected(differences: Iterable[Difference], correction: Correction) -> Iterator[Difference]:
    """The differences, family by family: all pairs that one test judged by one score."""
    in_order = list(differences)
    families = {_family(d): number for number, d in reversed(list(enumerate(in_order)))}
    for _, members in groupby(sorted(in_order, key=lambda d: families[_family(d)]), key=_family):
        family = list(members)
        for one, p in zip(family, adjusted([d.p for d in family], correction), strict=True):
            yield replace(one, adjusted=p)


def _family(difference: Difference) -> tuple[str, str]:
    return difference.measure.name, difference.method.value
