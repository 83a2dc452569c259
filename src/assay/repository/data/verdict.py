"""The one answer: how somebody else comes by the data."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.findings import Confidence, Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.data.facts import (
    Availability,
    DataFile,
    DataLink,
    DataRead,
    Download,
    Instruction,
    LinkKind,
    Mention,
    Pointer,
    Remote,
    Route,
    Storage,
    Way,
)
from assay.repository.data.fetchers import RECORDED
from assay.repository.data.holdings import in_data_folder, is_auxiliary, is_metadata

_TINY = 8 * 1024
_SMALL = 16 * 1024
_TABLES = frozenset({"csv", "tsv", "xls", "xlsx", "data", "arff", "mat", "rds", "rda", "rdata", "parquet", "zip"})
"""Kinds that even a small file is likely to be the data themselves."""
_MODEST = 4 * 1024 * 1024
_LARGE = 8 * 1024 * 1024
_LOTS = 32 * 1024 * 1024
_SHOWN = 5
_SAMPLE = regex(r"(?:^|/)(?:sample|example|demo|toy)[^/]*/", re.IGNORECASE)
"""Folders of samples: what the code gets or makes is the data then."""
_HERE = regex(r"\b(?:from|in|with|within|inside|part of) (?:this|our) repo(?:sitory)?\b", re.IGNORECASE)
_ASIDE = frozenset({"tmp", "temp", "scratch", "sandbox", "old", "deprecated", "legacy", "playground"})
_SHOWS = frozenset(
    {
        "tutorials", "tutorial", "examples", "example", "docs", "doc", "demo", "demos", "colab", "colabs",
        "vignettes", "man", "readme",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Traces:
    """Everything that speaks for one way or another."""

    files: Sequence[DataFile]
    reads: Sequence[DataRead]
    downloads: Sequence[Download]
    links: Sequence[DataLink]
    addresses: Sequence[Location]
    """Addresses of data in the code that no call was seen to fetch."""
    instructions: Sequence[Instruction]
    mentions: Sequence[Mention]
    names: Sequence[Location]
    """Known data sets named in the code."""
    pointers: Sequence[Pointer]
    remotes: Sequence[Remote]
    drawn: Sequence[Location]
    """Where samples are drawn at random: less than a call that only generates, for noise may be called so too."""
    trains: Sequence[Location]
    """Where something is fitted or optimised."""
    unread: bool
    """Some code could not be parsed, or is in a language that is not read: it may need data."""
    trains_elsewhere: bool = False
    """There is code in languages that models are trained in and that are not read."""
    package: bool = False
    """A package of functions to install, whose users bring the data."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict, how sure it is, and what it rests on."""

    availability: Availability
    confidence: Confidence
    because: tuple[Location, ...] = ()


def ways(traces: Traces, answer: Answer) -> tuple[Way, ...]:
    """All that anything tells of, whether or not it weighs enough to be the answer, which comes first."""
    here = [f.location for f in traces.files if f.used and not is_metadata(f) and f.storage is not Storage.DVC]
    fetched = [d.location for d in traces.downloads if _fetches(d)]
    made = [d.location for d in traces.downloads if d.route is Route.GENERATED]
    told = {
        Availability.IN_REPOSITORY: here,
        Availability.DOWNLOADED: fetched,
        Availability.GENERATED: made or list(traces.drawn),
        Availability.LINKED: [link.location for link in traces.links],
        Availability.BY_HAND: [i.location for i in traces.instructions],
        Availability.NAMED: [m.location for m in traces.mentions],
    }
    if answer.because:
        told[answer.availability] = list(answer.because)
    found = [Way(way, tuple(dict.fromkeys(places))[:_SHOWN]) for way, places in told.items() if places]
    return tuple(sorted(found, key=lambda way: way.availability is not answer.availability))


