"""R and Julia, read as text: which lines seed and draw, which files are pulled in."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from assay.code import Code, Language
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.randomness.dialects import Dialect, julia, r
from assay.repository.randomness.facts import (
    Coverage,
    Draw,
    Entry,
    EntryPoint,
    Framework,
    Reason,
    Seed,
    State,
    Uses,
)
from assay.tree import Tree

_SHOWN = 10
_NUMBER = regex(r"[-+]?\d[\d_]*L?")
_CONDITION = regex(r"if\s*\(?[^\n]{1,120}$|[^\n]{1,120}(?=&&\s*$)")
_COMPARED = regex(r"(>=|>|!=|==)\s*(-?\d{1,9})")
_MAX_LINE = 2000
_ELSEWHERE = regex(r"\b(?:function\b.*\(|rng\b)")
"""Lines that define something, or draw from a generator of their own: no draws from the common stream."""
_OWN_SEED = regex(r"\bseed\s*=\s*\d")
_STUDY = regex(r"examples?_|paper|experiments?$|simulations?$")
"""Folders of an experiment, though they may lie among tests."""
_DIALECTS = {Language.R: r, Language.JULIA: julia}
"""Made when a file asks for it: most repositories have neither language."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A file that is read as text, in one dialect."""

    path: str
    lines: list[str]
    place: Callable[[int], Location]
    dialect: Dialect
    notebook: bool = False


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A draw on a line."""

    line: int
    call: str
    at_margin: bool
    """What is indented may be in a function and run later."""
    own_seed: bool
    """It is given a seed of its own, as in `LDA(x, control = list(seed = 1))`."""

    @property
    def reason(self) -> Reason:
        """Why it is not covered, if it is not."""
        return Reason.OWN_SEED if self.own_seed else Reason.EARLY if self.at_margin else Reason.UNSEEDED


@dataclass(slots=True)
class _Script:
    """One file: what stands on which line."""

    text: _Text
    seeds: list[tuple[int, Seed]] = field(default_factory=list)
    draws: list[_Drawn] = field(default_factory=list)
    includes: list[tuple[int, str]] = field(default_factory=list)
    fits: bool = False
    runs_itself: bool = False
    """Other files may pull it in, but it can be run as well."""


@dataclass(frozen=True, slots=True)
class ScriptFacts:
    """What these files say."""

    seeds: tuple[Seed, ...]
    uses: tuple[Uses, ...]
    entry_points: tuple[EntryPoint, ...]


def read_scripts(tree: Tree, code: Code) -> ScriptFacts:
    """Seeds, draws and runs of the authors' files in R and Julia."""
    paths = frozenset(f.path for f in tree.files)
    by_stream: dict[Framework, dict[str, _Script]] = {}
    for text in _sources(code):
        by_stream.setdefault(text.dialect.framework, {})[text.path] = _read(text, paths)
    runs = tuple(run for scripts in by_stream.values() for run in _runs(scripts, paths))
    seeds = tuple(seed for scripts in by_stream.values() for script in scripts.values() for _, seed in script.seeds)
    return ScriptFacts(seeds, tuple(_uses(by_stream)), runs)


def _sources(code: Code) -> Iterator[_Text]:
    for source in code.own:
        if source.language in _DIALECTS:
            dialect = _DIALECTS[source.language]()
            yield _Text(source.path, source.lines, source.location, dialect, source.notebook is not None)


def _runs(scripts: Mapping[str, _Script], paths: frozenset[str]) -> Iterator[EntryPoint]:
    """The files that somebody would run, as far as they draw."""
    pulled_in = {path for script in scripts.values() for _, path in script.includes}
    for path, script in scripts.items():
        if (path not in pulled_in or script.runs_itself) and not _is_library(path, paths):
            run = _entry(script, scripts)
            if run.coverage:
                yield run


def _uses(by_stream: Mapping[Framework, Mapping[str, _Script]]) -> Iterator[Uses]:
    for framework, scripts in by_stream.items():
        places = [script.text.place(drawn.line) for script in scripts.values() for drawn in script.draws]
        if places:
            yield Uses(framework, len(places), tuple(places[:_SHOWN]))


def _is_library(path: str, paths: frozenset[str]) -> bool:
    """Whether a file is part of a package (R/ beside DESCRIPTION, src/ beside Project.toml) or of its tests."""
    *folders, _ = path.split("/")
    above = "/".join(folders[:-1])
    prefix = above + "/" if above else ""
    in_r = bool(folders) and folders[-1] == "R" and f"{prefix}DESCRIPTION" in paths
    package = bool(folders) and folders[-1] == "src" and f"{prefix}Project.toml" in paths
    tested = any(f in {"test", "tests", "testthat", "tinytest", "renv"} for f in folders)
    return in_r or package or (tested and not any(_STUDY.match(f) for f in folders))


def _read(text: _Text, paths: frozenset[str]) -> _Script:
    script, dialect = _Script(text), text.dialect
    lines = [_without_comment(line[:_MAX_LINE]) for line in text.lines]
    whole = "\n".join(lines)
    for number, line in enumerate(lines, 1):
        for match in dialect.includes.finditer(line):
            script.includes += [(number, path) for path in _pulled_in(match[1], text, paths)]
        if "(" not in line:
            continue
        for match in dialect.seeds.finditer(line):
            script.seeds.append((number, _seed(match, line, whole, text.place(number), dialect)))
        seeds_here = bool(script.seeds) and script.seeds[-1][0] == number
        if not seeds_here and not _ELSEWHERE.search(line):
            at_margin = not line[:1].isspace()
            own = _OWN_SEED.search(line) is not None
            script.draws += [_Drawn(number, match[1], at_margin, own) for match in dialect.draws.finditer(line)]
        script.runs_itself = script.runs_itself or "PROGRAM_FILE" in line
        script.fits = script.fits or dialect.fits.search(line) is not None
    return script


