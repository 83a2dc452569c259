"""Papers inside a repository: which files may be one, which is taken, and why.

Every sign is a row of a table: where a file lies, what it is called, what its first lines say. The signs only rank
candidates; `--paper` names another.
"""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import islice

from assay.patterns import regex
from assay.records import dataclass
from assay.tree import File, Tree

_HEAD = 32 * 1024
_MOST_CANDIDATES = 200
_SHOWN = 3


class Form(StrEnum):
    """What a paper is written in, in the order in which it can be read exactly."""

    LATEX = "LaTeX"
    WORD = "Word"
    MARKDOWN = "Markdown"
    PDF = "PDF"


_FORMS = {".tex": Form.LATEX, ".ltx": Form.LATEX, ".docx": Form.WORD, ".md": Form.MARKDOWN, ".pdf": Form.PDF}
_DOCUMENT = regex(r"\\document(?:class|style)\s*(?:\[[^\]]*\])?\s*\{(?P<name>[^}]*)\}")
_NO_PAPER = regex(
    r"beamer|standalone|letter|moderncv|resume|\bcv\b|exam|poster|slides|leaflet|tikzposter|minimal|powerdot",
    re.IGNORECASE,
)
_FRONT_MATTER = regex(r"\A---\s*\n(?:.*\n)*?title:", re.MULTILINE)
_SIGNS: tuple[tuple[int, str, re.Pattern[str]], ...] = (
    (4, "its name says so", regex(r"(?:^|/)(?:paper|manuscript|article|preprint|thesis|dissertation|ms)[^/]*$")),
    (
        3,
        "its folder says so",
        regex(r"(?:^|/)(?:paper|manuscript|article|preprint|arxiv|latex|tex|publi)[^/]*/"),
    ),
    (2, "its name is usual", regex(r"(?:^|/)(?:main|report|root|template|sample\w*|article|submission)\.[^/]*$")),
    (2, "its folder is usual", regex(r"(?:^|/)(?:reports?|thesis|docs?|writing|writeup)[^/]*/")),
    (-4, "", regex(r"(?:^|/)[^/]*(?:slides?|presentation|poster|proposal|talk|cover|response|rebuttal|review|diff)")),
    (-4, "", regex(r"(?:^|/)[^/]*(?:supp|appendix|template|example|tutorial|homework|assignment|licen[cs]e|cv\b)")),
    (
        -6,
        "",
        regex(r"(?:^|/)(?:fig\w*|images?|img|plots?|assets?|data|results?|outputs?|references|related|lit\w*)/"),
    ),
)
_MARKDOWN_NAMES = regex(r"(?:paper|manuscript|article|preprint|thesis)(?:[ _-](?:full|final|draft|v?\d{1,2}))?\.md")
_ABSTRACT = regex(
    r"^#{1,3}\s*(?:abstract|abstrak|resumen|resumo|r[eé]sum[eé]|zusammenfassung)\b.*\n+(?!#)\S[^#]{200}",
    re.IGNORECASE | re.MULTILINE,
)
_SECTION = regex(r"^#{1,3}\s+\S", re.MULTILINE)
_OF_ANOTHER = regex(r"(?:^|/)(?:examples?|tests?|fixtures?|samples?|templates?|demos?|benchmarks?)/")
"""Folders whose papers are material of the software, and not about it."""
_OWN_NAMES = regex(
    r"(?:final[ _-]?)?(?:paper|manuscript|main|ms|thesis|report|article|preprint|dissertation)[ _-]?(?:v?\d*|final)"
    r"|(?:(?:final|project|technical|grad(?:uation)?|capstone|masters?|bachelors?)[ _-]?)+"
    r"(?:project|paper|thesis|report)"
)
_HANDOUT = regex(r"guide|syllabus|manual|instruction|require|readme|licen[cs]e|book|slides|poster|proposal|cheat|spec")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may be the paper, and what speaks for it."""

    path: str
    form: Form
    rank: int
    why: str


def candidates(tree: Tree) -> list[Candidate]:
    """Files of a repository that may be its paper, the likeliest first."""
    forms = (file for file in tree.own if file.suffix in _FORMS and not _OF_ANOTHER.search(file.path))
    files = list(islice(forms, _MOST_CANDIDATES * 10))
    on_top = [file.path for file in files if file.suffix == ".pdf" and "/" not in file.path]
    lone = on_top[0] if len(on_top) == 1 else ""
    found = [one for file in files if (one := _candidate(file, lone)) is not None]
    order = list(Form)
    found.sort(key=lambda c: (-c.rank, order.index(c.form), c.path.count("/"), c.path))
    return found[:_MOST_CANDIDATES]


def unclaimed_note(tree: Tree) -> str:
    """Which files may be the paper, although nothing surely says so; empty when there are none."""
    likely = [f for f in tree.own if f.suffix == ".pdf" or is_named_as_paper(f.name.lower())]
    found = [f.path for f in likely if not _OF_ANOTHER.search(f.path) and not _is_aside(f.path.lower())]
    if not found:
        return ""
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"files that may be the paper (name it with --paper): {', '.join(found[:_SHOWN])}{more}"


def _is_aside(path: str) -> bool:
    """Whether a path looks like a figure, slides, a proposal, a manual or somebody else's paper."""
    return _HANDOUT.search(path) is not None or any(weight < 0 and sign.search(path) for weight, _, sign in _SIGNS)


