"""``[tool.assay]`` in pyproject.toml: defaults for the options, found upwards from the working folder."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from assay.bounded import load_toml
from assay.errors import InputError
from assay.files import read_text, validated
from assay.records import dataclass, replace
from assay.report import Format
from assay.scores.conventions import Rounding, Undefined

_STRICT = {"extra": "forbid"}
"""Settings for pydantic, which is imported only if there is a table to check: it takes a fifth of a short command."""


@dataclass(frozen=True)
class ScoresConfig:
    """``[tool.assay.scores]``."""

    __pydantic_config__ = _STRICT
    rounding: Rounding | None = None
    undefined: Undefined | None = None


@dataclass(frozen=True)
class LeakageConfig:
    """``[tool.assay.leakage]``: what counts as a leak where experts differ."""

    __pydantic_config__ = _STRICT
    policy: str | None = None


@dataclass(frozen=True)
class Config:
    """``[tool.assay]``; command-line options take precedence."""

    __pydantic_config__ = _STRICT
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    format: Format | None = None
    scores: ScoresConfig = ScoresConfig()
    leakage: LeakageConfig = LeakageConfig()
    libraries: tuple[str, ...] = ()
    """The user's own tables of library calls, relative to the file; see `assay.libraries`."""
    suppress: dict[str, str] = field(default_factory=dict)
    """Findings that an audit of this repository leaves out, with the reasons; see `assay.project_suppressions`."""


def find_config(start: Path | None = None) -> Config:
    """The nearest ``[tool.assay]`` in `start` or a folder above it; otherwise the defaults."""
    folder = (start or Path.cwd()).resolve()
    for candidate in (f / "pyproject.toml" for f in (folder, *folder.parents)):
        if candidate.is_file():
            table = _tool_table(candidate)
            if table is not None:
                config = validated(Config, table, where=f"{candidate.name} [tool.assay]")
                return replace(config, libraries=tuple(str(candidate.parent / path) for path in config.libraries))
    return Config()


def _tool_table(path: Path) -> object | None:
    text = read_text(path)
    try:
        document = load_toml(text)
    except ValueError as error:
        raise InputError(f"not valid TOML: {error}", where=str(path), fix="Fix the file, or run elsewhere.") from None
    tool = document.get("tool", {})
    return tool.get("assay") if isinstance(tool, dict) else None
