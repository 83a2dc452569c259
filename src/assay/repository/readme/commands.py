"""Whether what a README tells to run trains something: the names of scripts say little, their code says it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.code import Code, Source
from assay.patterns import regex
from assay.repository.readme.document import Document, Part, Passage

_LONGEST = 4000
"""How many characters of one block are searched."""
_FITTING = (".backward(", ".fit(", ".minimize(", "apply_gradients", "optimizer.step", ".fit_generator(", "train(")
_SCRIPT = regex(r"\bpython[\d.]* +(?:-[a-ln-zA-Z] +)?(?:([\w./-]{1,150}\.py)\b|-m +([\w.]{1,150}))(?=([^\n]{0,200}))")
_NAMED = regex(
    r"\b(?:runs?|running|ran|execut\w{1,4}|launch\w{0,3}|start\w{0,3}|entr(?:y|ance)|done)\b[^\n]{0,60}?"
    r"(?<![\w./-])([\w./-]{1,150}\.(?:py|ipynb))\b(?=([^\n]{0,200}))",
    re.IGNORECASE,
)
"""A sentence that names what is to be run, without a command."""
_RUNNING = regex(r"\b(?:us(?:e|age|ing)|run|running|experiments?|reproduc\w+|getting started|quick ?start|how to)\b")
_NO_TRAINING = regex(r"(?:^|\s)(?:-h|--help|--?(?:test|eval\w*|predict|infer\w*|demo|plot)(?:[= ]true)?)(?=\s|`|$)")
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
        for match in _SCRIPT.finditer(text):
            if not _NO_TRAINING.search(match[3]):
                name = match[1] or match[2].replace(".", "/") + ".py"
                yield block.line + block.text.count("\n", 0, match.start()), name.removeprefix("./"), match[0].strip()
    if part.heading and _RUNNING.search(part.heading.text.lower()):
        for passage in (b for b in part.blocks if isinstance(b, Passage)):
            for match in _NAMED.finditer(passage.text[:_LONGEST]):
                if not _NO_TRAINING.search(match[2]):
                    line = passage.line + passage.text.count("\n", 0, match.start())
                    yield line, match[1].removeprefix("./"), match[0]


def _trains(name: str, code: Code) -> bool:
    named = [s for s in code.own if s.path == name or s.path.endswith("/" + name)][:3]
    if _fits(named):
        return True
    return not _OTHER_SCRIPT.search(name.lower()) and _fits(_imported(named, code))


def _fits(sources: list[Source]) -> bool:
    return any(s.mentions(word) for s in sources for word in _FITTING)


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
