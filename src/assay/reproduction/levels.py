"""What a paper or an experiment shares, and the two schemes that name these levels."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from assay.errors import InputError, suggestion


class Level(StrEnum):
    """What a paper shares, and so which kind of reproduction it allows."""

    EXPERIMENT = "experiment"
    """The code and the data."""
    DATA = "data"
    """The data; the method has to be written anew."""
    CODE = "code"
    """The code of the method, not the data."""
    DESCRIPTION = "description"
    """Neither."""


class Naming(StrEnum):
    """The two schemes in use name the levels in opposite order, with the same letters."""

    THESIS = "2018"
    """R1 is the best documented, R3 the least (Cappelen & Mølnå 2018, section 3.3)."""
    ARTICLE = "2024"
    """R1 is the least documented, R4 the best (the same group's article of 2024)."""


_ORDER = (Level.EXPERIMENT, Level.DATA, Level.CODE, Level.DESCRIPTION)
_NAMES = {Naming.THESIS: ("R1", "R2-D", "R2-M", "R3"), Naming.ARTICLE: ("R4", "R3", "R2", "R1")}


def level_name(level: Level, naming: Naming) -> str:
    """What a scheme calls the level."""
    return _NAMES[naming][_ORDER.index(level)]


def level_named(name: str, naming: Naming) -> Level:
    """The level that a scheme calls so."""
    names = _NAMES[naming]
    if name not in names:
        alike = [level for level in names if name and level.startswith(name)]
        near = f"Did you mean {' or '.join(alike)}?" if len(alike) > 1 else suggestion(name, names)
        fix = near or f"The levels of {naming} are {', '.join(names)}."
        raise InputError(f'there is no level "{name}"', fix=fix)
    return _ORDER[names.index(name)]


def best_level(levels: Iterable[Level]) -> Level | None:
    """The level that shares most: a study is as open as its best experiment (Cappelen & Mølnå 2018, section 3.3)."""
    return min(levels, key=_ORDER.index, default=None)
