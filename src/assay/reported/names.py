"""What the names of scores mean: in a heading, and in running text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib.resources import files

from assay.patterns import regex
from assay.records import dataclass, replace
from assay.reported.model import Averaging, Over, Role, ScoreName


class Range(StrEnum):
    """Which values a score can have."""

    SHARE = "share"
    SIGNED = "signed"
    COUNT = "count"
    BELOW_ONE = "below one"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    words: dict[str, str]
    cased: dict[str, str]
    heading: dict[str, str]
    ranges: dict[str, Range]
    lower: frozenset[str]
    """Scores of which less is better."""
    beside: frozenset[str]
    """Spellings that are a score only beside another one."""


@cache
def vocabulary() -> _Vocabulary:
    """The names of names.toml by their spelling."""
    table = tomllib.loads(files("assay.reported").joinpath("names.toml").read_text(encoding="utf-8"))
    spelled: dict[str, dict[str, str]] = {"words": {}, "cased": {}, "heading": {}}
    for score, entry in table.items():
        for kind, names in spelled.items():
            for word in entry.get(kind, ()):
                names[_key(word) if kind != "cased" else word] = score
    ranges = {score: Range(entry.get("range", "share")) for score, entry in table.items()}
    lower = frozenset(score for score, entry in table.items() if entry.get("better") == "lower")
    beside = frozenset(word for entry in table.values() for word in entry.get("beside", ()))
    return _Vocabulary(spelled["words"], spelled["cased"], spelled["heading"], ranges, lower, beside)


def range_of(score: str) -> Range:
    """Which values the score can have."""
    return vocabulary().ranges.get(score, Range.OPEN)


def needs_company(heading: str) -> bool:
    """Whether a heading names a score only beside another score: P, SPE and Gini mean many other things."""
    return "".join(re.findall(r"\w+", heading.lower())) in vocabulary().beside


def lower_is_better(score: str) -> bool:
    """Whether less of the score is better."""
    return score in vocabulary().lower


def _key(name: str) -> str:
    return re.sub(r"[\s_'\u2019.\-–()]", "", name.lower()) if not name.lower().startswith("lr") else name.lower()


_LONGEST = 8
"""Words of the longest name: area under the receiver operating characteristic curve."""
_PIECE = regex(r"[^\W\d_]+\d*(?:\.\d)?[²+]?|\d+%?")
_JOINED = regex(r"[ \t_\-–.'\u2019]{0,3}(?:s(?=[ \t])[ \t]?)?|\n|\^\{?|_\{?")

_AVERAGES = {
    "macro": Averaging.MACRO,
    "macroaveraged": Averaging.MACRO,
    "macroaverage": Averaging.MACRO,
    "macroavg": Averaging.MACRO,
    "unweightedaverage": Averaging.MACRO,
    "micro": Averaging.MICRO,
    "microaveraged": Averaging.MICRO,
    "microaverage": Averaging.MICRO,
    "microavg": Averaging.MICRO,
    "weighted": Averaging.WEIGHTED,
    "weightedaverage": Averaging.WEIGHTED,
    "weightedavg": Averaging.WEIGHTED,
    "weightedaveraged": Averaging.WEIGHTED,
    "binary": Averaging.BINARY,
}
_ROLES = {
    "test": Role.TEST,
    "testing": Role.TEST,
    "val": Role.VALIDATION,
    "valid": Role.VALIDATION,
    "validation": Role.VALIDATION,
    "dev": Role.VALIDATION,
    "train": Role.TRAIN,
    "training": Role.TRAIN,
    "external": Role.EXTERNAL,
}
_PLAIN = frozenset(
    {"overall", "mean", "average", "averaged", "avg", "total", "final", "best", "the", "score", "value", "values"}
)
_SHORT_FORMS = {"mf1": ("f1", Averaging.MACRO), "miou": ("ji", Averaging.MACRO), "uar": ("sens", Averaging.MACRO),
                "maf1": ("f1", Averaging.MACRO), "mif1": ("f1", Averaging.MICRO), "wf1": ("f1", Averaging.WEIGHTED),
                "unweightedaveragerecall": ("sens", Averaging.MACRO), "meaniou": ("ji", Averaging.MACRO),
                "mdice": ("f1", Averaging.MACRO), "macc": ("sens", Averaging.MACRO),
                "meanintersectionoverunion": ("ji", Averaging.MACRO), "dicemean": ("f1", Averaging.MACRO)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """A name in a text, with the characters that it covers."""

    name: ScoreName
    start: int
    end: int


def find_names(text: str, *, headings: bool = False) -> Iterator[Found]:
    """Every score that is named in a text, longest names first, from left to right."""
    pieces = list(_PIECE.finditer(text))
    at = 0
    while at < len(pieces):
        taken, name = _longest(text, pieces, at, headings)
        if name is None:
            half = _half(text, pieces, at)
            if half is not None:
                yield Found(ScoreName(half, pieces[at][0]), pieces[at].start(), pieces[at].end())
            at += 1
            continue
        start, end = pieces[at].start(), pieces[at + taken - 1].end()
        yield _extended(text, pieces[max(0, at - 4) : at], Found(replace(name, printed=text[start:end]), start, end))
        at += taken


_HALVES = {("positive", "npv"): "ppv", ("negative", "ppv"): "npv"}
"""A word that stands for a score when the name of the other one follows."""


def _half(text: str, pieces: list[re.Match[str]], at: int) -> str | None:
    """In "positive and negative predictive values" the first word stands for a score as well."""
    word = pieces[at][0].lower()
    if word not in {first for first, _ in _HALVES} or at + 2 >= len(pieces) or pieces[at + 1][0].lower() != "and":
        return None
    _, name = _longest(text, pieces, at + 2, headings=False)
    return _HALVES.get((word, name.score)) if name is not None else None


def _longest(text: str, pieces: list[re.Match[str]], at: int, headings: bool) -> tuple[int, ScoreName | None]:
    joined = ""
    best: tuple[int, ScoreName | None] = (0, None)
    for count in range(1, min(_LONGEST, len(pieces) - at) + 1):
        piece = pieces[at + count - 1]
        if count > 1 and not _JOINED.fullmatch(text, pieces[at + count - 2].end(), piece.start()):
            break
        if count > 1 and _numbered(text[pieces[at + count - 2].end() : piece.end()], joined):
            break
        joined += piece[0]
        found = _meaning(joined, count, headings)
        if found is not None and _whole(text, pieces[at].start(), piece.end()) and _meant(text, joined, piece.start()):
            best = (count, found)
    return best


def _numbered(tail: str, before: str) -> bool:
    """Whether a hyphen and digits follow that are no part of a name of a score: top-5 is one, acc-12 is not."""
    numbered = re.fullmatch(r"-\d.*", tail.strip()) is not None
    return numbered and not before.lower().startswith(("top", "bleu", "rouge", "f", "map"))


def _meaning(joined: str, count: int, headings: bool) -> ScoreName | None:
    known = vocabulary()
    small = joined.lower()
    if small in _SHORT_FORMS:
        score, averaging = _SHORT_FORMS[small]
        return ScoreName(score, joined, averaging)
    named = known.words.get(small) or known.cased.get(joined)
    if named is None and headings and count == 1:
        named = known.heading.get(small)
    return ScoreName(named, joined) if named else None


def _whole(text: str, start: int, end: int) -> bool:
    """Whether the name is not a part of a longer word: AccNet, resnet_acc2 and 1-F1 are none."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if after.isalnum():
        return False
    inside_word = after in {"-", "–"} and text[end + 1 : end + 2].isalpha() and not _is_suffix(text[end + 1 : end + 12])
    return not before.isalnum() and not inside_word


