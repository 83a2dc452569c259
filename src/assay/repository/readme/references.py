"""The full reference of the paper that a repository is the code of: authors, title, and venue or year."""

from __future__ import annotations

from collections.abc import Iterator

from assay.patterns import regex
from assay.repository.readme.document import Document, Part
from assay.tree.text import uncased

_INTRODUCTION = 4
"""In one of so many first parts a README says what it is the code of."""
_LONGEST = 1500
_OF_A_PAPER = regex(
    r"\b(?:code|codes|implementation|repo(?:sitory)?|materials?|software|scripts|data|notebooks?|package)\b[^\n]{0,80}"
    r"\b(?:for|of|from|used in|accompan\w{3,6}|support\w{0,4}|associated with|to reproduce|in)\b[^\n]{0,60}"
    r"(?:\b(?:papers?|article|publication|manuscript|preprint|thesis|work|study|experiments published)\b|"
    r":\s*$|[\"\u201c*])|"
    r"\b(?:code|codes|implementation|repo(?:sitory)?|scripts)\b[^\n]{0,120}\b(?:from|of|for|in)\s*$|"
    r"\b(?:our|this|following|accompanying|companion) (?:\w{1,20} ){0,3}"
    r"(?:paper|article|publication|manuscript|preprint)\b|^authors?\b|"
    r"^(?:(?:paper|publication|article|preprint)s?|reference):?$"
)
_PAPER_HEADING = regex(r"^(?:(?:our|the|original|associated) )?(?:papers?|publications?|articles?|reference|preprint)$")
_PUBLICATIONS = regex(r"^(?:(?:our|related|associated) )?publications?$|^our papers?$|^(?:the )?paper$")
"""Headings of what the authors wrote, wherever they stand; "papers" are those of others."""
_NAME = r"(?<!\w)[A-Z][\w'\u2019.-]{0,40}(?: [A-Z][\w'\u2019\u201c\u201d\"-]{0,40}\.?){1,3}"
_INITIALS = r"(?<!\w)[A-Z][\w'\u2019-]{1,40},? (?:[A-Z]\.[ -]?){1,3}"
_AUTHORS = regex(
    rf"(?:{_NAME}[\d*†]{{0,3}}(?:,\s|,? and |,? & |\sand\s)\s?){{1,30}}(?:and |& )?{_NAME}|"
    r"(?<!\w)(?:(?:[A-Z]\. ?){1,3}[A-Z][\w'-]{1,30}(?:, | and |, and )){1,30}(?:[A-Z]\. ?){1,3}[A-Z][\w'-]{1,30}|"
    rf"{_INITIALS}(?:,|&|and|\()|{_NAME} et al\b|(?<!\w)[A-Z][\w'\u2019-]{1, 40},? et al\b"
)
_NO_AUTHOR = regex(
    r"\b(?:networks?|learning|forests?|regression|machines?|models?|transformers?|data|graphs?|neural|vector|university|"
    r"institute|department|python|license|conference|proceedings|journal|time|series|analysis|deep|image|language|"
    r"gradient|boosting|decision|trees?|classifier|detection|recognition|open|source|intelligence|processing)\b"
)
"""Words with capitals that are no names of people."""
_COMPACT = 500
"""A reference is no longer than so many characters."""
_TRIES = 40
"""So many names, or what seems to be some, are looked for in one text."""
_WHERE = regex(
    r"(?<![\w/.-])(?:19|20)\d\d(?![\w/-])|\b(?:[Jj]ournal|[Pp]roceedings|[Tt]ransactions|[Cc]onference|[Ww]orkshop|"
    r"arXiv|[Ss]ubmitted (?:to|for)|(?:NeurIPS|NIPS|ICML|ICLR|CVPR|ICCV|ECCV|ACL|EMNLP|NAACL|AAAI|IJCAI|KDD|MICCAI)"
    r"(?:'?\d{2}|20\d\d)?)\b"
)


