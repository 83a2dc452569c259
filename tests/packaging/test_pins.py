"""The pinned requirements, as pip reads them when it demands hashes."""

from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


def pinned(file: str) -> dict[str, Requirement]:
    lines = (ROOT / "requirements" / file).read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line.split(" \\")[0].strip()) for line in lines if line[:1].isalnum() and "==" in line]
    return {canonicalize_name(pin.name): pin for pin in pins}


@pytest.mark.parametrize("file", ["run.txt", "dev.txt"])
def test_what_is_asked_for_with_extras_is_pinned_with_them(file: str) -> None:
    pins = pinned(file)
    assert len(pins) > 30
    asked = 0
    for name, pin in pins.items():
        try:
            needed = [Requirement(line) for line in requires(name) or ()]
        except PackageNotFoundError:  # for another system
            continue
        for one in needed:
            applies = one.marker is None or any(one.marker.evaluate({"extra": e}) for e in ("", *pin.extras))
            if one.extras and applies:
                asked += 1
                found = pins[canonicalize_name(one.name)]
                assert one.extras <= found.extras, f"{name} asks for {one}, and {found} is pinned"
    assert asked or file == "run.txt"
