"""Data that lie in the repository: files by their kinds and places, folders of many alike as one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from assay.findings import Location
from assay.repository.data.facts import DataFile, Pointer, Storage
from assay.repository.vocabulary import vocabulary
from assay.tree import File, Tree
from assay.tree.text import decode

_WORDS = vocabulary("assay.repository.data", "files.toml")
TABLES = _WORDS.words("tables")
_LOOSE = _WORDS.words("loose") | {""}
_ANYTHING = _WORDS.words("anything")
_MEDIA = _WORDS.words("pictures", "sounds")
_SPLITS = _WORDS.pattern("split_folders")
_DATA_FOLDER = _WORDS.pattern("data_folders")
_DATA_NAME = _WORDS.pattern("data_names")
_ELSEWHERE = _WORDS.words("elsewhere")
_TESTS = frozenset({"tests", "test"})
_STUDY = _WORDS.pattern("studies")
_KEPT_MODELS = _WORDS.words("kept_models")
_DATA_HOMES = _WORDS.words("data_homes")
_NO_DATA = _WORDS.words("no_data")
_CODE = _WORDS.words("code")
_WORTH = 10 * 1024
_SUBSTANTIAL = 4 * 1024 * 1024
_LEARNT = _WORDS.pattern("learnt")
_SHOW = _WORDS.words("show")
_METADATA = _WORDS.pattern("metadata")
_LIST, _LISTS = "list of files", _WORDS.words("lists")
_HEAD = 4096
_NAMES_A_FILE = _WORDS.pattern("names_a_file")
_TRANSCRIPT = _WORDS.pattern("transcripts")
_MANY = 8
_MANY_PICTURES = 20
_MOST = 3000


def read_holdings(tree: Tree, pointers: Iterable[Pointer]) -> list[DataFile]:
    """Files that may be data, by path."""
    pointed = {p.path: p for p in pointers}
    groups: dict[tuple[str, str], list[File]] = defaultdict(list)
    for file in tree.own:
        kind = _kind(file)
        if kind is not None and file.size > 0:
            groups[file.folder, kind].append(file)
    found = [made for (folder, kind), files in groups.items() for made in _grouped(folder, kind, files, pointed)]
    return sorted(found, key=lambda f: f.path)[:_MOST]


def other_holdings(tree: Tree, named: Iterable[str]) -> Iterator[DataFile]:
    """Files of kinds that nobody knows, if the code names them in full: `rt-polarity.neg`."""
    wanted = frozenset(named)
    for file in tree.own:
        ending = file.suffix.lstrip(".")
        if file.name not in wanted or not ending or ending in _NO_DATA or file.size < _WORTH:
            continue
        if _kind(file) is None and not _is_elsewhere(file.folder.lower().split("/")):
            yield DataFile(file.path, ending, file.size, Storage.PLAIN, Location(file.path))


def is_metadata(file: DataFile) -> bool:
    """Whether it rather describes data (names of classes, vocabularies, statistics) than being them."""
    named = bool(_METADATA.search(file.path.rpartition("/")[2])) or file.kind == _LIST
    parts = file.path.lower().split("/")
    if any(_SPLITS.search(folder) for folder in (parts if file.kind.startswith("folder") else parts[:-1])):
        return True
    return named or ("split" in file.path.lower() and file.size < 1_000_000)


def is_auxiliary(file: DataFile) -> bool:
    """Whether its format may hold anything, and nothing in its path suggests data."""
    name = file.path.rpartition("/")[2]
    if name.lower().endswith((".csv.gz", ".tsv.gz")) or (file.size >= _SUBSTANTIAL and not _LEARNT.search(name)):
        return False
    return file.kind in _ANYTHING and not in_data_folder(file.path) and not _DATA_NAME.search(name)


def in_data_folder(path: str) -> bool:
    """Whether one of the folders above is called like a place for data."""
    return any(_DATA_FOLDER.search(part) for part in path.split("/")[:-1])


def _kind(file: File) -> str | None:
    ending = file.suffix.lstrip(".")
    if ending in _CODE or file.name.startswith("."):
        return None
    folders = [part.lower() for part in file.folder.split("/")]
    if _is_elsewhere(folders):
        return None
    if ending in _MEDIA:
        return ending if _SHOW.isdisjoint(folders) or in_data_folder(file.path) else None
    stem = file.name.rpartition(".")[0] or file.name
    if ending in TABLES:
        return ending
    if ending in _LOOSE and (in_data_folder(file.path) or (_DATA_NAME.search(stem) and ending)):
        return None if _WORDS.pattern("of_the_project").match(stem) else ending or "file"
    return None


def _is_elsewhere(folders: list[str]) -> bool:
    if not _KEPT_MODELS.isdisjoint(folders) or any(f.startswith("result") for f in folders):
        return True
    others = _ELSEWHERE.intersection(folders)
    if any(_STUDY.match(folder) for folder in folders):
        others -= _TESTS
    return bool(others) and _DATA_HOMES.isdisjoint(folders)


def _grouped(folder: str, kind: str, files: list[File], pointed: dict[str, Pointer]) -> Iterator[DataFile]:
    few = kind in _MEDIA
    if few and len(files) < _MANY_PICTURES:
        return
    if len(files) > _MANY:
        size = sum(_size(f, pointed) for f in files)
        stored = pointed[files[0].path].storage if files[0].path in pointed else Storage.PLAIN
        yield DataFile(folder or ".", f"folder of {kind}", size, stored, Location(files[0].path))
        return
    for file in files:
        stored = pointed[file.path].storage if file.path in pointed else Storage.PLAIN
        told = _LIST if kind in _LISTS and _is_list(file) else kind
        yield DataFile(file.path, told, _size(file, pointed), stored, Location(file.path))


def _is_list(file: File) -> bool:
    """Whether its lines name pictures or transcribe recordings: it says which data, and is not the data."""
    lines = decode(file.head(_HEAD)).split("\n")[1:-1] or [""]
    return 5 * sum(bool(_NAMES_A_FILE.search(line) or _TRANSCRIPT.match(line)) for line in lines) >= 4 * len(lines)


def _size(file: File, pointed: dict[str, Pointer]) -> int:
    pointer = pointed.get(file.path)
    return pointer.size if pointer is not None and pointer.size else file.size