_SHORT = rf"(?:{_NAME}|[A-Z][\w'\u2019-]+)"
_TITLED = regex(
    rf"^{_SHORT}(?:(?:,|,? and|,? &) {_SHORT}){{0,12}}(?: et al\.?)?, [(\[]?(?:[Ii]n |[Aa]t )?"
    r"(?:arXiv|NeurIPS|NIPS|ICML|ICLR|CVPR|ICCV|ECCV|ACL|EMNLP|NAACL|AAAI|IJCAI|KDD|MICCAI|COLING|EACL|TACL|WACV|"
    r"AISTATS|UAI|CoRL|ICRA|IROS|INTERSPEECH|ICASSP|SIGIR|WWW|WSDM|CIKM)[ \u2019']{0,2}(?:\d\d){1,2}[)\].]?$"
)
"""Nothing but authors, venue and year, below the title of the paper."""


_THESIS = regex(r"\b(?:thesis|dissertation)\b")
_WRITER = regex(
    rf"\b(?:(?:[Aa]uthors?|[Ss]tudent)\s?:|[Ww]ritten by|(?:[Tt]hesis|[Dd]issertation) (?:by|of))\s{{1,3}}{_NAME}|"
    rf"{_NAME}(?:'s|\u2019s) (?:\w{{1,20}} ){{0,3}}(?:thesis|dissertation)\b"
)
_YEAR = regex(r"(?<![\w.-])(?:19|20)\d\d(?![\w/-])")


def own_reference(document: Document) -> Iterator[tuple[Part, int, str]]:
    """Part, line and words of each reference that stands where the README says what it is the code of."""
    told = placed = False
    for part in document.parts[:_INTRODUCTION]:
        title = uncased(part.heading.text).strip(" :*#") if part.heading else ""
        headed = _PAPER_HEADING.match(title) or _OF_A_PAPER.search(title)
        placed = placed or (part.heading is not None and _WHERE.search(part.heading.text) is not None)
        for passage in part.passages:
            text = passage.text[:_LONGEST]
            told = told or bool(headed) or _OF_A_PAPER.search(uncased(text)) is not None
            flat = " ".join(text.split())
            if part is document.parts[0] and part.heading and _TITLED.match(flat[:_COMPACT]):
                yield part, passage.line, flat[:200]
            here = _WHERE.search(flat) is not None
            names = _authors(flat)
            if told and names and ((here and len(flat) <= _COMPACT) or (placed and 2 * names >= len(flat))):
                yield part, passage.line, flat[:200]
            placed = placed or (told and here)
    yield from _thesis(document)
    yield from _published(document)


def _thesis(document: Document) -> Iterator[tuple[Part, int, str]]:
    """The beginning of a README that says whose thesis this is the code of, and of which year."""
    part = document.parts[0] if document.parts else None
    passages = list(part.passages) if part else []
    flat = " ".join(" ".join(passage.text for passage in passages)[:_COMPACT].split())
    writers = [match[0] for match in _WRITER.finditer(flat) if not _NO_AUTHOR.search(uncased(match[0]))]
    if part and writers and _THESIS.search(uncased(flat)) and _YEAR.search(flat):
        yield part, passages[0].line, flat[:200]


def _published(document: Document) -> Iterator[tuple[Part, int, str]]:
    """Full references below a heading that says that they are the authors' own."""
    for part in document.parts[_INTRODUCTION:]:
        title = uncased(part.heading.text).strip(" :*#") if part.heading else ""
        for passage in part.passages if _PUBLICATIONS.match(title) else ():
            flat = " ".join(passage.text[:_LONGEST].split())
            if len(flat) <= _COMPACT and _WHERE.search(flat) and _authors(flat):
                yield part, passage.line, flat[:200]


def _authors(text: str) -> int:
    """How many characters of a text are names of authors; they may begin within what was no name: a title."""
    found = at = 0
    for _ in range(_TRIES):
        match = _AUTHORS.search(text, at)
        if match is None:
            break
        ends = [wrong.end() for wrong in _NO_AUTHOR.finditer(uncased(match[0]))]
        found += 0 if ends else len(match[0])
        at = match.start() + ends[-1] if ends else match.end()
    return found
