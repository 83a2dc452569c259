"""Commands in the order in which a reader meets them, with the folder that each is meant for."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from difflib import get_close_matches
from itertools import islice

from assay.code import Code
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.commands.shell import Variables, Written, is_placeholder, read_commands_of
from assay.repository.environment.distributions import table
from assay.repository.readme import CodeBlock, Document, Heading, Passage
from assay.tree import Tree

_NO_SHELL = frozenset(
    {"yaml", "yml", "json", "toml", "ini", "dockerfile", "xml", "html", "bibtex", "tex", "diff", "cpp", "c"}
)
_STARTS = regex(
    r"[ \t]*(?:[$>%!][ \t]*)?(?:sudo |nohup |[A-Z_]{2,40}=\S{1,100} )*[ \t]*(?:python[\d.]*|bash|sh|source|make|"
    r"torchrun|accelerate launch|"
    r"deepspeed|pip3?|conda env|Rscript|julia|jupyter|\./[\w./-]{1,100}|poetry run|uv run|mpirun|horovodrun)(?:[ \t]|$)"
)
_TOLD = regex(
    r"[ \t]*(?:[-*] |\d{1,2}[.)] )?(?:[$>%][ \t]*)?(?:[A-Z_]{2,40}=\S{1,40} )*(?:python[\d.]*|bash|"
    r"sh)[ \t]+[\w./-]{1,120}\.(?:py|sh)(?:[ \t]+-[^\n]*)?[ \t]*"
)
_CLONED = regex(r"git clone[^\n]{0,200}?/([\w.-]{1,80}?)(?:\.git)?/?(?=[\s;&]|$)")
_LINKED = regex(r"github\.com/[\w.-]{1,60}/([\w.-]{2,80}?)(?:\.git|/|$)")
_FILE_NAME = regex(r"(?<![\w./-])(?:\./)?([\w./-]{1,120}\.(?:py|sh|ipynb))\b")
_BRINGING = frozenset({"wget", "curl", "unzip", "tar", "gdown", "gsutil", "aws", "7z", "unrar", "svn", "cookiecutter"})
_ROOTS = frozenset({"$(git rev-parse --show-toplevel)", "$root", "$repo", "$repo_root", "$project_root"})
_ROOT_PREFIX = regex(
    r"^(?:\x02|[({$]{0,2})(?:[\w-]{0,20}[_-])?(?:root|repo(?:sitory)?|project)(?:[_-](?:dir|path|root|folder))?(?:\x03|[)}]{1,2}|(?=/))/?",
    re.IGNORECASE,
)
"""A mark for the root of the repository, as in `(root)/src` and `<project_root>/src`."""
_CLONE = regex(r"([\w.-]{1,100}?)(?:\.git)?/?")
_CONTINUED = regex(r"\\(?:[ \t]*\n|[ \t]{2,})[ \t]*")
_LANGUAGES = frozenset({"python", "py", "r", "julia"})
_LONG_LINE = 1000
_ALIKE = 0.9
"""A name that is so much like the repository's is its own, mistyped or of an earlier time."""
_SHORT = 2
"""So few letters are in many words."""
MOST_COMMANDS = 2000
"""How many commands of one document are looked at."""


_PROJECT = regex(r"(?:github|gitlab)\.com/[\w.-]{1,60}/([\w.-]{1,80})(?:\.git)?\b")
"""The name of a project that a sentence links to."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A command, the folders it may be meant for (likeliest first), and how sure that is."""

    written: Written
    folders: tuple[str, ...]
    outside: bool
    """The reader has left the repository, or may have: what is not found proves nothing."""
    cloned: bool
    """Another project was cloned before."""
    inline: bool
    absent_folder: str = ""
    """The command is a `cd` into a folder that is not there."""
    lost: bool = False
    """An earlier `cd` of the block cannot be followed: where the reader stands is a guess."""
    assumed: bool = False
    """The project that was cloned is taken for this repository: what every project has may be its."""
    beside_project: bool = False
    """The section links to another project, whose commands these may be."""


@dataclass(frozen=True, slots=True)
class Names:
    """What the repository is called by those who clone it, and the projects that the text clones besides."""

    own: frozenset[str]
    assumed: frozenset[str] = frozenset()
    """The one project that the text clones, where nothing else says that it is this repository."""


_ANY_NAME = "*"
"""The first clone came from a placeholder ("<repository-url>"): the next folder entered is the clone."""


