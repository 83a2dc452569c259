"""What the pages of a repository say, line by line: where they tell what one needs, and what is about the work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote

from assay.code import Code
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.environment.usage import with_pairs_apart
from assay.repository.readme.document import CodeBlock, Document, Grid, Passage, Style
from assay.repository.readme.spelling import is_misspelt
from assay.tree import File

_LONGEST, _LONGEST_PASSAGE, _ROWS = 1000, 5000, 200
_LONGEST_LIST = 100_000
_LONGEST_TITLE = 40
_BARE = regex(r"[\W_]{0,4}[A-Z][\w&/ -]{2,40}")
_ADVISING = ("install", "Install")
_NO_LEVEL = 100
"""Below every heading there is."""
_ANNOUNCED = 6
"""The level of what follows a sentence above all headings: any heading of the text itself ends it."""
_NEEDED = regex(
    r"\b(?:pre-?)?requi[rs]e?ments?\b|\bprerequisites?\b|\bdepend[ae]nc(?:y|ies)\b|\benvironments?\b|\binstall(?:ation|ing)?\b"
    r"|\bset-?up\b|\bsetting up\b|\bpackages?\b|\btested (?:on|with)\b|\bgetting started\b"
    r"|\b(?:required|needed|necessary) (?:\w{1,20} )?(?:libs?|librar(?:y|ies)|modules?|software|frameworks?|tools?)\b"
    r"|\b(?:libs?|librar(?:y|ies)|modules?|software|frameworks?|tools?) (?:required|needed)\b"
    r"|\brequisitos\b|\bdependências\b|\bdependencias\b|\binstala(?:ción|ção)\b|\bpré-?requis\w{1,4}\b|\bdépendances\b"
    r"|\bvoraussetzungen\b|\babhängigkeiten\b|\bgereksinimler\b|\bkurulum\b|\bpersyaratan\b|\binstalasi\b|\byêu cầu\b"
    r"|\bcài đặt\b|требования|зависимости|установка|环境|環境|依赖|依賴|安装|安裝|インストール|必要な"
    r"|환경|설치|의존성|패키지|요구 ?사항"
    r"|вимоги|\bwymagania\b|\bzależności\b|\brequisiti\b|\bdipendenze\b|\bvereisten\b|المتطلبات"
    r"|\bpaquets\b|\bpaquetes\b|\bpacotes\b|\bpacchetti\b|\bpakete\b|\bpakiety\b|\binstallazione\b|\bréquis\b"
    r"|\banforderungen\b|\bafhankelijkheden\b|\bbenodigdheden\b|\bkebutuhan\b|\bprasyarat\b|\bbağ\u0131ml\u0131l\u0131klar\b"
    r"|\brequerimientos\b|залежності|встановлення|软件包|依存|セットアップ",
    re.IGNORECASE,
)
"""Headings of what one needs."""
_FOLLOWING = regex(
    r"\b(?:needs?|requires?|uses?|used) [^.:]{0,40}\b(?:libs?|librar(?:y|ies)|modules?|software)\b", re.IGNORECASE
)
"""Sentences that say so of the list below them: "It needs the following libraries:"."""
_KIND = r"(?:tools?|librar(?:y|ies)|frameworks?|modules?|packages?|software|languages?)"
_USED = regex(
    r"\bbuilt (?:with|using)\b|\b(?:tech(?:nical)?|software|python|tool(?:ing)?|ml|data|library)[ -]stack\b"
    r"|\btool ?chain\b|\btechnolog(?:y|ies)\b|^\W*(?:our )?stack\W*$"
    rf"|^\W*(?:python |main |key |important )?{_KIND}\W*$|\b{_KIND} used\b|\bused {_KIND}\b"
    rf"|\b{_KIND}(?: and | ?& ?| ?/ ?|, ){_KIND}\b"
    r"|技术栈|使用技術|기술 ?스택|사용 ?(?:도구|기술|라이브러리)|핵심 ?도구|使用ライブラリ|技術スタック"
    r"|технологи|технології|библиотек|бібліотек|инструмент|\btechnologie\b|\bbibliotek|\btecnologie\b|\blibrerie\b"
    r"|\bherramientas\b|\bferramentas\b|\btecnolog[ií]as\b|\bcông nghệ\b|\bteknoloji"
    r"|\bmade (?:with|using)\b|\b(?:conçue?|construite?|réalisée?|développée?|faite?) avec\b|\boutils\b"
    r"|\bbiblioth[eè]ques\b|\b(?:construid[oa]|hech[oa]|desarrollad[oa]|cread[oa]) con\b"
    r"|\b(?:realizzat[oa]|sviluppat[oa]|creat[oa]) con\b"
    r"|\b(?:construíd[oa]|feit[oa]|desenvolvid[oa]|criad[oa]) com\b|\b(?:gebaut|erstellt|entwickelt|umgesetzt) mit\b"
    r"|\b(?:gebouwd|gemaakt|ontwikkeld) met\b|\b(?:dibangun|dibuat|dikembangkan) (?:dengan|menggunakan)\b"
    r"|\btechnologien\b|\bwerkzeuge\b|\bbibliotheken\b|\bbibliotecas\b|\blibrer[ií]as\b|\bstrumenti\b|\bteknologi\b"
    r"|\bpustaka\b|\bkütüphane|\baraçlar\b|\bthư viện\b|\bnarzędzia\b|(?<!\w)стек(?!\w)|技術堆疊|主要技术",
    re.IGNORECASE,
)
"""Headings of what the work is built with: no manifest, but whoever reads them knows what to install."""
_STARTED = regex(r"^[ \t]*(?:[$>] ?)?python[\d.]* (?:-\w )?(?!setup\.py)[\w./-]{1,200}\.py\b", re.MULTILINE)
"""A script that is started: by then all is installed, and what follows is about its options and files."""
_MEANT = ("requirements", "prerequisites", "dependencies", "installation")
"""Those of its words that are recognised though misspelt."""
_WORD = regex(r"[^\W\d_]{6,40}")
_TITLE = regex(r"^[\s*_>-]{0,6}[A-Za-z][\w ,/()&'-]{2,60}:\s*$")
"""A line in a block of code that says what comes below it."""
_CODE = regex(r"^\s*(?:import|from)\s+\w|[^=<>~!]=\s*[A-Za-z_]\w*[.(]")
_BULLET = regex(r"^(\s{0,8}(?:[-*+\u2022\u00b7]|\d{1,2}[.)]))(?=[^\W\d_])")
"""The sign of an item of a list, right before its first letter."""
_COMMENTED = regex(
    r"^[ \t]*#+[ \t]*([A-Za-z][\w.-]{1,60}(?:\[[\w,]{1,40}\])?(?:[ \t]*[<>=~!]=?[ \t]*[\d*][\w.*,<>=!~ ]{0,40})?)"
    r"[ \t]*(?:#.*)?$"
)
"""A line of a list of packages that is switched off."""
_FRAMEWORKS = frozenset({"jax", "keras", "mxnet", "pytorch", "tensorflow"})
_REPOSITORY = regex(r"[\w.-]{3,80}")
_COMMAND = regex(
    r"^[ \t]{0,8}(?:[$>%!][ \t]?)?(?:python[\d.]{0,4} (?:-m |-c [\"']import )(?=\w))?"
    r"((?<=-m )\w{2,40}|(?<=[\"']import )\w{2,40}|(?:streamlit|chainlit|flask)(?= run\b)"
    r"|(?:uvicorn|gunicorn)(?= [\w.-]{1,80}:)"
    r"|mlflow(?= (?:ui|server|run)\b)|tensorboard(?= --logdir)|accelerate(?= (?:launch|config)\b)"
    r"|deepspeed(?= [\w./-]{1,80}\.py)|wandb(?= (?:login|sweep|agent)\b)|kaggle(?= (?:datasets|competitions)\b)"
    r"|scrapy(?= crawl\b)|celery(?= -A\b))",
    re.MULTILINE,
)
"""A command that starts a package, or that asks one to get something."""
_BRANCHES = ("\u251c\u2500", "\u2514\u2500", "|--", "+--")
"""Of drawn folders."""
_BESIDE = regex(r"\s(?:#|//|<-{1,2}|\u2190|\u2192|-{1,2}(?=\s))\s{0,4}(\S.*)$")
_BADGE = regex(r"img\.shields\.io/badge/((?:[^-/?]|--){1,80})-((?:[^-/?]|--){1,80})(?:-|\?|$)")
_INDEXED = regex(
    r"(?:pypi\.org/(?:project|pypi)|pypi\.python\.org/pypi|anaconda\.org/[\w-]{1,60})/([A-Za-z][\w.-]{1,80})/?(?:[?#]|$)"
)
"""The page of a package on an index: who is sent there is to get it."""
_NO_STATE = regex(
    r"status|build|coverage|downloads?|license|licence|stars|issues|docs|tests?|passing|release|paper|arxiv"
)
"""Badges of these tell how a project fares, not what it is made of."""
_MADE_OF = regex(
    r"\btechnolog(?:y|ies)\b|\blibrar(?:y|ies)\b|\bframeworks?\b|\bpackages?\b|\btools?\b|\bstack\b|\bdependenc(?:y|ies)\b"
    r"|\bsoftware\b|\bback-?end\b|\btecnolog[ií]as?\b|\bbibliotecas?\b|\bherramientas?\b|\bferramentas?\b|\boutils?\b"
    r"|\bbiblioth[eè]ques?\b|\btechnologien?\b|\bbibliotheken?\b|\btecnologi[ae]\b|\bteknoloji|\bkütüphane|\bteknologi\b"
    r"|\bpustaka\b|\bcông nghệ\b|\bthư viện\b|технологи|библиотек|技术栈|使用技術|技術スタック|ライブラリ|框架"
    r"|기술 ?스택|라이브러리",
    re.IGNORECASE,
)
"""Columns and rows of a table that tell what the work is made with."""
_OTHERS = regex(
    r"\backnowledge?ments?\b|\bcredits?\b|\breferences?\b|\bcitations?\b|\bciting\b|\bcite\b|\brelated\b|\bthanks\b"
    r"|\blicen[cs]es?\b|\bto-?do\b|\bfuture\b|\broad ?map\b|\bchange ?log\b|\bresources\b|\breading\b|\btutorials?\b"
    r"|\bnext steps\b|\bbibliography\b|\bcontribut\w+|\bimprovements?\b|参考|致谢",
    re.IGNORECASE,
)
"""Headings of what is owed to others, or not done yet."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line in lower case."""

    text: str
    location: Location
    needed: bool
    """Whether it stands where the README tells what one needs."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A passage or heading, in lower case, that is about the work itself."""

    text: str
    location: Location
    """Where it begins."""


