"""Commands in the order in which a reader meets them, with the folder that each is meant for."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import field

from assay.patterns import regex
from assay.records import dataclass
from assay.repository.commands.shell import Written, read_commands_of
from assay.repository.readme import CodeBlock, Document, Passage
from assay.tree import Tree

_NO_SHELL = frozenset(
    {"yaml", "yml", "json", "toml", "ini", "dockerfile", "xml", "html", "bibtex", "tex", "diff", "cpp", "c"}
)
_STARTS = regex(
    r"[ \t]*(?:[$>%!][ \t]*)?(?:sudo |nohup |[A-Z_]{2,40}=\S{1,100} )*(?:python[\d.]*|bash|sh|source|make|torchrun|"
    r"accelerate launch|"
    r"deepspeed|pip3?|conda env|Rscript|julia|jupyter|\./[\w./-]{1,100}|poetry run|uv run|mpirun|horovodrun)(?:[ \t]|$)"
)
_TOLD = regex(
    r"[ \t]*(?:[-*] |\d{1,2}[.)] )?(?:[$>%][ \t]*)?(?:[A-Z_]{2,40}=\S{1,40} )*(?:python[\d.]*|bash|"
    r"sh)[ \t]+[\w./-]{1,120}\.(?:py|sh)(?:[ \t]+-[^\n]*)?[ \t]*"
)
_CLONE = regex(r"([\w.-]{1,100}?)(?:\.git)?/?")
MOST_COMMANDS = 2000
"""How many commands of one document are looked at."""


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


@dataclass(slots=True)
class _Walk:
    """Where `cd` has led the reader."""

    tree: Tree
    home: str
    own_names: frozenset[str]
    here: str = ""
    left: bool = False
    """Left the repository in this block."""
    wandered: bool = False
    """Left it in an earlier block."""
    cloned: set[str] = field(default_factory=set)
    first: str = ""
    """The first clone of a name that is not the repository's: it may be the repository under another name."""

    def follow(self, words: tuple[str, ...]) -> bool:
        """Take note of `cd`, `pushd` and `git clone`; whether the command was one of them."""
        if words[0] == "git" and "clone" in words:
            self._clone(words)
            return True
        if words[0] == "popd":
            self.here, self.left = "", False
            return True
        if words[0] not in {"cd", "pushd"}:
            return False
        self._enter(words[1] if len(words) > 1 else "~")
        return True

    def _clone(self, words: tuple[str, ...]) -> None:
        names = [w for w in words[words.index("clone") + 1 :] if not w.startswith("-")]
        if names:
            match = _CLONE.fullmatch(names[-1].rstrip("/").rpartition("/")[2])
            name = match[1] if match else names[-1]
            if name.lower() not in self.own_names:
                self.first = self.first if self.cloned else name.lower()
                self.cloned.add(name.lower())

    def _enter(self, folder: str) -> None:
        written = folder.rstrip("/")
        name = written.rpartition("/")[2].lower()
        if name in self.own_names or written.lower() in {"$(git rev-parse --show-toplevel)", "$root", "$repo"}:
            inside = posixpath.normpath(posixpath.join(self.here, written))
            self.here, self.left, self.wandered = (inside if inside in self.tree.folders else ""), False, False
            return
        if name and name == self.first:
            self.here, self.left, self.wandered = "", False, True
            return
        if written.startswith(("..", ".")) and self.left:
            self.here, self.left = "", not set(written) <= {".", "/"}
            return
        for base in dict.fromkeys((self.here, self.home, "")):
            joined = posixpath.normpath(posixpath.join(base, written))
            joined = "" if joined == "." else joined
            if not written.startswith("/") and joined in self.tree.folders:
                self.here, self.left = joined, False
                return
        outside_root = posixpath.normpath(posixpath.join(self.here, written)).startswith("..")
        if outside_root and set(written) <= {".", "/"}:
            self.here = ""  # one `..` too many: back from a folder that an earlier block entered
            return
        self.left = True

    def new_block(self) -> None:
        self.wandered = self.wandered or self.left
        self.left = False

    @property
    def folders(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.here, self.home, "")))


def placed_commands(document: Document, tree: Tree, own_names: frozenset[str]) -> Iterator[Placed]:
    """Every command of a document: in code blocks, in code within sentences, and on plain lines of their own."""
    home = posixpath.dirname(document.path)
    walk = _Walk(tree, home, own_names, here=home)
    within = frozenset((b.line, b.text.strip()) for b in document.blocks if isinstance(b, CodeBlock) and b.inline)
    count = 0
    for block in document.blocks:
        written = list(_written(block, within))
        inline = isinstance(block, CodeBlock) and block.inline
        if written and not inline:
            walk.new_block()
        for one in written:
            if walk.follow(one.words):
                continue
            count += 1
            if count > MOST_COMMANDS:
                return
            folders = () if walk.left else walk.folders
            yield Placed(one, folders, walk.left or walk.wandered, bool(walk.cloned), inline)


def _written(block: object, within: frozenset[tuple[int, str]]) -> Iterator[Written]:
    """The commands of a block; a line of text that is nothing but one piece of code (`within`) is read as that code."""
    if isinstance(block, CodeBlock) and block.language not in _NO_SHELL:
        if block.inline:
            if _STARTS.match(block.text) and "\n" not in block.text:
                yield from read_commands_of(block.text, block.line)
        elif block.language in {"python", "py", "r", "julia"}:
            for number, line in enumerate(block.text.split("\n"), block.line):
                if _TOLD.fullmatch(line):
                    yield from read_commands_of(line, number)
        else:
            yield from read_commands_of(block.text, block.line)
    elif isinstance(block, Passage):
        for number, line in enumerate(block.text.split("\n"), block.line):
            if len(line) < 1000 and _TOLD.fullmatch(line) and (number, line.strip()) not in within:
                for one in read_commands_of(line, number):
                    yield Written(one.words, one.line, one.text, sketch=True)


def names_of(tree: Tree, document: Document | None) -> frozenset[str]:
    """What the repository may be called by those who clone it: as it was given, and as its README links to it."""
    parts = [p for p in re.split(r"[/\\@+]", tree.name) if p]
    names = {re.sub(r"\.(?:git|zip|tar|tgz|gz)$", "", p.lower()) for p in parts[-3:]}
    if document is not None:
        title = re.sub(r"[^a-z0-9]", "", (document.headings[0].text if document.headings else "").lower())
        clones = [
            m
            for block in document.blocks
            if isinstance(block, CodeBlock)
            for m in re.findall(r"git clone[^\n]{0,200}?/([\w.-]{2,80}?)(?:\.git)?/?(?=\s|$)", block.text[:20_000])
        ]
        linked = [
            m
            for link in document.links
            for m in re.findall(r"github\.com/[\w.-]{1,60}/([\w.-]{2,80}?)(?:\.git|/|$)", link.target)
        ]
        for name in clones:
            letters = re.sub(r"[^a-z0-9]", "", name.lower())
            often = sum(other.lower() == name.lower() for other in linked) >= 2
            if often or (len(letters) > 2 and (letters in title or (len(title) > 3 and title in letters))):
                names.add(name.lower())
    return frozenset(names)
