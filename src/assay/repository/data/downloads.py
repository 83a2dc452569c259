"""Calls that bring data: from a library that knows them, or from an address."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.code import Code, Source
from assay.code.names import spelt
from assay.code.scanning import Function
from assay.findings import Confidence
from assay.patterns import regex
from assay.program.paths import Paths, around
from assay.records import dataclass
from assay.repository.data.facts import Download, Route
from assay.repository.data.fetchers import TOPS, Asks, Fetcher, fetcher_of
from assay.repository.data.links import Topic, topic_of
from assay.repository.vocabulary import vocabulary

_WORDS = vocabulary("assay.repository.data", "calls.toml")
_LOCAL_BUILDERS = _WORDS.words("local_builders")
_TOOLS = _WORDS.words("nltk_tools")
_URL = regex(r"(?:https?|ftp|s3|gs)://")
_DRIVE = "https://drive.google.com/"
_ARGUMENTS = 6
_WITH_DOWNLOAD = _WORDS.words("with_download")
_TO_A_FILE = _WORDS.words("to_a_file")
_MADE_BY_CLASS = ("torch_geometric.", "dgl.", "ogb.", "tdc.")
"""Libraries that fetch a data set when its class is made."""
_OF_KAGGLE = frozenset({"dataset_download_files", "competition_download_files"})
_NO_FETCHING = ("pandas.", "polars.", "wandb.", "scanpy.")
"""They also read from addresses, which does not make every address in the code one that is fetched."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """A call that may bring data, with the row of the table that it fits."""

    call: ast.Call
    name: str
    own: str
    """The last part of the name, which is often that of the data set."""
    fetcher: Fetcher
    source: Source
    function: Function | None
    texts: Paths

    @property
    def fetches_addresses(self) -> bool:
        """Whether it gets whatever address it is given."""
        return self.fetcher.asks is Asks.URL and not self.name.startswith(_NO_FETCHING)

    def downloads(self) -> Iterator[Download]:
        """What it brings, if that is data."""
        if self.fetcher.asks is Asks.NAME:
            yield self._made(self.own)
        elif self.fetcher.asks is Asks.DOWNLOAD:
            yield from self._on_demand()
        elif self.fetcher.asks is Asks.ARGUMENT:
            yield from self._by_argument()
        else:
            yield from self._by_url()

    def _made(self, name: str, confidence: Confidence = Confidence.HIGH, *, automatic: bool = True) -> Download:
        return Download(self.name, self.fetcher.route, name, self.source.location(self.call), confidence, automatic)

    def _texts(self, node: ast.expr | None) -> list[str]:
        return self.texts.values(node, self.source, self.function)

    def _on_demand(self) -> Iterator[Download]:
        asked = asks_download(self.call)
        if self.own[:1].isupper():
            sure = Confidence.HIGH if asked is not None else Confidence.MEDIUM
            yield self._made(self.own, sure, automatic=asked is not False)
        elif asked:
            yield self._made("", Confidence.MEDIUM)

    def _by_argument(self) -> Iterator[Download]:
        call, name, own = self.call, self.name, self.name.rpartition(".")[2]
        if name.startswith(_MADE_BY_CLASS):
            brings = "Dataset" in own if name.startswith("ogb.") else "data" not in own.lower()[:4]
            yield from [self._made(own)] if own[:1].isupper() and brings else []
            return
        given = next(iter(call.args), None) or _keyword(call, "path", "name")
        said = self._texts(given)
        if name.startswith("nltk.") and (not said or set(said) <= _TOOLS):
            return
        files = _keyword(call, "data_files", "data_dir")
        local = bool(said) and all(s in _LOCAL_BUILDERS or s.startswith((".", "/")) or s.endswith(".py") for s in said)
        urls = [t for t in self._texts(files) if "://" in t]
        if urls:
            yield self._made(urls[0])
        elif not local:
            yield self._made(said[0] if said else "", Confidence.HIGH if said else Confidence.MEDIUM)

    def _by_url(self) -> Iterator[Download]:
        call = self.call
        given = [*call.args[:_ARGUMENTS], *(k.value for k in call.keywords[:_ARGUMENTS])]
        said = [text for node in given for text in self._texts(node)]
        if self.name.startswith("huggingface_hub."):
            kind = _keyword(call, "repo_type")
            if isinstance(kind, ast.Constant) and kind.value == "dataset":
                yield self._made(said[0] if said else "")
            return
        words = f"{spelt(call)[:120]} {self.source.path} {' '.join(said)}"
        kept = self.own in _TO_A_FILE
        topics = ((t, topic_of(t, "", words, "", fetched=kept)) for t in said if _URL.match(t))
        address = next((t for t, topic in topics if topic is Topic.DATA), None)
        if address is not None:
            yield self._made(address, Confidence.HIGH if "*" not in address else Confidence.MEDIUM)
        elif self.name.startswith(("gdown.", "google_drive")) and topic_of(_DRIVE, "", words, "") is Topic.DATA:
            yield self._made(said[0] if said else "", Confidence.MEDIUM)


def read_fetch(call: ast.Call, source: Source, texts: Paths) -> Fetch | Download | None:
    """The call as a fetch; or as a download at once, where `download=True` is the only sign of one."""
    name = source.resolve(call.func)
    if name.endswith(".urlretrieve"):  # the module may go by another name, for Python 2 and 3
        name = "urllib.request.urlretrieve"
    elif name.rpartition(".")[2] in _OF_KAGGLE:  # methods of a client that was made somewhere
        name = f"kaggle.api.{name.rpartition('.')[2]}"
    row = fetcher_of(name)
    if row is not None:
        fetcher, rest = row
        function = around(call, source)
        own = (rest or name.rpartition(".")[2]).partition(".")[0].partition("(")[0]
        return Fetch(call, name, own, fetcher, source, function, texts)
    if asks_download(call) and any(t.partition(".")[0] in _WITH_DOWNLOAD for t in source.aliases.values()):
        return Download(name, Route.LIBRARY, "", source.location(call), Confidence.MEDIUM)
    return None


def _keyword(call: ast.Call, *names: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg in names), None)


def asks_download(call: ast.Call) -> bool | None:
    """What `download=` says: None when it is not a constant, False when it is not there."""
    given = _keyword(call, "download")
    if given is None:
        return False
    return bool(given.value) if isinstance(given, ast.Constant) else None


def local_tops(source: Source, code: Code) -> set[str]:
    """Names of libraries that lead to the repository's own modules instead, as a folder `datasets` does."""
    own = code.local_modules
    suspects = [i for i in source.imports if i.top in TOPS and i.top in own]
    return {i.top for i in suspects if code.find(i, source) is not None}
