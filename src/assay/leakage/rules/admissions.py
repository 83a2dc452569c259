"""The phrases by which an author concedes a leak, by its code."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from assay.bounded import load_toml


@cache
def admissions() -> dict[str, tuple[str, ...]]:
    """Phrases in lower case, by the code of the leak."""
    text = Path(__file__).with_name("admissions.toml").read_text(encoding="utf-8")
    return {code: tuple(phrases) for code, phrases in load_toml(text).items()}
