"""JSON-LD of the schema.org family: CodeMeta, RO-Crate and Croissant, which say the same things in the same words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from assay.errors import InputError
from assay.metadata.description import DataFile, Description, Kind, Part, Person
from assay.metadata.plain import doi_in, licence_in, listed, many, mapping, parse_json, spdx, words

CODEMETA = "https://w3id.org/codemeta/3.0"
CRATE = "https://w3id.org/ro/crate/1.1"
_SPDX = "https://spdx.org/licenses/"
_ORCID = "https://orcid.org/"
_SPLIT_TYPES = {"cr:Split", "wd:Q3985153", "Split", "http://mlcommons.org/croissant/Split"}
_SPLIT_TYPES |= {
    f"{scheme}://www.wikidata.org/{kind}/Q3985153" for scheme in ("http", "https") for kind in ("wiki", "entity")
}


def read_linked(text: str, path: str) -> Description:
    """What a codemeta.json, a ro-crate-metadata.json or a Croissant file says."""
    data = parse_json(text, path)
    if "@graph" in data:
        return _read_crate(data, path)
    context = json.dumps(data.get("@context"), ensure_ascii=False)
    conforms = json.dumps(data.get("conformsTo") or data.get("dct:conformsTo"), ensure_ascii=False)
    if "croissant" in context or "croissant" in conforms or "recordSet" in data:
        return _read_croissant(data, path)
    if "codemeta" in context or "SoftwareSourceCode" in map(words, many(data.get("@type"))):
        return _described(data, path, {}, Kind.SOFTWARE)
    fix = "CodeMeta, RO-Crate (ro-crate-metadata.json) and Croissant are known."
    raise InputError("is no metadata file that is known here", where=path, fix=fix)


def _described(data: dict[str, Any], path: str, known: Mapping[str, Any], kind: Kind) -> Description:
    """What all three have in common; `known` has the entities that are referred to."""
    creators = many(data.get("author")) or many(data.get("creator"))
    return Description(
        title=words(data.get("name")),
        kind=kind,
        abstract=words(data.get("description")),
        version=words(data.get("version") or data.get("softwareVersion")),
        doi=doi_in(data.get("identifier"), data.get("@id"), data.get("citation"), data.get("citeAs")),
        licence=licence_in(many(data.get("license"))[:1] and many(data.get("license"))[0]),
        authors=tuple(_person(mapping(known.get(_id(item), item)) or {"name": words(item)}) for item in creators),
        keywords=listed(data.get("keywords")),
        repository=words(data.get("codeRepository")),
        url=words(data.get("url")),
        released=words(data.get("datePublished")),
        source=path,
    )


def _id(item: object) -> str:
    return words(mapping(item).get("@id")) if isinstance(item, dict) else words(item)


def _person(item: dict[str, Any]) -> Person:
    given, family = words(item.get("givenName")), words(item.get("familyName"))
    orcid = words(item.get("@id") or item.get("id"))
    return Person(
        family or words(item.get("name")) or _id(item),
        given if family else "",
        orcid.removeprefix("http:").removeprefix("https:").removeprefix("//orcid.org/")
        if "orcid.org/" in orcid
        else "",
        words(item.get("affiliation")),
    )


# --- RO-Crate ------------------------------------------------------------------------------------------


def _read_crate(data: dict[str, Any], path: str) -> Description:
    entities = {_id(entity): entity for entity in many(data["@graph"]) if isinstance(entity, dict)}
    metadata = next((e for key, e in entities.items() if key.endswith("ro-crate-metadata.json")), {})
    root = mapping(entities.get(_id(metadata.get("about")) or "./") or entities.get("./"))
    if not root:
        raise InputError("has no root dataset", where=path, fix='An RO-Crate has an entity "./".')
    parts = (mapping(entities.get(_id(item))) for item in many(root.get("hasPart")))
    files = tuple(_file(part) for part in parts if "File" in map(words, many(part.get("@type"))))
    told = _described(root, path, entities, Kind.DATASET)
    return replace(told, files=files)


def _file(part: dict[str, Any]) -> DataFile:
    return DataFile(_id(part) or words(part.get("name")), words(part.get("contentSize")), words(part.get("sha256")))


# --- Croissant -----------------------------------------------------------------------------------------


def _read_croissant(data: dict[str, Any], path: str) -> Description:
    records = [mapping(record) for record in many(data.get("recordSet") or data.get("cr:recordSet"))]
    distribution = [mapping(item) for item in many(data.get("distribution"))]
    files = tuple(
        DataFile(
            words(item.get("contentUrl") or item.get("name") or item.get("@id")),
            words(item.get("contentSize")),
            words(item.get("sha256")),
        )
        for item in distribution
        if "FileObject" in words(item.get("@type"))
    )
    parts = tuple(dict.fromkeys(part for record in records for part in _parts(record)))
    return replace(_described(data, path, {}, Kind.DATASET), files=files, parts=parts)


def _parts(record: dict[str, Any]) -> Iterator[Part]:
    """The splits: an enumeration of them, or a field of that type, with its rows counted where they stand inline."""
    inline = [mapping(row) for row in many(record.get("data"))]
    if _is_split(record):
        names = (_first(row, lambda key: "name" in key.rpartition("/")[2]) for row in inline)
        yield from (Part(name) for name in names if name)
    elif inline:
        for field in filter(_is_split, map(mapping, many(record.get("field")))):
            keys = {_id(field), words(field.get("name")), _id(field).rpartition("/")[2]}
            counted = Counter(_first(row, keys.__contains__) for row in inline)
            yield from (Part(name, rows) for name, rows in counted.items() if name)


def _is_split(entity: dict[str, Any]) -> bool:
    return not _SPLIT_TYPES.isdisjoint(map(words, many(entity.get("dataType"))))


def _first(row: dict[str, Any], wanted: Callable[[str], bool]) -> str:
    """The text of the first wanted column of a row; empty if there is none."""
    return next((words(value) for key, value in row.items() if wanted(key)), "")


# --- out -----------------------------------------------------------------------------------------------


def write_codemeta(about: Description) -> str:
    """The same as a codemeta.json."""
    data = {"@context": CODEMETA, "@type": "SoftwareSourceCode", **_common(about), "codeRepository": about.repository}
    data["author"] = [_linked_person(person) for person in about.authors]
    return _json({key: value for key, value in data.items() if value})


def write_crate(about: Description, reports: Mapping[str, bytes], *, on: str = "", licence: str = "") -> str:
    """An RO-Crate of an audit: its report files, what was audited, and the run that links them (Process Run Crate)."""
    import hashlib

    from assay import __version__

    people = [_linked_person(person) for person in about.authors]
    files = [
        {
            "@id": name,
            "@type": "File",
            "name": name,
            "contentSize": str(len(content)),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        for name, content in reports.items()
    ]
    date = on or about.released
    references = [{"@id": file["@id"]} for file in files]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": f"Audit of {about.title or 'an untitled work'}",
        "description": "Reports by Assay, with what was audited.",
        "datePublished": date,
        "license": licence or "not stated",
        "conformsTo": {"@id": "https://w3id.org/ro/wfrun/process/0.5"},
        "hasPart": references,
        "mentions": [{"@id": "#audit"}],
    }
    audited = {"@id": "#audited", "@type": _TYPES[about.kind], **_common(about)}
    audited["codeRepository"] = about.repository
    audited["author"] = [{"@id": person["@id"]} for person in people]
    action = {
        "@id": "#audit",
        "@type": "CreateAction",
        "name": "Assay audits it",
        "endTime": date,
        "instrument": {"@id": "#assay"},
        "object": [{"@id": "#audited"}],
        "result": references,
    }
    assay = {"@id": "#assay", "@type": "SoftwareApplication", "name": "Assay", "version": __version__}
    metadata = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": {"@id": CRATE},
        "about": {"@id": "./"},
    }
    graph: list[dict[str, Any]] = [metadata, root, *files, audited, action, assay, *people]
    return _json({"@context": f"{CRATE}/context", "@graph": [_without_empty(entity) for entity in graph]})


_TYPES = {Kind.SOFTWARE: "SoftwareSourceCode", Kind.DATASET: "Dataset", Kind.MODEL: "SoftwareSourceCode"}


def _common(about: Description) -> dict[str, Any]:
    return {
        "name": about.title,
        "description": about.abstract,
        "version": about.version,
        "identifier": f"https://doi.org/{about.doi}" if about.doi else "",
        "license": f"{_SPDX}{spdx(about.licence)}" if spdx(about.licence) else about.licence,
        "keywords": list(about.keywords),
        "url": about.url,
        "datePublished": about.released,
    }


def _linked_person(person: Person) -> dict[str, Any]:
    key = f"{_ORCID}{person.orcid}" if person.orcid else f"#{person.name.replace(' ', '-') or 'unknown'}"
    named = {"givenName": person.given, "familyName": person.family} if person.given else {"name": person.family}
    kind = "Person" if person.given or person.orcid else "Organization"
    affiliation = {"@type": "Organization", "name": person.affiliation} if person.affiliation else ""
    return _without_empty({"@id": key, "@type": kind, **named, "affiliation": affiliation})


def _without_empty(entity: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entity.items() if value not in ("", [], None)}


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
