"""Installations that stand in commands: in shell scripts, notebooks and documents. Weak declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.code import Source
from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import Kind, Reading
from assay.repository.environment.manifests.asked_in_code import read_code
from assay.repository.environment.manifests.images import read_images
from assay.repository.environment.manifests.inline import MARK, read_inline
from assay.repository.environment.manifests.installers import HINT, read_command
from assay.repository.environment.requirement import Context, declare
from assay.tree import File, Tree

MAX_BYTES = 512 * 1024
_MAX_LINES = 20_000
_SPAN = regex(r"`{1,2}([^`\n]{1,500})`{1,2}|<code>([^<\n]{5,500})</code>")
_TAG = regex(r"</?(?:a|b|br|code|div|em|i|kbd|li|p|pre|samp|span|strong|td|tr)\b[^<>\n]{0,200}>|\*\*|\\(?=[_\[\]])")
_WITHIN = regex(
    r"(?<![\w-])(?:python[\d.]* -m )?(?:[Pp]ip[\d.]*|conda|mamba)[ \t]{1,9}(?:install|create)[ \t][^\n]{2,}"
)
"""A command in the middle of a sentence, or behind a prompt of whatever form."""
_PINNED = regex(r"^[ \t]*(?:[-*+][ \t]+)?`?([A-Za-z][\w.-]{1,60}==\d[\w.]*)`?,?[ \t]*$", re.MULTILINE)
"""A requirement on a line of its own: a page that shows the list of packages."""
_OVER = regex(r"[.:!?](?=\s|$)|[()\u2014\u201d\u300d]|\s(?:to|in|for|if|with|from|by|then|before|after|which)\s")
"""Where the command ends and the sentence goes on."""
_ASSIGNED = regex(r"""^[ \t]*(?:export[ \t]+)?(\w+)=(?:"([^"$`\n]*)"|'([^'$`\n]*)'|([\w./+-]+)[ \t]*$)""")
_LOOP = regex(r"^[ \t]*for[ \t]+(\w+)[ \t]+in[ \t]+([^;$`\n]+?)[ \t]*(?:;[ \t]*do\b.*)?$")
_QUOTED = regex(
    r"(?<=[\"'])(?:sudo |\S*python[\d.]* -m )?(?:pip[\d.]*|conda|mamba)[ \t]{1,9}(?:install|create)[ \t][^\"'\n]{2,}"
)
"""A command that is the text of a setting, or is given to another: `sh 'pip install x'`."""
_BETWEEN = regex(r"""(?<=\w)["'],[ \t]{0,9}["'](?=[\w-])""")
"""What stands between the words of a command in a list: `["pip", "install", "x"]`."""
_VARIABLE = regex(r"\"\$\{?(\w+)\}?\"|\$\{?(\w+)\}?")


def read_script(file: File, tree: Tree) -> Reading:
    """Shell scripts, Makefiles, workflows, settings of platforms that build."""
    reading = Reading(Kind.SCRIPT)
    text = file.text()
    values = dict(_values(text))
    filled = _VARIABLE.sub(lambda m: values.get(m[1] or m[2], m[0]), text) if values else text
    for number, line in joined_lines(filled):
        place = Location(file.path, number)
        read_command(line, place, reading, tree)
        for quoted in _QUOTED.findall(_BETWEEN.sub(" ", line)):
            read_command(quoted, place, reading, tree)
    read_images(text, file.path, reading)
    return reading


def _values(text: str) -> Iterator[tuple[str, str]]:
    """What a script assigns to variables, and the words that it goes through one by one."""
    for line in text.split("\n"):
        if match := _ASSIGNED.match(line):
            yield match[1], match[2] or match[3] or match[4] or ""
        elif match := _LOOP.match(line):
            yield match[1], match[2]


def read_document(file: File, tree: Tree) -> Reading:
    """Commands on a line of their own, set as code within one, or in the middle of a sentence."""
    reading = Reading(Kind.README)
    text = file.text()
    for number, line in joined_lines(text):
        _read_written(line, Location(file.path, number), reading, tree)
    for pinned in _PINNED.finditer(text):
        place = Location(file.path, text.count("\n", 0, pinned.start(1)) + 1)
        declared, _ = declare(pinned[1], Context(reading.kind, place))
        reading.declared += [declared] if declared is not None else []
    read_images(text, file.path, reading)
    return reading


def _read_written(line: str, place: Location, reading: Reading, tree: Tree) -> None:
    for span in _SPAN.findall(line):
        read_command(span[0] or span[1], place, reading, tree)
    _read_sentence(_TAG.sub(" ", _SPAN.sub(" ", line)), place, reading, tree)


def _read_sentence(line: str, location: Location, reading: Reading, tree: Tree) -> None:
    within = _WITHIN.search(line)
    if within is None:
        read_command(line, location, reading, tree)
        return
    read_command(line[: within.start()], location, reading, tree)
    read_command(_OVER.split(within[0])[0], location, reading, tree)


def read_notebook(source: Source, tree: Tree) -> Reading:
    """Shell lines, installing magics and texts of a notebook, what code asks for, what a script says it needs."""
    reading = Reading(Kind.NOTEBOOK)
    if source.mentions(MARK):
        read_inline(source, reading)
    for magic in source.magics:
        for line in magic.shell.split("\n")[:200]:
            read_command(line, magic.location, reading, tree)
    for cell in source.notebook.cells if source.notebook is not None else ():
        if cell.kind == "markdown" and "install" in cell.text:
            for number, line in joined_lines(cell.text):
                _read_written(line, Location(source.path, number, cell=cell.number), reading, tree)
    read_code(source, reading, tree)
    return reading


def joined_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that may install something, joined where they end with a backslash."""
    pending: list[str] = []
    start = 0
    for number, line in enumerate(text.split("\n", _MAX_LINES)[:_MAX_LINES], 1):
        start = start if pending else number
        if line.rstrip().endswith("\\") and len(pending) < 200:
            pending.append(line.rstrip()[:-1])
            continue
        whole = " ".join([*pending, line])
        pending = []
        if HINT.search(whole):
            yield start, whole
