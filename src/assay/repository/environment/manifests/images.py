"""Images that containers start from, and the packages that they are made to bring."""

from __future__ import annotations

from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import IN_IMAGE, PYTHON, Declared, Pin, Reading
from assay.repository.tables import load_table

_VERSION = regex(r"(\d+(?:\.\d+)*)")
_CONTAINER = regex(r"\b(?:docker|podman|singularity|apptainer)\b|\bimage:")


def read_image(image: str, location: Location, reading: Reading) -> None:
    """Add what an image brings: Python in a certain version, a framework, a list of packages."""
    name, _, tag = image.partition("@")[0].rpartition(":") if ":" in image else (image, "", "")
    version = _VERSION.match(tag)
    versions = version[1] if version else ""
    pin = Pin.NONE if not versions else Pin.EXACT if versions.count(".") >= 2 else Pin.COMPATIBLE
    *_, last = parts = name.split("/")
    if last == PYTHON and versions:
        reading.declared.append(Declared(PYTHON, pin, reading.kind, location, versions, written=image[:200]))
    known = load_table("assay.repository.environment", "tables/images.toml")
    brought = str(known.get("/".join(parts[-2:])) or known.get(last) or "").split()
    for number, name in enumerate(brought):
        stated, group = (versions, "") if not number else ("", IN_IMAGE)
        reading.declared.append(Declared(name, pin, reading.kind, location, stated, group=group, written=image[:200]))


def read_images(text: str, path: str, reading: Reading) -> None:
    """Add what the images bring that the lines about containers name: `docker run …`, `image: …`."""
    for number, line in enumerate(text.split("\n"), 1):
        if _CONTAINER.search(line):
            for word in line.split()[:100]:
                read_image(word.strip("`\"'.,").removeprefix("docker://"), Location(path, number), reading)
