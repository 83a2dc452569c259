"""What sentences claim, by their words: heuristic, so that what comes of it is a question and never a proof."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from assay.audit.facts import Claim, Origin, Topic
from assay.findings import Location
from assay.patterns import regex
from assay.repository.readme.claims import seeds_only_a_split

_MOST_SIGNS = 1_000_000
_LONGEST = 400
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_K = rf"(?P<{{}}>\d{{{{1,3}}}}|{'|'.join(_NUMBERS)})"
_WHO = r"(?:patient|subject|participant|speaker|group|case|person|user|site|hospital|slide|donor)"
_IS = r"\b(?:is|are|has been|have been|made)\s+(?:\w+\s+){0,2}"
_GIVEN = rf"[^.]{{0,60}}{_IS}(?:available|released|published|shared|provided|included)\b"
_SEED = r"(?:random\s+)?(?:number\s+)?seeds?\b"
_DEPENDENCIES = r"(?:depend\w+|librar\w+|packages?|environment|requirements|software)\b"
_OF_ROWS = (
    r"(?:[\s(/–-]+(?:randomi?[sz]?e?d?(?:ly)?|stratified|chronological|temporal|data(?:set)?|train\w*|test\w*|valid\w*|"
    r"hold-?out|held-?out|patient|subject|ratio|proportions?|for|of|into|the|a|and|in|as|was|is|used)\)?){0,6}?"
)
"""What may stand between the two shares and "split": a class split or a colour split divides no rows."""
_WORDS: dict[Topic, tuple[str, ...]] = {
    Topic.SEEDED: (
        rf"\b(?:fixed|fix|set|sets|same|constant)\s+(?:all\s+|the\s+|a\s+|our\s+)*{_SEED}",
        rf"\b{_SEED}\s+(?:is|are|was|were|has been|have been)\s+(?:all\s+)?(?:fixed|set)\b",
        r"\bseeded\b|\b(?:random\s+)?seed\s+(?:of\s+|=\s*)?\d",
    ),
    Topic.STRATIFIED: (r"\bstratif(?:ied|ying|y|ication)\b",),
    Topic.GROUPED: (
        (
            rf"\b{_WHO}[- ](?:wise|level|based|independent|disjoint)\b[^.]{{0,60}}"
            r"\b(?:split|fold|partition|cross|divi|separat)"
        ),
        (
            r"\b(?:split|partition\w*|divided|separated|folds?)\b[^.]{0,40}\b(?:by|per|(?:at|on) the level of)\s+"
            rf"(?:the\s+)?{_WHO}s?\b"
        ),
        rf"\bno\s+{_WHO}\s+(?:is|was|appears?|appeared|occurs?)\s+in\s+(?:both|more than one|two)",
    ),
    Topic.FOLDS: (
        rf"\b{_K.format('k')}[- ]?fold(?:ed)?\b[^.]{{0,40}}\bcross[- ]?valid",
        rf"\bcross[- ]?validat\w+\s+with\s+{_K.format('k')}\s+folds\b",
    ),
    Topic.SHARE: (
        (
            r"\b(?P<share>\d{1,2}(?:\.\d)?)\s?(?:%|percent|per cent)\s+(?:of\s+(?:the\s+)?[\w -]{2,30}\s+)?"
            r"(?:were|was|are|is)?\s*(?:held[- ]?out|kept aside|set aside|reserved|used|left)?\s*"
            r"(?:for|as)\s+(?:the\s+|a\s+)?test"
        ),
        rf"\b(?P<first>[5-9]\d)\s?[/:]\s?(?P<second>[1-4]?\d)\b(?:\s?%)?{_OF_ROWS}[\s-]+(?:split|train|partition)",
    ),
    Topic.CODE: (rf"\b(?:code|implementation|scripts?)\b{_GIVEN}",),
    Topic.DATA: (rf"\b(?:data|dataset|data set|images?)\b{_GIVEN}",),
    Topic.MODEL: (rf"\b(?:(?:pre-?)?trained\s+models?|weights|checkpoints?)\b{_GIVEN}",),
    Topic.PINNED: (
        rf"\b(?:exact|pinned|fixed|specific)\s+versions?\b[^.]{{0,60}}\b{_DEPENDENCIES}",
        rf"\b{_DEPENDENCIES}[^.]{{0,40}}\b(?:are|is|were|was)\s+(?:all\s+)?pinned\b",
        r"\bversions?\s+of\s+(?:all|every|each)\b[^.]{0,60}\b(?:given|listed|pinned|fixed|stated)\b",
    ),
}
_CUES = {topic: [regex(words, re.IGNORECASE) for words in several] for topic, several in _WORDS.items()}
_DENIED = regex(
    r"\b(?:not|no longer|never|cannot|without|unless|should|could|might|may|would|future|upon (?:reasonable )?request|"
    r"will be|instead of|rather than|if|whether|how (?:to|many)|such as|e\.g|for example|some cases|important|assum\w*|"
    r"otherwise)\b",
    re.IGNORECASE,
)


def claims_in(
    sentences: Iterable[tuple[str, Location]], origin: Origin, topics: Iterable[Topic] = tuple(Topic)
) -> Iterator[Claim]:
    """Every claim that the sentences make about these topics; what is denied, planned or wished is none."""
    wanted = list(topics)
    room = _MOST_SIGNS
    for text, location in sentences:
        room -= len(text)
        if room < 0:
            return
        flat = " ".join(text.split())[:4_000]
        found = [(topic, match) for topic in wanted if (match := _cue(topic, flat))]
        if found and not _DENIED.search(flat):
            yield from (Claim(topic, origin, flat[:_LONGEST], location, _value(match)) for topic, match in found)


def _cue(topic: Topic, sentence: str) -> re.Match[str] | None:
    """The words by which a sentence takes up a topic."""
    if topic is Topic.SEEDED and seeds_only_a_split(sentence):
        return None
    return next((match for cue in _CUES[topic] if (match := cue.search(sentence))), None)


def _value(match: re.Match[str]) -> Fraction | None:
    """The number in a claim: of folds, or the share that is held out."""
    match match.groupdict():
        case {"k": word}:
            return Fraction(_NUMBERS.get(word.lower()) or int(word))
        case {"share": percent}:
            return Fraction(percent) / 100
        case {"first": first, "second": second} if int(first) + int(second) == 100:
            return Fraction(int(second), 100)
        case _:
            return None
