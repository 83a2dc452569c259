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
    known = files | _read_new(_around(name), files, read, len(files) + _MOST)
    code = read_code(tree_of(known, name=name))
    imports: dict[str, tuple[Import, ...]] = {}
    waiting = [name]
    while waiting:
        importers = [source for path in waiting if (source := code.source(path)) is not None]
        imports |= {source.path: source.imports for source in importers}
        wanted = (path for source in importers for path in _wanted(source))
        if found := _read_new(wanted, known, read, len(files) + _MOST):
            known |= found
            code = read_code(tree_of(known, name=name))
        reached = (_lead_to(code, source.path, imports[source.path]) for source in importers)
        waiting = sorted({path for paths in reached for path in paths} - imports.keys())
    followed = [source for path in imports if (source := code.source(path)) is not None]
    found = _read_new((path for source in followed for path in _settings_of(source)), known, read, len(known) + _MOST)
    return read_code(tree_of(known | found, name=name)) if found else code


def _settings_of(source: Source) -> Iterator[str]:
    """Where the files of settings would be that a file names, in a folder around it or in one that is made for them."""
    for name in dict.fromkeys(_SETTINGS.findall(source.text)):
        wanted = posixpath.normpath(name.replace("\\", "/")).lstrip("./")
        for root in _up(source.path):
            yield from (posixpath.join(root, folder, wanted) for folder in _SETTINGS_FOLDERS)


_SETTINGS = regex(r"[\"']([\w./\\-]{1,80}\.(?:ya?ml|json))[\"']")
_SETTINGS_FOLDERS = ("", "config", "configs", "conf", "cfg")


def _lead_to(code: Code, path: str, imports: Iterable[Import]) -> Iterator[str]:
    source = code.source(path)
    found = (code.find(imported, source) for imported in imports) if source is not None else ()
    return (path for path in found if path is not None)


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
