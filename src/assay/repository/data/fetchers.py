"""Libraries that bring data with one call, from the tables of libraries, and what the call must look like."""

from __future__ import annotations

from enum import StrEnum

from assay.libraries.catalogue import catalogue
from assay.libraries.row import How, Role
from assay.records import dataclass
from assay.repository.data.facts import Route
from assay.repository.vocabulary import vocabulary


class Asks(StrEnum):
    """What tells the data set, and whether the call fetches it."""

    NAME = "the function's own name"
    ARGUMENT = "the first argument"
    DOWNLOAD = "the class's name, if `download` is true"
    URL = "a URL among the arguments"


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Functions by the beginning of their full names."""

    route: Route
    asks: Asks
    names: tuple[str, ...]


_ASKS = {
    How.BY_NAME: Asks.NAME,
    How.BY_ARGUMENT: Asks.ARGUMENT,
    How.IF_DOWNLOADED: Asks.DOWNLOAD,
    How.BY_URL: Asks.URL,
}
_ROWS = tuple(catalogue().rows({Role.FETCH}))
_NOTHING = "none"
"""The route of what stands in a module of data sets and fetches nothing."""
FETCHERS = tuple(
    Fetcher(Route(row.route), _ASKS[row.how], tuple(name.removesuffix("*") for name in names))
    for names, row in _ROWS
    if row.route != _NOTHING
)
_FETCHES_NOTHING = frozenset(name for names, row in _ROWS if row.route == _NOTHING for name in names)
_WORDS = vocabulary("assay.repository.data", "calls.toml")
SIMULATORS = _WORDS.words("simulators")
RECORDED = _WORDS.words("recorded")
TOPS = frozenset(name.partition(".")[0] for fetcher in FETCHERS for name in fetcher.names)
_BY_TOP: dict[str, list[tuple[str, Fetcher]]] = {}
for _fetcher in FETCHERS:
    for _name in _fetcher.names:
        _BY_TOP.setdefault(_name.partition(".")[0], []).append((_name, _fetcher))
for _rows in _BY_TOP.values():
    _rows.sort(key=lambda pair: -len(pair[0]))


def fetcher_of(name: str) -> tuple[Fetcher, str] | None:
    """The row for a call by its full name, and the rest of the name behind the row's."""
    for beginning, fetcher in _BY_TOP.get(name.partition(".")[0], ()):
        if name.startswith(beginning):
            rest = name.removeprefix(beginning)
            whole = beginning.endswith((".", "_")) or not rest or rest[0] in ".(["
            if whole and not (beginning.endswith(".") and rest.partition(".")[0] in _FETCHES_NOTHING):
                return fetcher, rest
    return None
