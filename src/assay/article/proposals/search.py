"""From a paper to a proposed value for each sub-component. Without a quote there is no credit.

Everything here is a heuristic: a person confirms each proposal, and no confidence is higher than that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate

from assay.article.model import Grade, Part, Record, all_parts
from assay.article.proposals.context import Apart, Said, Voice, denied, planned, said_apart, said_in
from assay.article.proposals.cues import Cue, PartCues, Tally, cue_table
from assay.article.proposals.floats import from_floats
from assay.article.proposals.passage import Passage, quoted
from assay.article.reading.paper import Paper
from assay.findings import Confidence
from assay.patterns import regex
from assay.records import dataclass

_MOST_PASSAGES = 3
_MOST_SIGNS = 1_000_000
"""So much text is searched, several hundred pages: it bounds the time that a hostile paper can take."""
_FULL, _LESS = 2, 1
_SET_APART: dict[str, frozenset[Apart]] = {
    **dict.fromkeys(("hyper-parameters", "libraries", "language", "platform", "format"), frozenset({Apart.ROW})),
    **dict.fromkeys(("hyper-parameter-values", "hardware"), frozenset({Apart.ROW, Apart.CAPTION})),
    "partitioning-method": frozenset({Apart.ROW, Apart.HEADING}),
}
"""Sub-components that papers also document in headings, captions and tables; the others need a sentence."""
_LINKS = {
    "code": regex(
        r"github\.(?:com|io)|(?:available|released|published|open-?sourced|shared) (?:on|in our) GitHub|gitlab|"
        r"bitbucket|zenodo|osf\.io|codeocean|sourceforge|figshare|hugging ?face|pypi|cran\.|4open\.science|10\.24433|"
        r"10\.5281",
        re.IGNORECASE,
    ),
    "any": regex(r"https?://|www\.|\bdoi\b|\b10\.\d{4}", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A value for one sub-component (None: it does not seem to apply), how sure we are, and what speaks for it."""

    part: Part
    value: Fraction | None
    confidence: Confidence
    passages: tuple[Passage, ...] = ()


def propose(paper: Paper) -> tuple[Proposal, ...]:
    """A proposal for every sub-component, in the model's order."""
    told = said_in(paper)[: _searched(paper)]
    apart = said_apart(paper)
    parts = all_parts()
    return tuple(
        _proposal(parts[cues.id], cues, [*told, *(s for s in apart if s.apart in _SET_APART.get(cues.id, ()))], paper)
        for cues in _in_order(cue_table())
    )


def unsearched(paper: Paper) -> tuple[str, ...]:
    """What was not looked at, for the report to tell."""
    count = _searched(paper)
    every = len(paper.sentences)
    return (f"only the first {count:,} of {every:,} sentences of {paper.path} were searched",) if count < every else ()


def _searched(paper: Paper) -> int:
    """How many sentences are within the limit."""
    ends = accumulate(len(sentence.text) for sentence in paper.sentences)
    return sum(end <= _MOST_SIGNS for end in ends)


def record_of(paper: Paper, proposals: Iterable[Proposal]) -> Record:
    """The proposals as an assessment that nobody has confirmed yet."""
    grades = {}
    for proposal in proposals:
        first = proposal.passages[0] if proposal.passages else None
        grades[proposal.part.id] = Grade(
            value=proposal.value,
            quote=first.text if first else "",
            where=str(first.location) if first else "",
            proposed=f"assay, {proposal.confidence} confidence",
        )
    return Record(grades, paper=paper.title, path=paper.path)


def _in_order(table: Sequence[PartCues]) -> list[PartCues]:
    by_id = {cues.id: cues for cues in table}
    return [by_id[key] for key in all_parts()]


