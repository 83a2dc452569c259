"""One pass over a Python file: what is read, written, fetched, held out, prepared and trained."""

from __future__ import annotations

import ast
import re
from dataclasses import field
from itertools import islice

from assay.code import Code, Import, Source
from assay.code.names import first_name, last_name, spelt
from assay.findings import Confidence, Location
from assay.patterns import regex
from assay.program.paths import Path, Paths, around
from assay.records import dataclass
from assay.repository.data.access import BY_LAST, accesses_of, opens_to_write, path_argument
from assay.repository.data.downloads import asks_download, local_tops, read_fetch
from assay.repository.data.facts import Download, ForeignPath, Preparation, Route, Split
from assay.repository.data.fetchers import RECORDED, SIMULATORS, TOPS
from assay.repository.data.known import named_by
from assay.repository.data.practice import preparations_at, splits_at, trains_at
from assay.repository.data.samples import drawn_at
from assay.repository.data.shell import fetches
from assay.repository.vocabulary import vocabulary

_URL = regex(r"(?:https?|ftp|s3|gs)://[^\s\"'<>]{4,500}")
_MOST = 400
_LONGEST_NAME = 40
_ANYWHERE = frozenset({"untar_data", "urlretrieve", "dataset_download_files", "competition_download_files"})
"""Functions that bring data under whatever name their module goes."""
_RUNS = vocabulary("assay.repository.data", "calls.toml").words("runs")
_LOOKED_AT = _RUNS | _ANYWHERE | frozenset(BY_LAST)
_TEST_FILE = regex(r"(?:^|/)(?:tests?|testing|unit_?tests?)/|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.\w+$")
_HOUSEKEEPING = frozenset({"setup.py", "conf.py", "versioneer.py"})
"""They read texts of the project, never data."""
_OF_A_MODEL = regex(r"(?<![a-z])(?:models?|weights?|ckpt|checkpoint|pretrained)(?:_?(?:file|path|name))", re.IGNORECASE)
_GRAPHS = "torch_geometric.datasets"
"""Whatever class is taken from there fetches its data when it is made, however it is called."""
_TEST_WORDS = ("def test", "unittest", "pytest", "test_that", "@test")


@dataclass(frozen=True, slots=True)
class Use:
    """A file that is read or written: the patterns of its path, and how."""

    call: str
    paths: tuple[str, ...]
    location: Location
    source: str
    weights: bool = False
    known: tuple[Path, ...] = ()
    """The paths with the places where they are written, in Python."""


@dataclass(slots=True)
class Gathered:
    """What the code of a repository does with data, file after file."""

    reads: list[Use] = field(default_factory=list)
    writes: list[Use] = field(default_factory=list)
    downloads: list[Download] = field(default_factory=list)
    splits: list[Split] = field(default_factory=list)
    preparations: list[Preparation] = field(default_factory=list)
    trains: list[Location] = field(default_factory=list)
    urls: list[tuple[str, Location]] = field(default_factory=list)
    """Addresses of data in the code, that no call was seen to fetch."""
    fetching: bool = False
    """Whether the code fetches any addresses, even unknown ones."""
    foreign: list[ForeignPath] = field(default_factory=list)
    names: dict[str, Location] = field(default_factory=dict)
    """Known data sets by the short texts that name them."""
    drawn: list[Location] = field(default_factory=list)
    """Where samples are drawn at random."""


def is_test_file(source: Source) -> bool:
    """Whether it tests the code; a script that evaluates a model may be called test too."""
    return bool(_TEST_FILE.search(source.path)) and any(source.mentions(word) for word in _TEST_WORDS)


