"""Finds the manifests of a repository, by name and by content, and reads each with its reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from assay.code import Code, Language, Source
from assay.repository.environment.declared import Kind, Reading
from assay.repository.environment.manifests import (
    commands,
    conda,
    dockerfile,
    requirements,
    setup_cfg,
    setup_py,
    structured_toml,
    structured_yaml,
    text_formats,
)
from assay.repository.environment.manifests.asked_in_code import HINT
from assay.repository.environment.manifests.inline import MARK
from assay.repository.vocabulary import vocabulary
from assay.tree import File, Tree

Reader = Callable[[File, Tree], Reading]

MAX_BYTES = 1024 * 1024
MAX_LOCK_BYTES = 16 * 1024 * 1024
MAX_MANIFESTS = 400
MAX_SCRIPTS = 400


@cache
def _by_name() -> dict[str, Reader]:
    """The readers of files whose name says what they are."""
    return {
        "setup.py": setup_py.read,
        "setup.cfg": setup_cfg.read,
        **dict.fromkeys(structured_toml.kinds(), structured_toml.read),
        **dict.fromkeys(structured_yaml.kinds(), structured_yaml.read),
        **dict.fromkeys(text_formats.formats(), text_formats.read),
    }


_INCLUDED: dict[Kind, Reader] = {
    Kind.REQUIREMENTS: requirements.read,
    Kind.CONSTRAINTS: requirements.read_constraints,
    Kind.CONDA: conda.read,
    Kind.PYTHON_ENV: structured_yaml.read,
}
_WORDS = vocabulary("assay.repository.environment", "commands.toml")
_REQUIREMENTS = _WORDS.pattern("requirements")
_BUILT = (".egg-info", ".dist-info")
_LISTINGS = frozenset({".txt", ".in", ".pip", ".lock", ".list", ""})
_CERTAIN = _WORDS.pattern("surely_requirements")
_ENVIRONMENT = _WORDS.pattern("environments")
_PLAINLY = _WORDS.pattern("surely_environments")
_REQUIREMENTS_FOLDER = _WORDS.pattern("requirements_folders")
_DOCKERFILE = _WORDS.pattern("container_recipes")
_RECIPES = (".docker", ".def")
_NO_RECIPE = _WORDS.words("no_recipe")
_SCRIPT = _WORDS.pattern("scripts")
_WORKFLOWS = (".github/workflows/", ".circleci/")
_COMMANDS = _WORDS.words("command_endings") | {""}
_LONGEST_COMMANDS = 64 * 1024
_INSTALLING = _WORDS.pattern("installing")
_README = _WORDS.pattern("readmes")
_PROSE = ("", ".md", ".rst", ".txt", ".markdown", ".org")
_PAGES = _WORDS.listed("page_endings")
_REPORTS = _WORDS.listed("report_endings")
_ABOUT_OTHER_THINGS = _WORDS.pattern("about_other_things")
_MOST_PAGES = 300
_LONGEST_PAGE = 64 * 1024
_LONGEST_THESIS = 512 * 1024
_TELLING = _WORDS.listed("telling")


_MAY_BE_SILENT = frozenset(
    {*(kind for kind in Kind if kind.weak), Kind.PYPROJECT, Kind.SETUP_CFG, Kind.R_DESCRIPTION, Kind.JULIA_PROJECT}
)
"""Files with these names are there for other reasons too, and are manifests only if they declare something."""


@dataclass(slots=True)
class Found:
    """All readings of a repository, by path."""

    readings: dict[str, Reading] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def read_manifests(tree: Tree, code: Code) -> Found:
    """Every manifest, those that others draw in, and every command that installs."""
    found = Found()
    waiting = [(file, reader) for file in tree.own if (reader := reader_for(file)) is not None]
    waiting.sort(key=lambda pair: (pair[0].path.count("/"), pair[0].path))
    _read_all(waiting, tree, found)
    weak = [(file, reader) for file in tree.own if (reader := _command_reader(file)) is not None]
    if len(weak) > MAX_SCRIPTS:
        found.left_out.append(
            f"commands that install were looked for in {MAX_SCRIPTS} of {len(weak)} scripts and READMEs"
        )
    _read_all(weak[:MAX_SCRIPTS] + _pages(tree, found), tree, found)
    for source in filter(_may_install, code.own):
        reading = commands.read_notebook(source, tree)
        if reading.declared or reading.included:
            found.readings[source.path] = reading
            _read_all(list(_drawn_in(reading, tree, found)), tree, found)
    return found


def _may_install(source: Source) -> bool:
    """Whether the code of a notebook or script may say what it needs."""
    hinted = source.notebook is not None or source.mentions(HINT) or source.mentions(MARK)
    return hinted and source.language is Language.PYTHON


def reader_for(file: File) -> Reader | None:
    """The reader of a file that is a manifest; content decides where the name does not."""
    name = file.name.lower()
    if name in _by_name():
        return _by_name()[name] if _is_of_its_name(file) else None
    if file.folder.endswith(_BUILT):
        return None
    if file.suffix in {".yml", ".yaml"}:
        return conda.read if _is_environment(file) else None
    if file.suffix not in _LISTINGS:
        return None
    in_folder = file.suffix in {".txt", ".in"} and bool(_REQUIREMENTS_FOLDER.fullmatch(file.folder))
    if in_folder or _REQUIREMENTS.fullmatch(name):
        return _listing_reader(file, certain=in_folder or bool(_CERTAIN.search(name)))
    return None


def _is_of_its_name(file: File) -> bool:
    """Whether a file is what its name says; a few names are shared with files of other sorts."""
    forms = text_formats.formats().get(file.name.lower(), ())
    return all(not form.only_if or (_small(file) and form.is_of(file.text())) for form in forms)


def _is_environment(file: File) -> bool:
    """Whether a YAML file is an environment of conda."""
    name = file.name.lower()
    called = bool(_ENVIRONMENT.fullmatch(name)) or file.folder in {"", "conda", "envs"}
    if file.size > (MAX_BYTES if called else _LONGEST_PAGE):
        return False
    if _PLAINLY.fullmatch(name) and conda.is_listed(file.text()):
        return True
    return conda.is_environment(file.text()) if called else conda.is_surely_environment(file.text())


def _listing_reader(file: File, certain: bool) -> Reader | None:
    """A text file called like a list of packages may be pip's, conda's, or something else."""
    if not _small(file):
        return requirements.read if certain else None
    text = file.text()
    if conda.is_list(text):
        return conda.read_list
    if conda.is_environment(text):
        return conda.read
    return requirements.read if certain or _looks_listed(text) else None


def _looks_listed(text: str) -> bool:
    """Whether most lines of a text are requirements with versions."""
    lines = [line for _, line in requirements.logical_lines(text[:100_000])][:200]
    versioned = sum(bool(re.match(r"[A-Za-z0-9][\w.\[\],-]*\s*(?:==|>=|~=|<=|@ )", line)) for line in lines)
    return bool(lines) and versioned * 2 > len(lines)


def _command_reader(file: File) -> Reader | None:
    name = file.name.lower()
    if file.size > commands.MAX_BYTES:
        return None
    if _is_recipe(name) and (file.suffix not in _NO_RECIPE or dockerfile.is_recipe(file.text())):
        return dockerfile.read
    if _SCRIPT.fullmatch(name) or file.path.startswith(_WORKFLOWS):
        return commands.read_script
    if is_readme(file):
        return commands.read_document
    return _reader_of_commands(file)


def _is_recipe(name: str) -> bool:
    """Whether a file is called like the recipe of a container."""
    if name.endswith(_RECIPES) or name == "singularity" or name.startswith("singularity."):
        return True
    return ("dockerfile" in name or "containerfile" in name) and _DOCKERFILE.fullmatch(name) is not None


def _reader_of_commands(file: File) -> Reader | None:
    """That of a script, or a file without an ending, by what its lines do."""
    if file.suffix not in _COMMANDS or file.size > _LONGEST_COMMANDS or file.is_binary:
        return None
    text = file.text()
    if not file.suffix and dockerfile.is_recipe(text):
        return dockerfile.read
    return commands.read_script if _INSTALLING.search(text) else None


def _pages(tree: Tree, found: Found) -> list[tuple[File, Reader]]:
    """The authors' other pages that may tell how to install: those near the root first, plain text last."""
    pages = [file for file in tree.by_suffix(*_PAGES) if not file.vendored and file.size <= _LONGEST_PAGE]
    pages.sort(key=lambda file: (file.suffix == ".txt", file.path.count("/"), file.path))
    unread = (file for file in pages[:_MOST_PAGES] if file.path not in found.readings and reader_for(file) is None)
    return [(file, commands.read_document) for file in unread if any(word in file.text() for word in _TELLING)]