def _without_comment(line: str) -> str:
    return line if "#" not in line else re.sub(r"#[^\"']*$", "", line)


def _pulled_in(written: str, text: _Text, paths: frozenset[str]) -> list[str]:
    """The files that an inclusion may mean."""
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(text.path), written))
    return [path for path in (beside, posixpath.normpath(written)) if path in paths]


def _seed(match: re.Match[str], line: str, text: str, place: Location, dialect: Dialect) -> Seed:
    written = re.sub(r"^seed\s*=\s*", "", re.split(r"[,)]", line[match.end() :], maxsplit=1)[0].strip())
    value, state = _valued(written, text, dialect)
    guard = _guard(line[: match.start()], value) if state in {State.DEFAULT, State.NONE} else ""
    test = any(f in {"test", "tests", "testthat"} for f in place.path.split("/"))
    return Seed(match[1], (dialect.framework,), place, State.GUARDED if guard else state, value, guard, in_test=test)


def _valued(written: str, text: str, dialect: Dialect) -> tuple[str, State]:
    """The value of a seed's argument; a name is looked up where it is given a value, as a default or plainly."""
    if _NUMBER.fullmatch(written):
        return written.rstrip("L"), State.FIXED
    if dialect.varying.search(written):
        return written[:80], State.VARYING
    if written in dialect.nothing:
        return written or "nothing", State.NONE
    name = re.split(r"[.$]", written)[-1]
    if name.isidentifier():
        option = re.search(rf"[\"']--?{re.escape(name)}[\"']\s*,(?:[^)\n]*?default\s*=)?\s*([^\s,;)]+)", text)
        if option and _NUMBER.fullmatch(option[1]):
            return option[1], State.DEFAULT
        given = re.search(rf"\b{re.escape(name)}\s*(?:::\s*\w+\s*)?(?:=|<-)(?!=)\s*([^\s,;)]+)", text)
        if given and given[1] != name:
            value, state = _valued(given[1], "", dialect)
            at_margin = name == written and text[: given.start()].rpartition("\n")[2] == ""
            return value, State.DEFAULT if state is State.FIXED and not at_margin else state
    return written[:80], State.UNKNOWN


def _guard(before: str, value: str) -> str:
    """The condition in front of a seed on its line that its default does not meet."""
    condition = _CONDITION.search(before)
    if condition is None:
        return ""
    if value in {"NULL", "nothing"} and re.search(r"is\.null|nothing", condition[0]):
        return condition[0].strip()
    compared = _COMPARED.search(condition[0])
    if compared and _NUMBER.fullmatch(value):
        a, b = int(value), int(compared[2])
        met = {">": a > b, ">=": a >= b, "!=": a != b, "==": a == b}[compared[1]]
        return "" if met else condition[0].strip()
    return ""


def _entry(script: _Script, scripts: Mapping[str, _Script]) -> EntryPoint:
    """A file run by itself, with the files that it pulls in where it does so."""
    events = list(_events(script, scripts, ()))
    seeds = [(i, e) for i, e in enumerate(events) if isinstance(e, Seed)]
    draws = [(i, e) for i, e in enumerate(events) if isinstance(e, Draw)]
    best = min(seeds, key=lambda s: (s[1].state.rank, s[0]), default=None)
    good = best is not None and (best[1].state.controlled or best[1].state is State.UNKNOWN)
    open_draws = [d for i, d in draws if not good or (best is not None and i < best[0] and d.reason is Reason.EARLY)]
    if not good:
        open_draws = [d for d in open_draws if d.reason is not Reason.OWN_SEED]
        open_draws = [Draw(d.call, d.location, Reason.UNSEEDED) for d in open_draws]
    state = best[1].state if best is not None else State.MISSING if open_draws else State.FIXED
    if good and draws and len(open_draws) == len(draws):
        state = State.LATE
    coverage = Coverage(
        script.text.dialect.framework,
        state,
        len(draws),
        tuple(s.location for _, s in seeds if best is not None and s.state is best[1].state)[:_SHOWN],
        first=draws[0][1].location if draws else None,
        uncovered=tuple(open_draws[:_SHOWN]),
        uncovered_count=len(open_draws),
        partly=bool(draws) and state.controlled and len(open_draws) < len(draws),
    )
    kind, path = Entry.NOTEBOOK if script.text.notebook else Entry.SCRIPT, script.text.path
    return EntryPoint(path, kind, path, script.fits, (coverage,) if draws else ())


def _events(script: _Script, scripts: Mapping[str, _Script], path: tuple[str, ...]) -> Iterator[Seed | Draw]:
    place = script.text.path
    if place in path or len(path) > 20:
        return
    draws = [(drawn.line, Draw(drawn.call, script.text.place(drawn.line), drawn.reason)) for drawn in script.draws]
    events: list[tuple[int, Seed | Draw | str]] = [*script.seeds, *draws, *script.includes]
    for _, event in sorted(events, key=lambda e: e[0]):
        if isinstance(event, str):
            if event in scripts:
                yield from _events(scripts[event], scripts, (*path, place))
        else:
            yield event
