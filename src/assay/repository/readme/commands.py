"""Whether what a README tells to run trains something: the names of scripts say little, their code says it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.code import Code, Source
from assay.patterns import regex
from assay.repository.readme.document import Document, Part

_LONGEST = 4000
"""How many characters of one block are searched."""
_FITTING = (".backward(", ".fit(", ".minimize(", "apply_gradients", "optimizer.step", ".fit_generator(")
_PERHAPS_FITTING = (*_FITTING, "train(")
"""`model.train(False)` prepares a network for its test, so that this says nothing in a script for tests."""
_SCRIPT = regex(
    r"\bpython[\d.]* +(?:-[a-ln-zA-Z] +)?(?:([\w./-]{1,150}\.py)\b|-m +([\w.]{1,150}))(?=([^\n#(;&|]{0,200}))"
)
_SHELL = regex(r"(?:\b(?:bash|sh|source|sbatch)\s+|(?<![\w./])\./)(?:\./)?([\w./-]{1,150}\.(?:sh|bash|sbatch|slurm))\b")
_LONGEST_SHELL = 20_000
_NAMED = regex(
    r"\b(?:runs?|running|ran|open|execut\w{1,4}|launch\w{0,3}|start\w{0,3}|entr(?:y|ance)|done)\b[^\n]{0,60}?"
    r"(?<![\w./-])([\w./-]{1,150}\.(?:py|ipynb|sh))\b",
    re.IGNORECASE,
)
"""A sentence that names what is to be run, without a command."""
_NOTEBOOKS = regex(
    r"\b(?:run|re-?run|running|execute|open|launch)\b (?:\w{1,20} ){0,4}(?:notebooks?|cells)\b|"
    r"\bjupyter[ -](?:notebook|lab)\b(?![^\n]{0,100}\.ipynb)",
    re.IGNORECASE,
)
"""Notebooks that are to be run, without their names."""
_JUPYTER = regex(r"\bjupyter[ -](?:notebook|lab|nbconvert)\b[^\n]{0,100}?[\s/]([\w.-]{1,100}\.ipynb)\b")
_ANY_NOTEBOOK = ".ipynb"
_RUNNING = regex(r"\b(?:us(?:e|age|ing)|run|running|experiments?|reproduc\w+|getting started|quick ?start|how to)\b")
_NO_TRAINING = regex(
    r"(?:^|\s)(?:-h|--help|--?(?:test|eval\w{0,10}|predict|infer\w{0,6}|demo|plot)(?:[= ]true)?)(?=\s|`|$)"
)
"""Options of a command that does something else than training."""
_OTHER_SCRIPT = regex(
    r"(?:^|[/_.-])(?:test|eval|infer|predict|demo|plot|draw|vis|download|pre_?process|prepare|process|convert|generate|"
    r"sample|app|setup|make|build|create|extract|analy)[^/]{0,60}$"
)
"""Scripts whose names say that they do something else; what they import may well train."""
_HOPS, _FILES = 3, 60
"""How far, and through how many files, imports are followed."""


def training_commands(document: Document, code: Code) -> Iterator[tuple[Part, int, str]]:
    """Part, line and words of each thing to run whose code, or code that it imports, fits or optimises something."""
    trains: dict[str, bool] = {}
    for part in document.parts:
        for line, name, words in _run(part):
            if name not in trains:
                trains[name] = _trains(name, code)
            if trains[name]:
                yield part, line, words


def _run(part: Part) -> Iterator[tuple[int, str, str]]:
    """Line, script and words of all that a part tells to run."""
    for block in part.code:
        text = block.text[:_LONGEST].replace("\\\n", "  ")
        for at, name, words in (*_scripts(text), *_named(_SHELL, text), *_named(_JUPYTER, text), *_notebooks(text)):
            yield block.line + text.count("\n", 0, at), name, words.strip()
    heading = part.heading
    if heading:
        yield from ((heading.line, name, words) for _, name, words in _notebooks(heading.text))
    running = heading is not None and _RUNNING.search(heading.text.lower())
    for passage in part.passages:
        text = passage.text[:_LONGEST]
        for at, name, words in _scripts(text):
            yield passage.line + text.count("\n", 0, at), name, words.strip()
        for at, name, words in (*_named(_NAMED, text), *_notebooks(text)):
            if running or name.endswith(".ipynb"):
                yield passage.line + text.count("\n", 0, at), name, words


def _named(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, str, str]]:
    for match in pattern.finditer(text):
        end = text.find("\n", match.end())
        if not _NO_TRAINING.search(text[match.end() : end if end >= 0 else len(text)]):
            yield match.start(), match[1].removeprefix("./"), match[0]


def _notebooks(text: str) -> Iterator[tuple[int, str, str]]:
    yield from ((match.start(), _ANY_NOTEBOOK, match[0]) for match in _NOTEBOOKS.finditer(text))


def _scripts(commands: str) -> Iterator[tuple[int, str, str]]:
    """Place, script and words of each command that may be training."""
    for match in _SCRIPT.finditer(commands):
        if not _NO_TRAINING.search(match[3]):
            name = match[1] or match[2].replace(".", "/") + ".py"
            yield match.start(), name.removeprefix("./"), match[0]


def _trains(name: str, code: Code) -> bool:
    if not name.endswith((".py", ".ipynb")):
        shells = [f for f in code.modules.tree.own if f.path == name or f.path.endswith("/" + name)][:3]
        texts = [f.text()[:_LONGEST_SHELL].replace("\\\n", "  ") for f in shells]
        return any(_trains(script, code) for text in texts for _, script, _ in list(_scripts(text))[:10])
    if name == _ANY_NOTEBOOK:
        return _fits([s for s in code.own if s.path.endswith(_ANY_NOTEBOOK)], _FITTING)
    named = [s for s in code.own if s.path == name or s.path.endswith("/" + name)][:3]
    if _OTHER_SCRIPT.search(name.lower()):
        return _fits(named, _FITTING)
    return _fits(named, _PERHAPS_FITTING) or _fits(_imported(named, code), _PERHAPS_FITTING)


def _fits(sources: list[Source], words: tuple[str, ...]) -> bool:
    return any(s.mentions(word) for s in sources for word in words)


def _imported(sources: list[Source], code: Code) -> list[Source]:
    """The repository's own files that these import, directly or over a few others."""
    seen = {s.path: s for s in sources}
    last = sources
    for _ in range(_HOPS):
        found: list[Source] = []
        for source in last:
            for imported in source.imports:
                path = code.find(imported, source)
                inner = code.source(path) if path else None
                if inner and inner.path not in seen and len(seen) < _FILES:
                    seen[inner.path] = inner
                    found.append(inner)
        last = found
    return [s for path, s in seen.items() if s not in sources]
