"""From a tree and its README to the commands of all its documents."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from assay.code import Code
from assay.patterns import regex
from assay.repository.commands.entry_points import read_entry_points
from assay.repository.commands.facts import Command, CommandFacts, Fault, NamedScript
from assay.repository.commands.interfaces import Interfaces
from assay.repository.commands.outcome import check
from assay.repository.commands.placement import MOST_COMMANDS, Names, names_of, placed_commands
from assay.repository.commands.prose import scripts_named
from assay.repository.commands.shell_scripts import DEEPEST, Started, follow_scripts, started_by
from assay.repository.commands.targets import Site
from assay.repository.readme import CodeBlock, Document, Passage, ReadmeFacts, read_document
from assay.tree import File, Tree

_DOCUMENTS = (".md", ".rst", ".markdown")
_ABOUT_OTHERS = regex(
    r"(?:licen[cs]e|copying|change|history|news|contribut|code_of|security|authors|release|todo|issue_template|"
    r"pull_request)",
    re.IGNORECASE,
)
_SPEAKS = regex(r"\b(?:python[\d.]*|bash|sh|make|torchrun|accelerate|pip3?|conda|deepspeed) +[\w./-]")
_FOLDER_WORDS = regex(
    r"\b(?:folder|directory|dir|cd|under|inside|in|into|go to|enter)\s+[`'\"*]{0,3}((?:\.?/)?[\w./-]{1,100})|"
    r"[`'\"*]{1,3}((?:\.?/)?[\w./-]{1,100}?)/?[`'\"*]{1,3}\s+(?:folder|directory|dir)\b",
    re.IGNORECASE,
)
_MAKING = regex(r"\b(?:creat\w+|new|writ\w+|sav(?:e|ing)|named|called|following|put|add|own)\b", re.IGNORECASE)
_SENTENCE = regex(r"(?<=[.!?:])\s+|\n{2,}")
_FILE = regex(r"[\w-]{1,80}\.(?:py|sh|ipynb|ya?ml|json|toml|cfg|ini)\b")
_MOST_DOCUMENTS = 40
_MOST_SCRIPTS = 60
_MOST_OPENED = 400
_MOST_BYTES = 128 * 1024
_LONGEST = 200_000


def read_commands(tree: Tree, code: Code, readme: ReadmeFacts) -> CommandFacts:
    """Every command in the README and the other documents that runs or reads something of the repository."""
    documents, left_out = _documents(tree, readme)
    names = names_of(tree, readme.document, code)
    points = read_entry_points(tree, code)
    interfaces = Interfaces(code)
    found: list[Command] = []
    named: list[NamedScript] = []
    for document in documents:
        site = Site(
            tree,
            code,
            points,
            names.own | names.assumed,
            mentioned=_downloaded(document),
            to_write=_to_write(document),
            secondary=document is not readme.document,
            folder_words=_folders_named(document, tree),
        )
        if not site.secondary:
            named += scripts_named(document, site)
        placed = list(placed_commands(document, tree, names))
        checked = (check(one, document.path, site, interfaces) for one in placed)
        typed = [command for command in checked if command is not None]
        if site.secondary and not _is_led_to(document, readme):
            typed = [_questioned(command) for command in typed]
        scripts = [*started_by(typed), *(_scripts_mentioned(document, tree) if not site.secondary else ())]
        followed = {(c.location.path, c.location.line, c.text) for c in found}
        inner = follow_scripts(scripts, names, site, interfaces)
        found += [*typed, *(c for c in inner if (c.location.path, c.location.line, c.text) not in followed)]
        if len(placed) == MOST_COMMANDS:
            left_out.append(f"{document.path}: only its first {MOST_COMMANDS:,} commands were looked at")
        if document.cut and document is not readme.document:
            left_out.append(f"{document.path}: only its beginning was read")
    found += _in_other_scripts(tree, found, Site(tree, code, points, names.own | names.assumed), names, interfaces)
    return CommandFacts(tuple(found), tuple(left_out), tuple(named))


def _is_led_to(document: Document, readme: ReadmeFacts) -> bool:
    """Whether the README names the folder of a page, or links to the page."""
    folder = posixpath.dirname(document.path)
    blocks = readme.document.blocks if readme.document is not None else ()
    said = (block.text for block in blocks if isinstance(block, CodeBlock | Passage))
    return readme.document is None or any((folder or document.path) in text for text in (*said, *_targets(readme)))


def _targets(readme: ReadmeFacts) -> Iterator[str]:
    return (link.target for link in readme.links)


def _questioned(command: Command) -> Command:
    """The command of a page about a part that may be left over, or taken over from another project."""
    question = "Is this page still in use? The README does not lead to it."
    doubted = (replace(p, doubt=p.doubt or question, foreign=True) for p in command.problems)
    return replace(command, problems=tuple(doubted))


def _in_other_scripts(
    tree: Tree, found: list[Command], site: Site, names: Names, interfaces: Interfaces
) -> Iterator[Command]:
    """Broken commands of the shell scripts that no page names: whether anybody still uses them is a question."""
    known = {command.within for command in found}
    others = [f.path for f in tree.by_suffix(".sh") if not f.vendored and f.path not in known][:_MOST_SCRIPTS]
    started = [Started(path, "", DEEPEST, certain=False) for path in others]
    for command in follow_scripts(started, names, site, interfaces):
        absent = [p for p in command.problems if p.fault is Fault.FILE and "/" in p.missing and not p.doubt]
        if absent:
            question = f"Is {command.within} still in use? No page names it."
            yield replace(command, problems=tuple(replace(p, doubt=question) for p in absent))


def _scripts_mentioned(document: Document, tree: Tree) -> Iterator[Started]:
    """Shell scripts that the page names as code or links to, without a command that starts them."""
    coded = (b.text.strip() for b in document.blocks if isinstance(b, CodeBlock) and b.inline and len(b.text) < 200)
    linked = (link.target for link in document.links if "://" not in link.target)
    for word in dict.fromkeys((*coded, *linked)):
        path = word.removeprefix("./")
        if path.endswith(".sh") and tree.get(path) is not None:
            yield Started(path, "", 0, certain=False)


def _documents(tree: Tree, readme: ReadmeFacts) -> tuple[list[Document], list[str]]:
    """The README first, then every document that mentions commands."""
    first = [readme.document] if readme.document is not None else []
    others = [f for f in tree.own if _is_document(f) and not (readme.location and f.path == readme.location.path)]
    others.sort(key=lambda f: (f.path.count("/"), f.path))
    speaking = [f for f in others[:_MOST_OPENED] if f.size <= _MOST_BYTES and _SPEAKS.search(f.text())]
    long = [f.path for f in others[:_MOST_OPENED] if f.size > _MOST_BYTES]
    left_out = _limits_reached(len(others), len(speaking), long)
    return [*first, *(read_document(f) for f in speaking[:_MOST_DOCUMENTS])], left_out


def _limits_reached(others: int, speaking: int, long: list[str]) -> list[str]:
    """What was not looked at, one sentence each."""
    limits = (
        (others > _MOST_OPENED, f"commands were looked for in the first {_MOST_OPENED} documents only"),
        (speaking > _MOST_DOCUMENTS, f"commands were looked for in {_MOST_DOCUMENTS} of {speaking} documents only"),
    )
    notes = [sentence for reached, sentence in limits if reached]
    return notes + [f"{path}: it is too long to look for commands in it" for path in long[:20]]


def _is_document(file: File) -> bool:
    return file.suffix in _DOCUMENTS and not _ABOUT_OTHERS.match(file.name)


def _downloaded(document: Document) -> set[str]:
    """Names of files that the text links to elsewhere: they need not be in the repository."""
    remote = [link for link in document.links if "://" in link.target]
    words = (word for link in remote for word in (link.target.rpartition("/")[2], *link.text.split()))
    projects = {part.lower() for link in remote for part in link.target.split("/")[4:5]}
    return {word.strip("`'\"") for word in words if "." in word} | projects


def _to_write(document: Document) -> frozenset[str]:
    """Names of files in sentences about making one."""
    passages = (b.text[:5000] for b in document.blocks if isinstance(b, Passage))
    sentences = (sentence for text in passages for sentence in _SENTENCE.split(text))
    return frozenset(name for text in sentences if _MAKING.search(text) for name in _FILE.findall(text))


def _folders_named(document: Document, tree: Tree) -> frozenset[str]:
    """Last parts of folders of the repository that the text names as a place to be in.

    A name that is no plain word counts wherever it stands; one that is, where it is set as code, in a heading, or
    called a folder.
    """
    known = {folder.rpartition("/")[2].lower() for folder in tree.folders if folder}
    text = "\n".join(b.text for b in document.blocks if isinstance(b, Passage))[:_LONGEST]
    words = {
        word.lower().strip(".")
        for word in re.findall(r"[\w.-]{3,80}", text)
        if not word.islower() or not word.isalpha()
    }
    named = {(a or b).rstrip("/").rpartition("/")[2].lower() for a, b in _FOLDER_WORDS.findall(text)}
    headed = {word.lower() for h in document.headings for word in re.findall(r"[\w.-]+", h.text)}
    coded = {
        part.lower()
        for b in document.blocks
        if isinstance(b, CodeBlock) and b.inline and len(b.text) < 200
        for part in b.text.strip("./ ").split("/")
    }
    return frozenset(known & (words | named | headed | coded))
