"""Files to fill in: YAML with the questions as comments, or a Markdown form; and how an old file learns new items.

A file that somebody has begun to fill in is never rewritten: an update only adds lines at its end.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from assay.checklists.definition import NOT_APPLICABLE, Answers, Checklist, Item, Section
from assay.checklists.filled import Filled
from assay.records import dataclass

_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Proposal:
    """An answer that somebody else than a person proposes, with what speaks for it."""

    text: str
    evidence: str
    by: str


def yaml_form(checklist: Checklist, proposals: Mapping[str, Proposal] | None = None) -> str:
    """The checklist as a YAML file to fill in."""
    told = proposals or {}
    lines = [
        f"# {checklist.title}",
        *_comment(f"Source: {checklist.source}."),
        *_comment(checklist.note),
        "#",
        *_comment(_how_to(checklist)),
        "",
        f"checklist: {_scalar(checklist.name)}",
        f"version: {_scalar(checklist.version)}",
        "subject:      # the paper, model or project that this is about",
        "by:           # who fills it in",
        "date:         # as 2026-01-31",
        "answers:",
    ]
    for section in checklist.sections:
        lines += ["", f"  # --- {section.title} ---"]
        for item in section.items:
            lines += ["", *_yaml_item(checklist, item, told.get(item.id))]
    return "\n".join(lines) + "\n"


def markdown_form(checklist: Checklist, proposals: Mapping[str, Proposal] | None = None) -> str:
    """The checklist as a Markdown form; `read_filled` understands it as it does the YAML."""
    told = proposals or {}
    lines = [
        f"# {checklist.title}",
        "",
        f"checklist: {checklist.name}",
        f"version: {checklist.version}",
        "subject:",
        "by:",
        "date:",
        "",
        f"Source: {checklist.source}. {checklist.note}".strip(),
        "",
        _how_to(checklist),
    ]
    for section in checklist.sections:
        lines += ["", f"## {section.title}"]
        for item in section.items:
            lines += ["", *_markdown_item(checklist, item, told.get(item.id))]
    return "\n".join(lines) + "\n"


def missing_items(filled: Filled, text: str, path: Path) -> str:
    """The text of a filled file with the items that the checklist has and the file has not, added at the end."""
    absent = [a.item for a in filled.answers if a.location is None or a.location.line is None]
    if not absent:
        return text
    checklist = filled.checklist
    sections = [Section(s.title, tuple(i for i in s.items if i in absent)) for s in checklist.sections]
    markdown = path.suffix.lower() in {".md", ".markdown"}
    lines = (_added_markdown if markdown else _added_yaml)(checklist, [s for s in sections if s.items])
    return text.rstrip("\n") + "\n" + "\n".join(lines) + "\n"


def _added_markdown(checklist: Checklist, sections: Iterable[Section]) -> Iterator[str]:
    for section in sections:
        yield f"\n## {section.title} (added)"
        for item in section.items:
            yield from ("", *_markdown_item(checklist, item, None))


def _added_yaml(checklist: Checklist, sections: Iterable[Section]) -> Iterator[str]:
    yield from ("", f"  # --- added from version {checklist.version} ---")
    for section in sections:
        for item in section.items:
            yield from ("", *_yaml_item(checklist, item, None))


def _how_to(checklist: Checklist) -> str:
    scale = "; ".join(f"{g.name} ({g.means})" if g.means else g.name for g in checklist.scale)
    return " ".join(
        [
            f'Answer every item; "{NOT_APPLICABLE}" is an answer if a reason says why.',
            *([f"The scale: {scale}."] if scale else []),
            'A line "proposed" marks an answer that no person has confirmed: remove the line to confirm it.',
        ]
    )


def _guidance(checklist: Checklist, item: Item) -> Iterator[str]:
    """What a person needs to know to answer."""
    yield item.asks
    if item.applies:
        yield f"Applies {item.applies}."
    if item.hint:
        yield item.hint
    accepted = checklist.accepted(item)
    if accepted:
        yield f"Answer: {' | '.join(accepted)}."
    elif item.answer is Answers.NUMBER:
        yield "Answer: a number."
    if item.evidence:
        yield f"Evidence: {item.evidence}."
    if item.refers:
        yield f"See also: {', '.join(item.refers)}."
    if item.addition:
        yield "(An addition: the source does not have this item.)"


def _yaml_item(checklist: Checklist, item: Item, proposal: Proposal | None) -> list[str]:
    comments = [line for said in _guidance(checklist, item) for line in _comment(said, "  ")]
    lines = [f"  # {item.id}. {item.title}", *comments, f"  {_scalar(item.id)}:"]
    lines.append(f"    answer: {_scalar(proposal.text) if proposal else ''}".rstrip())
    if item.evidence or proposal:
        lines.append(f"    evidence: {_scalar(proposal.evidence) if proposal else ''}".rstrip())
    if proposal:
        lines.append(f"    proposed: {_scalar(proposal.by)}")
    return lines


def _markdown_item(checklist: Checklist, item: Item, proposal: Proposal | None) -> list[str]:
    lines = [f"### {item.id}. {item.title}", "", " ".join(_guidance(checklist, item)), ""]
    lines.append(f"**Answer:** {proposal.text if proposal else ''}".rstrip())
    if item.evidence or proposal:
        lines += ["", f"**Evidence:** {proposal.evidence if proposal else ''}".rstrip()]
    if proposal:
        lines += ["", f"**Proposed:** {proposal.by}"]
    return lines


def _comment(text: str, indent: str = "") -> Iterable[str]:
    return textwrap.wrap(" ".join(text.split()), _WIDTH, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# ")


def _scalar(text: str) -> str:
    """Text as a YAML scalar that reads back as it is."""
    flat = " ".join(text.split())
    return '"' + flat.replace("\\", "\\\\").replace('"', '\\"') + '"'
