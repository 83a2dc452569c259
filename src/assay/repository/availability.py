"""How somebody else comes by the data: a policy over the facts, as the decision table `availability.toml`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from assay.findings import Confidence, Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.data.facts import Availability, DataFacts, DataFile, Download, LinkKind, Route, Storage, Way
from assay.repository.data.fetchers import RECORDED
from assay.repository.data.holdings import in_data_folder, is_auxiliary, is_metadata
from assay.repository.tables import load_table

_TABLES = frozenset({"csv", "tsv", "xls", "xlsx", "data", "arff", "mat", "rds", "rda", "rdata", "parquet", "zip"})
"""Kinds of which even a small file is likely to be the data themselves."""
_SAMPLE = regex(r"(?:^|/)(?:sample|example|demo|toy)[^/]*/", re.IGNORECASE)
_SHOWN = 5
_STORES = frozenset({LinkKind.ARCHIVE, LinkKind.HUB, LinkKind.DRIVE})


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict, how sure it is, what it rests on, and every way that anything points to."""

    availability: Availability
    confidence: Confidence
    because: tuple[Location, ...]
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    all: tuple[str, ...]
    none: tuple[str, ...]
    answer: Availability
    confidence: Confidence | None


@cache
def _rows() -> tuple[_Row, ...]:
    return tuple(
        _Row(
            tuple(row.get("all", ())),
            tuple(row.get("none", ())),
            Availability(row["answer"]),
            Confidence(row["confidence"]) if "confidence" in row else None,
        )
        for row in load_table("assay.repository", "availability.toml")["row"]
    )


def _threshold(name: str) -> int:
    return int(load_table("assay.repository", "availability.toml")["thresholds"][name])


def answer_of(data: DataFacts) -> Answer:
    """The answer of the first row whose evidence is there."""
    evidence: dict[str, Sequence[Location]] = {}

    def has(name: str) -> bool:
        if name not in evidence:
            evidence[name] = _EVIDENCE[name](data)
        return bool(evidence[name])

    row = next(r for r in _rows() if all(map(has, r.all)) and not any(map(has, r.none)))
    places = tuple(dict.fromkeys(evidence[row.all[0]]))[:_SHOWN] if row.all else ()
    if row.answer is Availability.ABSENT:
        places = tuple(dict.fromkeys(_wanting(data)))[:_SHOWN]
    confidence = row.confidence or _best(data, row.answer)
    return Answer(row.answer, confidence, places, _ways(data, row.answer, places))


def _best(data: DataFacts, answer: Availability) -> Confidence:
    """The confidence of the surest piece of evidence."""
    if answer is Availability.IN_REPOSITORY:
        several = [file.confidence for file in _kept_files(data)]
    elif answer is Availability.DOWNLOADED:
        several = [download.confidence for download in _fetches(data)]
    else:
        several = [link.confidence for link in data.links]
    return min(several, key=lambda c: c.rank)


def _fetches(data: DataFacts) -> list[Download]:
    return [
        d
        for d in data.downloads
        if d.automatic and d.route is not Route.GENERATED and d.confidence is not Confidence.LOW
    ]


def _kept_files(data: DataFacts) -> list[DataFile]:
    """Files here that the code reads, if they are enough to be the data and not a sample of them."""
    kept = list(filter(_is_data_read_here, data.files))
    fetched, simulated = _fetches(data), _is_simulated(data.downloads)
    if simulated or any(d.confidence is Confidence.HIGH for d in fetched):
        kept = [f for f in kept if f.confidence is Confidence.HIGH]
    elsewhere = any((fetched, simulated, data.instructions))
    if elsewhere or _size(kept) < _threshold("scraps"):
        kept = [f for f in kept if not _is_sample(f, elsewhere)]
    return kept if _size(kept) >= _enough(data, fetched, kept) else []


def _is_data_read_here(file: DataFile) -> bool:
    here = file.used is not None and file.storage in {Storage.PLAIN, Storage.LFS}
    return here and not is_metadata(file) and not is_auxiliary(file)


def _size(files: Sequence[DataFile]) -> int:
    return sum(file.size for file in files)


def _is_sample(file: DataFile, elsewhere: bool) -> bool:
    """Whether a file's folder says that it is a sample; a table may be all there is where nothing else is named."""
    return _SAMPLE.search(file.path) is not None and (elsewhere or file.kind not in _TABLES)