def judge(traces: Traces) -> Answer:
    """The easiest way that there is evidence for."""
    simulated = _is_simulated(traces.downloads)
    fetched = _fetched(traces, simulated=simulated)
    here = [f for f in traces.files if f.used and f.storage in {Storage.PLAIN, Storage.LFS}]
    if traces.links:
        here = [f for f in here if f.used and not _is_aside(f.used)]
    kept = [f for f in here if not is_metadata(f) and not is_auxiliary(f)]
    if _is_sure(fetched) or (simulated and sum(f.size for f in kept if in_data_folder(f.path)) < _MODEST):
        kept = _surely_read(kept)
    kept = _without_samples(kept) if fetched or simulated or traces.instructions else _without_scraps(kept)
    if fetched:
        enough = _enough_beside(fetched)
    else:
        enough = _told_to_get(traces)
        if (traces.links or traces.instructions) and not any(f.kind in _TABLES for f in kept):
            enough = max(enough, _SMALL)
    if sum(f.size for f in kept) < enough:
        kept = []
    for_show = all(_is_shown(d.location) and (d.route is Route.URL or traces.package) for d in fetched)
    if not kept and fetched and not traces.trains and not traces.links and for_show:
        return _answer(Availability.NOT_NEEDED, Confidence.LOW, [d.location for d in fetched])
    if kept:
        best = min((f.confidence for f in kept), key=lambda c: c.rank)
        return _answer(Availability.IN_REPOSITORY, best, [f.location for f in kept])
    if fetched:
        best = min((d.confidence for d in fetched), key=lambda c: c.rank)
        return _answer(Availability.DOWNLOADED, best, [d.location for d in fetched])
    pulled = [p.location for p in traces.pointers if p.storage is not Storage.LFS]
    if pulled and any(r.reachable for r in traces.remotes):
        return _answer(Availability.DOWNLOADED, Confidence.MEDIUM, pulled)
    made = [d.location for d in traces.downloads if d.route is Route.GENERATED]
    sure = [link.location for link in traces.links if link.confidence is Confidence.HIGH]
    if made and not sure:
        return _answer(Availability.GENERATED, Confidence.MEDIUM, made)
    return _without_code(traces, made)


def _is_simulated(downloads: Sequence[Download]) -> bool:
    """Whether data are made while it runs, by a call that does nothing else, and not learnt from records of play."""
    made = any(d.route is Route.GENERATED and d.confidence is Confidence.HIGH for d in downloads)
    return made and not any(d.call.partition(".")[0] in RECORDED for d in downloads)


def _lying(files: Sequence[DataFile]) -> list[DataFile]:
    """Data by their folders, whether or not code is seen to read them; a few kilobytes of samples are none."""
    found = [f for f in files if in_data_folder(f.path) and not is_metadata(f) and f.storage is Storage.PLAIN]
    return _without_scraps(found)


def _without_samples(files: Sequence[DataFile]) -> list[DataFile]:
    """The files that are not samples by their folders."""
    return [f for f in files if not _SAMPLE.search(f.path)]


def _without_scraps(files: Sequence[DataFile]) -> list[DataFile]:
    """The files, without samples of a few kilobytes in all that only show a format; a table is data however small."""
    tiny = sum(f.size for f in files) < _TINY
    return [f for f in files if f.kind in _TABLES or not tiny or not _SAMPLE.search(f.path)]


def _surely_read(files: Sequence[DataFile]) -> list[DataFile]:
    """The files that a call reads, and those of their kind beside them: it reads them under another name.

    So much under `data` that code only names is no sample, and counts as well.
    """
    if sum(f.size for f in files if in_data_folder(f.path)) >= _LOTS:
        return [*files]
    places = {(f.path.rpartition("/")[0], f.kind) for f in files if f.confidence is Confidence.HIGH}
    return [f for f in files if (f.path.rpartition("/")[0], f.kind) in places]


def _enough_beside(fetched: Sequence[Download]) -> int:
    """How much must lie here to be the data, though code brings some: what a library knows is often for comparison."""
    routes = {d.route for d in fetched}
    if routes == {Route.BUNDLED}:
        return _SMALL
    return _MODEST // 4 if routes <= {Route.BUNDLED, Route.LIBRARY} or not _is_sure(fetched) else _MODEST


def _is_sure(fetched: Sequence[Download]) -> bool:
    """Whether a call is seen to get data; a list of addresses that something may get is less."""
    return any(d.confidence is Confidence.HIGH for d in fetched)


def _fetched(traces: Traces, *, simulated: bool) -> list[Download]:
    """What code brings, unless that is put aside, or shown while pages or simulators tell of other data."""
    found = [d for d in traces.downloads if _fetches(d) and not (traces.package and _is_inside(d.location.path))]
    aside = bool(traces.links) and all(_is_aside(d.location) for d in found)
    shown = (simulated or _told_to_get(traces) > 0) and _only_shown(found, traces.trains)
    shown |= traces.package and bool(traces.files) and all(_is_shown(d.location) for d in found)
    return [] if aside or shown else found


