"""``[tool.assay]`` in pyproject.toml: defaults for the options, found upwards from the working folder."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from assay.errors import InputError
from assay.files import read_text, validated
from assay.report import Format
from assay.scores.constraints import Undefined
from assay.scores.printed import Rounding


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class ScoresConfig(_Table):
    """``[tool.assay.scores]``."""

    rounding: Rounding | None = None
    undefined: Undefined | None = None


class LeakageConfig(_Table):
    """``[tool.assay.leakage]``: what counts as a leak where people differ."""

    encoders: bool | None = None
    scalers: bool | None = None


class Config(_Table):
    """``[tool.assay]``; a command-line option always wins over it."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    format: Format | None = None
    scores: ScoresConfig = Field(default_factory=ScoresConfig.model_construct)
    leakage: LeakageConfig = Field(default_factory=LeakageConfig.model_construct)
    suppress: dict[str, str] = Field(default_factory=dict)
    """What an audit of this very repository leaves out, with the reason; see `assay.audit.silencing`."""


def find_config(start: Path | None = None) -> Config:
    """The nearest ``[tool.assay]`` from `start` upwards; defaults when there is none."""
    folder = (start or Path.cwd()).resolve()
    for candidate in (f / "pyproject.toml" for f in (folder, *folder.parents)):
        if candidate.is_file():
            table = _tool_table(candidate)
            if table is not None:
                return validated(Config, table, where=f"{candidate.name} [tool.assay]")
    return Config.model_construct()


def _tool_table(path: Path) -> object | None:
    text = read_text(path)
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid TOML: {error}", where=str(path), fix="Mend the file, or run elsewhere.") from None
    tool = document.get("tool", {})
    return tool.get("assay") if isinstance(tool, dict) else None