def lines_of_page(document: Document) -> Iterator[Line]:
    """The lines that may name what one needs, badges and links to a package's page on an index included."""
    yield from _of(document)
    yield from _of_badges(document)
    yield from _of_title(document)
    yield from _of_commands(document)
    for link in document.links:
        if indexed := _INDEXED.search(link.target):
            yield Line(indexed[1].lower(), Location(document.path, link.line), needed=True)


def _of(document: Document) -> Iterator[Line]:
    """The lines of a README in lower case; code only in the sections on what one needs, or below such a title in it."""
    needed, level = False, _NO_LEVEL
    for part in document.parts:
        heading = part.heading
        if heading is not None:
            about = _about_needs(heading.text)
            if about or heading.level <= level:
                needed, level = about, heading.level if about else _NO_LEVEL
        if needed and heading is not None and heading.style is not Style.MARKED:
            yield Line(heading.text.lower(), Location(document.path, heading.line), needed)  # "1. **numpy**"
        titled, listed, below = False, False, 0
        for block in part.blocks:
            listed = titled or (listed and block.line == below)
            if isinstance(block, Grid):
                yield from _of_grid(block, document.path, needed or listed)
            elif isinstance(block, Passage | CodeBlock):
                yield from _of_block(block, document.path, needed or listed)
            titled = isinstance(block, Passage) and _is_bare_title(block.text)
            below = block.line + block.text.count("\n") + 1 if isinstance(block, Passage) else 0
            if needed and isinstance(block, CodeBlock) and _STARTED.search(block.text):
                needed, level = False, _NO_LEVEL
            if not needed and isinstance(block, Passage) and _announces(block.text):
                needed, level = True, _ANNOUNCED if heading is None else heading.level


