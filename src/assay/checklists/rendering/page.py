"""What a rendered checklist shows, in the order it shows it, free of any format."""

from __future__ import annotations

from assay.checklists.filled import Answer, Filled
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One item: what was asked, what was answered, and what stands behind it."""

    id: str
    title: str
    asks: str
    answer: str
    evidence: str
    remarks: tuple[str, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether there is an answer to show."""
        return bool(self.answer)


@dataclass(frozen=True, slots=True)
class Block:
    """A section with its items."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The whole document."""

    title: str
    about: tuple[tuple[str, str], ...]
    """Label and value: subject, who filled it in, when, from which checklist."""
    note: str
    blocks: tuple[Block, ...]


def page_of(filled: Filled) -> Page:
    """A filled checklist as a page."""
    checklist = filled.checklist
    about = {
        "Subject": filled.subject,
        "Filled in by": filled.by,
        "Date": filled.date,
        "Checklist": f"{checklist.name}, version {filled.version or checklist.version}",
        "Source": checklist.source,
        "Link": checklist.link,
    }
    by_id = {answer.item.id: answer for answer in filled.answers}
    blocks = (Block(s.title, tuple(_line(by_id[item.id]) for item in s.items)) for s in checklist.sections)
    return Page(checklist.title, tuple((k, v) for k, v in about.items() if v), checklist.note, tuple(blocks))


def _line(answer: Answer) -> Line:
    remarks = [f"Reason: {answer.reason}"] if answer.reason else []
    remarks += [f"Proposed by {answer.proposed}, not confirmed"] if answer.proposed and answer.given else []
    remarks += ["An addition to the source's list"] if answer.item.addition else []
    item = answer.item
    return Line(item.id, item.title, item.asks, answer.text, answer.evidence, tuple(remarks))


NO_ANSWER = "no answer"
