"""Pictures of results: many READMEs show what came out, and say nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from assay.patterns import regex
from assay.repository.readme.document import Document, Hyperlink, Part
from assay.repository.readme.hosts import LinkKind, kind_of_address
from assay.tree.text import uncased

_MOST = 300
_LONGEST = 4000
_ABOVE = 4
"""In so many folders around a picture the word is looked for."""
_NEAR = 12
"""A picture within so many lines of a sentence may be the one it speaks of."""
_OUTCOME = regex(
    r"(?<![a-z])(?:results?|generated|predictions|predicted|outputs?|performances?|confusion|accurac(?:y|ies)|"
    r"(?:models?|methods?|algorithms?)[ _-]?comparisons?|rewards?|returns?|roc|reconstruct(?:ions?|ed)|qualitative|"
    r"scores?|benchmarks?|"
    r"(?:loss|learning|training|train|validation|test)[ _-]?(?:curves?|plots?|loss|history))(?![a-z])"
)
_MOVING = regex(r"\.(?:gif|mp4|webm)(?:$|[?#])")
"""What moves shows the thing at work."""
_FOUND = regex(r"giphy|tenor\.|imgur|gifer")
"""Where people find what moves for decoration."""
_NO_OUTCOME = regex(
    r"(?<![a-z])(?:badges?|logos?|icons?|arch(?:itecture)?|overview|pipelines?|frameworks?|diagrams?|"
    r"workflow|flow ?charts?|schem(?:a|e|atic)|structure|inputs?|data ?sets?|labels?|install\w{0,10}|setup|tutorial|"
    r"interface|gui|screenshots?|banner|header|network|method)(?![a-z])"
)


_SHOWN = regex(
    r"\b(?:below|following|above|here (?:is|are)|videos?|gifs?|animations?|figures?|plots?|pictures?|images)\b"
    r"[^\n.]{0,80}\b(?:samples from|results(?! in (?:an? )?\w{1,20}er\b)|generated|predictions|predicted|"
    r"our (?:current )?progress|learn(?:ed|t)|"
    r"(?:trained|final) (?:agent|policy|model)|(?:accuracy|loss) (?:and \w{1,20} )?curves?)\b"
)
"""A sentence that speaks of a picture of what came out."""


_OUTCOME_HEADING = regex(
    r"\b(?:learning progress|(?:learning|training|loss|roc) curves?|confusion matri\w+|predictions|outputs?|findings|"
    r"evaluations?|comparisons?|reconstructions?|"
    r"generated (?:\w{1,20} ){0,2}(?:samples?|images?|faces|texts?|digits|music)|"
    r"(?:samples|images) generated)\b"
)


def told_pictures(document: Document, part: Part, end: int) -> Iterator[tuple[int, str]]:
    """Line and words of a sentence about results with a picture beside it; `end` is where the part ends."""
    pictures = [link.line for link in document.links[:_MOST] if link.image and not _is_other(link)]
    for passage in part.passages:
        match = _SHOWN.search(uncased(passage.text[:_LONGEST]).replace("\n", " "))
        if match and any(passage.line - _NEAR <= line < min(end, passage.line + _NEAR) for line in pictures):
            yield passage.line + passage.text.count("\n", 0, match.start()), match[0][:200]


def headed_pictures(document: Document, part: Part, end: int) -> Iterator[tuple[int, str]]:
    """Line and heading of a part that says to show what came out, with a picture in it."""
    heading = part.heading
    if heading is None or not _OUTCOME_HEADING.search(uncased(heading.text)):
        return
    lines = [link.line for link in document.links[:_MOST] if link.image and not _is_other(link)]
    yield from ((line, heading.text) for line in lines if heading.line <= line < end)


def pictures_of_results(document: Document) -> Iterator[tuple[int, str]]:
    """Line and name of each picture whose name, folder or caption says that it shows what came out."""
    for link in document.links[:_MOST]:
        if link.image and _shows_results(link):
            yield link.line, (link.text or link.target)[:200]


def _shows_results(link: Hyperlink) -> bool:
    address = uncased(unquote(link.target[-400:]))
    folder, _, name = address.rpartition("/")
    said = f"{folder.rpartition('/')[2]} {name} {uncased(link.text[:200])}"
    above = folder.split("/")[-_ABOVE:-1]
    if _is_other(link):
        return False
    return bool("results" in above or _OUTCOME.search(said) or (_MOVING.search(name) and not _FOUND.search(address)))


def _is_other(link: Hyperlink) -> bool:
    """Whether a picture is a badge, or by its name or caption shows how something is built."""
    name = uncased(unquote(link.target[-400:])).rpartition("/")[2]
    badge = kind_of_address(link.target, link.text, image=True) is LinkKind.BADGE
    return badge or bool(_NO_OUTCOME.search(f"{name} {uncased(link.text[:200])}"))
