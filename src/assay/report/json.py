"""The report as JSON: all of it, exactly, as the published schema describes."""

from __future__ import annotations

import json
import math
from typing import Any

from assay.findings import Report
from assay.patterns import regex

_SURROGATE = regex("[\ud800-\udfff]")


def render(report: Report) -> str:
    """`Report.to_dict` as strict JSON."""
    return dumped(report.to_dict())


def dumped(data: Any) -> str:
    """Strict JSON that can be encoded whatever it contains: NaN becomes a string, half a character an escape."""
    text = json.dumps(_finite(data), ensure_ascii=False, indent=2, allow_nan=False)
    return _SURROGATE.sub(lambda m: f"\\u{ord(m[0]):04x}", text) + "\n"


def _finite(data: Any) -> Any:
    match data:
        case float() if not math.isfinite(data):
            return "NaN" if math.isnan(data) else "Infinity" if data > 0 else "-Infinity"
        case dict():
            return {key: _finite(value) for key, value in data.items()}
        case list() | tuple():
            return [_finite(value) for value in data]
        case _:
            return data
