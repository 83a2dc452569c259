"""The page as Markdown, one small table for each section."""

from __future__ import annotations

import re

from assay.checklists.rendering.page import NO_ANSWER, Line, Page


def render(page: Page) -> str:
    """The document."""
    out = [f"# {_text(page.title)}", "", *(f"- **{k}:** {_text(v)}" for k, v in page.about), ""]
    out += [_text(page.note), ""] if page.note else []
    for block in page.blocks:
        out += [f"## {_text(block.title)}", "", "| | Item | Answer | Evidence |", "|---|---|---|---|"]
        out += [_row(line) for line in block.lines] + [""]
    return "\n".join(out)


def _row(line: Line) -> str:
    answer = _text(line.answer) if line.answered else f"*{NO_ANSWER}*"
    remarks = "".join(f"<br>*{_text(r)}*" for r in line.remarks)
    item = f"**{_text(line.title)}**<br>{_text(line.asks)}"
    return f"| {_text(line.id)} | {item} | {answer}{remarks} | {_text(line.evidence)} |"


def _text(text: str) -> str:
    """Text in which nothing acts as markup, on one line."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", " ".join(text.split()))
