"""Shell scripts that commands start: their own commands are followed as if the reader typed them."""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from assay.patterns import regex
from assay.records import dataclass
from assay.repository.commands.facts import Command
from assay.repository.commands.interfaces import Interfaces
from assay.repository.commands.outcome import check
from assay.repository.commands.placement import MOST_COMMANDS, Names, Walk, placed_in
from assay.repository.commands.shell import Variables, read_commands_of
from assay.repository.commands.targets import Site

_SCRIPTS = (".sh", ".bash", ".slurm", ".sbatch")
_OWN_FOLDER = regex(
    r"\$\([ \t]*cd[^()\n]{0,20}\$\([^()\n]{0,80}\)[^()\n]{0,60}\)|"
    r"\$\([ \t]*(?:dirname|realpath|readlink)[^()\n]{0,80}\)|\$\{BASH_SOURCE(?:\[0\])?%/\*\}|\$\{0%/\*\}"
)
"""How a script names the folder that it lies in."""
_MOST_SCRIPTS = 60
_LONGEST = 200_000
DEEPEST = 3
"""How many scripts may start one another."""


@dataclass(frozen=True, slots=True)
class Started:
    """A script, the folder it is started in, and how many scripts lead to it."""

    path: str
    folder: str
    depth: int
    certain: bool = True
    """False where only a sentence or a link names the script: then it may be started in another folder."""


def started_by(commands: Iterable[Command], depth: int = 0) -> Iterator[Started]:
    """The scripts that commands start."""
    for command in commands:
        if command.path.endswith(_SCRIPTS) and command.folder is not None:
            yield Started(command.path, command.folder, depth)


def follow_scripts(started: Iterable[Started], names: Names, site: Site, interfaces: Interfaces) -> Iterator[Command]:
    """Every command of the scripts, and of those that they start in turn."""
    waiting = deque(started)
    seen: set[str] = set()
    while waiting and len(seen) < _MOST_SCRIPTS:
        script = waiting.popleft()
        if script.path not in seen:
            seen.add(script.path)
            found = list(_commands_of(script, names, site, interfaces))
            yield from found
            if script.depth < DEEPEST:
                waiting.extend(started_by(found, script.depth + 1))


def _commands_of(script: Started, names: Names, site: Site, interfaces: Interfaces) -> Iterator[Command]:
    file = site.tree.get(script.path)
    if file is None or file.is_binary or file.vendored:
        return
    home = posixpath.dirname(script.path)
    text = _OWN_FOLDER.sub(posixpath.relpath(home or ".", script.folder or "."), file.text()[:_LONGEST])
    here = replace_site(site, certain=script.certain)
    walk = Walk(site.tree, script.folder, names, here=script.folder)
    placed = placed_in(read_commands_of(text, 1, Variables()), walk)
    also = () if script.certain else (home, "")
    for one in islice(placed, MOST_COMMANDS):
        somewhere = replace(one, folders=tuple(dict.fromkeys((*one.folders, *also))))
        command = check(somewhere, script.path, here, interfaces, within=script.path)
        if command is not None:
            yield command


def replace_site(site: Site, *, certain: bool) -> Site:
    """The repository as a script sees it: with what the pages say, and with marks of its own."""
    return replace(site, mentioned=set(site.mentioned), downloads=False, secondary=not certain, in_script=True)