def _without_code(traces: Traces, made: list[Location]) -> Answer:
    """No data in sight that code would get: what the pages say."""
    lying = _lying(traces.files)
    if not (traces.trains or traces.reads or traces.downloads or traces.unread or lying):
        return _answer(Availability.NOT_NEEDED, Confidence.MEDIUM, [])
    if sum(f.size for f in lying) >= _MODEST // 4 and not _told_to_get(traces):
        return _answer(Availability.IN_REPOSITORY, Confidence.LOW, [f.location for f in lying])
    if traces.links:
        best = min((link.confidence for link in traces.links), key=lambda c: c.rank)
        return _answer(Availability.LINKED, best, [link.location for link in traces.links])
    if made:
        return _answer(Availability.GENERATED, Confidence.MEDIUM, made)
    if traces.addresses:
        return _answer(Availability.LINKED, Confidence.LOW, traces.addresses)
    if lying:
        return _answer(Availability.IN_REPOSITORY, Confidence.LOW, [f.location for f in lying])
    if traces.instructions:
        return _answer(Availability.BY_HAND, Confidence.MEDIUM, [i.location for i in traces.instructions])
    return _without_a_way(traces)


def _without_a_way(traces: Traces) -> Answer:
    """Nobody tells how to come by data: they are drawn, only named, not needed, or nowhere."""
    known = [d.location for d in traces.downloads]
    named = [*(m.location for m in traces.mentions), *known, *traces.names]
    wanting = [r.location for r in traces.reads if not r.found]
    if traces.drawn and not known and not (named and wanting):
        return _answer(Availability.GENERATED, Confidence.LOW, traces.drawn)
    if not (traces.trains or traces.unread or traces.trains_elsewhere):  # a model, applied to what its users have
        return _answer(Availability.NOT_NEEDED, Confidence.LOW, [])
    if named:
        return _answer(Availability.NAMED, Confidence.MEDIUM, named)
    if traces.package and not any(r.missing for r in traces.reads):
        return _answer(Availability.NOT_NEEDED, Confidence.LOW, [])
    if not wanting and not traces.unread:
        return _answer(Availability.GENERATED, Confidence.LOW, [])  # it learns, and what it reads is all here
    return _answer(Availability.ABSENT, Confidence.MEDIUM, wanting)


def _told_to_get(traces: Traces) -> int:
    """How much data must lie here to be the data, though a page tells to get some from a link: it may be a part."""
    if any(_HERE.search(i.text) for i in traces.instructions):
        return 0
    told = {(i.location.path, i.location.line) for i in traces.instructions}
    kinds = {
        link.kind
        for link in traces.links
        for back in range(-4, 5)
        if link.command or (link.location.path, (link.location.line or 0) - back) in told
    }
    if kinds & {LinkKind.DRIVE, LinkKind.HUB, LinkKind.ARCHIVE}:
        return _LARGE
    return _MODEST // 2 if kinds else 0


def _is_inside(path: str) -> bool:
    """Whether it is what an R package is made of or from, not what its users run."""
    return path.startswith("R/") or "data-raw/" in path


def _is_aside(place: Location) -> bool:
    """Whether it stands in what the authors have put aside."""
    return not _ASIDE.isdisjoint(place.path.lower().split("/")[:-1])


def _is_shown(place: Location) -> bool:
    """Whether it stands in a tutorial or an example."""
    *folders, name = place.path.lower().split("/")
    return not _SHOWS.isdisjoint(folders) or name.partition(".")[0] in _SHOWS


def _only_shown(fetched: Sequence[Download], trains: Sequence[Location]) -> bool:
    """Whether examples alone get data, while most of the training stands elsewhere."""
    return all(_is_shown(d.location) for d in fetched) and 2 * sum(map(_is_shown, trains)) < len(trains)


def _fetches(download: Download) -> bool:
    return download.automatic and download.route is not Route.GENERATED and download.confidence is not Confidence.LOW


def _answer(availability: Availability, confidence: Confidence, places: Sequence[Location]) -> Answer:
    return Answer(availability, confidence, tuple(dict.fromkeys(places))[:_SHOWN])
