"""Model cards as Hugging Face has them: YAML front matter (with the `model-index` of scores), then Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assay.errors import InputError
from assay.metadata.description import Description, Kind, Part, Score
from assay.metadata.plain import doi_in, licence_in, listed, many, mapping, words
from assay.patterns import regex
from assay.plain_yaml import parse_yaml

_FRONT = regex(r"\A---[ \t]*\n(?P<front>.*?)^---[ \t]*$\n?(?P<body>.*)\Z", re.DOTALL | re.MULTILINE)
_HEADING = regex(r"^#{1,3}\s+(?P<title>.+?)\s*#*$")
_LONGEST = 2_000

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "A1": ("model card authors", "model card contact", "developed by"),
    "A3": ("model sources", "repository", "how to get started"),
    "A4": ("uses", "intended use", "intended uses", "direct use"),
    "A5": ("out-of-scope use", "bias, risks, and limitations", "limitations", "intended population"),
    "B1": ("testing data, factors & metrics", "testing data", "evaluation data", "data split", "splits"),
    "B2": ("training data", "dataset", "data"),
    "B3": ("preprocessing", "preprocessing [optional]", "pre-processing", "training procedure"),
    "B7": ("training hyperparameters", "hyperparameters", "model selection"),
}
"""Sections of model cards that speak to items of the model info sheet."""


def read_model_card(text: str, path: str) -> Description:
    """What the front matter of a model card says; the first heading and paragraph give title and abstract."""
    found = _FRONT.match(text.replace("\r\n", "\n").removeprefix("\ufeff"))
    if found is None:
        fix = 'A model card begins with a line "---", metadata in YAML, and another "---".'
        raise InputError("has no front matter", where=path, fix=fix)
    document, _ = parse_yaml(found["front"], path)
    data = mapping(document)
    index = [mapping(item) for item in many(data.get("model-index"))]
    title = next((words(item.get("name")) for item in index if item.get("name")), "")
    named = next((line[2:].strip() for line in found["body"].splitlines() if line.startswith("# ")), "")
    return Description(
        title=title or words(data.get("model_name")) or named,
        kind=Kind.MODEL,
        doi=doi_in(data.get("doi")),
        licence=licence_in(data.get("license")),
        keywords=listed(data.get("tags")),
        data=listed(data.get("datasets")),
        scores=tuple(score for item in index for score in _scores(item)),
        source=path,
    )


def _scores(item: dict[str, Any]) -> Iterator[Score]:
    for result in (mapping(r) for r in many(item.get("results"))):
        task, data = mapping(result.get("task")), mapping(result.get("dataset"))
        for metric in (mapping(m) for m in many(result.get("metrics"))):
            yield Score(
                words(metric.get("type")) or words(metric.get("name")),
                words(metric.get("value")),
                words(data.get("name")) or words(data.get("type")),
                words(data.get("split")),
                words(task.get("type")) or words(task.get("name")),
            )


def sections_of(text: str) -> dict[str, str]:
    """The sections of the card's body, by their headings in small letters."""
    found = _FRONT.match(text.replace("\r\n", "\n").removeprefix("\ufeff"))
    here, sections = "", dict[str, list[str]]()
    for line in (found["body"] if found else text).splitlines():
        heading = _HEADING.match(line)
        if heading:
            here = heading["title"].lower().strip("*: ")
        elif here and line.strip() and not line.lstrip().startswith("<!--"):
            sections.setdefault(here, []).append(line.strip())
    return {title: " ".join(lines)[:_LONGEST] for title, lines in sections.items()}


def sheet_answers(about: Description, sections: Mapping[str, str]) -> dict[str, str]:
    """Answers to items of the model info sheet that a card, or the metadata of a dataset, gives."""
    from_metadata = {
        "A1": ", ".join(person.name for person in about.authors),
        "A3": ", ".join(filter(None, (about.repository, about.url, _doi_link(about), *about.data))),
        "B1": _tested_on(about),
    }
    in_words = {item: _section(headings, sections) for item, headings in HEADINGS.items()}
    measured = {"A2": _version(about), "B2": "; ".join(map(_part, about.parts))}
    answers = (from_metadata, in_words, measured)  # the later ones count where several answer
    return {item: answer for given in answers for item, answer in given.items() if answer}


def _section(headings: Iterable[str], sections: Mapping[str, str]) -> str:
    """The first section under one of these headings that somebody has filled in."""
    texts = (sections.get(heading, "") for heading in headings)
    return next((text for text in texts if text and "more information needed" not in text.lower()), "")


def _version(about: Description) -> str:
    released = f" of {about.released}" if about.released else ""
    return f"{about.title} {about.version}{released}" if about.version else ""


def _doi_link(about: Description) -> str:
    return f"https://doi.org/{about.doi}" if about.doi else ""


def _part(part: Part) -> str:
    return part.name if part.rows is None else f"{part.name}: {part.rows:,} rows"


def _tested_on(about: Description) -> str:
    tested = sorted({f"{s.dataset} ({s.part})" if s.part else s.dataset for s in about.scores if s.dataset})
    return f"Scores are reported on {', '.join(tested)}." if tested else ""


def write_model_card(about: Description, questions: Mapping[str, str], answers: Mapping[str, str]) -> str:
    """A model card from the answers of an info sheet; `questions` gives the heading of each item."""
    import yaml

    results = [
        {
            "task": {"type": s.task or "other"},
            "dataset": {
                "type": s.dataset or "unknown",
                "name": s.dataset or "unknown",
                **({"split": s.part} if s.part else {}),
            },
            "metrics": [{"type": s.metric, "value": s.value}],
        }
        for s in about.scores
    ]
    front: dict[str, Any] = {
        "license": about.licence.lower(),
        "tags": list(about.keywords),
        "datasets": list(about.data),
        "model-index": [{"name": about.title, "results": results}] if results else [],
    }
    head = yaml.safe_dump({k: v for k, v in front.items() if v} or {"tags": ["model-info-sheet"]}, sort_keys=False)
    lines = ["---", head.rstrip(), "---", "", f"# {about.title or 'Model'}", ""]
    for item, heading in questions.items():
        lines += [f"## {heading}", "", answers.get(item) or "Not answered.", ""]
    return "\n".join(lines)