def _of_badges(document: Document) -> Iterator[Line]:
    """What stands on the badges of a README; a version beside a name says that it is needed."""
    for link in document.links:
        badge = _BADGE.search(link.target) if link.image else None
        if badge is not None:
            name, beside = (unquote(part).replace("--", "-").replace("_", " ") for part in badge.groups())
            said = f"{name} {beside}".lower()[:_LONGEST]
            yield Line(said, Location(document.path, link.line), needed=_NO_STATE.search(said) is None)


def _of_title(document: Document) -> Iterator[Line]:
    """The framework in a title that is the name of a repository: "mnist-pytorch"."""
    title = next((part.heading for part in document.parts if part.heading is not None), None)
    if title is None or _REPOSITORY.fullmatch(title.text.strip()) is None:
        return
    words = re.split(r"[-_]", title.text.strip().lower())
    for word in _FRAMEWORKS.intersection(words[1:]):
        yield Line(word, Location(document.path, title.line), needed=True)


def _of_commands(document: Document) -> Iterator[Line]:
    """Packages that one starts by name: whoever reads `streamlit run app.py` knows what it takes."""
    for part in document.parts:
        for block in part.blocks:
            if not isinstance(block, CodeBlock):
                continue
            for found in islice(_COMMAND.finditer(block.text), _ROWS):
                line = block.line + block.text.count("\n", 0, found.start(1))
                yield Line(found[1].lower(), Location(document.path, line), needed=True)