def chosen_note(found: list[Candidate]) -> str:
    """Which paper was taken and why, when there was a choice; empty when there was none."""
    if len(found) < 2:
        return ""
    first, others = found[0], [c.path for c in found[1:]]
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    return (
        f"{first.path} was taken as the paper ({first.form.value}, {first.why}); not examined: "
        f"{', '.join(others[:_SHOWN])}{more}; --paper names another"
    )


def _candidate(file: File, lone: str) -> Candidate | None:
    form = _FORMS[file.suffix]
    if not _may_be_paper(file, form) or (form is Form.PDF and not _is_own_pdf(file, lone)):
        return None
    path = file.path.lower()
    matched = [(weight, why) for weight, why, pattern in _SIGNS if pattern.search(path)]
    rank = sum(weight for weight, _ in matched)
    if rank < 0:
        return None
    why = ", ".join(why for _, why in matched if why) or "no other file is likelier"
    return Candidate(file.path, form, rank, why)


def _may_be_paper(file: File, form: Form) -> bool:
    if form is Form.LATEX:
        kind = _DOCUMENT.search(file.head(_HEAD).decode("utf-8", "replace"))
        return kind is not None and not _NO_PAPER.search(kind["name"])
    if form is Form.MARKDOWN:
        head = file.head(_HEAD).decode("utf-8", "replace")
        return is_named_as_paper(file.name.lower()) and begins_as_paper(head)
    if form is Form.WORD:
        return not file.name.startswith("~$")
    return True


def is_named_as_paper(name: str) -> bool:
    """Whether a page of Markdown is called as papers are."""
    return _MARKDOWN_NAMES.fullmatch(name) is not None


def begins_as_paper(head: str) -> bool:
    """Whether a page of Markdown has a title in its front matter, or an abstract with text and sections behind it."""
    abstract = _ABSTRACT.search(head)
    return _FRONT_MATTER.search(head) is not None or (
        abstract is not None and _SECTION.search(head, abstract.end()) is not None
    )


def _is_own_pdf(file: File, lone: str) -> bool:
    """Whether a PDF is the authors' own paper: most of those in repositories are figures or other people's papers.

    Its name must say so, or it is the only one at the top.
    """
    stem = file.name.lower().rpartition(".")[0]
    return _OWN_NAMES.fullmatch(stem) is not None or (file.path == lone and not _HANDOUT.search(stem))