def _proposal(part: Part, cues: PartCues, told: Sequence[Said], paper: Paper) -> Proposal:
    found = [*from_floats(part.id, paper), *_by_cues(cues.cues, told)]
    if cues.tally:
        found += _by_tally(cues.tally, told)
    if not found:
        return Proposal(part, cues.absent, Confidence.LOW)
    # Evidence that something is there outweighs a sentence that says something is missing.
    best = max(found, key=lambda p: (p.value > 0, p.points, p.value))
    same = [p for p in found if p.value == best.value]
    passages = _strongest(same)
    return Proposal(part, best.value, _confidence(passages), passages)


def _strongest(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """The best few, each place once; sorting is stable, so the earlier comes first among equals."""
    by_text: dict[str, Passage] = {}
    for passage in sorted(passages, key=lambda p: -p.points):
        by_text.setdefault(passage.text, passage)
    return tuple(by_text.values())[:_MOST_PASSAGES]


def _confidence(passages: Sequence[Passage]) -> Confidence:
    full = sum(p.points >= _FULL for p in passages)
    if full > 1 or any(p.points > _FULL for p in passages):
        return Confidence.HIGH
    return Confidence.MEDIUM if full else Confidence.LOW


def _by_cues(cues: Sequence[Cue], told: Sequence[Said]) -> Iterator[Passage]:
    for said in told:
        for cue in cues:
            match = cue.pattern.search(said.sentence.text)
            points = _points(cue, said, match) if match else 0
            if match and points > 0:
                yield Passage(quoted(said.sentence.text, match.start()), said.sentence.location, cue.value, points)
                break


def _points(cue: Cue, said: Said, match: re.Match[str]) -> int:
    """How much a match is worth; 0 when it is about others, denied, only promised, or in the wrong place."""
    if _is_ruled_out(cue, said, *match.span()):
        return 0
    placed = not cue.roles or said.apart is not None or said.role in cue.roles
    if cue.only and not placed and said.role is not None:
        return 0
    points = _LESS if cue.weak or said.apart is not None else _FULL
    return points - (not placed) - (cue.own and said.voice is Voice.UNCLEAR)


def _is_ruled_out(cue: Cue, said: Said, start: int, end: int) -> bool:
    """Whether the sentence says something else, or lacks the citation or link that the cue asks for."""
    text = said.sentence.text
    reasons = (
        cue.unless is not None and cue.unless.search(text) is not None,
        cue.cites and not said.sentence.cites,
        bool(cue.link) and not _LINKS[cue.link].search(said.linked),
        cue.own and said.voice is Voice.OTHERS,
        not cue.denied and denied(text, start, end),
        not cue.planned and planned(said, start, end),
    )
    return any(reasons)


def _by_tally(tally: Tally, told: Sequence[Said]) -> list[Passage]:
    """The sentences that name what is counted; the value of all of them follows from the count."""
    hits = [hit for said in told if _is_counted(tally, said) for hit in _hits(tally, said)]
    count = len(hits) if tally.per_sentence else len({number for number, _, _ in hits})
    value = tally.value(count)
    if not value:
        return []
    first: dict[int, tuple[Said, int]] = {}
    for number, said, start in hits:
        key = len(first) if tally.per_sentence else number
        first.setdefault(key, (said, start))
    points = _FULL if count > 1 else _LESS
    return [Passage(quoted(s.sentence.text, start), s.sentence.location, value, points) for s, start in first.values()]


def _is_counted(tally: Tally, said: Said) -> bool:
    """Whether a sentence is about the authors' own work, where that is asked, and in a section that counts."""
    others = tally.own and said.voice is Voice.OTHERS
    outside = bool(tally.within) and said.role not in {*tally.within, None}
    return not others and not outside


def _hits(tally: Tally, said: Said) -> Iterator[tuple[int, Said, int]]:
    for number, pattern in enumerate(tally.patterns):
        match = pattern.search(said.sentence.text)
        if match and not denied(said.sentence.text, *match.span()) and not planned(said, *match.span()):
            yield number, said, match.start()
