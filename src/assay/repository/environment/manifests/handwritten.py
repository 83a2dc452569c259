"""Requirements as people write them, which pip refuses and readers understand: bullets, commands, several a line."""

from __future__ import annotations

from assay.patterns import regex
from assay.repository.environment.declared import Declared
from assay.repository.environment.distributions import table
from assay.repository.environment.requirement import Context, declare

_COMMAND = regex(
    r"[!$%>\s]*(?:sudo\s+)?(?:\S*python[\d.]*\s+-m\s+)?(?:pip[\d.]*|conda|mamba|easy_install)\s+(?:-\S+\s+)*install\s+"
)
_BULLET = regex(r"(?:[-*+•·]|\d{1,3}[.)])\s+")
_VERSION = regex(r"([A-Za-z][\w.-]*)\s*(?:[:(-]\s*|\s)(?:version\s+)?v?(\d[\w.]*)\)?")
"""`numpy 1.19`, `numpy: 1.19`, `numpy (1.19)`."""
_BETWEEN = regex(r"\s+|,(?=\s*[A-Za-z])")
_QUOTES = "\"'`,; "
_MOST = 100


def is_command(line: str) -> bool:
    """Whether a line is a command that installs."""
    return _COMMAND.match(line) is not None


def declared_by_hand(line: str, context: Context) -> list[Declared]:
    """What a line that is no requirement names all the same; nothing if that may be mere words."""
    command = _COMMAND.match(line)
    text = line[command.end() :] if command else _BULLET.sub("", line, count=1)
    versioned = _VERSION.fullmatch(text.strip(_QUOTES))
    if versioned is not None:
        parts = [f"{versioned[1]}=={versioned[2]}"]
    else:
        words = (word.strip(_QUOTES) for word in _BETWEEN.split(text))
        parts = [word for word in words if word and not word.startswith(("-", "http"))]
    found = [declare(part, context) for part in parts[:_MOST]]
    clean = [one for one, problem in found if one is not None and not problem]
    sure = all(one.specifier or table().provided_by(one.name) for one in clean)
    return clean if len(clean) == len(found) and sure else []
