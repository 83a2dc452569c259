"""One pass over a Python file: what is read, written, fetched, held out, prepared and trained."""

from __future__ import annotations

import ast
import re
from dataclasses import field
from itertools import islice

from assay.code import Code, Source
from assay.code.names import first_name, last_name, spelt
from assay.findings import Confidence, Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.data.access import BY_LAST, access_of, opens_to_write, path_argument
from assay.repository.data.downloading import asks_download, local_tops, read_fetch
from assay.repository.data.drawing import drawn_at
from assay.repository.data.expressions import Texts, around
from assay.repository.data.facts import Download, ForeignPath, Preparation, Route, Split
from assay.repository.data.fetchers import RECORDED, SIMULATORS, TOPS
from assay.repository.data.known import named_by
from assay.repository.data.practice import preparations_at, splits_at, trains_at
from assay.repository.data.salvage import salvage
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
    """Whether something fetches addresses at all, even if it cannot be told which."""
    foreign: list[ForeignPath] = field(default_factory=list)
    names: dict[str, Location] = field(default_factory=dict)
    """Known data sets by the short texts that name them."""
    drawn: list[Location] = field(default_factory=list)
    """Where samples are drawn at random."""


def is_test_file(source: Source) -> bool:
    """Whether it tests the code; a script that evaluates a model may be called test too."""
    return bool(_TEST_FILE.search(source.path)) and any(source.mentions(word) for word in _TEST_WORDS)


def gather(source: Source, code: Code, texts: Texts, into: Gathered) -> None:
    """Go through one file."""
    is_test = is_test_file(source)
    into.splits += splits_at(source)
    into.preparations += islice(preparations_at(source), _MOST)
    if is_test:
        return
    if source.tree is None:
        _salvaged(source, into)
        return
    into.trains += islice(trains_at(source), _MOST)
    into.drawn += drawn_at(source)
    local = local_tops(source, code)
    libraries = TOPS - local
    tops = {name for name, target in source.aliases.items() if target.partition(".")[0] in libraries}
    fetched: set[str] = set()
    for call in source.calls.of(_LOOKED_AT, tops, {"download"}):
        last = last_name(call.func)
        if last in BY_LAST:
            _access(call, last, source, texts, into)
        elif last in _RUNS:
            _command(call, source, texts, into)
        if first_name(call.func) in tops or last in _ANYWHERE or asks_download(call):
            fetched.update(_fetched(call, source, texts, into))
    _constants(source, fetched, into)
    for imported in source.imports:
        if imported.top in local or imported.level:
            continue
        place = imported.location
        if imported.top in SIMULATORS:
            into.downloads.append(Download(imported.module, Route.GENERATED, imported.top, place, Confidence.LOW))
        elif imported.top in RECORDED:
            into.downloads.append(Download(imported.module, Route.LIBRARY, imported.top, place, Confidence.MEDIUM))
        elif imported.module == _GRAPHS:
            made = {d.name for d in into.downloads}
            sets = (name for name in imported.names if name[:1].isupper() and name not in made)
            into.downloads += (Download(_GRAPHS, Route.LIBRARY, name, place, Confidence.MEDIUM) for name in sets)


def _fetched(call: ast.Call, source: Source, texts: Texts, into: Gathered) -> list[str]:
    """Note what a call brings; the addresses or names of it."""
    fetch = read_fetch(call, source, texts)
    if fetch is None:
        return []
    if isinstance(fetch, Download):
        into.downloads.append(fetch)
        return []
    into.fetching |= fetch.fetches_addresses
    found = list(fetch.downloads())
    into.downloads += found
    return [d.name for d in found]


def _salvaged(source: Source, into: Gathered) -> None:
    """What a file that does not parse still tells by its lines."""
    for trace in salvage(source):
        if trace.kind == "download":
            into.downloads.append(Download(trace.text, Route.LIBRARY, "", trace.location, Confidence.MEDIUM))
        elif trace.kind == "read":
            into.reads.append(Use(trace.text, (), trace.location, source.path))
        elif trace.kind == "train":
            into.trains.append(trace.location)


def _access(call: ast.Call, last: str, source: Source, texts: Texts, into: Gathered) -> None:
    function = around(call, source)
    name = source.resolve(call.func, function)
    row = access_of(name, last)
    given = path_argument(call, row, last) if row else None
    if row is None or given is None or len(into.reads) + len(into.writes) > 20 * _MOST:
        return
    if source.path.rpartition("/")[2] in _HOUSEKEEPING:
        return
    writes = row.writes or (last in {"open", "File", "GFile", "Open", "ZipFile"} and opens_to_write(call, last))
    paths = texts.of(given, source, function)
    weights = row.weights or _OF_A_MODEL.search(spelt(given)[:200]) is not None
    use = Use(name, tuple(paths), source.location(call), source.path, weights)
    (into.writes if writes else into.reads).append(use)


def _command(call: ast.Call, source: Source, texts: Texts, into: Gathered) -> None:
    """What a command that Python gives to the shell brings, as `os.system("wget …")`."""
    if not call.args or not source.resolve(call.func).startswith(("os.", "subprocess.", "commands.")):
        return
    function, given = around(call, source), call.args[0]
    words = given.elts if isinstance(given, ast.List | ast.Tuple) else [given]
    said = " ".join(next(iter(texts.of(word, source, function)), "*") for word in words[:_LONGEST_NAME])
    into.downloads += fetches(said, source.location(call), source.path)


def _constants(source: Source, fetched: set[str], into: Gathered) -> None:
    """Addresses and names of data among the file's texts."""
    for node in source.strings:
        value = str(node.value)
        if len(value) < _LONGEST_NAME and len(into.names) < _MOST:
            name = named_by(value) if value and value[0].isalnum() and not value.isdigit() else None
            if name is not None:
                into.names.setdefault(name, source.location(node))
        if "://" in value and "\n" not in value and len(into.urls) < _MOST:  # a text of several lines is prose
            for match in _URL.finditer(value[:1000]):
                if match[0] not in fetched:
                    into.urls.append((match[0], source.location(node)))
