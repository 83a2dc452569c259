"""From what a user names to a submission: the content of a piece, or the option that names it, decides its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assay.audit.papers import begins_as_paper, candidates, chosen_note, is_named_as_paper, unclaimed_note
from assay.audit.submission import Kind, Piece, Submission
from assay.errors import InputError
from assay.patterns import regex
from assay.tree import open_tree

_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_CODE = (".py", ".ipynb", ".r", ".rmd", ".jl")
_SOURCES = (*_CODE, ".m", ".c", ".cc", ".cpp", ".cu", ".java", ".lua", ".scala")
"""Files that make a folder a repository, whether or not their language is analysed."""
_TABLES = (".csv", ".tsv", ".parquet", ".pq", ".feather", ".arrow", ".xlsx", ".xls", ".ods")
_PROSE = (".html", ".htm", ".xhtml", ".xml", ".nxml", ".md", ".markdown")
_STRUCTURED = (".toml", ".yaml", ".yml", ".json")
_MANIFESTS = frozenset(
    {"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "environment.yml", "pipfile", "dockerfile", ".git"}
)
_TRAIN = regex(r"(?:^|[^a-z])(?:train(?:ing)?|learn)(?:[^a-z]|$)")
_TEST = regex(r"(?:^|[^a-z])(?:test(?:ing)?|hold-?out|eval(?:uation)?)(?:[^a-z]|$)")
_CHECKLIST = regex(r"^checklist:[ \t]*\S", re.MULTILINE)
_SCORES = regex(
    r"^\[\[experiment\]\]|^\[scores\]|^scores\s*=\s*\{|^(?:experiment|scores):|\"experiment\"\s*:\s*\[|\"scores\"\s*:\s*\{",
    re.MULTILINE,
)
_SIZES = regex(r"(?:^|[,;\t\"])(?:p|n|folds)(?:[,;\t\"]|$)")
_LATEX = regex(r"\\document(?:class|style)|\\begin\{document\}")
_HEAD = 64 * 1024
_MOST_MEMBERS = 500
_DEEPEST = 4


def recognise(
    paths: Sequence[Path],
    *,
    papers: Sequence[Path] = (),
    repositories: Sequence[Path] = (),
    scores: Sequence[Path] = (),
    train: Path | None = None,
    test: Path | None = None,
    checklists: Sequence[Path] = (),
    target: str | None = None,
    names: Mapping[Path, str] | None = None,
    strict: bool = True,
) -> Submission:
    """The submission that these paths make up. Nothing is unpacked or run; only the beginnings of files are read.

    `names` says how the report names a path, for example by the address from which it was downloaded. Without
    `strict`, a file that is nothing to audit is listed in the report instead of being refused.
    """
    _require_pair(train, test)
    pieces: list[Piece] = []
    notes: list[str] = []
    for path in paths:
        _take(path, pieces, notes, strict=strict)
    pieces = _with_short_paths(pieces, repositories)
    within = [] if papers else _papers_within(pieces, notes)
    pieces += within
    options = {
        Kind.PAPER: papers,
        Kind.REPOSITORY: repositories,
        Kind.SCORES: scores,
        Kind.TRAIN: [train] if train else [],
        Kind.TEST: [test] if test else [],
        Kind.CHECKLIST: checklists,
    }
    named = [(kind, path) for kind, several in options.items() for path in several]
    for kind, path in named:
        pieces = _with_named(pieces, kind, path)
    pieces, unpaired = _paired(pieces)
    notes += unpaired
    _require_some(pieces, notes)
    given = (*paths, *(path for _, path in named))
    title = ", ".join(dict.fromkeys(_title(path, names or {}) for path in given))
    title += "".join(f" with {paper.name}" for paper in within)
    order = list(Kind)
    return Submission(title, tuple(sorted(pieces, key=lambda p: (order.index(p.kind), p.name))), target, tuple(notes))


def _require_some(pieces: Sequence[Piece], notes: Sequence[str]) -> None:
    if not pieces:
        seen = "; ".join(notes[:3])
        fix = "Give a paper, a repository (a folder or an archive), tables, scores or a checklist."
        raise InputError("nothing to audit", fix=f"{seen}. {fix}" if seen else fix)


def _with_named(pieces: list[Piece], kind: Kind, path: Path) -> list[Piece]:
    """The pieces with one that an option names: what was guessed about the same file does not count."""
    _require(path)
    only_one = kind in {Kind.TRAIN, Kind.TEST}
    kept = [p for p in pieces if p.path != path and not (only_one and p.kind is kind)]
    return [*kept, Piece(kind, path, _display_name(path))]


def _take(path: Path, pieces: list[Piece], notes: list[str], *, strict: bool) -> None:
    """What one path that the user named stands for: a piece, or a folder of pieces."""
    _require(path)
    kind = _kind_of_path(path)
    if kind is Kind.REPOSITORY and path.is_dir():
        pieces += [Piece(kind, path, ""), *_beside_code(path, notes)]
    elif kind is not None:
        pieces.append(Piece(kind, path, _display_name(path)))
    elif path.is_dir():
        pieces += _on_shelf(path, notes)
    elif strict:
        fix = "Say what it is with --paper, --repo, --scores, --train and --test, or --checklist."
        raise InputError("is of no known kind", where=str(path), fix=fix)
    else:
        notes.append(_unrecognised(path))


def _kind_of_path(path: Path) -> Kind | None:
    if path.is_dir():
        return _kind_of_folder(path)
    return _kind_of_file(path) if path.is_file() else Kind.REPOSITORY  # path@revision


def _beside_code(repository: Path, notes: list[str]) -> Iterator[Piece]:
    """Scores, checklists and tables at the top of a repository."""
    for member in _members(repository):
        kind = _kind_of_member(member, notes) if member.is_file() else None
        if kind in {Kind.SCORES, Kind.CHECKLIST, Kind.TRAIN, Kind.TEST}:
            yield Piece(kind, member, member.name)


def _on_shelf(folder: Path, notes: list[str]) -> Iterator[Piece]:
    """What lies in a folder that is neither a repository nor a paper."""
    for member in _members(folder):
        if member.name.lower().startswith("readme"):
            continue
        kind = _kind_of_folder(member) if member.is_dir() else _kind_of_member(member, notes)
        if kind is None or (kind is Kind.PAPER and not _may_be_paper(member)):
            notes.append(_unrecognised(member))
        else:
            yield Piece(kind, member, member.name)


def _may_be_paper(path: Path) -> bool:
    """Whether a page of text that nobody named begins as papers do; other papers are known by their form."""
    name = path.name.lower()
    if not name.endswith(_PROSE):
        return True
    head = _head(path)
    if name.endswith((".md", ".markdown")):
        return is_named_as_paper(name) or begins_as_paper(head)
    return "abstract" in head.lower()


def _unrecognised(path: Path) -> str:
    return f"{path.name}: not recognised as part of a submission"


def _with_short_paths(pieces: list[Piece], named: Sequence[Path]) -> list[Piece]:
    """The only archive of a submission needs no name before each path in it."""
    several = len(named) + sum(piece.kind is Kind.REPOSITORY for piece in pieces) > 1
    if several:
        return pieces
    return [replace(p, name="") if p.kind is Kind.REPOSITORY and not p.path.is_dir() else p for p in pieces]


def _papers_within(pieces: list[Piece], notes: list[str]) -> list[Piece]:
    """The papers inside the repositories of a submission that has no other paper."""
    if any(piece.kind is Kind.PAPER for piece in pieces):
        return []
    repositories = [piece for piece in pieces if piece.kind is Kind.REPOSITORY]
    return [paper for repository in repositories for paper in _paper_within(repository, notes)]


def _paper_within(repository: Piece, notes: list[str]) -> list[Piece]:
    """The paper of a repository, wherever in it; the others are named in a note."""
    tree = open_tree(str(repository.path))
    found = candidates(tree)
    if not found:
        notes += filter(None, [unclaimed_note(tree)])
        return []
    if note := chosen_note(found):
        notes.append(note)
    inside = found[0].path
    name = f"{repository.name}/{inside}" if repository.name else inside
    if repository.path.is_dir():
        return [Piece(Kind.PAPER, repository.path / inside, name)]
    return [Piece(Kind.PAPER, repository.path, name, member=inside)]


def _members(folder: Path) -> Iterator[Path]:
    members = sorted(p for p in folder.iterdir() if not p.name.startswith(".") and not p.is_symlink())
    yield from members[:_MOST_MEMBERS]


def _kind_of_folder(folder: Path) -> Kind | None:
    """A repository, a paper in LaTeX, or None for a shelf of several things.

    A repository has code, a manifest or version control at its top, or code below and nothing else to audit at its
    top. A folder with a README is a repository too, unless one of its folders is a project with a README or manifest of
    its own; and so is one with a folder for the paper and several with code.
    """
    if _MANIFESTS.intersection(p.name.lower() for p in folder.iterdir()):
        return Kind.REPOSITORY
    members = list(_members(folder))
    found = {_kind_of_member(p, []) for p in members if _is_no_prose(p)} - {None}
    if Kind.CODE in found:
        return Kind.REPOSITORY
    if not _holds(folder, _SOURCES):
        return Kind.PAPER if found == {Kind.PAPER} and any(map(_is_latex_paper, members)) else None
    return _kind_with_code_below(folder, list(filter(Path.is_dir, members)), has_pieces=bool(found))


def _kind_with_code_below(folder: Path, folders: Sequence[Path], *, has_pieces: bool) -> Kind | None:
    """A repository, or None for a shelf whose folders are pieces of their own."""
    if _is_described(folder) and not (has_pieces and any(map(_is_project, folders))):
        return Kind.REPOSITORY
    if has_pieces:
        return None
    apart = sum(_holds(one, _SOURCES) for one in folders) == 1
    return None if apart and Kind.PAPER in map(_kind_of_folder, folders) else Kind.REPOSITORY


def _is_no_prose(path: Path) -> bool:
    return path.is_file() and not path.name.lower().endswith(_PROSE)


def _is_latex_paper(path: Path) -> bool:
    return path.suffix.lower() in {".tex", ".ltx"} and bool(_LATEX.search(_head(path)))


def _is_described(folder: Path) -> bool:
    return any(p.name.lower().startswith("readme") for p in _members(folder))


def _is_project(folder: Path) -> bool:
    """Whether a folder with code says itself what it is or what it needs."""
    manifest = not _MANIFESTS.isdisjoint(p.name.lower() for p in folder.iterdir())
    return (manifest or _is_described(folder)) and _holds(folder, _SOURCES)


def _holds(folder: Path, endings: tuple[str, ...], depth: int = _DEEPEST) -> bool:
    """Whether a file with such an ending lies in the folder, not too far down."""
    for member in _members(folder):
        if member.is_file() and member.name.lower().endswith(endings):
            return True
        if depth and member.is_dir() and _holds(member, endings, depth - 1):
            return True
    return False


def _kind_of_member(path: Path, notes: list[str]) -> Kind | None:
    """The kind of a file that the user did not name; one that cannot be read is noted, and the others are audited."""
    try:
        return _kind_of_file(path)
    except InputError as error:
        notes.append(f"{path.name}: {error.what}")
        return None


def _kind_of_file(path: Path) -> Kind | None:
    name = path.name.lower()
    head = _head(path)
    if name.endswith(".pdf") or head.startswith("%PDF-"):
        return Kind.PAPER
    if name.endswith((".tex", ".ltx", ".docx")):
        return Kind.PAPER
    if name.endswith(_ARCHIVES):
        return _kind_of_archive(path)
    if name.endswith(_CODE):
        return Kind.CODE
    if name.endswith((*_STRUCTURED, ".md", ".markdown")) and _CHECKLIST.search(head):
        return Kind.CHECKLIST
    if name.endswith(_STRUCTURED):
        return Kind.SCORES if _SCORES.search(head) else None
    if name.endswith(_TABLES):
        return _kind_of_table(path, head)
    return Kind.PAPER if name.endswith(_PROSE) else None


def _kind_of_table(path: Path, head: str) -> Kind | None:
    first = head.partition("\n")[0].lower()
    if path.suffix.lower() in {".csv", ".tsv"} and len(_SIZES.findall(first.replace(",", ",,"))) >= 2:
        return Kind.SCORES
    stem = path.stem.lower()
    if _TRAIN.search(stem):
        return Kind.TRAIN
    return Kind.TEST if _TEST.search(stem) else None


def _kind_of_archive(path: Path) -> Kind | None:
    names = [file.path.lower() for file in open_tree(path).files]
    if any(name.endswith(_CODE) for name in names):
        return Kind.REPOSITORY
    return Kind.PAPER if any(name.endswith((".tex", ".ltx")) for name in names) else Kind.REPOSITORY


def _paired(pieces: Iterable[Piece]) -> tuple[list[Piece], list[str]]:
    """A training table needs its test table and the other way round; of several, the first counts."""
    kept: list[Piece] = []
    notes = []
    tables: dict[Kind, list[Piece]] = {Kind.TRAIN: [], Kind.TEST: []}
    for piece in pieces:
        tables.get(piece.kind, kept).append(piece)
    if tables[Kind.TRAIN] and tables[Kind.TEST]:
        kept += [tables[Kind.TRAIN].pop(0), tables[Kind.TEST].pop(0)]
        notes += [f"{p}: only one pair of tables is examined" for found in tables.values() for p in found]
    else:
        notes += [
            f"{p}: a {kind.value} without its counterpart was not examined" for kind, f in tables.items() for p in f
        ]
    return kept, notes


def _head(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return stream.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return ""


def _require(path: Path) -> None:
    before, at, _ = str(path).rpartition("@")
    try:
        there = path.exists() or (bool(at) and Path(before).is_dir())
    except (OSError, ValueError):
        there = False
    if not there:
        raise InputError("does not exist", where=str(path), fix="Check the path.")


def _require_pair(train: Path | None, test: Path | None) -> None:
    """Both tables or none; one table for both would be all leakage, and most likely is a slip of the keyboard."""
    if train is None and test is None:
        return
    if train is None or test is None:
        raise InputError("--train and --test go together", fix="Give both, or neither.")
    _require(train)
    _require(test)
    if train.exists() and test.exists() and train.samefile(test):
        fix = "Give the test table's own file; if there is only one table, leave out --train and --test."
        raise InputError("the same file is given as training table and as test table", where=str(test), fix=fix)


def _title(path: Path, names: Mapping[Path, str]) -> str:
    """How the report calls a path: as given, but by its name where the path is absolute or only dots."""
    name = names.get(path, _display_name(path))
    return name if name.strip("./") else path.resolve().name or name


def _display_name(path: Path) -> str:
    """The path as given where it lies below the working folder, else its name."""
    return path.name if path.is_absolute() or ".." in path.parts else path.as_posix()