@dataclass(slots=True)
class Walk:
    """Where `cd` has led the reader."""

    tree: Tree
    home: str
    names: Names
    here: str = ""
    left: bool = False
    """Left the repository in this block."""
    lost: bool = False
    """Went into a folder that is not there, in this block."""
    wandered: bool = False
    """Left it in an earlier block."""
    cloned: set[str] = field(default_factory=set)
    first: str = ""
    """The first clone of a name that is not the repository's: it may be the repository under another name."""
    made: set[str] = field(default_factory=set)
    """Folders that earlier commands make, by their last names."""
    assumed: bool = False
    brought: bool = False
    """An earlier command downloads or unpacks something, and may make folders."""

    def follow(self, words: tuple[str, ...]) -> str | None:
        """Take note of `cd`, `pushd`, `mkdir`, `git clone` and downloads.

        None if the command is none of the first; otherwise the folder that it enters and that is certainly not there,
        or an empty text.
        """
        if words[0] == "git" and "clone" in words:
            self._clone(words)
            return ""
        if words[0] == "popd":
            self.here, self.left = "", False
            return ""
        if words[0] in {"cd", "pushd"}:
            return self._enter(words[1] if len(words) > 1 else "~")
        if words[0] in {"mkdir", "md"}:
            self.made |= {part.lower() for word in words[1:] for part in word.split("/") if part}
        elif words[0] in _BRINGING or any("download" in word for word in words):
            self.brought = True
        return None

    def _clone(self, words: tuple[str, ...]) -> None:
        arguments = [w for w in words[words.index("clone") + 1 :] if not w.startswith("-")]
        named = [_last_part(w) for w in arguments]
        if not named:
            return
        if is_placeholder(arguments[-1]):
            self.first = _ANY_NAME
            return
        source = next((n for n, w in zip(named, arguments, strict=True) if "/" in w or ":" in w), named[0])
        if {source, named[-1]} & (self.names.own | self.names.assumed):
            self.made.add(named[-1])
            self.first = self.first or named[-1]
            self.assumed = self.assumed or source in self.names.assumed
            return
        self.first = self.first if self.cloned else named[-1]
        self.cloned.add(named[-1])

    def _enter(self, folder: str) -> str:
        written = _ROOT_PREFIX.sub("", folder).rstrip("/")
        name = written.rpartition("/")[2].lower()
        if not written or self._is_the_repository(name, written):
            inside = posixpath.normpath(posixpath.join(self.here, written))
            self._stand(inside if written and inside in self.tree.folders else "")
            self.wandered = self.wandered and not written
        elif name and self.first in {name, _ANY_NAME}:
            self.first = name
            self._stand("")
            self.wandered = name in self.cloned
        elif written.startswith(".") and (self.left or self.lost):
            self.here, self.left, self.lost = "", self.left and not set(written) <= {".", "/"}, False
        elif (known := self._folder_of_the_tree(written)) is not None:
            self._stand(known)
        else:
            return self._leave(written, name)
        return ""

    def _folder_of_the_tree(self, written: str) -> str | None:
        """The folder that is meant, from here, from the page's own folder, from the root, or from above it."""
        for base in dict.fromkeys((self.here, self.home, "")):
            joined = posixpath.normpath(posixpath.join(base, written))
            joined = "" if joined == "." else joined
            if not written.startswith("/") and joined in self.tree.folders:
                return joined
        below = written.removeprefix("./").partition("/")[2].rstrip("/")
        return below if below and below in self.tree.folders else None  # the first part is the repository itself

    def _leave(self, written: str, name: str) -> str:
        outside_root = posixpath.normpath(posixpath.join(self.here, written)).startswith("..")
        if outside_root and set(written) <= {".", "/"}:
            self.here = ""  # one `..` too many: back from a folder that an earlier block entered
            return ""
        return self._fail(written, name, outside_root)

    def _is_the_repository(self, name: str, written: str) -> bool:
        alike = get_close_matches(name, self.names.own, n=1, cutoff=_ALIKE) if written.lower() == name else []
        return bool(alike) or name in self.names.own or written.lower() in _ROOTS

    def _stand(self, folder: str) -> None:
        self.here, self.left, self.lost = folder, False, False

    def _fail(self, written: str, name: str, outside_root: bool) -> str:
        """A `cd` that leads to no folder of the tree: out of the repository, or into one that is not there."""
        elsewhere = written.startswith(("/", "~", "-")) or outside_root or name in self.cloned
        if elsewhere or is_placeholder(written) or not name:
            self.left = True
            return ""
        made = self.brought or not self.made.isdisjoint(written.lower().split("/"))
        if made or self.tree.hides(written):
            self.left = True
            return ""
        self.lost = True
        return "" if self.wandered or self.left else written

    def new_block(self) -> None:
        """A block of its own: the reader may have come back."""
        self.wandered = self.wandered or self.left
        self.left = self.lost = False

    def new_section(self) -> None:
        """Under a new heading the reader is back: what an earlier section cloned was set up there."""
        self.wandered = self.left = self.lost = False
        self.cloned.clear()

    @property
    def folders(self) -> tuple[str, ...]:
        """Where the next command may be typed."""
        return tuple(dict.fromkeys((self.here, self.home, "")))


def placed_commands(document: Document, tree: Tree, names: Names) -> Iterator[Placed]:
    """Every command of a document: in code blocks, in code within sentences, and on plain lines of their own."""
    return islice(_placed_in_blocks(document, tree, names), MOST_COMMANDS)


