"""Makes the table of licences anew when the SPDX License List has changed.

    python -m assay.repository.licence.table_maker SPDX.json > spdx.tsv

The JSON file has the list's `licenseListVersion` and `licenses`, each with `licenseId`, `isOsiApproved`,
`isFsfLibre`, `isDeprecatedLicenseId` and its `text`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.patterns import regex
from assay.repository.licence.fingerprint import Fingerprint
from assay.repository.licence.table import base_identifier, pack

_APPENDED = regex(
    r"(?:END OF TERMS AND CONDITIONS|APPENDIX: How to apply|How to Apply These Terms|\nGNU GENERAL PUBLIC LICENSE).*",
    re.DOTALL,
)
"""What the list has after the licence proper, and files often have not: advice, or the licence that LGPL adds to."""


def rows(licences: list[dict[str, Any]]) -> Iterator[str]:
    """A line for each distinct text, with the identifier's version choice taken off."""
    seen: set[frozenset[int]] = set()
    for licence in licences:
        made = Fingerprint.from_text(_APPENDED.sub("", licence.get("text") or ""))
        if licence.get("isDeprecatedLicenseId") or not made.sample or made.sample in seen:
            continue
        seen.add(made.sample)
        flags = ("o" if licence.get("isOsiApproved") else "-") + ("f" if licence.get("isFsfLibre") else "-")
        name, length = base_identifier(licence["licenseId"]), str(made.length)
        yield "\t".join([name, flags, length, pack(made.sample)])


if __name__ == "__main__":
    data = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.stdout.write(
        f"# SPDX License List {data['licenseListVersion']}: identifier, OSI and FSF flags, words, triples\n"
    )
    sys.stdout.writelines(row + "\n" for row in rows(data["licenses"]))
