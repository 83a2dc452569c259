"""The page as LaTeX, to be compiled as it is or copied into an appendix."""

from __future__ import annotations

from assay.checklists.rendering.page import NO_ANSWER, Line, Page
from assay.report.latex import FROM_HERE, PREAMBLE, TO_HERE, escaped


def render(page: Page) -> str:
    """The document; what stands between the marks can be copied into another."""
    out = [PREAMBLE, FROM_HERE, rf"\section*{{{escaped(page.title)}}}", r"\begin{description}"]
    out += [rf"\item[{escaped(k)}] {escaped(v)}" for k, v in page.about]
    out += [r"\end{description}", escaped(page.note)]
    for block in page.blocks:
        out += [
            rf"\subsection*{{{escaped(block.title)}}}",
            r"\begin{longtable}{@{}p{.09\linewidth}p{.38\linewidth}p{.25\linewidth}p{.18\linewidth}@{}}",
            r"\hline & Item & Answer & Evidence \\ \hline \endhead",
            *map(_row, block.lines),
            r"\hline \end{longtable}",
        ]
    return "\n".join([*out, TO_HERE, r"\end{document}", ""])


def _row(line: Line) -> str:
    answer = escaped(line.answer) if line.answered else rf"\textit{{{NO_ANSWER}}}"
    remarks = "".join(rf" \textit{{({escaped(r)})}}" for r in line.remarks)
    item = rf"\textbf{{{escaped(line.title)}}} {escaped(line.asks)}"
    return rf"{escaped(line.id)} & {item} & {answer}{remarks} & {escaped(line.evidence)} \\"