def _about_needs(title: str) -> bool:
    misspelt = (is_misspelt(word.lower(), _MEANT) for word in _WORD.findall(title))
    return _NEEDED.search(title) is not None or _USED.search(title) is not None or any(misspelt)


def _of_block(block: Passage | CodeBlock, path: str, needed: bool) -> Iterator[Line]:
    for number, line in enumerate(block.text.split("\n"), block.line):
        needed = needed or _is_title(line)
        if (needed or isinstance(block, Passage)) and len(line) <= _LONGEST and not _CODE.search(line):
            yield Line(with_pairs_apart(_BULLET.sub(r"\1 ", line.lower())), Location(path, number), needed)


def _of_grid(grid: Grid, path: str, needed: bool) -> Iterator[Line]:
    """Rows of a table of what one needs, or what it is made with. In others a number behind a name is a score."""
    needed = needed or any(map(_MADE_OF.search, grid.header))
    for number, row in enumerate(grid.rows[:_ROWS], grid.line + 2):
        if needed or (row and _MADE_OF.search(row[0])):
            said = with_pairs_apart(" | ".join(row)[:_LONGEST].lower())
            yield Line(said, Location(path, number), needed=True)


def talk_of(document: Document) -> Iterator[Talk]:
    """What a page says about the work itself: not what it owes to others, or plans."""
    others, level = False, _NO_LEVEL
    for part in document.parts:
        heading = part.heading
        if heading is not None and (heading.level <= level or not others):
            others = _OTHERS.search(heading.text) is not None
            level = heading.level if others else _NO_LEVEL
        if others:
            continue
        if heading is not None:
            yield Talk(with_pairs_apart(heading.text.lower()[:_LONGEST]), Location(document.path, heading.line))
        for passage in part.passages:
            if not _CODE.search(passage.text):
                said = with_pairs_apart(passage.text.lower()[:_LONGEST_PASSAGE])
                yield Talk(said, Location(document.path, passage.line))
        for block in part.blocks:
            if isinstance(block, CodeBlock) and any(map(block.text.__contains__, _BRANCHES)):
                yield from _of_folders(block, document.path)


def _of_folders(drawn: CodeBlock, path: str) -> Iterator[Talk]:
    """What stands beside the files where a page draws the folders."""
    for number, line in enumerate(drawn.text.split("\n", _ROWS)[:_ROWS], drawn.line):
        beside = _BESIDE.search(line[:_LONGEST])
        if beside is not None:
            yield Talk(with_pairs_apart(beside[1].lower()), Location(path, number))


def remarks_of(code: Code) -> Iterator[Talk]:
    """The text cells of notebooks."""
    for source in code.own:
        for cell in source.notebook.cells if source.notebook is not None else ():
            if cell.kind == "markdown":
                yield Talk(cell.text.lower()[:_LONGEST_PASSAGE], Location(source.path, 1, cell=cell.number))


def advice_in(code: Code) -> Iterator[Line]:
    """What code says of what one must install: in comments, and in the texts that it prints or raises."""
    for source in code.own:
        if not any(map(source.mentions, _ADVISING)):
            continue
        texts = ((node.lineno, str(node.value)) for node in source.strings)
        comments = ((number, line) for number, line in enumerate(source.lines, 1) if line.lstrip().startswith("#"))
        for number, text in (*texts, *comments):
            said = text[:_LONGEST_PASSAGE].lower()
            if "install" in said:
                yield from (Line(part, source.location(number), needed=False) for part in said.split("\n"))


def switched_off(manifest: File) -> Iterator[Line]:
    """What a list of packages has in comments: whoever reads it knows what else there is to install."""
    for number, line in enumerate(manifest.text()[:_LONGEST_LIST].split("\n"), 1):
        found = _COMMENTED.match(line)
        if found is not None:
            yield Line(found[1].lower(), Location(manifest.path, number), needed=True)


def _announces(text: str) -> bool:
    """Whether a sentence says that what one needs follows: "The dependencies are:"."""
    last = text.rpartition("\n")[2].rstrip()
    needed = _NEEDED.search(last) or _FOLLOWING.search(last)
    return last.endswith((":", "\uff1a")) and len(last) <= _LONGEST and needed is not None


def _is_bare_title(text: str) -> bool:
    """Whether a passage is the title of the next, in a page without any marks: "Technologies Used"."""
    return len(text) <= _LONGEST_TITLE and "\n" not in text and _BARE.fullmatch(text) is not None and _about_needs(text)


def _is_title(line: str) -> bool:
    return bool(_TITLE.match(line) and _NEEDED.search(line))
