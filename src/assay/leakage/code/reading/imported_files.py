"""The modules that a file imports, and what those import: looked up by name in the folders around it.

Only what an import names is read, for a script may lie beside anything. Which of the files found an import leads to,
`assay.code.modules` decides.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from assay.code import Code, Import, Source, read_code
from assay.code.paths import PROJECT_FILES, SOURCE_FOLDERS, appended
from assay.patterns import regex
from assay.tree.opening import tree_of

_MOST = 200
"""So many files are read for the sake of imports."""
_START = "__init__.py"
Read = Callable[[str], bytes | None]
"""What a file holds, by its path below the working folder; None where there is none."""


def with_imported_files(files: dict[str, bytes], name: str, read: Read) -> Code:
    """The code of these files and of whatever the file of that name imports, step by step."""
    most = len(files) + _MOST
    found = _Files(name, files | _read_new(_around(name), files, read, most), read)
    followed: dict[str, None] = {}
    waiting = [name]
    while waiting:
        importers = found.sources(waiting)
        followed |= dict.fromkeys(source.path for source in importers)
        found.add((path for source in importers for path in _wanted(source)), most)
        waiting = sorted(_reached(found.code, importers) - followed.keys())
    settings = (path for source in found.sources(followed) for path in _settings_of(source))
    found.add(settings, len(found.known) + _MOST)
    return found.code


class _Files:
    """Files read so far, and the code in them."""

    def __init__(self, name: str, known: dict[str, bytes], read: Read) -> None:
        self.name, self.known, self.read = name, known, read
        self.code = read_code(tree_of(known, name=name))

    def sources(self, paths: Iterable[str]) -> list[Source]:
        """The files at these paths, as code."""
        return [source for path in paths if (source := self.code.source(path)) is not None]

    def add(self, paths: Iterable[str], most: int) -> None:
        """Read what there is at these paths and is not known yet, until there are so many files."""
        if found := _read_new(paths, self.known, self.read, most):
            self.known = self.known | found
            self.code = read_code(tree_of(self.known, name=self.name))


def _settings_of(source: Source) -> Iterator[str]:
    """Where the files of settings would be that a file names, in a folder around it or in one that is made for them."""
    for name in dict.fromkeys(_SETTINGS.findall(source.text)):
        wanted = posixpath.normpath(name.replace("\\", "/")).lstrip("./")
        for root in _up(source.path):
            yield from (posixpath.join(root, folder, wanted) for folder in _SETTINGS_FOLDERS)


_SETTINGS = regex(r"[\"']([\w./\\-]{1,80}\.(?:ya?ml|json))[\"']")
_SETTINGS_FOLDERS = ("", "config", "configs", "conf", "cfg")


def _reached(code: Code, importers: Iterable[Source]) -> set[str]:
    """The files of the code that the imports of some files lead to."""
    known = [(imported, code.source(source.path)) for source in importers for imported in source.imports]
    found = (code.find(imported, source) for imported, source in known if source is not None)
    return {path for path in found if path is not None}


def _read_new(paths: Iterable[str], known: dict[str, bytes], read: Read, most: int) -> dict[str, bytes]:
    """What there is at these paths, and was not read before."""
    found: dict[str, bytes] = {}
    for path in dict.fromkeys(paths):
        if len(known) + len(found) >= most:
            break
        if path not in known and (data := read(path)) is not None:
            found[path] = data
    return found


def _wanted(source: Source) -> Iterator[str]:
    """Where the modules would be that a file imports."""
    above = _up(source.path)
    anywhere = dict.fromkeys([*above, *SOURCE_FOLDERS, *appended(source)])
    for imported in source.imports:
        roots = above[imported.level - 1 : imported.level] if imported.level else anywhere
        for root in roots:
            yield from _files_of(imported, root)


def _around(path: str) -> Iterator[str]:
    """What makes packages and projects of the folders that a file lies in."""
    return (posixpath.join(folder, name) for folder in _up(path) for name in (_START, *PROJECT_FILES))


def _up(path: str) -> list[str]:
    """The folder of a file and all above it, up to the root."""
    found = [posixpath.dirname(path)]
    while found[-1]:
        found.append(posixpath.dirname(found[-1]))
    return found


def _files_of(imported: Import, root: str) -> Iterator[str]:
    """The files that an import would take, were its module in this folder."""
    here = root
    for part in filter(None, imported.module.split(".")):
        here = posixpath.join(here, part)
        yield from _module(here)
    for name in imported.names:
        yield from _module(posixpath.join(here, name))


def _module(path: str) -> tuple[str, str]:
    return path + ".py", posixpath.join(path, _START)
