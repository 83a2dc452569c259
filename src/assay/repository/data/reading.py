"""From a tree and its code to the facts about data."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from assay.code import Code, Language
from assay.findings import Confidence
from assay.repository.data.documents import Page, read_pages
from assay.repository.data.expressions import Texts
from assay.repository.data.facts import DataFacts, Download, Route
from assay.repository.data.foreign import foreign_in, foreign_in_files
from assay.repository.data.gathering import Gathered, gather
from assay.repository.data.holdings import read_holdings
from assay.repository.data.links import Topic, data_links, links_in, topic_of
from assay.repository.data.matching import Finder, Makers, judged_reads, used_files
from assay.repository.data.pointers import read_pointers, read_remotes
from assay.repository.data.prose import instructions, mentions, notes, preparing_scripts
from assay.repository.data.scripts import gather_script
from assay.repository.data.settings import read_settings
from assay.repository.data.shell import shell_downloads
from assay.repository.data.verdict import Traces, judge
from assay.tree import Tree

_MOST = 1000


def read_data(tree: Tree, code: Code) -> DataFacts:
    """All that code and pages tell about data, and the one answer that follows."""
    found = _from_code(tree, code)
    pages = read_pages(tree, code)
    found.downloads += shell_downloads(tree, code)
    addresses = [(url, place) for url, place in found.urls if topic_of(url, "", place.path, "") is Topic.DATA]
    if found.fetching:
        found.downloads += (Download("address", Route.URL, url, place, Confidence.MEDIUM) for url, place in addresses)
    pointers, remotes = read_pointers(tree), read_remotes(tree)
    links = tuple(islice(data_links(links_in(pages)), _MOST))
    told = _told(pages, tree)
    fetches = any(d.automatic for d in found.downloads)
    reads = judged_reads(found.reads[:_MOST], Makers(found.writes, Finder(tree), told, fetches))
    files = used_files(read_holdings(tree, pointers), reads, code, tree)
    traces = Traces(
        files=files,
        reads=reads,
        downloads=found.downloads,
        links=links,
        addresses=[place for _, place in addresses],
        instructions=tuple(islice(instructions(pages), _MOST)),
        mentions=mentions(pages),
        names=list(found.names.values()),
        pointers=pointers,
        remotes=remotes,
        trains=bool(found.trains),
        unread=any(s.tree is None for s in code.python),
    )
    answer = judge(traces)
    return DataFacts(
        availability=answer.availability,
        confidence=answer.confidence,
        because=answer.because,
        files=tuple(files[:_MOST]),
        reads=tuple(reads),
        downloads=tuple(found.downloads[:_MOST]),
        links=links,
        mentions=tuple(traces.mentions),
        instructions=tuple(traces.instructions),
        foreign_paths=tuple(islice((*found.foreign, *foreign_in_files(tree)), _MOST)),
        pointers=tuple(pointers[:_MOST]),
        remotes=tuple(remotes),
        splits=tuple(found.splits[:_MOST]),
        preparations=tuple(islice((*preparing_scripts(tree), *found.preparations, *notes(pages)), _MOST)),
        trains=next(iter(found.trains), None),
        left_out=_left_out(found),
    )


def _from_code(tree: Tree, code: Code) -> Gathered:
    found = Gathered()
    python = [s for s in code.python if not s.unread]
    texts = Texts(code, read_settings(tree, python))
    for source in python:
        gather(source, code, texts, found)
        found.foreign += islice(foreign_in(source), _MOST - len(found.foreign))
    for source in code.own:
        if source.language is not Language.PYTHON and not source.unread:
            gather_script(source, found)
            found.foreign += islice(foreign_in(source), _MOST - len(found.foreign))
    return found


def _told(pages: Iterable[Page], tree: Tree) -> str:
    """All prose and shell scripts as one text, to look for names of files in."""
    said = [line.text for page in pages for line in page.lines]
    scripts = [f.text()[:100_000] for f in tree.by_suffix(".sh", ".mk")[:100] if not f.vendored]
    return "\n".join([*said, *scripts])[:5_000_000]


def _left_out(found: Gathered) -> tuple[str, ...]:
    kinds = (("reads", found.reads), ("downloads", found.downloads), ("splits", found.splits))
    return tuple(
        f"only {_MOST:,} of {len(items):,} {name} of data were kept" for name, items in kinds if len(items) > _MOST
    )
