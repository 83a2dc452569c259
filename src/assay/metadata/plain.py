"""Hostile JSON and YAML as plain values: text that is text, lists that are lists, of bounded size."""

from __future__ import annotations

from typing import Any

from assay.bounded import load_json
from assay.errors import InputError
from assay.patterns import regex

_LONGEST = 20_000
_MOST = 10_000
_DOI = regex(r"10\.\d{4,9}/\S+")
_SPDX = regex(r"https?://(?:www\.)?spdx\.org/licenses/([\w.+-]+?)(?:\.html|\.json)?/?")


def parse_json(text: str, path: str) -> dict[str, Any]:
    """The object in this JSON."""
    try:
        data = load_json(text)
    except ValueError:
        raise InputError("is not JSON", where=path, fix="Fix the file.") from None
    if not isinstance(data, dict):
        raise InputError("is not a JSON object", where=path, fix="Fix the file.")
    return data


def words(value: object) -> str:
    """Text, from whatever a careless writer put there; "" when there is none."""
    if isinstance(value, dict):
        value = next((value[key] for key in ("@value", "name", "@id", "id", "url") if key in value), "")
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    return str(value).strip()[:_LONGEST].encode("utf-8", "replace").decode("utf-8")


def many(value: object) -> list[Any]:
    """A list, also where a single thing stands for it."""
    if value is None or value == "":
        return []
    return value[:_MOST] if isinstance(value, list) else [value]


def listed(value: object) -> tuple[str, ...]:
    """Several words: a list of them, or a text with commas."""
    if isinstance(value, str) and "," in value:
        value = value.split(",")
    return tuple(dict.fromkeys(said for said in (words(item) for item in many(value)) if said))


def mapping(value: object) -> dict[str, Any]:
    """A mapping, or an empty one."""
    return value if isinstance(value, dict) else {}


def doi_in(*values: object) -> str:
    """The first DOI in these, without what stands before it."""
    found = (_DOI.search(words(item)) for value in values for item in many(value))
    return next((match[0].rstrip(".,;") for match in found if match), "")


def licence_in(value: object) -> str:
    """An SPDX identifier where it is one, else as it was written."""
    text = words(mapping(value).get("@id") or value)
    match = _SPDX.fullmatch(text)
    return spdx(match[1] if match else text) or text


def spdx(licence: str) -> str:
    """The SPDX identifier that is meant, in its own spelling (mit is MIT); "" when it is none."""
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    if " " in licence:  # an expression of several is no identifier
        return ""
    try:
        return canonicalize_license_expression(licence)
    except InvalidLicenseExpression:
        return ""