def gather(source: Source, code: Code, paths: Paths, into: Gathered) -> None:
    """Go through one file."""
    into.splits += splits_at(source)
    into.preparations += islice(preparations_at(source), _MOST)
    if is_test_file(source):
        return
    into.trains += islice(trains_at(source), _MOST)
    into.drawn += drawn_at(source)
    local = local_tops(source, code)
    tops = {name for name, target in source.aliases.items() if target.partition(".")[0] in TOPS - local}
    fetched: set[str] = set()
    for call in source.calls.of(_LOOKED_AT, tops, {"download"}):
        last = last_name(call.func)
        if last in BY_LAST:
            _access(call, last, source, paths, into)
        elif last in _RUNS:
            _command(call, source, paths, into)
        if first_name(call.func) in tops or last in _ANYWHERE or asks_download(call):
            fetched.update(_fetched(call, source, paths, into))
    _addresses(source, fetched, into)
    _names(source, into)
    for imported in source.imports:
        if imported.top not in local and not imported.level:
            into.downloads += _brought_by(imported, {d.name for d in into.downloads})


def _brought_by(imported: Import, made: set[str]) -> list[Download]:
    """The data that come with a library, told by its import alone."""
    module, top, place = imported.module, imported.top, imported.location
    if top in SIMULATORS:
        return [Download(module, Route.GENERATED, top, place, Confidence.LOW)]
    if top in RECORDED:
        return [Download(module, Route.LIBRARY, top, place, Confidence.MEDIUM)]
    sets = imported.names if module == _GRAPHS else ()
    new = (name for name in sets if name[:1].isupper() and name not in made)
    return [Download(_GRAPHS, Route.LIBRARY, name, place, Confidence.MEDIUM) for name in new]


def _fetched(call: ast.Call, source: Source, paths: Paths, into: Gathered) -> list[str]:
    """Note what a call brings; the addresses or names of it."""
    fetch = read_fetch(call, source, paths)
    if fetch is None:
        return []
    if isinstance(fetch, Download):
        into.downloads.append(fetch)
        return []
    into.fetching |= fetch.fetches_addresses
    found = list(fetch.downloads())
    into.downloads += found
    return [d.name for d in found]


def _access(call: ast.Call, last: str, source: Source, paths: Paths, into: Gathered) -> None:
    function = around(call, source)
    name = source.resolve(call.func, function)
    if source.path.rpartition("/")[2] in _HOUSEKEEPING:
        return
    for row in accesses_of(name, last):
        given = path_argument(call, row, last)
        if given is None or len(into.reads) + len(into.writes) > 20 * _MOST:
            continue
        writes = row.writes or (last in {"open", "File", "GFile", "Open", "ZipFile"} and opens_to_write(call, last))
        known = tuple(paths.read(given, source, function))
        weights = row.weights or _OF_A_MODEL.search(spelt(given)[:200]) is not None
        use = Use(name, tuple(p.pattern for p in known), source.location(call), source.path, weights, known)
        (into.writes if writes else into.reads).append(use)


def _command(call: ast.Call, source: Source, paths: Paths, into: Gathered) -> None:
    """What a command that Python gives to the shell brings, as `os.system("wget …")`."""
    if not call.args or not source.resolve(call.func).startswith(("os.", "subprocess.", "commands.")):
        return
    function, given = around(call, source), call.args[0]
    words = given.elts if isinstance(given, ast.List | ast.Tuple) else [given]
    said = " ".join(next(iter(paths.values(word, source, function)), "*") for word in words[:_LONGEST_NAME])
    into.downloads += fetches(said, source.location(call), source.path)


def _addresses(source: Source, fetched: set[str], into: Gathered) -> None:
    """Addresses among the file's texts; a text of several lines is prose."""
    texts = ((node, str(node.value)) for node in source.strings)
    linked = ((node, text) for node, text in texts if "://" in text and "\n" not in text)
    found = ((match[0], node) for node, text in linked for match in _URL.finditer(text[:1000]))
    new = ((url, source.location(node)) for url, node in found if url not in fetched)
    into.urls += islice(new, max(0, _MOST - len(into.urls)))


def _names(source: Source, into: Gathered) -> None:
    """Names of data sets among the file's short texts."""
    for node in source.strings:
        text = str(node.value)
        short = 0 < len(text) < _LONGEST_NAME and text[0].isalnum() and not text.isdigit()
        name = named_by(text) if short else None
        if name is not None and len(into.names) < _MOST:
            into.names.setdefault(name, source.location(node))
