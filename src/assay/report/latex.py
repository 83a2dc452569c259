"""The report as LaTeX: to be compiled as it is, or its tables copied into a paper.

Audited text is never a command: every character that could act is spelled out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, starmap

from assay.findings import Evidence, Finding, Judgement, Report, Suppressed, Table
from assay.report import chapters, questions, wording
from assay.report.page_one import headline_of, points_of
from assay.report.wording import clipped, on_one_line, shown

LONGEST_TEXT = 4_000
MOST_ROWS = 1_000

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "\N{EN DASH}": "--", "\N{EM DASH}": "---", "\N{LEFT DOUBLE QUOTATION MARK}": "``",
    "\N{RIGHT DOUBLE QUOTATION MARK}": "''", "\N{RIGHT SINGLE QUOTATION MARK}": "'", "…": r"\ldots{}", "±": r"$\pm$",
    "≥": r"$\geq$", "≤": r"$\leq$", "\N{MULTIPLICATION SIGN}": r"$\times$", "\N{MINUS SIGN}": "$-$", "≠": r"$\neq$",
    "→": r"$\rightarrow$", "µ": r"$\mu$", "¬": r"$\neg$", "|": r"\textbar{}", '"': r"\textquotedbl{}",
}  # fmt: skip
PREAMBLE = r"""\documentclass{article}
\usepackage{iftex}
\ifPDFTeX
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\makeatletter
\def\UTFviii@undefined@err#1{\expandafter\ShowCodePoint\string#1\relax}
\def\ShowCodePoint#1:#2\relax{\texttt{[U+\UTFviii@hexnumber{\decode@UTFviii#2\relax}]}}
\makeatother
\else
\usepackage{fontspec}
\fi
\usepackage[margin=2cm]{geometry}
\usepackage{longtable}
\begin{document}
"""
"""For XeLaTeX and LuaLaTeX, which know every letter there is, and for pdfLaTeX, which shows the number of one it lacks
instead of giving up."""
FROM_HERE, TO_HERE = "% --- from here", "% --- to here"
"""What stands between these lines can be copied into another document."""

_ROOM = 0.94
"""The part of a line that columns share; the rest is between them."""
_SHORT, _SIGN = 14, 0.011
"""Up to so many signs a text is not wrapped; and the part of a line that one sign takes."""


def render(report: Report) -> str:
    """The report as one document."""
    return "\n".join([PREAMBLE + FROM_HERE, *_lines(report), TO_HERE, r"\end{document}", ""])


def escaped(text: str) -> str:
    """Text in which nothing acts as a command, no two signs melt into one, and nothing looks like an option."""
    words = " ".join(text.split())
    apart = ("{}" if sign in "-`'" and sign == before else "" for before, sign in pairwise(f" {words}"))
    spelled = "".join(gap + _SPECIAL.get(sign, sign) for gap, sign in zip(apart, words, strict=True))
    return "{}" + spelled if words[:1] in ("[", "*") else spelled


def table(one: Table) -> str:
    """A table that may run over several pages, its text columns wrapped, its numbers flush right."""
    rows = one.rows[:MOST_ROWS]
    numeric = wording.numeric_columns(rows, len(one.columns))
    cells = [[_line(shown(cell)) for cell in row] for row in rows]
    head = " & ".join(map(_line, one.columns)) + r" \\"
    size = r"\small" if len(one.columns) <= 7 else r"\footnotesize" if len(one.columns) <= 12 else r"\scriptsize"
    narrow = r"\setlength{\tabcolsep}{2.5pt}" if len(one.columns) > 7 else r"\setlength{\tabcolsep}{4pt}"
    lines = [
        f"{{{size}{narrow}",
        rf"\begin{{longtable}}{{@{{}}{_layout(one, numeric)}@{{}}}}",
        rf"\caption{{{_line(one.title)}}}\\",
        rf"\hline {head} \hline \endhead",
        *(" & ".join(row) + r" \\" for row in cells),
        r"\hline",
        r"\end{longtable}}",
    ]
    if len(one.rows) > MOST_ROWS:
        lines.append(escaped(wording.rows_cut(len(one.rows) - MOST_ROWS)))
    return "\n".join(lines)


def _layout(one: Table, numeric: Sequence[bool]) -> str:
    """Numbers flush right, short words at their own width, and what remains of the line for long texts."""
    lengths = [_width(one, index) for index in range(len(one.columns))]
    is_long = [length > _SHORT and not flush for length, flush in zip(lengths, numeric, strict=True)]
    taken = sum(min(length, _SHORT) for length, long in zip(lengths, is_long, strict=True) if not long)
    room = max(0.2, _ROOM - taken * _SIGN)
    weights = [min(length, 80) * long for length, long in zip(lengths, is_long, strict=True)]
    layout = ["r" if flush else "l" for flush in numeric]
    for index in (index for index, weight in enumerate(weights) if weight):
        layout[index] = rf"p{{{room * weights[index] / sum(weights):.2f}\linewidth}}"
    return "".join(layout)


def _width(one: Table, index: int) -> int:
    """The length of the longest cell of a column, its heading included."""
    return max(len(one.columns[index]), *(len(shown(row[index])) for row in one.rows[:MOST_ROWS]), 1)


def _lines(report: Report) -> Iterator[str]:
    yield rf"\section*{{{_line(report.title)}}}"
    if report.question:
        yield rf"\emph{{{_line(report.question)}}}" + "\n"
    yield from _chapters(report) if report.sections else [escaped(wording.summary(report))]
    if report.judgements:
        yield rf"\subsection*{{{wording.JUDGEMENTS}}}"
        yield from _described(map(_judgement, report.judgements))
    if report.tells_findings:
        yield rf"\subsection*{{{chapters.EVIDENCE if report.sections else wording.FINDINGS}}}"
    if report.tells_findings and report.clean:
        yield escaped(wording.nothing_found(report))
    elif report.findings:
        yield from _described(map(_finding, report.findings))
    if report.tables:
        yield rf"\subsection*{{{wording.TABLES}}}"
        yield from map(table, report.tables)
    if report.suppressed:
        yield rf"\subsection*{{{wording.SUPPRESSED}}}"
        yield from _described(map(_suppressed, report.suppressed))
    if report.left_out:
        yield rf"\subsection*{{{wording.LEFT_OUT}}}"
        yield from _itemized(map(_text, report.left_out))
    command = rf" \texttt{{{_line(report.command)}}}" if report.command else ""
    yield "\n" + escaped(wording.provenance(report)) + command


def _chapters(report: Report) -> Iterator[str]:
    """Page one, the questions, the verdict, and each chapter as a list with one line for each rule."""
    if report.since:
        yield rf"\textbf{{{_line(report.since)}}}" + "\n"
    yield rf"\textbf{{{_line(headline_of(report))}}}" + "\n"
    yield from _itemized(rf"{_line(point.statement)} ({_line(point.evidence)})" for point in points_of(report))
    yield rf"\subsection*{{{questions.TITLE}}}"
    asked = [_text(str(question)) for question in questions.questions_of(report)]
    yield from _itemized(asked or [questions.nothing_to_ask(report)])
    yield rf"\subsection*{{{chapters.VERDICT}}}"
    lines = chapters.verdict_of(report)
    yield from _itemized(rf"\textbf{{{_line(line.label)} ({line.count}):}} {_text(line.statement)}" for line in lines)
    for section, findings in chapters.chapters_of(report):
        yield rf"\subsection*{{{_line(chapters.heading(section, findings))}}}"
        yield _text(section.examined if findings else chapters.nothing_in(section, report))
        yield from _itemized(starmap(_rule, chapters.by_rule(findings)))


def _rule(finding: Finding, alike: int) -> str:
    more = f" (and {alike - 1:,} more of this kind)" if alike > 1 else ""
    return rf"{finding.severity.value} \textbf{{{_line(finding.code)}}}: {_text(finding.message)}{more}"


def _itemized(items: Iterable[str]) -> Iterator[str]:
    listed = [rf"\item {item}" for item in items]
    if listed:
        yield from (r"\begin{itemize}", *listed, r"\end{itemize}")


def _described(items: Iterable[tuple[str, list[str]]]) -> Iterator[str]:
    yield r"\begin{description}"
    for head, said in items:
        yield rf"\item[{{{head}}}] " + "\n\n".join(said)
    yield r"\end{description}"


def _judgement(judgement: Judgement) -> tuple[str, list[str]]:
    head = f"{judgement.verdict.value.upper()}: {_line(judgement.subject)}"
    return head, [_text(judgement.statement), *map(_evidence, judgement.evidence)]


def _finding(finding: Finding) -> tuple[str, list[str]]:
    head = f"{finding.severity.value} {_line(finding.code)}: {_line(finding.title)}"
    place = str(finding.location) if finding.location else ""
    about = [place, f"confidence {finding.confidence.value}", finding.subject]
    said = [_line(" · ".join(part for part in about if part)), _text(finding.message)]
    said += map(_evidence, finding.evidence)
    return head, [*said, f"Advice: {_text(finding.advice)}"] if finding.advice else said


def _suppressed(one: Suppressed) -> tuple[str, list[str]]:
    head, said = _finding(one.finding)
    return head, [*said, f"Reason: {_text(one.reason)}"]


def _evidence(piece: Evidence) -> str:
    label = wording.LABEL.get(piece.kind, "")
    place = f"{piece.location}: " if piece.location else ""
    values = ", ".join(f"{name} = {shown(value)}" for name, value in piece.values)
    words = place + "; ".join(part for part in (piece.text, values) if part)
    return (rf"\textbf{{{label}:}} " if label else "") + _text(words)


def _text(text: str) -> str:
    return escaped(clipped(text, LONGEST_TEXT))


def _line(text: str) -> str:
    return escaped(on_one_line(text))
