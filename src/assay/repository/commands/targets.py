"""Where in the repository that is what a command names; and if nowhere, whether it is certainly missing."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from difflib import get_close_matches

from assay.code import Code
from assay.patterns import regex
from assay.repository.commands.entry_points import EntryPoint
from assay.repository.commands.facts import Fault, Problem
from assay.repository.commands.placement import Placed
from assay.repository.commands.programs import Program, Runs
from assay.repository.readme import nearest_path
from assay.tree import Tree

_GENERIC = frozenset(
    {
        "setup.py", "requirements.txt", "Makefile", "environment.yml", ".", "..", "install.sh", "build.sh", "make.sh",
        "setup.sh", "download.sh",
    }
)  # fmt: skip
"""What every project has: after a clone of another one it may be meant."""
_KIND = regex(r"(dataset|task|exp|experiment)_\w+\.sh")
_PACKAGE_FILES = ("setup.py", "pyproject.toml", "setup.cfg")
_EXAMPLE = regex(
    r"(?:your|my|foo|bar|baz|xxx|some\w*|any|script|program|file|filename|example|xx|name|module|notebook|new|whatever|code|test_script|"
    r"train_script|main_script)(?:[_-]\w*)?\.(?:py|sh|ipynb|ya?ml|json|toml|cfg|ini)|\w*xxx\w*\.\w+",
    re.IGNORECASE,
)


_ANOTHER_PROJECT = "nothing of that name is in the repository: another project may be meant"
WHOSE = "Does it belong to another project?"
"""The question where the text names one."""


@dataclass(slots=True)
class Site:
    """The repository as one document sees it."""

    tree: Tree
    code: Code
    entry_points: dict[str, EntryPoint]
    own_names: frozenset[str] = frozenset()
    """What the repository is called by those who clone it."""
    mentioned: set[str] = field(default_factory=set)
    """File names in commands and links so far: the file may have been made, or be downloaded."""
    downloads: bool = False
    """An earlier command has brought something."""
    to_write: frozenset[str] = frozenset()
    """Files that the document asks the reader to make."""
    secondary: bool = False
    """The document is not the README of the whole."""
    folder_words: frozenset[str] = frozenset()
    """Folders that the document names in its text: a reader may be meant to be there."""
    in_script: bool = False
    """The commands are those of a shell script, which may count on what others fetched before."""


def is_example(target: str) -> bool:
    """Whether a file name stands for any: `script.py`, `your_script.py`."""
    return _EXAMPLE.fullmatch(posixpath.basename(target)) is not None


def locate(program: Program, placed: Placed, site: Site) -> str | None:
    """The file or folder that the command names, from one of the folders it may be typed in."""
    if program.runs is Runs.COMMAND:
        return site.entry_points[program.target].path
    if program.runs is Runs.MODULE:
        return _module(program.target, placed, site)
    joined = (posixpath.normpath(posixpath.join(folder, program.target)) for folder in placed.folders)
    found = (_found_at("" if path == "." else path, program.runs, site.tree) for path in joined)
    return next((path for path in found if path is not None), _from_above(program.target, site))


def _found_at(path: str, runs: Runs, tree: Tree) -> str | None:
    """What a command of this kind takes at a path: a package to install, a folder that runs, or a file."""
    if runs is Runs.INSTALLS:
        return path if any(tree.get(posixpath.join(path, name)) for name in _PACKAGE_FILES) else None
    if runs is Runs.SCRIPT and path in tree.folders:
        inner = posixpath.join(path, "__main__.py")
        return inner if tree.get(inner) else path
    file = tree.get(path)
    return file.path if file is not None else None


def _from_above(target: str, site: Site) -> str | None:
    """What is named from the folder that the repository was cloned into: `albert/train.py` in albert."""
    first, _, rest = target.removeprefix("./").partition("/")
    file = site.tree.get(rest) if rest and first.lower() in site.own_names else None
    return file.path if file is not None else None


def _module(name: str, placed: Placed, site: Site) -> str | None:
    parts = name.split(".")
    for root in (*placed.folders, *site.code.modules.roots):
        base = posixpath.join(root, *parts)
        for candidate in (f"{base}.py", posixpath.join(base, "__main__.py")):
            if site.tree.get(candidate):
                return candidate
    if parts[0] in site.code.modules.renamed or parts[0] in site.code.modules.built:
        return site.code.local_modules[parts[0]][0]
    return None


def absence(program: Program, placed: Placed, site: Site) -> Problem | str:
    """What is missing; or, as a sentence, why that is not certain."""
    doubt = _made_or_foreign(program, placed, site) or _out_of_sight(program.target, placed, site)
    if doubt:
        return doubt
    if program.runs is Runs.MODULE:
        return _absent_module(program.target, site)
    if program.runs is Runs.INSTALLS:
        return _absent_package(program.target, site)
    return _absent_file(program, placed, site)


def _absent_package(target: str, site: Site) -> Problem | str:
    if site.secondary and site.tree.by_name("setup.py"):
        return "the text does not say where to type it"
    wanted = posixpath.normpath(posixpath.join(target, "setup.py"))
    return Problem(Fault.FILE, wanted, nearest_path("setup.py", site.tree))


def _absent_file(program: Program, placed: Placed, site: Site) -> Problem | str:
    target = program.target
    others = files_elsewhere(target, site)
    reason = _why_not_certain(program, others, site)
    if program.runs is Runs.SCRIPT and not target.endswith((".py", ".pyc")):
        return reason if others and reason else _without_ending(target, placed, site.tree)
    nearest = nearest_path(target, site.tree)
    foreign = _may_be_foreign(placed)
    if reason:
        return reason
    if site.secondary and not _is_meant_here(target, nearest, placed):
        cloned = placed.cloned or foreign
        return _ANOTHER_PROJECT if cloned else Problem(Fault.FILE, target, "", doubt=WHOSE, foreign=True)
    doubt = _innocent_explanation(target.removeprefix("./"), nearest, placed, site)
    return Problem(Fault.FILE, target, nearest, doubt=doubt, foreign=doubt == WHOSE)


def _why_not_certain(program: Program, others: list[str], site: Site) -> str:
    """Why a file that is not where the command is typed may be elsewhere."""
    bare = program.target.removeprefix("./")
    if any(_is_named(path[: -len(bare)], site) for path in others):
        return "it is in a folder that the text names, and the text does not say where to type it"
    if site.secondary and others:
        return "the text does not say where to type it"
    of_the_system = program.runs is Runs.SHELL and "." not in posixpath.basename(bare)
    return "it may be a program of the system" if of_the_system else ""


def _is_meant_here(target: str, nearest: str, placed: Placed) -> bool:
    """Whether a page of a folder means a file of this repository: by its path, or by one beside it called almost so."""
    in_reach = bool(nearest) and posixpath.dirname(nearest) in placed.folders
    return not placed.inline and ("/" in target or in_reach)


def files_elsewhere(target: str, site: Site) -> list[str]:
    """Files of this name and path in folders that the command is not typed in."""
    bare = target.removeprefix("./")
    return [f.path for f in site.tree.by_name(posixpath.basename(bare)) if f.path.endswith("/" + bare)]


def _without_ending(target: str, placed: Placed, tree: Tree) -> Problem | str:
    """A program that is named without its ending: Python finds it only with that."""
    scripts = (posixpath.normpath(posixpath.join(folder, target + ".py")) for folder in placed.folders)
    found = next((path for path in scripts if tree.get(path)), "")
    return Problem(Fault.FILE, target, found) if found else "what it names is no file of Python"


def _may_be_foreign(placed: Placed) -> bool:
    return placed.lost or placed.beside_project


def _innocent_explanation(target: str, nearest: str, placed: Placed, site: Site) -> str:
    """Why a missing file may be no fault, as a question that the text leaves open; the strongest reason counts."""
    if _may_be_foreign(placed):
        return WHOSE
    if placed.inline:
        return "Does an earlier step bring it, or is it typed in another folder?"
    folder = posixpath.dirname(target)
    beyond = bool(folder) and not _is_folder(folder, placed, site.tree)
    if site.in_script and beyond:
        return f"Does another step fetch or make the folder {folder}?"
    same = [file for file in site.tree.by_name(posixpath.basename(target)) if file.path.endswith("/" + target)]
    if len(same) == 1 and not same[0].vendored:
        return f"Is it meant to be typed in the folder {nearest.removesuffix(target).rstrip('/')}?"
    return WHOSE if beyond and (site.secondary or placed.cloned) else ""


def _made_or_foreign(program: Program, placed: Placed, site: Site) -> str:
    """Why a missing file may be made by another command, or belong to another project."""
    target = program.target
    name, folder = posixpath.basename(target.rstrip("/")), posixpath.dirname(target)
    script = name[: -len("ipynb")] + "py" if name.endswith(".ipynb") else ""
    foreign = placed.cloned and (name in _GENERIC or "/" not in target)
    brought = site.downloads and folder and not _is_folder(folder, placed, site.tree)
    reasons = (
        (name in site.mentioned and program.runs is not Runs.MODULE, "an earlier command may have made it"),
        (_stands_for_others(name, site.tree), "it names something that the reader is to fill in"),
        (brought, "an earlier command may have made it"),
        (name in site.to_write, "the text tells the reader to write it"),
        (script and site.tree.by_name(script), "it may be made from the script of the same name"),
        (name.partition(".")[0].lower() in site.mentioned, "the text links to a project of that name"),
        (
            placed.lost and (name in _GENERIC or site.tree.by_name(name)),
            "an earlier `cd` leads to a folder that is not there",
        ),
        (
            placed.outside or foreign or (placed.assumed and name in _GENERIC),
            "it may belong to another project that is cloned before",
        ),
        (
            site.secondary and "/" in target and not _has_folder(target, site.tree),
            _ANOTHER_PROJECT,
        ),
    )
    return next((reason for holds, reason in reasons if holds), "")


def _stands_for_others(name: str, tree: Tree) -> bool:
    """Whether a script such as `task_name.sh` is called after a kind, and the repository has none of that kind."""
    kind = _KIND.fullmatch(name)
    alike = tree.by_suffix(posixpath.splitext(name)[1]) if kind else ()
    return kind is not None and bool(alike) and not any(file.name.startswith(kind[1]) for file in alike)


def _out_of_sight(target: str, placed: Placed, site: Site) -> str:
    """Why a missing file may be in the repository all the same, or is not meant to be."""
    joined = [posixpath.normpath(posixpath.join(folder, target)) for folder in placed.folders]
    if any(map(site.tree.hides, joined)):
        return "it is in a part of the repository that was not looked at"
    if any("files were looked at" in note for note in site.tree.notes):
        return "not all files were looked at"
    first, _, rest = target.removeprefix("./").partition("/")
    if rest and site.tree.get(rest) and not _has_folder(first, site.tree):
        return "it may be typed in the folder above the repository"
    if all(j.startswith("..") for j in joined):
        return "it names a place outside the repository"
    return ""


def _absent_module(target: str, site: Site) -> Problem | str:
    parts = target.split(".")
    found = site.code.local_modules.get(parts[0].replace("-", "_"), ())
    if found and all(path.endswith((".pyx", ".so", ".pyd", ".proto")) for path in found):
        return "the module is built"
    near = site.code.modules.elsewhere(parts[-1])
    if any(_is_named(path.rpartition("/")[0], site) for path in (*found, *near)):
        return "it is in a folder that the text names, and the text does not say where to type it"
    return Problem(Fault.MODULE, target, near[0] if near else nearest_path("/".join(parts) + ".py", site.tree))


def nearest_folder(folder: str, tree: Tree) -> str:
    """The folder of the repository whose path is most alike."""
    near = get_close_matches(folder.removeprefix("./"), sorted(f for f in tree.folders if f), n=1, cutoff=0.75)
    return near[0] if near else ""


def _is_folder(path: str, placed: Placed, tree: Tree) -> bool:
    return any(posixpath.normpath(posixpath.join(folder, path)) in tree.folders for folder in placed.folders)


def _has_folder(target: str, tree: Tree) -> bool:
    """Whether some folder is called like the first part of a path."""
    first = posixpath.normpath(target).partition("/")[0]
    return any(first in folder.split("/") for folder in tree.folders)


def _is_named(folder: str, site: Site) -> bool:
    """Whether the document mentions the last part of this folder's path."""
    last = folder.rstrip("/").rpartition("/")[2].lower()
    return bool(last) and last in site.folder_words
