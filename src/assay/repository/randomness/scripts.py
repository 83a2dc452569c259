"""R and Julia, read as text: which lines seed, which draw, and which files are pulled in."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from assay.code import Language, Source
from assay.findings import Location
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

_SHOWN = 10
_NUMBER = re.compile(r"[-+]?\d[\d_]*L?")
_CONDITION = re.compile(r"if\s*\(?[^\n]{1,120}$|[^\n]{1,120}(?=&&\s*$)")
_COMPARED = re.compile(r"(>=|>|!=|==)\s*(-?\d{1,9})")
_MAX_LINE = 2000


@dataclass(frozen=True, slots=True)
class _Dialect:
    """How one language speaks of randomness; every pattern has one group at most."""

    framework: Framework
    seeds: re.Pattern[str]
    draws: re.Pattern[str]
    includes: re.Pattern[str]
    fits: re.Pattern[str]
    varying: re.Pattern[str]
    nothing: frozenset[str]


@cache
def _r() -> _Dialect:
    return _Dialect(
        Framework.R,
        re.compile(r"\b(set\.seed|with_seed|local_seed|torch_manual_seed|set_random_seed|use_session_with_seed)\("),
        re.compile(
            r"(?<![\w.])(sample(?:_n|_frac|\.int|\.split)?|slice_sample|r(?:norm|unif|binom|pois|exp|gamma|beta|t|chisq|"
            r"multinom|geom|weibull|cauchy|logis|lnorm|nbinom)|mvrnorm|rmvnorm|kmeans|randomForest|ranger|cforest|boot|"
            r"createDataPartition|createFolds|createMultiFolds|createResample|initial_split|vfold_cv|bootstraps|mc_cv|"
            r"group_vfold_cv|cv\.glmnet|train|gbm|nnet|neuralnet|Rtsne|umap|jitter|xgb\.cv|bartMachine|stan|brm|"
            r"rand_forest|tune_grid|layer_dense|nn_linear|shuffle|runif)\("
        ),
        re.compile(r"\bsource\([ ]*[\"']([^\"'\n]{1,200})[\"']"),
        re.compile(r"(?<![\w.])(train|randomForest|ranger|glm|lm|fit|xgboost|xgb\.train|gbm|nnet|cv\.glmnet)\("),
        re.compile(r"Sys\.time|Sys\.getpid|proc\.time|date\("),
        frozenset({"NULL", ""}),
    )


@cache
def _julia() -> _Dialect:
    return _Dialect(
        Framework.JULIA,
        re.compile(r"(?<!\w)((?:Random\.)?seed!|(?:Random\.)?srand|MersenneTwister|Xoshiro|StableRNG|TaskLocalRNG)\("),
        re.compile(
            r"(?<![\w.])((?:Random\.)?(?:rand|randn|randexp|randperm|shuffle|randsubseq|randstring)!?|sample!?|glorot_uniform|"
            r"Dense|Conv|LSTM|GRU|RNN|Dropout|DataLoader|kmeans|RandomForestClassifier|partition|splitobs|shuffleobs)\("
        ),
        re.compile(r"\binclude\([ ]*(?:joinpath\([^\"\n]{0,100})?\"([^\"\n]{1,200})\""),
        re.compile(r"(?<!\w)(train!|fit!|machine|Optimisers\.setup|gradient)\("),
        re.compile(r"\btime\(|time_ns\(|now\(|RandomDevice"),
        frozenset({"nothing", ""}),
    )


_DIALECTS = {Language.R: _r, Language.JULIA: _julia}
"""Made when a file asks for it: most repositories have neither language."""


@dataclass(slots=True)
class _Script:
    """One file: what stands on which line."""

    source: Source
    seeds: list[tuple[int, Seed]] = field(default_factory=list)
    draws: list[tuple[int, str, bool]] = field(default_factory=list)
    """Line, function, and whether it stands at the margin: what is indented may be in a function and run later."""
    includes: list[tuple[int, str]] = field(default_factory=list)
    fits: bool = False
    runs_itself: bool = False
    """Other files may pull it in, but it can be run as well."""


@dataclass(frozen=True, slots=True)
class ScriptFacts:
    """What R and Julia files say."""

    seeds: tuple[Seed, ...]
    uses: tuple[Uses, ...]
    entry_points: tuple[EntryPoint, ...]


def read_scripts(sources: tuple[Source, ...], paths: frozenset[str]) -> ScriptFacts:
    """Seeds, draws and runs of the R and Julia files; `paths` are all files of the tree."""
    scripts = {s.path: _read(s, _DIALECTS[s.language](), paths) for s in sources if s.language in _DIALECTS}
    pulled_in = {path for script in scripts.values() for _, path in script.includes}
    runs = [
        _entry(script, scripts)
        for path, script in scripts.items()
        if (path not in pulled_in or script.runs_itself) and not _is_library(path, paths)
    ]
    seeds = tuple(seed for script in scripts.values() for _, seed in script.seeds)
    return ScriptFacts(seeds, tuple(_uses(scripts.values())), tuple(run for run in runs if run.coverage))


def _uses(scripts: Iterable[_Script]) -> Iterator[Uses]:
    for language, dialect in _DIALECTS.items():
        drawing = [s for s in scripts if s.source.language is language]
        places = [s.source.location(line) for s in drawing for line, _, _ in s.draws]
        if places:
            yield Uses(dialect().framework, len(places), tuple(places[:_SHOWN]))


def _is_library(path: str, paths: frozenset[str]) -> bool:
    """Whether a file is part of a package (R/ beside DESCRIPTION, src/ beside Project.toml) or of its tests."""
    *folders, _ = path.split("/")
    above = "/".join(folders[:-1])
    prefix = above + "/" if above else ""
    in_r = bool(folders) and folders[-1] == "R" and f"{prefix}DESCRIPTION" in paths
    package = bool(folders) and folders[-1] == "src" and f"{prefix}Project.toml" in paths
    return in_r or package or any(f in {"test", "tests", "testthat", "tinytest", "renv"} for f in folders)


def _read(source: Source, dialect: _Dialect, paths: frozenset[str]) -> _Script:
    script = _Script(source)
    lines = [_without_comment(line[:_MAX_LINE]) for line in source.lines]
    text = "\n".join(lines)
    for number, line in enumerate(lines, 1):
        if "(" not in line:
            continue
        for match in dialect.seeds.finditer(line):
            script.seeds.append((number, _seed(match, line, text, source.location(number), dialect)))
        seeds_here = bool(script.seeds) and script.seeds[-1][0] == number
        if not seeds_here and not re.search(r"\b(?:function\b.*\(|rng\b)", line):
            at_margin = not line[:1].isspace()
            script.draws += [(number, match[1], at_margin) for match in dialect.draws.finditer(line)]
        for match in dialect.includes.finditer(line):
            script.includes += [(number, path) for path in _candidates(match[1], source.path) if path in paths]
        script.runs_itself = script.runs_itself or "PROGRAM_FILE" in line
        script.fits = script.fits or dialect.fits.search(line) is not None
    return script


def _without_comment(line: str) -> str:
    return line if "#" not in line else re.sub(r"#[^\"']*$", "", line)


def _candidates(written: str, path: str) -> Iterator[str]:
    yield posixpath.normpath(posixpath.join(posixpath.dirname(path), written))
    yield posixpath.normpath(written)


def _seed(match: re.Match[str], line: str, text: str, place: Location, dialect: _Dialect) -> Seed:
    written = re.sub(r"^seed\s*=\s*", "", re.split(r"[,)]", line[match.end() :], maxsplit=1)[0].strip())
    value, state = _valued(written, text, dialect)
    guard = _guard(line[: match.start()], value) if state in {State.DEFAULT, State.NONE} else ""
    test = any(f in {"test", "tests", "testthat"} for f in place.path.split("/"))
    return Seed(match[1], (dialect.framework,), place, State.GUARDED if guard else state, value, guard, in_test=test)


def _valued(written: str, text: str, dialect: _Dialect) -> tuple[str, State]:
    """The value of a seed's argument; a name is looked up where it is given a value, as a default or plainly."""
    if _NUMBER.fullmatch(written):
        return written.rstrip("L"), State.FIXED
    if dialect.varying.search(written):
        return written[:80], State.VARYING
    if written in dialect.nothing:
        return written or "nothing", State.NONE
    name = re.split(r"[.$]", written)[-1]
    if name.isidentifier():
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
    source = script.source
    seeds = [(i, e) for i, e in enumerate(events) if isinstance(e, Seed)]
    draws = [(i, e) for i, e in enumerate(events) if isinstance(e, Draw)]
    dialect = _DIALECTS[source.language]()
    best = min(seeds, key=lambda s: (s[1].state.rank, s[0]), default=None)
    good = best is not None and (best[1].state.controlled or best[1].state is State.UNKNOWN)
    open_draws = [d for i, d in draws if not good or (best is not None and i < best[0] and d.reason is Reason.EARLY)]
    if not good:
        open_draws = [Draw(d.call, d.location, Reason.UNSEEDED) for d in open_draws]
    state = best[1].state if best is not None else State.MISSING
    if good and draws and len(open_draws) == len(draws):
        state = State.LATE
    coverage = Coverage(
        dialect.framework,
        state,
        len(draws),
        tuple(s.location for _, s in seeds if best is not None and s.state is best[1].state)[:_SHOWN],
        first=draws[0][1].location if draws else None,
        uncovered=tuple(open_draws[:_SHOWN]),
        uncovered_count=len(open_draws),
    )
    kind = Entry.NOTEBOOK if source.notebook is not None else Entry.SCRIPT
    return EntryPoint(source.path, kind, source.path, script.fits, (coverage,) if draws else ())


def _events(script: _Script, scripts: Mapping[str, _Script], path: tuple[str, ...]) -> Iterator[Seed | Draw]:
    place = script.source.path
    if place in path or len(path) > 20:
        return
    draws = [
        (line, Draw(call, script.source.location(line), Reason.EARLY if at_margin else Reason.UNSEEDED))
        for line, call, at_margin in script.draws
    ]
    events: list[tuple[int, Seed | Draw | str]] = [*script.seeds, *draws, *script.includes]
    for _, event in sorted(events, key=lambda e: e[0]):
        if isinstance(event, str):
            if event in scripts:
                yield from _events(scripts[event], scripts, (*path, place))
        else:
            yield event
