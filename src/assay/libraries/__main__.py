"""Write the compact form of the shipped tables: `python -m assay.libraries`."""

import json
from pathlib import Path

from assay.libraries.loading import COMPACT, shipped_sources


def compact() -> str:
    """All shipped tables as one line of JSON each."""
    tables = shipped_sources().items()
    lines = (f"{json.dumps(name)}:{json.dumps(data, separators=(',', ':'))}" for name, data in tables)
    return "{" + ",\n".join(lines) + "}\n"


if __name__ == "__main__":
    (Path(__file__).parent / COMPACT).write_text(compact(), encoding="utf-8")