def _enough(data: DataFacts, fetched: Sequence[Download], kept: Sequence[DataFile]) -> int:
    """How much must lie here to be the data, though other data are got."""
    routes = {d.route for d in fetched}
    if routes:
        if routes == {Route.BUNDLED}:
            return _threshold("beside_bundled")
        return _threshold("beside_library" if routes <= {Route.BUNDLED, Route.LIBRARY} else "beside_fetched")
    if data.instructions and any(link.kind in _STORES for link in data.links):
        return _threshold("beside_store")
    told = data.links or data.instructions
    return _threshold("beside_linked") if told and not any(f.kind in _TABLES for f in kept) else 0


def _is_simulated(downloads: Sequence[Download]) -> bool:
    """Whether a call makes data and does nothing else, and nothing is learnt from records of play."""
    made = any(d.route is Route.GENERATED and d.confidence is Confidence.HIGH for d in downloads)
    return made and not any(d.call.partition(".")[0] in RECORDED for d in downloads)


def _lying(data: DataFacts) -> list[Location]:
    """Data by their folders, whether or not code is seen to read them."""
    found = [f for f in data.files if in_data_folder(f.path) and not is_metadata(f) and f.storage is Storage.PLAIN]
    tiny = sum(f.size for f in found) < _threshold("scraps")
    return [f.location for f in found if f.kind in _TABLES or not tiny or not _SAMPLE.search(f.path)]


def _much_lying(data: DataFacts) -> list[Location]:
    places = _lying(data)
    size = sum(f.size for f in data.files if f.location in places)
    return places if size >= _threshold("lying") else []


def _wanting(data: DataFacts) -> list[Location]:
    return [r.location for r in data.reads if not r.found]


def _mentions(data: DataFacts) -> list[Location]:
    return [*(m.location for m in data.mentions), *(d.location for d in data.downloads), *data.surroundings.names]


def _flag(holds: bool) -> tuple[Location, ...]:
    """A fact about the whole repository, as evidence without a place of its own."""
    return (Location("."),) if holds else ()


_EVIDENCE: dict[str, Callable[[DataFacts], Sequence[Location]]] = {
    "kept": lambda data: [f.location for f in _kept_files(data)],
    "fetched": lambda data: [d.location for d in _fetches(data)],
    "pulled": lambda data: (
        [p.location for p in data.pointers if p.storage is not Storage.LFS]
        if any(r.reachable for r in data.remotes)
        else []
    ),
    "generated": lambda data: [d.location for d in data.downloads if d.route is Route.GENERATED],
    "surely linked": lambda data: [link.location for link in data.links if link.confidence is Confidence.HIGH],
    "linked": lambda data: [link.location for link in data.links],
    "addresses": lambda data: data.surroundings.addresses,
    "lying": _lying,
    "much lying": _much_lying,
    "instructions": lambda data: [i.location for i in data.instructions],
    "told to get": lambda data: [i.location for i in data.instructions] if data.links else [],
    "drawn": lambda data: data.surroundings.drawn,
    "named": _mentions,
    "named and wanting": lambda data: _mentions(data) if _wanting(data) else [],
    "wanting": _wanting,
    "missing": lambda data: [r.location for r in data.reads if r.missing],
    "reads": lambda data: [r.location for r in data.reads],
    "downloads": lambda data: [d.location for d in data.downloads],
    "trains": lambda data: _flag(data.trains is not None),
    "unread": lambda data: _flag(data.surroundings.unread),
    "trains elsewhere": lambda data: _flag(data.surroundings.trains_elsewhere),
    "package": lambda data: _flag(data.surroundings.package),
}
"""What each word of the table means; the places are what an answer rests on."""


def _ways(data: DataFacts, answer: Availability, because: tuple[Location, ...]) -> tuple[Way, ...]:
    """Every way that anything points to, whether or not it weighs enough to be the answer, which comes first."""
    here = [f.location for f in data.files if f.used and not is_metadata(f) and f.storage is not Storage.DVC]
    pointed = {
        Availability.IN_REPOSITORY: here,
        Availability.DOWNLOADED: _EVIDENCE["fetched"](data),
        Availability.GENERATED: _EVIDENCE["generated"](data) or data.surroundings.drawn,
        Availability.LINKED: _EVIDENCE["linked"](data),
        Availability.BY_HAND: _EVIDENCE["instructions"](data),
        Availability.NAMED: [m.location for m in data.mentions],
    }
    if because:
        pointed[answer] = list(because)
    found = [Way(way, tuple(dict.fromkeys(places))[:_SHOWN]) for way, places in pointed.items() if places]
    return tuple(sorted(found, key=lambda way: way.availability is not answer))
