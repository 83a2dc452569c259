"""CITATION.cff (Citation File Format 1.2.0), in and out."""

from __future__ import annotations

from typing import Any

from assay.errors import InputError
from assay.metadata.description import Description, Kind, Person
from assay.metadata.plain import doi_in, licence_in, listed, many, mapping, spdx, words
from assay.plain_yaml import parse_yaml

_MESSAGE = "If you use this work, please cite it as below."
_ORCID = "https://orcid.org/"


def read_citation(text: str, path: str) -> Description:
    """What a CITATION.cff says."""
    document, _ = parse_yaml(text, path)
    data = mapping(document)
    if "cff-version" not in data:
        raise InputError('has no "cff-version"', where=path, fix="A citation file begins with cff-version: 1.2.0.")
    values = [mapping(item).get("value") for item in many(data.get("identifiers"))]
    return Description(
        title=words(data.get("title")),
        kind=Kind.DATASET if words(data.get("type")) == "dataset" else Kind.SOFTWARE,
        abstract=words(data.get("abstract")),
        version=words(data.get("version")),
        doi=doi_in(data.get("doi"), values),
        licence=licence_in(data.get("license") or data.get("license-url")),
        authors=tuple(_person(mapping(item)) for item in many(data.get("authors"))),
        keywords=listed(data.get("keywords")),
        repository=words(data.get("repository-code") or data.get("repository")),
        url=words(data.get("url")),
        released=words(data.get("date-released")),
        source=path,
    )


def _person(item: dict[str, Any]) -> Person:
    family = " ".join(said for said in (words(item.get("name-particle")), words(item.get("family-names"))) if said)
    return Person(
        family or words(item.get("name")) or words(item.get("alias")),
        words(item.get("given-names")),
        words(item.get("orcid")).removeprefix(_ORCID),
        words(item.get("affiliation")),
    )


def write_citation(about: Description) -> str:
    """The same as a CITATION.cff. A citation needs a title and an author: what is not known is said to be so."""
    import yaml

    authors = [_author(person) for person in about.authors] or [{"name": "unknown"}]
    data: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": _MESSAGE,
        "type": "dataset" if about.kind is Kind.DATASET else "software",
        "title": about.title or "untitled",
        "authors": authors,
        "abstract": about.abstract,
        "version": about.version,
        "doi": about.doi,
        "license": spdx(about.licence),
        "repository-code": about.repository if about.repository.startswith(("http://", "https://")) else "",
        "url": about.url if about.url.startswith(("http://", "https://")) else "",
        "date-released": about.released[:10] if _is_date(about.released[:10]) else "",
        "keywords": list(about.keywords),
    }
    kept = {key: value for key, value in data.items() if value}
    return yaml.safe_dump(kept, sort_keys=False, allow_unicode=True, width=100)


def _author(person: Person) -> dict[str, str]:
    if not person.given:
        return {"name": person.family or "unknown"}
    orcid = f"{_ORCID}{person.orcid}" if person.orcid else ""
    told = {
        "family-names": person.family,
        "given-names": person.given,
        "orcid": orcid,
        "affiliation": person.affiliation,
    }
    return {key: value for key, value in told.items() if value}


def _is_date(text: str) -> bool:
    from datetime import date

    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False
