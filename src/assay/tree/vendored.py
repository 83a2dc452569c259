"""Recognise folders of third-party code by their names and content."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set
from itertools import islice

from assay.patterns import regex
from assay.records import dataclass
from assay.tree.listing import Entry

_NAMES = frozenset(
    {
        "third_party", "third-party", "thirdparty", "3rdparty", "3rd_party", "3rd-party",
        "vendor", "vendors", "vendored", "_vendor",
        "external", "externals", "extern", "submodules", "revdep",
    }
)  # fmt: skip
_NOT_BELOW = frozenset(
    {
        "data", "dataset", "datasets", "experiments", "scripts", "notebooks", "results", "outputs", "configs", "config",
        "analysis", "analyses", "validation", "evaluation", "preprocessing", "figures",
    }
)  # fmt: skip
"""`data/external` holds third-party data by custom, and `scripts/external` the scripts that prepare them."""
_LICENCE = regex(r"(un)?licen[cs]e|copying", re.IGNORECASE)
_PROJECT = frozenset({"setup.py", "setup.cfg", "pyproject.toml", "readme", "readme.md", "readme.rst", "readme.txt"})
_AUTHORS = frozenset(
    {"setup.py", "setup.cfg", "pyproject.toml", "citation.cff", "authors", "authors.md", "description"}
)
"""Files at the root that name the authors."""
_CODE = (".py", ".ipynb", ".r", ".R", ".Rmd", ".jl")
_HOLDER = regex(
    r"copyright[ \t]{0,5}(?:\([cC]\)|\xc2?\xa9)?[ \t.,:]{0,5}(?:[0-9]{4}[-, \t0-9]{0,40})?([^\n]{1,100})", re.IGNORECASE
)
_WORD = regex(r"[^\W\d_]{2,}")
_NOT_A_HOLDER = frozenset(
    {"notice", "owner", "holder", "holders", "license", "licence", "and", "law", "statement", "yyyy", "patent", "name"}
)
_MANY, _FEW = 10, 2
"""Where a project of others has so many files of code, and there are so few beside it under a licence of the root, the
work is in there."""
_PARTS = frozenset(
    {
        "models", "model", "utils", "util", "lib", "libs", "src", "source", "modules", "module", "nets", "net",
        "networks", "network", "core", "common", "code", "tools", "train", "training", "eval", "layers", "losses",
        "loss", "ops", "backbone", "backbones", "tests", "test", "docs", "helpers", "engine", "api", "app", "examples",
        "projects",
    }
) | _NOT_BELOW  # fmt: skip
"""Names that authors give to parts of their own work, even if others wrote the first version."""
_FIRM = regex(
    r"\b(?:inc|corp(?:oration)?|llc|ltd|gmbh|team|authors|affiliates|labs?|research|facebook|meta|google|deepmind|openai"
    r"|microsoft|nvidia|amazon|apple|intel|ibm|baidu|tencent|alibaba|bytedance|huawei|salesforce|openmmlab|megvii)\b"
)
"""Copyright holders that are companies: the owner of a repository is unknown, and a person may be its author."""
_LIBRARY_FILES, _DEEP = 5, 2
"""A copied library has at least this many files, and lies at most this deep."""
_TRIFLE = 200
"""Files up to this many bytes are ignored."""
_HEADS, _FOLDERS, _LEAST = 30, 20, 3
"""Files and folders to inspect, and how many files must name another holder."""
_LIBRARIES = frozenset(
    {
        "transformers", "pytorch_transformers", "pytorch_pretrained_bert", "sentence_transformers",
        "simpletransformers", "diffusers", "peft", "fairseq", "allennlp", "onmt", "tensor2tensor", "espnet",
        "detectron", "detectron2", "maskrcnn_benchmark", "mmcv", "mmdet", "mmdet3d", "mmseg", "mmpose",
        "mmaction", "timm", "torchvision", "torch_geometric", "dgl", "segmentation_models_pytorch",
        "efficientnet_pytorch", "ultralytics", "open_clip", "pycocotools", "pycocoevalcap", "tensorpack",
        "stable_baselines", "stable_baselines3", "sklearn", "nltk", "apex",
    }
)  # fmt: skip
"""Libraries that people copy whole in order to change a few lines."""
_PACKAGED = frozenset({"setup.py", "setup.cfg", "pyproject.toml"})
_SNAPSHOT = regex(r"(?:^|/)[\w.-]{2,100}-(?:master|main)$")
_SUBMODULE = regex(r"^[ \t]*path[ \t]*=[ \t]*(\S[^\n]*)$", re.MULTILINE)


def vendored_folders(entries: Iterable[Entry], nested: Set[str], beginning: Callable[[Entry], bytes]) -> frozenset[str]:
    """Topmost folders of other people's code, by seven signs.

    A telling name; a version control of its own (`nested`); a place in .gitmodules; a project of its own
    (README, setup file or code) under a licence of its own, whose text is not that of the repository; or the name
    that a code host gives to what is downloaded from it (`something-master`), beside more code than it holds; or the
    name of a library that people copy, in a repository that makes no package; or a holder of rights whom its files
    name, and nothing beside it.
    """
    files = {e.path: e for e in entries}
    folders = {folder for path in files for folder in _above(path)}
    found = {folder for folder in folders if _named_so(folder)} | set(nested)
    if ".gitmodules" in files:
        text = beginning(files[".gitmodules"]).decode("utf-8", "replace")
        found |= {path.strip().strip("/") for path in _SUBMODULE.findall(text)}
    found |= _own_projects(files, beginning) | _downloaded(folders, files) | _copied_libraries(files)
    return frozenset(found | _held_by_others(files, found, beginning))


def is_within(path: str, folders: Set[str]) -> bool:
    """True if the path lies in one of the folders."""
    return any(above in folders for above in _above(path))


def _named_so(folder: str) -> bool:
    *above, name = folder.lower().split("/")
    return name in _NAMES and not (name.startswith("extern") and _NOT_BELOW.intersection(above))


def _downloaded(folders: Set[str], files: Iterable[str]) -> set[str]:
    """Downloaded repository snapshots, unless they are most of the repository."""
    found = {folder for folder in folders if _SNAPSHOT.search(folder)}
    code = [path for path in files if path.endswith(_CODE)] if found else []
    return found if sum(is_within(path, found) for path in code) * 2 < len(code) else set()


def _copied_libraries(files: Iterable[str]) -> set[str]:
    """Packages named like a well-known library, beside code that uses them.

    The library's own repository, and what is derived from it as a whole, has a setup file.
    """
    code = [path for path in files if path.endswith(_CODE)]
    named = {path.rpartition("/")[0] for path in code if _is_library(path)}
    if not _PACKAGED.isdisjoint(files) or all(is_within(path, named) for path in code):
        return set()
    held = Counter(folder for path in code for folder in named.intersection(_above(path)))
    return {folder for folder, count in held.items() if count >= _LIBRARY_FILES}


def _is_library(path: str) -> bool:
    """True if a file near the root begins a package named like a well-known library."""
    folder, _, name = path.rpartition("/")
    return name == "__init__.py" and folder.rpartition("/")[2] in _LIBRARIES and folder.count("/") < _DEEP


def _own_projects(files: dict[str, Entry], beginning: Callable[[Entry], bytes]) -> set[str]:
    """Folders with a project (README, setup file or code) under someone else's licence."""
    licences: dict[str, list[Entry]] = {}
    for path in (path for path in files if _LICENCE.match(path.rpartition("/")[2])):
        licences.setdefault(path.rpartition("/")[0], []).append(files[path])
    code = [path for path in files if path.endswith(_CODE)]
    described = (path for path in files if path.rpartition("/")[2].lower() in _PROJECT)
    licensed = licences.keys() & {path.rpartition("/")[0] for path in (*code, *described)} - {""}
    if not licensed:
        return set()
    ours = _Ours.at_the_root(licences.get("", ()), files, beginning)
    found = {folder for folder in licensed if not any(map(ours.licenses, licences[folder]))}
    return set() if _is_shelf(found, code, licensed="" in licences) else found


