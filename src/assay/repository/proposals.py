"""Changes that make rules pass: what is imported becomes a requirements file, unseeded runs get a seed, and so on.

Every change is a proposal: a file before and after. Nothing of the audited material is run; versions come from its
lock files, or from the packages that are installed where Assay runs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from difflib import unified_diff
from importlib import metadata

from assay.edits import line_edits
from assay.findings import Fix
from assay.records import dataclass
from assay.repository.environment import Role
from assay.repository.facts import Repository
from assay.repository.randomness import Coverage, Entry, EntryPoint, State
from assay.repository.rules.installation import installing

SEEDS = {
    "random": ("import random", "random.seed({})"),
    "numpy": ("import numpy", "numpy.random.seed({})"),
    "torch": ("import torch", "torch.manual_seed({})"),
    "torch.cuda": ("import torch", "torch.cuda.manual_seed_all({})"),
    "tensorflow": ("import tensorflow", "tensorflow.random.set_seed({})"),
    "scikit-learn": ("import numpy", "numpy.random.seed({})"),
    "cupy": ("import cupy", "cupy.random.seed({})"),
    "dgl": ("import dgl", "dgl.seed({})"),
    "paddle": ("import paddle", "paddle.seed({})"),
}
"""For each framework with a global generator: what to import, and the call that seeds it."""
_START = 0
_MANIFEST = "requirements.txt"
_CITATION = """\
cff-version: 1.2.0
message: If you use this work, please cite it.
title: {title}
type: software
authors:
  - name: {authors}
"""


@dataclass(frozen=True, slots=True)
class Change:
    """One file as it is (empty if it is new) and as it is proposed, with the rules that pass then."""

    title: str
    path: str
    before: str
    after: str
    codes: tuple[str, ...]
    question: str = ""
    """What a person has to fill in or confirm."""

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        lines = unified_diff(
            self.before.splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            f"a/{self.path}" if self.before else "/dev/null",
            f"b/{self.path}",
        )
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    @property
    def fix(self) -> Fix:
        """The change as edits of its file."""
        return Fix(f"{self.title}. {self.question}".rstrip(), tuple(line_edits(self.path, self.before, self.after)))


def propose(facts: Repository) -> tuple[Change, ...]:
    """All changes, one for each file, in the order in which a reader meets the gaps."""
    return tuple(change for make in _MAKERS for change in make(facts) if change.before != change.after)


def _text(facts: Repository, path: str) -> str:
    file = facts.tree.get(path)
    return file.text() if file is not None else ""


# --- requirements ------------------------------------------------------------------------------------


def _requirements(facts: Repository) -> Iterator[Change]:
    """The distributions that are imported and not declared, with the versions that are locked or installed."""
    names = _undeclared(facts)
    if not names:
        return
    before = _text(facts, _MANIFEST)
    locked = {d.name: d.specifier for d in facts.environment.declared if d.pin.strict}
    lines = [_pinned(name, locked) for name in names]
    unknown = [name for name, line in zip(names, lines, strict=True) if "==" not in line]
    question = f"Which versions gave the result? Not locked or installed here: {', '.join(unknown)}." if unknown else ""
    start = before if not before or before.endswith("\n") else f"{before}\n"
    codes = ("R301", "R302") if not before else ("R302",)
    yield Change("Add the missing requirements", _MANIFEST, before, start + "\n".join(lines) + "\n", codes, question)


def _undeclared(facts: Repository) -> list[str]:
    """The distributions of what no manifest declares; of everything from outside where there is no manifest."""
    found = facts.environment
    missing = [u.outside for u in found.undeclared]
    if all(m.kind.weak for m in found.manifests):
        missing += [o for o in found.outside if o.public]
    return sorted({o.distributions[0] for o in missing if o.distributions and o.role is Role.REQUIRED})


def _pinned(name: str, locked: dict[str, str]) -> str:
    if name in locked:
        return f"{name}=={locked[name].lstrip('=v ')}"
    try:
        release, _, _ = metadata.version(name).partition("+")  # no index has builds such as +cpu
    except metadata.PackageNotFoundError:
        return name
    return f"{name}=={release}"


# --- seeds -------------------------------------------------------------------------------------------


def _seeds(facts: Repository) -> Iterator[Change]:
    """A seed for every framework that a main script draws from without one, behind its imports."""
    for entry in facts.main_runs:
        lacking = [c for c in entry.coverage if c.state is State.MISSING and c.framework.value in SEEDS]
        if lacking and entry.kind is Entry.SCRIPT and entry.path.endswith(".py"):
            yield from _seeded(facts, entry, lacking)


def _seeded(facts: Repository, entry: EntryPoint, lacking: list[Coverage]) -> Iterator[Change]:
    source = facts.code.source(entry.path)
    if source is None or source.tree is None or source.errors:
        return
    imports = [node for node in source.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    line = max((node.end_lineno or node.lineno for node in imports), default=0)
    wanted = dict.fromkeys(SEEDS[c.framework.value] for c in lacking)
    added = [*dict.fromkeys(imported for imported, _ in wanted), "", *(call.format(_START) for _, call in wanted)]
    before = _text(facts, entry.path)
    lines = before.splitlines(keepends=True)
    after = "".join([*lines[:line], *(f"{text}\n" for text in added), *lines[line:]])
    question = f"Is {_START} the seed that gave the result?"
    yield Change("Seed the random generators", entry.path, before, after, ("R401",), question)


# --- citation and README -----------------------------------------------------------------------------


def _citation(facts: Repository) -> Iterator[Change]:
    cited = facts.infrastructure.publication.citations or facts.readme.bibtex
    if cited or facts.tells("citation") or facts.empty:
        return
    document = facts.readme.document
    title = document.headings[0].text if document is not None and document.headings else facts.name
    text = _CITATION.format(title=_quoted(title), authors=_quoted(f"The authors of {title}"))
    yield Change("Add a citation file", "CITATION.cff", "", text, ("R105",), "Who are the authors?")


def _quoted(text: str) -> str:
    plain = " ".join(text.split()).replace("\\", "").replace('"', "'")
    return f'"{plain}"'


def _readme(facts: Repository) -> Iterator[Change]:
    """Sections for what the README does not say, with the commands that the files suggest."""
    if facts.empty:
        return
    path = facts.readme.location.path if facts.readme.location else "README.md"
    before = _text(facts, path)
    sections = [section for make in _SECTIONS for section in make(facts)]
    if not sections or not path.endswith((".md", ".markdown")):
        return
    start = before or f"# {facts.name.rstrip('/').rpartition('/')[2]}\n"
    start = start if start.endswith("\n") else f"{start}\n"
    text = "".join(f"\n## {heading}\n\n```bash\n{command}\n```\n" for _, heading, command in sections)
    codes = tuple(code for code, _, _ in sections)
    title = "Add the missing sections to the README"
    yield Change(
        title, path, before, start + text, codes, "Are these the commands, with all options, that gave the result?"
    )


def _install_section(facts: Repository) -> Iterator[tuple[str, str, str]]:
    if not facts.tells("install"):
        yield "R202", "Installation", installing(facts.environment.manifests) or f"pip install -r {_MANIFEST}"


def _train_section(facts: Repository) -> Iterator[tuple[str, str, str]]:
    training = [e.path for e in facts.main_runs if e.trains and e.path.endswith(".py")]
    if training and not facts.tells("train"):
        yield "R204", "Training", "\n".join(f"python {path}" for path in training)


_SECTIONS = (_install_section, _train_section)
_MAKERS: tuple[Callable[[Repository], Iterator[Change]], ...] = (_requirements, _readme, _seeds, _citation)