_ADJECTIVES = frozenset({"accurate", "sensitive", "specific"})


def _meant(text: str, word: str, start: int) -> bool:
    """An adjective names a score only right behind a percentage: 92 % specific, but not language-specific."""
    return word.lower() not in _ADJECTIVES or re.search(r"%\s$", text[max(0, start - 4) : start]) is not None


def _is_suffix(text: str) -> bool:
    word = re.match(r"[A-Za-z]+", text)
    return word is not None and (
        word[0].lower() in _AVERAGES
        or word[0].lower() in {"score", "measure", "value", "macro", "roc", "pr", "weighted"}
    )


_BEFORE = regex(r"[ \t_\-]{0,3}")
_AFTER = regex(
    r"[ \t]?\((?P<word>macro|micro|weighted|binary|macro[- ]avg|weighted[- ]avg|macro[- ]averaged|test|val|train)\.?\)"
    r"|[ \t]?[(\[](?:for |of )?(?:the )?(?P<class>(?:class|label) \w{1,15}|(?:positive|negative) class)[)\]]"
    r"|[_-](?P<tail>macro|micro|weighted|binary|test|val|train)\b"
    r"|[ \t]?[(\[](?P<same>[A-Za-z0-9/ -]{1,12})[)\]]"
    r"|[ \t]?[(\[](?P<percent>\\?%|in \\?%|percent)[)\]]"
    r"|(?P<at>@[\d.:\[\]]{1,9})(?=[\s,)]|$)"
    r"|(?P<arrow>[ \t]?[↑↓])"
    r"|(?P<word2>[ \t](?:score|value)s?)\b",
    re.IGNORECASE,
)


def _extended(text: str, before: list[re.Match[str]], found: Found) -> Found:
    """The name with what stands directly around it: macro-averaged …, test …, … (weighted), … (ACC), … (%)."""
    name, start = _with_prefixes(text, before, found)
    end = found.end
    while (match := _AFTER.match(text, end)) is not None:
        extended = _with_suffix(name, match)
        if extended is None:
            break
        name, end = extended, match.end()
    return Found(replace(name, printed=text[start:end]), start, end)