def is_page(file: File) -> bool:
    """Whether a file is another page about the work, such as a report or a guide, but no list of changes or plans."""
    return (
        file.suffix in _REPORTS
        and file.size <= (_LONGEST_THESIS if file.suffix == ".tex" else _LONGEST_PAGE)
        and not is_readme(file)
        and _ABOUT_OTHER_THINGS.search(file.name.lower()) is None
    )


def is_readme(file: File) -> bool:
    """Whether a file tells people in words how to set things up."""
    return (
        _README.fullmatch(file.name.lower()) is not None and file.suffix in _PROSE and file.size <= commands.MAX_BYTES
    )


def _read_all(waiting: list[tuple[File, Reader]], tree: Tree, found: Found) -> None:
    """Read files and what they draw in, each once; cycles end because nothing is read twice."""
    while waiting:
        file, reader = waiting.pop(0)
        if file.path in found.readings:
            continue
        if len(found.readings) >= MAX_MANIFESTS + MAX_SCRIPTS:
            found.left_out.append(f"only the first {len(found.readings)} manifests were read")
            return
        if not _small(file):
            found.left_out.append(f"{file.path}: is too large for a manifest")
            continue
        reading = reader(file, tree)
        if reading.kind in _MAY_BE_SILENT and reading.silent:
            continue
        found.readings[file.path] = reading
        waiting += _drawn_in(reading, tree, found)


def _drawn_in(reading: Reading, tree: Tree, found: Found) -> Iterator[tuple[File, Reader]]:
    for path, kind in reading.included:
        file = tree.get(path)
        if file is not None and file.path not in found.readings and kind in _INCLUDED:
            yield file, (reader_for(file) if kind is not Kind.CONSTRAINTS else None) or _INCLUDED[kind]


def _small(file: File) -> bool:
    return file.size <= (
        MAX_LOCK_BYTES if file.name.lower().endswith(("lock", "lock.yml", "manifest.toml")) else MAX_BYTES
    )
