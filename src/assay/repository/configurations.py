"""Configuration files that code opens by a fixed name, and that are nowhere in the repository."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from assay.code import Code, Source
from assay.findings import Location
from assay.records import dataclass
from assay.repository.commands.hydra import absent_defaults, hydra_main
from assay.repository.data import DataRead
from assay.tree import Tree

_MOST = 50


@dataclass(frozen=True, slots=True)
class MissingConfiguration:
    """A configuration that code reads under a fixed name."""

    path: str
    location: Location
    default: bool = False
    """It is only the default of an option, which a command may replace."""
    certain: bool = False
    """The program cannot start without it: hydra looks for it before anything else."""


def read_missing_configurations(
    tree: Tree, code: Code, settings: Iterable[DataRead]
) -> tuple[MissingConfiguration, ...]:
    """Each configuration that is read and not there, and that nothing seems to write; `settings` are those reads."""
    lost = [read for read in settings if read.missing and "://" not in read.path]
    found = {
        read.path: MissingConfiguration(read.path, read.written or read.location, read.replaceable) for read in lost
    }
    for source in (source for source in code.python if source.tree is not None):
        found |= {one.path: one for one in _of_hydra(source, tree)}
    return tuple(found.values())[:_MOST]


def _of_hydra(source: Source, tree: Tree) -> Iterator[MissingConfiguration]:
    """The primary configuration of a program that hydra starts, and the files that it is put together from."""
    main = hydra_main(source) if source.mentions("hydra") else None
    if main is None or main.folder is None or main.name is None or source.mentions("ConfigStore"):
        return
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), main.folder))
    if folder.startswith("..") or main.folder.startswith("/"):
        return
    wanted = posixpath.join(folder, main.name.removesuffix(".yaml"))
    primary = tree.get(f"{wanted}.yaml") or tree.get(f"{wanted}.yml")
    if primary is None:
        yield MissingConfiguration(f"{wanted}.yaml", main.location, certain=True)
        return
    for absent, line in absent_defaults(primary, folder, tree):
        yield MissingConfiguration(absent, Location(primary.path, line), certain=True)
