"""Repositories with a label that says whether somebody was able to reproduce them."""

from __future__ import annotations

from assay.errors import InputError
from assay.records import dataclass
from assay.repository.research.evaluation.columns import measured_in
from assay.repository.research.evaluation.sheet import Sheet
from assay.repository.research.loos2022 import Indicators

FEWEST = 4
"""A quartile of fewer than four values is one of the extremes."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """Two sets of repositories; indicators that the file does not hold are named in `left_out`."""

    reproducible: tuple[Indicators, ...]
    irreproducible: tuple[Indicators, ...]
    left_out: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Repositories in all."""
        return len(self.reproducible) + len(self.irreproducible)

    @property
    def rows(self) -> tuple[tuple[Indicators, bool], ...]:
        """Every repository with its label."""
        return (*((i, True) for i in self.reproducible), *((i, False) for i in self.irreproducible))

    def without(self, index: int) -> Labelled:
        """All but one of `rows`."""
        many = len(self.reproducible)
        if index < many:
            return Labelled(self.reproducible[:index] + self.reproducible[index + 1 :], self.irreproducible)
        spot = index - many
        return Labelled(self.reproducible, self.irreproducible[:spot] + self.irreproducible[spot + 1 :])


def labelled_in(sheet: Sheet, label: str = "reproducible") -> Labelled:
    """The two sets of a file with a column that says 1, yes or true for a repository that was reproduced."""
    labels = sheet.numbers(label)
    for number, value in enumerate(labels, 2):
        if value not in {0.0, 1.0}:
            told = "Say 1, yes or true, or else 0, no or false."
            raise InputError(f'"{label}" is neither yes nor no', where=f"{sheet.path}:{number}", fix=told)
    measured = measured_in(sheet)
    if measured.missing:
        wanted = "Measure with `assay repo`, or name the columns as its documentation does."
        raise InputError(f"no column for {', '.join(measured.missing)}", where=sheet.path, fix=wanted)
    pairs = list(zip(measured.indicators, labels, strict=True))
    sets = Labelled(
        tuple(i for i, reproduced in pairs if reproduced),
        tuple(i for i, reproduced in pairs if not reproduced),
        tuple(_left_out(measured.indicators)),
    )
    if min(len(sets.reproducible), len(sets.irreproducible)) < FEWEST:
        counted = f"{len(sets.reproducible)} reproducible and {len(sets.irreproducible)} other repositories"
        raise InputError(f"{counted} are too few", where=sheet.path, fix=f"At least {FEWEST} of each are needed.")
    return sets


def _left_out(indicators: tuple[Indicators, ...]) -> list[str]:
    told = []
    unrated = sum(i.pylint is None for i in indicators)
    if unrated:
        told.append(f"pylint was not measured for {unrated} repositories and counts as the worst for them")
    untried = sum(i.links_each is None for i in indicators)
    if untried:
        told.append(f"links were not tried for {untried} repositories and count as dead for them")
    return told
