"""Counts of items in a sentence or caption: "1,115 test images", "49 tumour and 80 normal slides", "n = 120".

A number counts as a size only with a noun that can be classified, and only when nothing says that it is a number of
something else: runs, folds, shots, epochs, a year, or so many "per class" or "each".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.article.sets.model import Counts, Unit
from assay.patterns import regex
from assay.records import dataclass
from assay.reported.model import Role

_UNITS: tuple[tuple[Unit, str], ...] = (
    (Unit.SLIDES, r"slides?|wsis?|whole[- ]slide images?"),
    (Unit.PATCHES, r"patch(?:es)?|tiles?|pixels?|voxels?|windows?|segments?|frames?|crops?|superpixels?"),
    (Unit.LESIONS, r"lesions?|nodules?|polyps?|metastases|cells?|nuclei|objects?|boxes|instances of"),
    (Unit.IMAGES, r"images?|scans?|pictures?|photos?|photographs?|radiographs?|x-rays?|mammograms?|volumes?|biopsies"),
    (
        Unit.SAMPLES,
        (
            r"(?:data ?points?|datapoints?)|samples?|instances?|examples?|records?|items?|observations?|entries|rows"
            r"|clips?|specimens?|questions?|tweets?|reviews?|messages?|e-?mails?|pairs?|events?|transactions?"
        ),
    ),
    (
        Unit.PATIENTS,
        (
            r"cases|patients?|subjects?|participants?|individuals?|people|persons?|volunteers?|users?|speakers?|women|men"
            r"|children|adults|students?|controls?|donors?|animals?|mice|hospitals?|cent(?:er|re)s?|sites?|households?"
        ),
    ),
    (
        Unit.RECORDINGS,
        (
            r"recordings?|videos?|documents?|sentences?|papers?|articles?|sequences?|sessions?|studies|conversations?"
            r"|dialogues?|stories|songs?|files?|exams?|examinations?|visits?|genomes?|proteins?"
        ),
    ),
)
_UNIT = "|".join(f"(?P<{unit.name}>{words})" for unit, words in _UNITS)
_NUMBER = r"(?<![\w.,/:^=<>-])(?:\d{1,3}(?:[,\u2009\u202f]\d{3})+|\d{1,7})(?![\d.,]*\d|\s?[%°×/:^]|\w|-\w)"
_COUNT = regex(_NUMBER)
_NOT_A_MODIFIER = (
    r"(?:per|out|of|and|or|to|in|on|with|for|from|by|the|is|are|was|were|at|as|than|vs|versus|times?|epochs?|runs?"
    r"|folds?|seeds?|shots?|trials?|repetitions?|iterations?|repeats?|layers?|class(?:es)?|years?|months?|days?|hours?"
    r"|minutes?|seconds?|steps?|batch(?:es)?|different|random|independent|bootstrap\w*|points?|percent|million|billion"
    r"|thousand|k|pre-?trained|unlabell?ed|pseudo\S*|synthetic|generated|augmented|nearest|top|most)"
)
_MODIFIER = rf"(?!(?:{_NOT_A_MODIFIER})\b)[A-Za-z][A-Za-z0-9'/+-]*"
_UNIT_AFTER = regex(rf"\s*(?P<modifiers>(?:{_MODIFIER}\s+){{0,4}}?)(?:{_UNIT})\b(?!-)", re.IGNORECASE)
_EQUALS = regex(r"\b(?P<sign>[Nn])\s*=\s*(?P<value>\d{1,3}(?:[,\u2009\u202f]\d{3})+|\d{1,7})(?![\d.,]*\d|\s?[%×^])")
_AFTER_EQUALS = regex(r"\s*(?P<noun>[A-Za-z][A-Za-z-]*)?")

_SHARED_OUT = regex(
    r"^\W{0,3}(?:per\b|each\b|apiece\b|/\s?[a-z]|(?:for|in|from|of|by|to)\s+(?:each|every)\b|at a time|in total per)",
    re.IGNORECASE,
)
"""Right behind a count and its noun: the count is of a part, not of the set."""
_EACH = regex(r"\b(?:each|per|apiece|every|respectively)\b", re.IGNORECASE)
_PART_BEFORE = regex(
    r"(?:\b(?:per|each|every|every other|top|first|last|next|another|additional|only|further|more|size(?:s)? of"
    r"|batch(?:es)? of|groups? of|about|around|approximately|roughly|nearly|almost|over|more than|fewer than"
    r"|less than|at least|at most|up to|some|mean of|average of|between|from|version|table|figure|section|chapter"
    r"|fig\.)"
    r"|[~≈≥≤><×*]|\d\s?x)\s*(?:the\s+)?$",
    re.IGNORECASE,
)
_LISTED_BEFORE = regex(r"\b\d[\d,]*\s+(?P<kind>[A-Za-z][\w-]*(?:\s+[A-Za-z][\w-]*)?)\s*(?:,|\band|&|,\s*and)\s*$")
_LISTED_BEHIND = regex(r"\s*(?:,|\band|&|,\s*and)\s+\d[\d,]*\s+(?P<kind>[A-Za-z][\w-]*)")
"""One more kind in the same list, as in "50 glioma, 40 tumour and 60 healthy scans"."""
_YEARS = range(1900, 2100)

_POSITIVE = (
    r"positives?|\+ve|pos|cases|tumou?rs?|tumou?rous|cancers?|cancerous|malignan(?:t|cies)|diseased|abnormal|events?"
    r"|onsets?|metasta(?:tic|ses)|infected|affected|anomal(?:ous|ies)|spam|fraud(?:ulent)?|defective|seizures?|deaths?"
    r"|sick|ill|symptomatic"
)
_NEGATIVE = (
    r"negatives?|-ve|neg|controls?|normals?|benign|healthy|non-?events?|uninfected|unaffected|ham|legitimate|genuine"
    r"|survivors?|unremarkable|asymptomatic"
)
_NUM = r"(?P<{}>(?<![\w.,/:^=<>-])(?:\d{{1,3}}(?:[,\u2009\u202f]\d{{3}})+|\d{{1,7}}))(?![\d.,]*\d|\s?[%°×/:^]|\w|-\w)"
_SOME = r"\s+(?:\w+\s+){0,2}?"
_WORDS_BETWEEN = r"(?:\W+(?!\d)\w+){0,4}?\W+"
_OTHER = r"(?:negatives?|without|non[- ]?(?P=kind)s?|not[- ](?P=kind)s?|no (?P=kind)s?|un(?P=kind)s?|others?)"
_PAIRS = (
    (
        regex(
            rf"{_NUM.format('p')}{_SOME}(?:{_POSITIVE})\b{_WORDS_BETWEEN}{_NUM.format('n')}{_SOME}(?:{_NEGATIVE})\b",
            re.IGNORECASE,
        )
    ),
    (
        regex(
            rf"{_NUM.format('n')}{_SOME}(?:{_NEGATIVE})\b{_WORDS_BETWEEN}{_NUM.format('p')}{_SOME}(?:{_POSITIVE})\b",
            re.IGNORECASE,
        )
    ),
    regex(
        rf"{_NUM.format('p')}\s+(?P<kind>[a-z]{{3,}}?)s?\b{_WORDS_BETWEEN}{_NUM.format('n')}\s+{_OTHER}\b",
        re.IGNORECASE,
    ),
    (
        regex(
            rf"{_NUM.format('p')}\s+(?:\w+\s+)?with\s+(?:\w+\s+)?\w+{_WORDS_BETWEEN}{_NUM.format('n')}"
            r"\s+(?:\w+\s+)?without\b",
            re.IGNORECASE,
        )
    ),
    (
        regex(
            r"\bn?_?\{?(?:pos(?:itives?)?|p)\}?\s*[=:]\s*(?P<p>\d[\d,]*)\W{1,4}(?:and\s+)?"
            r"n?_?\{?(?:neg(?:atives?)?|n)\}?\s*[=:]\s*(?P<n>\d[\d,]*)(?![\d.]*\d)",
            re.IGNORECASE,
        )
    ),
)
_ONE_OF_TWO = regex(rf"^\s*[(\[,]\s*(?P<p>\d[\d,]*)\s+(?:\w+\s+)?(?:{_POSITIVE})\s*[)\]]", re.IGNORECASE)
"""Right behind a total, as in "1,250 images (412 malignant)": the rest are negatives."""

_ROLE_WORDS: tuple[tuple[Role, str], ...] = (
    (
        Role.EXTERNAL,
        (
            r"(?:external(?:ly)?|out-of-distribution|ood)(?: (?:test(?:ing)?|valid(?:ation|ated)|evaluat\w+))?"
            r"|independent (?:test|cohort|data)"
        ),
    ),
    (Role.TRAIN, r"train(?:ing|ed)?|fine-?tun(?:ing|ed)|learning|development|pre-?train\w*|few-shot|support set"),
    (Role.VALIDATION, r"(?<!cross-)(?<!cross )valid(?:ation|ated)?|val|dev|tuning|calibration"),
    (
        Role.TEST,
        (
            r"test(?:ing|ed|s)?|held-?out|hold-?out|unseen|holdout"
            r"|evaluat(?:ion|ed|ing)|evaluate(?=\s+(?:it |them |all )?(?:on|with)\b)"
        ),
    ),
)
_ROLE = regex("|".join(rf"(?P<{role.name}>\b(?:{words})\b)" for role, words in _ROLE_WORDS), re.IGNORECASE)
_CLAUSE_END = regex(r"[;.]\s|\bwhile\b|\bwhereas\b")
_RESPECTIVELY = regex(
    r"(?P<roles>(?:\b(?:the\s+)?(?:train(?:ing)?|valid(?:ation)?|val|dev|test(?:ing)?)\b(?:\s+sets?)?[\s,/]*(?:and\s+)?){2,4})"
    r"(?P<between>[^.;\d]{0,60}?)(?P<numbers>(?:\d[\d,]*(?!\s?%)[\s,/]*(?:and\s+)?){2,4})",
    re.IGNORECASE,
)
_SINGLE_ROLE = regex(r"train|val|dev|test", re.IGNORECASE)
_ROLE_OF_STEM = {"train": Role.TRAIN, "val": Role.VALIDATION, "dev": Role.VALIDATION, "test": Role.TEST}


@dataclass(frozen=True, slots=True)
class Counted:
    """A count in a text: how many of what, used for what, and the words that say it."""

    counts: Counts
    unit: Unit
    role: Role
    start: int
    end: int
    quote: str


def counted_in(text: str) -> list[Counted]:
    """The counts of items in a sentence or caption, in the order of the text; pairs of classes come as one."""
    found = list(_pairs(text))
    found += [one for one in _respective(text) if not _covered(one, found)]
    found += [one for one in (*_totals(text), *_signed(text)) if not _covered(one, found)]
    return _merged(sorted(found, key=lambda one: one.start), text)


def unit_in(text: str) -> Unit | None:
    """The unit that a label names: "Slide classification" is about slides; None when it names none or several."""
    units = {Unit[m.lastgroup] for m in _LONE_UNIT.finditer(text) if m.lastgroup}
    units -= {Unit.ITEMS}
    return next(iter(units)) if len(units) == 1 else None


_LONE_UNIT = regex(rf"\b(?:{_UNIT})\b", re.IGNORECASE)


def role_in(text: str) -> Role:
    """The role that a label names; not stated when it names none or several."""
    roles = {Role[m.lastgroup] for m in _ROLE.finditer(text) if m.lastgroup}
    return next(iter(roles)) if len(roles) == 1 else Role.UNSTATED


def _covered(one: Counted, others: list[Counted]) -> bool:
    return any(one.start < other.end and other.start < one.end for other in others)


def _pairs(text: str) -> Iterator[Counted]:
    """Counts of two classes; the text behind them must not share them out ("ten recordings each")."""
    taken: list[Counted] = []
    for match in (match for pattern in _PAIRS for match in pattern.finditer(text)):
        p, n = _whole(match["p"]), _whole(match["n"])
        unit = _unit_of_pair(match[0], text[match.end() :])
        role = _role_at(text, match.start(), match.end())
        pair = Counted(Counts(p + n, p, n), unit, role, match.start(), match.end(), match[0])
        if not _covered(pair, taken) and not _is_shared_out(pair, text):
            taken.append(pair)
            yield pair


def _is_shared_out(pair: Counted, text: str) -> bool:
    """Whether the counts hold for each of several things, or are a part of something."""
    behind = _CLAUSE_END.split(text[pair.end :], maxsplit=1)[0]
    each = _EACH.search(text[pair.start : pair.end] + behind)
    return each is not None or _PART_BEFORE.search(text[: pair.start]) is not None or _has_more_kinds(pair, text)


def _has_more_kinds(pair: Counted, text: str) -> bool:
    """Whether the list of which the pair is a part counts a third kind."""
    return _is_listed(_LISTED_BEFORE.search(text[: pair.start])) or _is_listed(_LISTED_BEHIND.match(text, pair.end))


def _is_listed(match: re.Match[str] | None) -> bool:
    """Whether the words behind a number are a kind of what is counted: no noun of their own and no role."""
    if match is None:
        return False
    kind = match["kind"]
    return unit_in(kind) is None and role_in(kind) is Role.UNSTATED and not kind.lower().startswith(_CONNECTIVES)


_CONNECTIVES = ("of ", "in ", "are ", "were ", "was ", "is ")


def _unit_of_pair(pair: str, behind: str) -> Unit:
    """The noun in a pair or right behind it, as in "49 tumour and 80 normal slides".

    "100 positive and 200 negative cases" are whatever was classified; "40 cases and 60 controls" are people.
    """
    after = _UNIT_AFTER.match(behind)
    if after and _CASES.fullmatch(after[0].strip()) and _POLAR.search(pair):
        return Unit.SAMPLES
    return unit_in(pair) or (_unit_of(after) if after else Unit.ITEMS)


_CASES = regex(r"cases", re.IGNORECASE)
_POLAR = regex(r"\bpositives?\b.*\bnegatives?\b|\bnegatives?\b.*\bpositives?\b", re.IGNORECASE)


def _totals(text: str) -> Iterator[Counted]:
    """A number with its noun."""
    for number in _COUNT.finditer(text):
        after = _UNIT_AFTER.match(text, number.end())
        if after is None or _is_a_year(number[0]) or not _is_whole(text[: number.start()], text[after.end() :]):
            continue
        total, end = _whole(number[0]), after.end()
        positives = _ONE_OF_TWO.match(text[end:])
        counts = Counts(total)
        if positives and _whole(positives["p"]) <= total:
            some = _whole(positives["p"])
            counts, end = Counts(total, some, total - some), end + positives.end()
        role = role_in(after["modifiers"])
        if role is Role.UNSTATED:
            role = _role_at(text, number.start(), after.end())
        yield Counted(counts, _unit_of(after), role, number.start(), end, text[number.start() : end])


def _is_whole(before: str, behind: str) -> bool:
    """Whether the words around a count leave it the count of all items, and not of a part, of each, or of one kind."""
    return not (_PART_BEFORE.search(before) or _is_one_kind(before) or _SHARED_OUT.match(behind))


def _is_one_kind(before: str) -> bool:
    """Whether a number before this one counts another kind of the same noun: "300 CT and 281 MRI scans"."""
    listed = _LISTED_BEFORE.search(before)
    return _is_listed(listed) and listed is not None and not listed["kind"].endswith("s")


def _signed(text: str) -> Iterator[Counted]:
    """Counts such as "n = 120", when no noun behind it says that it counts runs, folds or years."""
    for match in _EQUALS.finditer(text):
        after = _UNIT_AFTER.match(text, match.end())
        noun = _AFTER_EQUALS.match(text, match.end())
        if after is None and noun is not None and noun["noun"] and noun["noun"].lower() not in _HARMLESS:
            continue
        end = after.end() if after else match.end()
        if _SHARED_OUT.match(text[end:]):
            continue
        unit = _unit_of(after) if after else Unit.ITEMS
        role = _role_at(text, match.start(), end)
        yield Counted(Counts(_whole(match["value"])), unit, role, match.start(), end, text[match.start() : end])


_HARMLESS = frozenset({"and", "for", "in", "on", "of", "at", "from", "with"})


def _respective(text: str) -> Iterator[Counted]:
    """Roles and numbers in the same order: "the training, validation and test sets have 800, 100 and 100 images"."""
    for match in _RESPECTIVELY.finditer(text):
        roles = [_ROLE_OF_STEM[m[0].lower()] for m in _SINGLE_ROLE.finditer(match["roles"])]
        numbers = list(re.finditer(r"\d[\d,]*\d|\d", match["numbers"]))
        after = _UNIT_AFTER.match(text, match.end("numbers"))
        behind = text[match.end() : match.end() + 60]
        meant = after is not None or "respectively" in behind
        if len(roles) != len(numbers) or "%" in behind[:2] or not meant:
            continue
        unit = _unit_of(after) if after else unit_in(match["between"]) or Unit.ITEMS
        at = match.start("numbers")
        for role, number in zip(roles, numbers, strict=True):
            start, end = at + number.start(), at + number.end()
            yield Counted(Counts(_whole(number[0])), unit, role, start, end, match[0].strip())


def _merged(found: list[Counted], text: str) -> list[Counted]:
    """A total that its two classes follow, "129 slides (49 tumour, 80 normal)", is one set with three counts."""
    merged: list[Counted] = []
    for one in found:
        whole = bool(merged) and _is_whole_of(merged[-1], one, text)
        merged.append(_united(merged.pop(), one, text) if whole else one)
    return merged


def _united(whole: Counted, parts: Counted, text: str) -> Counted:
    unit = whole.unit if whole.unit is not Unit.ITEMS else parts.unit
    role = whole.role if whole.role is not Role.UNSTATED else parts.role
    return Counted(parts.counts, unit, role, whole.start, parts.end, text[whole.start : parts.end])


def _is_whole_of(whole: Counted, parts: Counted, text: str) -> bool:
    adds_up = whole.counts.classes is None and parts.counts.classes is not None
    return adds_up and whole.counts.total == parts.counts.total and len(text[whole.end : parts.start]) <= 40


def _role_at(text: str, start: int, end: int) -> Role:
    """What the words around a count say it is used for: behind it up to the next number, else in front of it."""
    behind = re.split(r"[,;.)]|\d|\band\b", text[end:], maxsplit=1)[0]
    role = role_in(behind)
    if role is not Role.UNSTATED:
        return role
    before = text[:start]
    last = _CLAUSE_END.split(before)[-1]
    words = [Role[m.lastgroup] for m in _ROLE.finditer(last) if m.lastgroup]
    return words[-1] if words else Role.UNSTATED


def _unit_of(match: re.Match[str]) -> Unit:
    return next(unit for unit, _ in _UNITS if match[unit.name])


def _is_a_year(text: str) -> bool:
    return text.isdigit() and int(text) in _YEARS


def _whole(text: str) -> int:
    return int(re.sub(r"\D", "", text))
