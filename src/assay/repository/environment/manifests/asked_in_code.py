"""What Python code itself says to install: commands it starts, and commands in its comments and strings."""

from __future__ import annotations

import ast

from assay.code import Source
from assay.code.source import calls_of
from assay.patterns import regex
from assay.repository.environment.declared import Reading
from assay.repository.environment.manifests.installers import read_command, read_words
from assay.tree import Tree

HINT = "install"
"""Without it, code asks for nothing."""
_STARTING = frozenset(
    {
        "os.system", "os.popen", "subprocess.run", "subprocess.call", "subprocess.check_call",
        "subprocess.check_output", "subprocess.Popen", "subprocess.getoutput", "pip.main", "pip._internal.main",
    }
)  # fmt: skip
_MOST_WORDS = 300
_UNKNOWN = "$"
"""Stands for a word of a command that is only known when it runs."""
_COMMAND = regex(r"(?<![\w-])(?:pip[\d.]*|conda|mamba)[ \t]{1,9}install[ \t][^\n]{2,500}")
_OVER = regex(r"[.:!?](?=\s|$)|[()`'\"#\u2014]|\s(?:to|in|for|if|with|from|by|then|before|after|which|on)\s|\s-\s")
"""Where the command ends and the remark goes on."""


def read_code(source: Source, reading: Reading, tree: Tree) -> None:
    """Add all that the code of a script or notebook asks for."""
    if source.mentions(HINT):
        _read_started(source, reading, tree)
        _read_remarks(source, reading, tree)


def _read_started(source: Source, reading: Reading, tree: Tree) -> None:
    """Commands that the code starts."""
    for call in calls_of(source, _STARTING):
        command = next(iter(call.node.args), None)
        if isinstance(command, ast.Constant) and isinstance(command.value, str):
            read_command(command.value, call.location, reading, tree)
        elif isinstance(command, ast.List | ast.Tuple):
            words = [_word(part) for part in command.elts[:_MOST_WORDS]]
            read_words(["pip", *words] if call.name.startswith("pip.") else words, call.location, reading, tree)


def _read_remarks(source: Source, reading: Reading, tree: Tree) -> None:
    """Commands in comments and texts."""
    remarks = [(number, line.partition("#")[2]) for number, line in enumerate(source.lines, 1) if "#" in line]
    texts = [(node.lineno + i, line) for node in source.strings for i, line in enumerate(str(node.value).split("\n"))]
    for number, line in (*remarks, *texts):
        if found := _COMMAND.search(line):
            read_command(_OVER.split(found[0])[0], source.location(number), reading, tree)


def _word(part: ast.expr) -> str:
    if isinstance(part, ast.Constant) and isinstance(part.value, str):
        return part.value
    return "sys.executable" if isinstance(part, ast.Attribute) and part.attr == "executable" else _UNKNOWN