@dataclass(frozen=True, slots=True)
class _Ours:
    """What identifies the authors' own licences."""

    files: dict[str, Entry]
    beginning: Callable[[Entry], bytes]
    at_root: Set[str]
    """Texts and holders of the licences at the root."""
    authors: Set[str]

    @classmethod
    def at_the_root(
        cls, licences: Iterable[Entry], files: dict[str, Entry], beginning: Callable[[Entry], bytes]
    ) -> _Ours:
        """The licences and authors at the root."""
        signs = {sign for licence in licences for sign in _signs(beginning(licence))}
        return cls(files, beginning, signs, _authors(files, beginning))

    def licenses(self, licence: Entry) -> bool:
        """True if this licence is the authors'."""
        signs = list(_signs(self.beginning(licence)))
        folder = licence.path.rpartition("/")[0]
        if len(signs) == 1 and _presents_another_project(folder, self.files, self.beginning):
            return False
        return not self.at_root.isdisjoint(signs) or any(self.authors >= set(holder.split()) for holder in signs[1:])


def _is_shelf(found: Set[str], code: list[str], *, licensed: bool) -> bool:
    """True if the root only holds projects: they are all, or most, of its content."""
    taken = sum(is_within(path, found) for path in code)
    if not licensed and all("/" in path for path in code):
        return taken * 2 >= len(code)
    nearly_all = licensed and taken >= _MANY and len(code) - taken <= _FEW
    return nearly_all or 0 < len(code) <= taken