def _placed_in_blocks(document: Document, tree: Tree, names: Names) -> Iterator[Placed]:
    home = posixpath.dirname(document.path)
    walk = Walk(tree, home, names, here=home)
    variables = Variables()
    within = frozenset((b.line, b.text.strip()) for b in document.blocks if isinstance(b, CodeBlock) and b.inline)
    shown = frozenset(link.text.strip("` ") for link in document.links)
    linked = [link.line for link in document.links if _names_another_project(link.target, names)]
    beside = False
    for block in document.blocks:
        code = None
        match block:
            case Heading(line=start):
                walk.new_section()
                beside = start in linked
            case Passage(text=text, line=start):
                lines = range(start, start + text.count("\n") + 1)
                beside = beside or _names_another_project(text, names) or not set(lines).isdisjoint(linked)
            case CodeBlock(inline=True, text=text):
                code = text.strip()
        written = [] if code in shown else list(_written(block, within, variables))
        if written and code is None:
            walk.new_block()
        yield from placed_in(written, walk, inline=code is not None, beside=beside)


def _names_another_project(text: str, names: Names) -> bool:
    return any(name.lower().removesuffix(".git") not in names.own for name in _PROJECT.findall(text))


def placed_in(
    written: Iterable[Written], walk: Walk, *, inline: bool = False, beside: bool = False
) -> Iterator[Placed]:
    """The commands of one block or script, each where the walk has led."""
    for one in written:
        absent = walk.follow(one.words)
        if absent is None:
            folders = () if walk.left else walk.folders
            outside = walk.left or walk.wandered
            yield Placed(
                one,
                folders,
                outside,
                bool(walk.cloned),
                inline,
                lost=walk.lost,
                assumed=walk.assumed,
                beside_project=beside,
            )
        elif absent:
            yield Placed(one, walk.folders, walk.wandered, bool(walk.cloned), inline, absent)


def _written(block: object, within: frozenset[tuple[int, str]], variables: Variables) -> Iterator[Written]:
    """The commands of a block; a line of text that is nothing but one piece of code (`within`) is read as that code."""
    if isinstance(block, CodeBlock) and block.language not in _NO_SHELL:
        yield from _in_code(block, variables)
    elif isinstance(block, Passage):
        for number, line in enumerate(block.text.split("\n"), block.line):
            if len(line) < _LONG_LINE and _TOLD.fullmatch(line) and (number, line.strip().rstrip(".,;:")) not in within:
                yield from (replace(one, sketch=True) for one in read_commands_of(line, number))


def _in_code(block: CodeBlock, variables: Variables) -> Iterator[Written]:
    """The commands of code: of a sentence only whole ones, of another language only lines that start a script."""
    if block.inline:
        text = _CONTINUED.sub(" ", block.text)
        complete = _STARTS.match(text) and "\n" not in text
        yield from read_commands_of(text, block.line) if complete else ()
    elif block.language in _LANGUAGES:
        for number, line in enumerate(block.text.split("\n"), block.line):
            yield from read_commands_of(line, number) if _TOLD.fullmatch(line) else ()
    else:
        yield from read_commands_of(block.text, block.line, variables)


def names_of(tree: Tree, document: Document | None, code: Code) -> Names:
    """What the repository may be called by those who clone it: as it was given, and as its README links to it."""
    parts = [p for p in re.split(r"[/\\@+]", tree.name) if p]
    given = frozenset(re.sub(r"\.(?:git|zip|tar|tgz|gz)$", "", p.lower()) for p in parts[-3:])
    if document is None:
        return Names(given)
    blocks = [b.text[:20_000] for b in document.blocks if isinstance(b, CodeBlock)]
    clones = {name.lower() for text in blocks for name in _CLONED.findall(text)}
    own = given | {name for name in clones if _is_called_so(name, document)}
    only = _only_project(clones, code)
    runs = any(tree.get(path) for text in blocks for path in _FILE_NAME.findall(text))
    return Names(own | only) if runs else Names(own, only)


def _only_project(clones: set[str], code: Code) -> frozenset[str]:
    """The clone, if there is only one and no code imports it."""
    return frozenset() if len(clones) != 1 or _are_imported(clones, code) else frozenset(clones)


def _is_called_so(name: str, document: Document) -> bool:
    """Whether the title of the page has the name of a project, or the page links to it again and again."""
    title, letters = _letters(document.headings[0].text if document.headings else ""), _letters(name)
    linked = [found.lower() for link in document.links for found in _LINKED.findall(link.target)]
    titled = len(letters) > _SHORT and letters in title
    return titled or (len(title) > _SHORT + 1 and title in letters) or linked.count(name) > 1


def _are_imported(names: set[str], code: Code) -> bool:
    """Whether a project that is cloned is a library that the code imports."""
    tops = {_letters(i.top) for source in code.python for i in source.imports if i.top not in code.local_modules}
    whole = {_letters(name) for name in names}
    parts = {_letters(part) for name in names for part in re.split(r"[._-]", name)} - table().popular
    return not tops.isdisjoint({*whole, *parts, *(name.removeprefix("py") for name in whole)})


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _last_part(word: str) -> str:
    """The folder that a clone makes: the last part of the address, or the folder that is named."""
    match = _CLONE.fullmatch(word.rstrip("/").rpartition("/")[2])
    return (match[1] if match else word).lower()