def _with_prefixes(text: str, before: list[re.Match[str]], found: Found) -> tuple[ScoreName, int]:
    """The name with the words directly before it that say how it was averaged or on what, and where these begin."""
    name, start = found.name, found.start
    at = len(before)
    while at and _BEFORE.fullmatch(text, before[at - 1].end(), start):
        two = "".join(piece[0] for piece in before[max(0, at - 2) : at]).lower()
        one = before[at - 1][0].lower()
        if one in _AVERAGES and name.score == "auprc" and "average" in name.printed.lower():
            name = replace(name, score="ppv")
        if two in _AVERAGES and at > 1:
            name, at = replace(name, averaging=_AVERAGES[two]), at - 1
        elif one in _AVERAGES:
            name = replace(name, averaging=_AVERAGES[one])
        elif one in _ROLES:
            name = replace(name, role=_ROLES[one])
        elif one not in _PLAIN - {"the"}:
            break
        at -= 1
        start = before[at].start()
    return name, start


def _with_suffix(name: ScoreName, match: re.Match[str]) -> ScoreName | None:
    """The name with what a bracket or a tail adds to it; None when the bracket is about something else."""
    key = (match["word"] or match["tail"] or "").lower().replace("-", "").replace(" ", "")
    if key in _AVERAGES:
        return replace(name, averaging=_AVERAGES[key])
    if key in _ROLES:
        return replace(name, role=_ROLES[key])
    if match["class"]:
        return replace(name, averaging=Averaging.CLASS, label=match["class"])
    if match["percent"]:
        return replace(name, percent=True)
    if match["at"]:
        return replace(name, qualifier=match["at"])
    return None if match["same"] and not _same_score(match["same"], name.score) else name


def _same_score(text: str, score: str) -> bool:
    known = vocabulary()
    key = _key(text)
    return score in {known.words.get(key), known.cased.get(text.strip()), known.heading.get(key)}


_NOISE = regex(r"[↑↓⬆⬇*†‡§:]|\(?\s*(?:higher|lower)\s*(?:is|=)?\s*better\s*\)?|\\[a-zA-Z]+", re.IGNORECASE)
_POINT = regex(
    r"[(\[]?\s*(?:@|\bat)\s*(?:a\s)?(?:\d{1,3}(?:\.\d+)?\s*\\?%|0?\.\d+)\s*"
    r"(?:sens|spec|recall|precision|fpr|tpr|ppv|npv)\w*\.?\s*[)\]]?",
    re.IGNORECASE,
)
"""The point of a curve that a score is read at: sensitivity at 97 % specificity."""
_PERCENT = regex(r"[(\[]?\s*(?:in\s+)?(?:\\?%|percent|percentage)\s*[)\]]?", re.IGNORECASE)
_KINDS = regex(
    r"[(\[,]\s*(?:mean\s*)?(?:±\s*)?(?P<kind>95\s*\\?%\s*-?\s*c\.?i\.?|99\s*\\?%\s*ci|ci|sd|std|s\.d\.|se|n/N|mean)"
    r"(?:\s*±\s*(?:sd|std))?\s*[)\]]?",
    re.IGNORECASE,
)


def read_name(text: str) -> ScoreName | None:
    """What a heading means; None when it names no score or more than one.

    The whole heading must be understood, apart from words that qualify ("Frozen Acc."): these are kept.
    """
    if len(text) > 120:
        return None
    plain = " ".join(_NOISE.sub(" ", text).split())
    point = _POINT.search(plain)
    bare = _KINDS.sub(" ", _POINT.sub(" ", plain)).strip()
    percent = _PERCENT.search(bare) is not None
    bare = _PERCENT.sub(" ", bare).strip(" ,.;|") if percent else bare.strip(" ,.;|")
    found = _without_letter(list(find_names(bare, headings=True)), bare)
    if not found or len({one.name.score for one in found}) > 1:
        return None
    name, start, end = found[0].name, found[0].start, found[-1].end
    if bare[end:].lstrip().startswith("="):  # a figure beside others, not a heading of figures
        return None
    rest = " ".join((bare[:start] + " " + bare[end:]).split()).strip(" ,.;:/()[]-–@")
    if len(rest.split()) > 4 or (len(found) == 1 and len(found[0].name.printed) < 2 and rest):
        return None
    label = _class_label(rest)
    return replace(
        name,
        printed=text.strip(),
        percent=percent or name.percent,
        qualifier=" ".join(part for part in (name.qualifier, rest, point[0].strip() if point else "") if part),
        averaging=Averaging.CLASS if label else name.averaging,
        label=label,
        over=Over.UNSTATED,
    )


def _without_letter(found: list[Found], text: str) -> list[Found]:
    """In "IoU R" the letter says which class is meant; P, R and F are scores only where no other score is named."""
    first, last = (found[0], found[-1]) if len(found) == _NAME_AND_LETTER else (None, None)
    if first is None or last is None or len(first.name.printed) == 1:
        return found
    apart = last.end - last.start == 1 and last.end == len(text) and text[first.end : last.start] == " "
    return [first] if apart else found


_NAME_AND_LETTER = 2


def _class_label(rest: str) -> str:
    named = re.fullmatch(r"(?:of )?class (\S{1,20})", rest, re.IGNORECASE)
    return named[1] if named else ""
