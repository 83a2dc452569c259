"""Pictures of results: many READMEs show what came out, and say nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from assay.patterns import regex
from assay.repository.readme.document import Document, Hyperlink
from assay.repository.readme.hosts import LinkKind, kind_of_address
from assay.tree.text import uncased

_MOST = 300
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


def pictures_of_results(document: Document) -> Iterator[tuple[int, str]]:
    """Line and name of each picture whose name, folder or caption says that it shows what came out."""
    for link in document.links[:_MOST]:
        if link.image and _shows_results(link):
            yield link.line, (link.text or link.target)[:200]


def _shows_results(link: Hyperlink) -> bool:
    address = uncased(unquote(link.target[-400:]))
    folder, _, name = address.rpartition("/")
    said = f"{folder.rpartition('/')[2]} {name} {uncased(link.text[:200])}"
    badge = kind_of_address(link.target, link.text, image=True) is LinkKind.BADGE
    if badge or _NO_OUTCOME.search(f"{name} {uncased(link.text[:200])}"):
        return False
    return bool(_OUTCOME.search(said) or (_MOVING.search(name) and not _FOUND.search(address)))