def _presents_another_project(folder: str, files: dict[str, Entry], beginning: Callable[[Entry], bytes]) -> bool:
    """True if a folder's README clones or links a project of the folder's name on a code host.

    A licence that names nobody (Apache, GPL) is the same text for everybody, so it does not make the folder ours.
    """
    names = ("README.md", "readme.md", "README.rst", "README")
    readme = next((files[path] for name in names if (path := f"{folder}/{name}") in files), None)
    if readme is None:
        return False
    name = re.escape(folder.rpartition("/")[2].lower())
    text = beginning(readme).decode("utf-8", "replace").lower()
    return re.search(rf"(?:github|gitlab)\.com[:/][\w.-]{{1,60}}/{name}(?:\.git)?(?![\w-])", text) is not None


def _held_by_others(files: dict[str, Entry], found: Set[str], beginning: Callable[[Entry], bytes]) -> set[str]:
    """Top-level folders with unusual names, most of whose files name a holder that no others name."""
    beside = _code_by_folder(files, found)
    held = {folder: _named_by(entries, beginning) for folder, entries in list(beside.items())[:_FOLDERS]}
    known = set(_named_by([e for path, e in files.items() if _LICENCE.match(path)], beginning))
    theirs = set()
    for folder in (folder for folder in held if folder.lower() not in _PARTS | {""}):
        elsewhere = known.union(*(other for name, other in held.items() if name != folder))
        least = max(_LEAST, min(len(beside[folder]), _HEADS) // 2 + 1)
        if _is_of_a_firm(held[folder], least, elsewhere):
            theirs.add(folder)
    left = sum(len(entries) for folder, entries in beside.items() if folder not in theirs)
    return theirs if left >= _LEAST else set()


def _code_by_folder(files: dict[str, Entry], found: Set[str]) -> dict[str, list[Entry]]:
    """Non-trivial Python files, by top-level folder."""
    beside: dict[str, list[Entry]] = {}
    code = (path for path in sorted(files) if path.endswith(".py") and not is_within(path, found))
    for path in (path for path in code if files[path].size > _TRIFLE):
        beside.setdefault(path.partition("/")[0] if "/" in path else "", []).append(files[path])
    return beside


def _named_by(entries: list[Entry], beginning: Callable[[Entry], bytes]) -> Counter[str]:
    """For each copyright holder, how many of the first files name it."""
    return Counter(holder for entry in entries[:_HEADS] for holder in _holders(beginning(entry)))


def _is_of_a_firm(holders: Counter[str], least: int, elsewhere: Set[str]) -> bool:
    """True if enough files name a company that no other file names."""
    holder, count = max(holders.items(), key=lambda pair: pair[1], default=("", 0))
    return count >= least and holder not in elsewhere and _FIRM.search(holder) is not None


def _holders(text: bytes) -> set[str]:
    """Copyright holders named at the beginning of a file."""
    return set(islice(_signs(text[: _TRIFLE * 5]), 1, None))


def _authors(files: dict[str, Entry], beginning: Callable[[Entry], bytes]) -> frozenset[str]:
    """All words of the root files that name the authors: a holder among these words is an author."""
    named = [entry for path, entry in files.items() if path.lower() in _AUTHORS]
    return frozenset(word for e in named for word in _WORD.findall(beginning(e).decode("latin-1").lower()))


def _signs(licence: bytes) -> Iterator[str]:
    """What licences of the same people share: the whole text, or a copyright holder."""
    text = licence.decode("latin-1").lower()
    yield " ".join(text.split())
    for match in _HOLDER.finditer(text):
        words = _WORD.findall(match[1])
        if words and words[0] not in _NOT_A_HOLDER:
            yield " ".join(words[:2])


def _above(path: str) -> Iterable[str]:
    """The folders that contain a path, nearest first."""
    while path := path.rpartition("/")[0]:
        yield path
