"""The page as LaTeX, to be compiled as it is or copied into an appendix."""

from __future__ import annotations

from assay.checklists.rendering.page import NO_ANSWER, Line, Page

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "\N{EN DASH}": "--", "\N{EM DASH}": "---", "\N{LEFT DOUBLE QUOTATION MARK}": "``",
    "\N{RIGHT DOUBLE QUOTATION MARK}": "''", "\N{RIGHT SINGLE QUOTATION MARK}": "'", "…": r"\ldots{}", "±": r"$\pm$",
    "≥": r"$\geq$", "≤": r"$\leq$", "\N{MULTIPLICATION SIGN}": r"$\times$", "\N{MINUS SIGN}": "$-$",
    "→": r"$\rightarrow$", "µ": r"$\mu$", "|": r"\textbar{}", '"': r"\textquotedbl{}",
}  # fmt: skip
_BEFORE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[margin=2cm]{geometry}
\usepackage{longtable}
\begin{document}
"""


def render(page: Page) -> str:
    """The document; what stands between the marks can be copied into another."""
    out = [_BEFORE, "% --- from here", rf"\section*{{{_text(page.title)}}}", r"\begin{description}"]
    out += [rf"\item[{_text(k)}] {_text(v)}" for k, v in page.about]
    out += [r"\end{description}", _text(page.note)]
    for block in page.blocks:
        out += [
            rf"\subsection*{{{_text(block.title)}}}",
            r"\begin{longtable}{@{}p{.09\linewidth}p{.38\linewidth}p{.25\linewidth}p{.18\linewidth}@{}}",
            r"\hline & Item & Answer & Evidence \\ \hline \endhead",
            *map(_row, block.lines),
            r"\hline \end{longtable}",
        ]
    return "\n".join([*out, "% --- to here", r"\end{document}", ""])


def _row(line: Line) -> str:
    answer = _text(line.answer) if line.answered else rf"\textit{{{NO_ANSWER}}}"
    remarks = "".join(rf" \textit{{({_text(r)})}}" for r in line.remarks)
    item = rf"\textbf{{{_text(line.title)}}} {_text(line.asks)}"
    return rf"{_text(line.id)} & {item} & {answer}{remarks} & {_text(line.evidence)} \\"


def _text(text: str) -> str:
    """Text in which nothing acts as a command."""
    return "".join(_SPECIAL.get(sign, sign) for sign in " ".join(text.split()))
