"""One requirement, as PEP 508 or pip's own forms write it, to a `Declared`."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import product

from packaging.markers import InvalidMarker, Marker, UndefinedComparison, UndefinedEnvironmentName
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.environment.declared import ITSELF, Declared, Kind, Pin
from assay.repository.environment.distributions import repositories

MAX_LENGTH = 2000
"""Longer requirements are not looked at."""
_QUOTED = 200

_PYTHONS = ("3.14", "3.13", "3.12", "3.11", "3.10", "3.9", "3.8", "3.7", "3.6")
_SYSTEMS = (("linux", "Linux", "posix"), ("darwin", "Darwin", "posix"), ("win32", "Windows", "nt"))
_MACHINES = ("x86_64", "arm64", "aarch64", "AMD64")
_EXTRA = regex(r"extra\s*==\s*['\"]([^'\"]{1,100})['\"]")

_VCS = regex(r"(?:git|hg|svn|bzr)\+[a-z+]+:|git@|git://", re.IGNORECASE)
_URL = regex(r"(?:https?|ftp|s3|gs)://", re.IGNORECASE)
_COMMIT = regex(r"[0-9a-f]{7,40}", re.IGNORECASE)
_FRAGMENT_NAME = regex(r"[#&]egg=([A-Za-z0-9][\w.-]*)")
_FRAGMENT_HASH = regex(r"[#&](?:sha\d+|md5)=")
_ARCHIVE = regex(r"/([\w.-]+)/(?:archive|zipball|tarball)/(?:refs/(?:heads|tags)/)?([^/?#]+?)(?:\.zip|\.tar\.gz)?$")
_SOURCE_FILE = regex(r"([A-Za-z0-9][\w.]*?(?:-[A-Za-z_][\w.]*?)*)-v?\d[\w.+!]*\.(?:tar\.gz|tar\.bz2|zip|tgz)$")
_LOOSE = regex(r"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[([^\]]*)\])?\s*(?:([=<>!~^].*))?$")
_NAMED_ADDRESS = regex(r"([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?\s*@\s*(\S+)(.*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Context:
    """Where a requirement stands."""

    kind: Kind
    location: Location
    group: str = ""
    hashed: bool = False


def declare(text: str, context: Context) -> tuple[Declared | None, str]:
    """The declaration that a text makes, and what is wrong with it; one of the two may be empty."""
    text = text.strip()
    if len(text) > MAX_LENGTH:
        return None, "is too long to be a requirement"
    named = _NAMED_ADDRESS.match(text)
    if named and (_is_address(named[3]) or named[3].startswith("file:")):
        extras = tuple(sorted(e.strip() for e in (named[2] or "").split(",") if e.strip()))
        found = _at_address(named[3], named[4].partition(";")[2].strip(), context)
        return replace(found, name=canonicalize_name(named[1]), extras=extras, written=text[:_QUOTED]), ""
    if _is_address(text) or text.startswith("file:") or _is_path(text):
        address, _, marker = text.partition(" ;")
        return replace(_at_address(address.strip(), marker.strip(), context), written=text[:_QUOTED]), ""
    try:
        requirement = Requirement(text)
    except (InvalidRequirement, RecursionError):
        return _loosely(text, context)
    marker = str(requirement.marker) if requirement.marker else ""
    found = Declared(
        name=canonicalize_name(requirement.name),
        pin=Pin.HASHED if context.hashed else pin_of(requirement.specifier),
        kind=context.kind,
        location=context.location,
        specifier=str(requirement.specifier),
        marker=marker,
        applies=holds_somewhere(marker),
        group=context.group,
        extras=tuple(sorted(requirement.extras)),
        written=text[:_QUOTED],
    )
    return found, ""


def pin_of(specifiers: SpecifierSet) -> Pin:
    """How strict a set of version specifiers (PEP 440) is."""
    operators = [(s.operator, s.version.endswith(".*")) for s in specifiers]
    if any(op == "===" or (op == "==" and not starred) for op, starred in operators):
        return Pin.EXACT
    if any(op in {"~=", "=="} for op, _ in operators):
        return Pin.COMPATIBLE
    return Pin.RANGE if operators else Pin.NONE


@lru_cache(maxsize=4096)
def holds_somewhere(marker: str) -> bool:
    """Whether a marker (PEP 508) is true on some Python 3 on a common system; what is not understood is."""
    if not marker:
        return True
    try:
        parsed = Marker(marker)
        return any(parsed.evaluate(environment) for environment in _environments(marker))
    except (InvalidMarker, UndefinedComparison, UndefinedEnvironmentName, InvalidVersion, RecursionError):
        return True


def _environments(marker: str) -> list[dict[str, str]]:
    machines = _MACHINES if "platform_machine" in marker else _MACHINES[:1]
    return [
        {
            "python_version": python,
            "python_full_version": f"{python}.9",
            "sys_platform": system,
            "platform_system": named,
            "os_name": family,
            "platform_machine": machine,
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
            "extra": extra,
        }
        for extra, python, (system, named, family), machine in product(
            _EXTRA.findall(marker)[:4] or [""], _PYTHONS, _SYSTEMS, machines
        )
    ]


def _is_address(text: str) -> bool:
    return bool(_VCS.match(text) or _URL.match(text))


def _is_path(text: str) -> bool:
    return text.startswith((".", "/", "~")) or text.endswith((".whl", ".tar.gz", ".zip"))


def _at_address(address: str, marker: str, context: Context) -> Declared:
    pin = _pin_of_address(address)
    return Declared(
        name=name_in_address(address),
        pin=Pin.HASHED if context.hashed and pin in {Pin.EXACT, Pin.URL} else pin,
        kind=context.kind,
        location=context.location,
        specifier=address,
        marker=marker,
        applies=holds_somewhere(marker),
        group=context.group,
    )


def _pin_of_address(address: str) -> Pin:
    bare = address.partition("#")[0]
    if _VCS.match(address):
        reference = bare.rpartition("/")[2].rpartition("@")
        return Pin.COMMIT if reference[1] and _COMMIT.fullmatch(reference[2]) else Pin.VCS
    if not _URL.match(address):
        return Pin.PATH
    if _FRAGMENT_HASH.search(address):
        return Pin.HASHED
    archive = _ARCHIVE.search(bare)
    if archive:
        return Pin.COMMIT if _COMMIT.fullmatch(archive[2]) else Pin.VCS
    return Pin.EXACT if bare.endswith(".whl") or _SOURCE_FILE.match(bare.rpartition("/")[2]) else Pin.URL


def name_in_address(address: str) -> str:
    """The distribution that an address seems to hold, by its fragment, its file or its repository."""
    told = _FRAGMENT_NAME.search(address)
    if told:
        return canonicalize_name(re.sub(r"[-_]\d.*$", "", told[1]))
    bare = address.partition("#")[0].partition("?")[0].rstrip("/")
    if archive := _ARCHIVE.search(bare):
        return held_by(bare[: archive.end(1)])
    last = bare.rpartition("/")[2].rpartition(":")[2]
    if last.endswith(".whl"):
        try:
            return parse_wheel_filename(last.replace("%2B", "+"))[0]
        except (InvalidWheelFilename, InvalidVersion):
            return canonicalize_name(last.partition("-")[0])
    if source := _SOURCE_FILE.match(last):
        return canonicalize_name(source[1])
    start = bare.removesuffix(last)
    if _VCS.match(address):
        last = last.partition("@")[0]
    return held_by(start + re.sub(r"\[[^\]]*\]$", "", last).removesuffix(".git")) or ITSELF


def held_by(repository: str) -> str:
    """The distribution in a repository on a code host: mostly called like it; `vision` depends on the owner."""
    owner, name = (canonicalize_name(part).strip("-") for part in ["", *re.split(r"[/:]", repository)][-2:])
    return repositories().get(f"{owner}/{name}") or repositories().get(name) or name


def _loosely(text: str, context: Context) -> tuple[Declared | None, str]:
    """What pip would refuse, but a reader understands: `numpy=1.19`, `torch>=1.*`."""
    line, _, marker = text.partition(";")
    match = _LOOSE.match(line.strip())
    if match is None:
        return None, "is not a requirement"
    versions = (match[3] or "").strip()
    found = Declared(
        name=canonicalize_name(match[1]),
        pin=_loose_pin(versions),
        kind=context.kind,
        location=context.location,
        specifier=versions,
        marker=marker.strip(),
        applies=holds_somewhere(marker.strip()),
        group=context.group,
        written=text[:_QUOTED],
    )
    return found, "is not a valid requirement"


def _loose_pin(versions: str) -> Pin:
    if not versions:
        return Pin.NONE
    if re.match(r"={1,3}\s*\w[\w.+!-]*$", versions):
        return Pin.EXACT
    return Pin.COMPATIBLE if versions.startswith(("~", "^", "=")) else Pin.RANGE
