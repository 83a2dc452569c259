"""R and Julia, read as text: what they read, write, fetch and split, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from assay.code import Language, Source
from assay.findings import Confidence
from assay.patterns import regex
from assay.repository.data.collection import Gathered, Use, is_test_file
from assay.repository.data.facts import Download, Preparation, PreparationKind, Route, Split, SplitKind
from assay.repository.data.links import Topic, topic_of
from assay.repository.vocabulary import vocabulary

_LONGEST = 2000
_TEXT = regex(r"[\"']([^\"'\n]{1,300})[\"']")
_URL = regex(r"(?:https?|ftp)://[^\s\"'<>]{4,500}")
_WORDS = vocabulary("assay.repository.data", "calls.toml")
_LANGUAGES = (Language.R, Language.JULIA)
_READS = {language: _WORDS.pattern(f"{language.value}_read") for language in _LANGUAGES}
_WRITES = {language: _WORDS.pattern(f"{language.value}_write") for language in _LANGUAGES}
_FETCHES = {language: _WORDS.pattern(f"{language.value}_fetch") for language in _LANGUAGES}
_BUNDLED = _WORDS.pattern("r_bundled")
_SPLITS = _WORDS.pattern("script_split")
_PREPARES = _WORDS.pattern("script_prepare")
_TRAINS = _WORDS.pattern("script_train")
_RESAMPLES = _WORDS.words("script_resample")


def gather_script(source: Source, into: Gathered) -> None:
    """Go through one file of R or Julia."""
    if is_test_file(source):
        return
    for number, line in enumerate(source.lines, 1):
        bare = line[:_LONGEST].partition("#")[0] if "#" in line and "://" not in line else line[:_LONGEST]
        if bare.strip():
            _line(bare, number, source, into)


def _line(line: str, number: int, source: Source, into: Gathered) -> None:
    place = source.location(number)
    for match in _READS[source.language].finditer(line):
        texts = tuple(t for t in _TEXT.findall(line[match.end() :]) if t.strip() and "://" not in t)
        path = (
            "/".join(texts) if "file.path(" in line or "here(" in line or "joinpath(" in line else next(iter(texts), "")
        )
        into.reads.append(Use(match[1], (path,) if path else (), place, source.path))
    for match in _WRITES[source.language].finditer(line):
        into.writes.append(Use(match[1], tuple(_TEXT.findall(line[match.end() :])[:2]), place, source.path))
    into.downloads += _downloads(line, source, place_number=number)
    if split := _SPLITS.search(line):
        kind = SplitKind.CROSS_VALIDATION if split[1] in _RESAMPLES else SplitKind.HOLD_OUT
        into.splits.append(Split(kind, split[1], place))
    if prepared := _PREPARES.search(line):
        into.preparations.append(Preparation(PreparationKind.CODE, prepared[1], place))
    if _TRAINS.search(line):
        into.trains.append(place)


def _downloads(line: str, source: Source, place_number: int) -> Iterator[Download]:
    place = source.location(place_number)
    if match := _FETCHES[source.language].search(line):
        yield Download(match[1], Route.LIBRARY, match[1], place, Confidence.MEDIUM)
    elif source.language is Language.R and (match := _BUNDLED.search(line)):
        yield Download("data", Route.BUNDLED, match[1], place)
    elif "download" in line or _READS[source.language].search(line):
        for match in _URL.finditer(line):
            if topic_of(match[0], "", line.replace(match[0], " "), "") is Topic.DATA:
                yield Download("download", Route.URL, match[0], place)
