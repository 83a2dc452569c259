"""Files that stand for data kept elsewhere (DVC, git LFS, git-annex), and where that is."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import islice

from assay.findings import Location
from assay.patterns import regex
from assay.repository.data.facts import Pointer, Remote, Storage
from assay.tree import File, Tree

_LFS = b"version https://git-lfs.github.com/spec/"
_SIZE = re.compile(rb"^size (\d{1,18})", re.MULTILINE)
_DVC_SIZE = regex(r"^[ \t-]*size:[ \t]*(\d{1,18})", re.MULTILINE)
_DVC_PATH = regex(r"^[ \t-]*path:[ \t]*[\"']?([^\"'\n]{1,300})", re.MULTILINE)
_POINTER_BYTES = 1024
_LOCAL = regex(r"[A-Za-z]:[\\/]|/|~|\.{1,2}[\\/]|\\\\|file:")
_MOST = 2000
_ENDINGS = regex(r"\.(?:dvc)$", re.IGNORECASE)


def read_pointers(tree: Tree) -> list[Pointer]:
    """Small files that are pointers, by their content; DVC's also by their names."""
    marked = any(f.name == ".gitattributes" and b"filter=lfs" in f.head(65536) for f in tree.files)
    own = (file for file in tree.files if not file.vendored)
    pointers = (_dvc(f) if f.suffix == ".dvc" and f.size < 65536 else _lfs(f) if marked else None for f in own)
    found = list(islice(filter(None, pointers), _MOST))
    linked = (link for link in tree.links if link.target is not None and ".git/annex/" in f"/{link.target}")
    return [*found, *(Pointer(link.path, Storage.ANNEX, Location(link.path)) for link in linked)]


def _lfs(file: File) -> Pointer | None:
    head = file.head(_POINTER_BYTES) if 100 <= file.size <= 200 else b""
    if not head.startswith(_LFS):
        return None
    size = _SIZE.search(head)
    return Pointer(file.path, Storage.LFS, Location(file.path, 1), int(size[1]) if size else None)


def read_remotes(tree: Tree) -> list[Remote]:
    """Where `.dvc/config` and `.lfsconfig` say that the data are."""
    found: list[Remote] = []
    for file in tree.by_name("config"):
        if file.path.rpartition("/")[0].rpartition("/")[2] == ".dvc":
            found += _remotes(tree, file)
    for file in tree.by_name(".lfsconfig"):
        found += _remotes(tree, file)
    return found


def _dvc(file: File) -> Pointer:
    text = file.text()[:65536]
    path, size = _DVC_PATH.search(text), _DVC_SIZE.search(text)
    name = path[1].strip() if path else _ENDINGS.sub("", file.name)
    target = f"{file.folder}/{name}" if file.folder else name
    return Pointer(target, Storage.DVC, Location(file.path, 1), int(size[1]) if size else None)


def _remotes(tree: Tree, file: File) -> Iterator[Remote]:
    text = file.text()[:65536]
    import configparser  # few repositories need it

    parser = configparser.ConfigParser(strict=False, interpolation=None)
    try:
        parser.read_string("\n".join(line.strip() for line in text.split("\n")))
    except configparser.Error:
        return
    for section in parser.sections():
        url = parser.get(section, "url", fallback="").strip()
        if url:
            line = next((i for i, given in enumerate(text.split("\n"), 1) if url in given), 1)
            name = section.replace("'remote \"", "").replace('remote "', "").strip("\"'")
            reachable = not _LOCAL.match(url) or _is_folder(tree, posixpath.normpath(f"{file.folder}/{url}"))
            yield Remote(name, url, Location(file.path, line), reachable=reachable)


def _is_folder(tree: Tree, path: str) -> bool:
    """Whether the tree holds files below the path: DVC reads a relative remote from the folder of its settings."""
    return any(file.path.startswith(f"{path}/") for file in tree.files)
