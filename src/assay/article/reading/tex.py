"""A paper from its LaTeX source: the best source there is, for tables are exact in it. Never executed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from assay.article.reading.paper import Listing, Paper, RawTable, Role, Section, Sentence, Source, role_of
from assay.article.reading.sentences import sentences_of
from assay.article.reading.tex_plain import expanded, links, macros, plain
from assay.article.reading.tex_source import TexLine, assembled, main_file
from assay.findings import Location
from assay.patterns import regex
from assay.tree import Tree

_ENVIRONMENTS = {
    "table": r"table|table\*|sidewaystable\*?|wraptable|longtable\*?",
    "bare": r"tabular|tabular\*|tabularx|tabulary|tblr",
    "picture": r"figure\*?|wrapfigure|SCfigure",
    "algorithm": r"algorithm\*?|algorithmic|algorithm2e|pseudocode|algo",
    "code": r"lstlisting|verbatim\*?|minted|Verbatim|alltt",
    "formula": r"equation\*?|align\*?|gather\*?|multline\*?|eqnarray\*?|displaymath|math",
    "bibliography": r"thebibliography|CSLReferences",
}
_BEGIN = regex(r"\\begin\s*\{(?:" + "|".join(f"(?P<{kind}>{names})" for kind, names in _ENVIRONMENTS.items()) + r")\}")
_HEADING = regex(r"\\(part|chapter|section|subsection|subsubsection|paragraph)\*?\s*(?:\[[^\]]*\])?\s*\{")
_LEVELS = {"part": 0, "chapter": 1, "section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4}
_ABSTRACT = regex(r"\\begin\s*\{abstract\}|\\abstract\s*\{")
_TITLES = (r"\title", r"\icmltitle", r"\Title", r"\papertitle", r"\TITLE", r"\thesistitle", r"\mytitle")
"""Commands that name the title, the usual one first; classes of conferences and theses have their own."""
_FORMULA = regex(r"\$\$.*?\$\$|\\\[.*?\\\]", re.DOTALL)
_APPENDIX = regex(r"\\appendix\b|\\begin\s*\{appendi(?:x|ces)\}")


def read_tex(tree: Tree, path: str = "") -> Paper:
    """The paper in a folder or archive of LaTeX files; `path` names its main file if it is known."""
    given = tree.get(path) if path else None
    main = given or main_file(tree)
    lines, notes = assembled(tree, main)
    reader = _Reader(main.path, lines)
    reader.read()
    return Paper(
        path=main.path,
        title=reader.title,
        sections=tuple(reader.sections),
        sentences=tuple(reader.sentences),
        bibliography=tuple(reader.bibliography),
        tables=tuple(reader.tables),
        listings=tuple(reader.listings),
        captions=tuple(reader.captions),
        links=tuple(reader.links),
        left_out=(*tree.notes, *notes),
    )


@dataclass
class _Reader:
    path: str
    lines: list[TexLine]
    title: str = ""
    sections: list[Section] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    bibliography: list[str] = field(default_factory=list)
    tables: list[RawTable] = field(default_factory=list)
    listings: list[Listing] = field(default_factory=list)
    captions: list[Sentence] = field(default_factory=list)
    links: list[tuple[str, Location]] = field(default_factory=list)

    def read(self) -> None:
        whole = "\n".join(line.text for line in self.lines)
        begin = whole.find(r"\begin{document}")
        preamble = whole[: max(begin, 0)]
        own = macros(preamble)
        told = next(filter(None, (_argument_of(whole, command) for command in _TITLES)), "")
        self.title = " ".join(plain(expanded(told, own)).replace("[cite]", "").split())
        body = "\n" * preamble.count("\n") + whole[max(begin, 0) :].replace(r"\begin{document}", "", 1)
        end = body.find(r"\end{document}")
        text = expanded(body if end < 0 else body[:end], own)
        self.links = [(link, self._place(line)) for line, link in links(text)]
        text = self._without_floats(text)
        text = _FORMULA.sub(lambda m: " [formula] " + "\n" * m[0].count("\n"), text)
        for section, start, piece in self._sections(text):
            self.sections.append(section)
            for sentence in sentences_of(plain(piece), section, self.path, start + 1):
                self.sentences.append(self._placed(sentence))

    def _place(self, line: int) -> Location:
        """The place of a line of the whole, counted from 0."""
        at = self.lines[min(max(line, 0), len(self.lines) - 1)] if self.lines else TexLine("", self.path, 1)
        return Location(at.path, at.number)

    def _placed(self, sentence: Sentence) -> Sentence:
        where = self._place((sentence.location.line or 1) - 1)
        return Sentence(sentence.text, sentence.section, where, sentence.cites)

    def _without_floats(self, text: str) -> str:
        """The running text, with what stands apart from it taken out and kept."""
        out, at = [], 0
        while match := _BEGIN.search(text, at):
            kind = match.lastgroup or ""
            stop = _end_of(text, match)
            out.append(text[at : match.start()])
            inner = text[match.start() : stop]
            _KEEPERS[kind](self, inner, text.count("\n", 0, match.start()))
            out.append((" [formula] " if kind == "formula" else " ") + "\n" * inner.count("\n"))
            at = stop
        return "".join([*out, text[at:]])

    def _keep_table(self, inner: str, line: int) -> None:
        caption = self._caption(inner, line)
        self.tables.append(RawTable(Source.LATEX, inner, caption, self._place(line)))

    def _keep_picture(self, inner: str, line: int) -> None:
        self._caption(inner, line)
        if r"\begin{tabular" in inner:
            self.tables.append(
                RawTable(Source.LATEX, inner, self.captions[-1].text if self.captions else "", self._place(line))
            )
        if re.search(r"\\begin\{(?:algorithmic|lstlisting|algorithm)", inner):
            self.listings.append(Listing("algorithm", inner, self._place(line)))

    def _keep_algorithm(self, inner: str, line: int) -> None:
        self._caption(inner, line)
        self.listings.append(Listing("algorithm", inner, self._place(line)))

    def _keep_code(self, inner: str, line: int) -> None:
        self.listings.append(Listing("code", inner, self._place(line)))

    def _keep_bibliography(self, inner: str, _line: int) -> None:
        items = re.split(r"\\bibitem(?:\[[^\]]*\])?\{[^{}]*\}|\\leavevmode\b", inner)[1:]
        self.bibliography += [" ".join(plain(item).split()) for item in items]

    def _keep_nothing(self, _inner: str, _line: int) -> None:
        """A formula leaves a mark in the text and nothing else."""

    def _caption(self, inner: str, line: int) -> str:
        told = " ".join(plain(_argument_of(inner, r"\caption")).split())
        if told:
            section = Section("", Role.OTHER, 1, self._place(line))
            at = line + inner.count("\n", 0, max(inner.find(r"\caption"), 0))
            self.captions.append(Sentence(told, section, self._place(at)))
        return told

    def _sections(self, text: str) -> Iterator[tuple[Section, int, str]]:
        """Sections with the line they begin on, counted from 0, and their text."""
        marks: list[tuple[int, int, Section]] = []
        for match in _ABSTRACT.finditer(text):
            place = self._place(text.count("\n", 0, match.start()))
            marks.append((match.start(), match.end(), Section("Abstract", Role.ABSTRACT, 1, place)))
        appendix = _APPENDIX.search(text)
        roles: dict[int, Role] = {}
        for match in _HEADING.finditer(text):
            heading, stop = _balanced(text, match.end() - 1)
            level = _LEVELS[match[1]]
            above = next((roles[i] for i in range(level - 1, -1, -1) if i in roles), None)
            name = " ".join(plain(heading).split())
            role = role_of(name, above)
            if appendix and match.start() > appendix.start():
                role = Role.APPENDIX
            roles = {k: v for k, v in roles.items() if k < level} | {level: role}
            place = self._place(text.count("\n", 0, match.start()))
            marks.append((match.start(), stop, Section(name, role, max(level, 1), place)))
        marks.sort(key=lambda mark: mark[0])
        front = Section("", Role.FRONT, 1, self._place(0))
        bounds = [(0, 0, front), *marks]
        for (_, start, section), following in zip(bounds, [*bounds[1:], None], strict=True):
            piece = text[start : following[0] if following else len(text)]
            yield section, text.count("\n", 0, start), piece.replace(r"\end{abstract}", "", 1)


_KEEPERS: dict[str, Callable[[_Reader, str, int], None]] = {
    "table": _Reader._keep_table,
    "bare": _Reader._keep_table,
    "picture": _Reader._keep_picture,
    "algorithm": _Reader._keep_algorithm,
    "code": _Reader._keep_code,
    "formula": _Reader._keep_nothing,
    "bibliography": _Reader._keep_bibliography,
}


def _end_of(text: str, begin: re.Match[str]) -> int:
    """Where an environment ends: at its own end, counted over nested ones of the same name; else at an empty line."""
    name = re.escape(begin[0][begin[0].index("{") + 1 : -1])
    depth = 0
    for match in re.compile(rf"\\(begin|end)\s*\{{{name}\}}").finditer(text, begin.start()):
        depth += 1 if match[1] == "begin" else -1
        if depth == 0:
            return match.end()
    stop = text.find("\n\n", begin.end())
    return len(text) if stop < 0 else stop


def _argument_of(text: str, command: str) -> str:
    match = re.search(re.escape(command) + r"\s*(?:\[[^\]]*\])?\s*\{", text)
    return _balanced(text, match.end() - 1)[0] if match else ""


def _balanced(text: str, brace: int) -> tuple[str, int]:
    """What stands in the braces that open here, and where they close; a forgotten brace ends at an empty line."""
    depth = 0
    limit = min(len(text), brace + 5_000)
    for at in range(brace, limit):
        if text[at] in "{}" and text[at - 1] != "\\":
            depth += 1 if text[at] == "{" else -1
            if depth == 0:
                return text[brace + 1 : at], at + 1
    stop = text.find("\n\n", brace, limit)
    stop = limit if stop < 0 else stop
    return text[brace + 1 : stop], stop
