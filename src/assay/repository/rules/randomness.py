"""R401 to R405: would the same command draw the same random numbers again."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from assay.code.names import last_name
from assay.findings import Finding, Location, Severity, note
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.reach import reach_of
from assay.repository.rules.instrument import applies_if, loos, repository
from assay.repository.rules.wording import counted, listed

if TYPE_CHECKING:
    from assay.code import Source
    from assay.repository.facts import Repository
    from assay.repository.randomness import Coverage, EntryPoint, State
    from assay.rules import Rule

_SOURCE = loos("section 4.6, Table 5.1: random seed declaration (fixed) in the source code")
_NOTHING = "no run draws random numbers"
_UNSEEDED = """\
==> train.py <==
import torch
model = torch.nn.Linear(3, 1)
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.randn(8, 3)).sum()
loss.backward()
optimiser.step()
"""
_RECORDING = frozenset({"print", "log", "info", "debug", "warning", "write", "dump", "dumps", "add_text", "config"})
_SETTINGS = frozenset({"args", "cfg", "config", "opt", "opts", "FLAGS", "hparams", "params"})
"""What programs call all their options together: who writes them down writes down the seed."""
_RECORDERS = frozenset({"sacred"})
"""Trackers that write down the seed of each run with its settings."""
_PACKAGE_FILES = ("setup.py", "setup.cfg", "pyproject.toml")
_SEVERITIES = (None, Severity.WARNING, Severity.NOTE)
"""From that of the rule down, by the number of doubts."""
_NAME = regex(r"[A-Za-z_][\w.]*\.?seed\w*|[A-Za-z_]\w*(?:\.\w+)+|\b[A-Za-z_]\w+\b")
_SEEDED = _UNSEEDED.replace("import torch\n", "import torch\ntorch.manual_seed(1)\n")
_CALLS = {
    "random": "random.seed({})",
    "numpy": "numpy.random.seed({})",
    "torch": "torch.manual_seed({})",
    "torch.cuda": "torch.cuda.manual_seed_all({})",
    "tensorflow": "tf.random.set_seed({})",
    "jax": "key = jax.random.PRNGKey({})",
    "scikit-learn": "random_state={}",
    "gym": "env.reset(seed={})",
    "cupy": "cupy.random.seed({})",
    "dgl": "dgl.seed({})",
    "mxnet": "mx.random.seed({})",
    "paddle": "paddle.seed({})",
    "mindspore": "mindspore.set_seed({})",
    "R": "set.seed({})",
    "Julia": "Random.seed!({})",
}
"""How each framework is seeded."""


def _draws(facts: Repository) -> bool:
    return bool(facts.randomness.main_entry_points)


@dataclass(frozen=True, slots=True)
class _Cause:
    """What is not seeded, and the runs that come to it; the first is the gravest."""

    runs: tuple[EntryPoint, ...]
    lacking: tuple[Coverage, ...]

    @property
    def first(self) -> EntryPoint:
        return self.runs[0]


def _faulty(facts: Repository, *states: State) -> Iterator[_Cause]:
    """Frameworks whose seed is in one of these states, in the main runs and in those that commands start."""
    started = (e for e in facts.randomness.entry_points if _is_started(facts, e))
    runs = dict.fromkeys((*facts.randomness.main_entry_points, *started))
    causes: dict[object, list[tuple[EntryPoint, tuple[Coverage, ...]]]] = {}
    for entry, evident in product(runs, (True, False)):
        found = tuple(c for c in entry.coverage if c.state in states and c.evident is evident)
        if found:
            place = _place(found)
            shared = place is not None and place.path != entry.path
            causes.setdefault((place if shared else entry, _frameworks(found), evident), []).append((entry, found))
    for members in causes.values():
        members.sort(key=lambda m: _SEVERITIES.index(_severity(facts, *m)))
        yield _Cause(tuple(entry for entry, _ in members), members[0][1])


def _place(lacking: tuple[Coverage, ...]) -> Location | None:
    return next((c.uncovered[0].location for c in lacking if c.uncovered), lacking[0].first)


def _is_started(facts: Repository, entry: EntryPoint) -> bool:
    """Whether a command of the documentation starts this run."""
    return any(command.path == entry.path and not command.within for command in facts.commands.commands)


def _severity(facts: Repository, entry: EntryPoint, lacking: tuple[Coverage, ...]) -> Severity | None:
    """That of the rule for a main run that trains and seeds nothing; less for each doubt."""
    return _SEVERITIES[_doubt(facts, entry, lacking) or _least_doubt(facts, entry, lacking)]


def _doubt(facts: Repository, entry: EntryPoint, lacking: tuple[Coverage, ...]) -> int:
    from assay.repository.facts import NETWORKS
    from assay.repository.randomness import Entry

    explicit = any(c.framework not in NETWORKS for c in lacking)
    seeds_others = any(c.seeded for c in entry.coverage)
    doubts = (
        (2, not lacking[0].evident),
        (2, entry.infers),  # weights are loaded over the first ones, and samples or colours may be meant to differ
        (2, facts.trains and not entry.trains),  # the result comes from other runs
        (2 if entry.kind is Entry.SCRIPT else 1, _shows_a_package(facts, entry)),
        (1, entry not in facts.main_runs and explicit and _is_started(facts, entry)),
        (2, entry not in facts.main_runs and not (explicit and _is_started(facts, entry))),
        (1, seeds_others or any(c.partly for c in lacking)),
        (1, seeds_others and not any(c.certain for c in lacking)),
        (1 if explicit else 2, _only_looks(entry) and entry in facts.main_runs),
    )
    return min(sum(weight for weight, holds in doubts if holds), 2)


def _only_looks(entry: EntryPoint) -> bool:
    from assay.repository.randomness import evaluates

    return not entry.trains or evaluates(entry)


def _least_doubt(facts: Repository, entry: EntryPoint, lacking: tuple[Coverage, ...]) -> int:
    """What may excuse the lack: a seed that commands give, a run that no page names, a seed out of sight."""
    if any("seed" in word for c in facts.commands.commands if c.path == entry.path for word in c.arguments):
        return 2
    return int(not facts.is_main(entry) or _is_seeded_nearby(facts, entry, lacking))


def _is_seeded_nearby(facts: Repository, entry: EntryPoint, lacking: tuple[Coverage, ...]) -> bool:
    """Whether a file that the run imports could seed what lacks a seed, in a way that was not followed."""
    streams = {coverage.framework for coverage in lacking}
    places = {s.location.path for s in facts.randomness.seeds if not (s.in_test or streams.isdisjoint(s.frameworks))}
    return bool(places) and not places.isdisjoint(reach_of({entry.path}, facts.code).used)


def _shows_a_package(facts: Repository, entry: EntryPoint) -> bool:
    """Whether no command starts a run beside a package to install: it may only show how to use that."""
    installs = any(facts.tree.get(name) for name in _PACKAGE_FILES)
    return installs and not _is_started(facts, entry)


def _remedy(facts: Repository, entry: EntryPoint, lacking: Iterable[Coverage]) -> str:
    """The lines to add, and where."""
    source = facts.code.source(entry.path)
    seed = "args.seed" if source is not None and source.mentions("--seed") else "0"
    lacking = tuple(lacking)
    draws = [c.uncovered[0] for c in lacking if c.uncovered and c.uncovered[0].parameter]
    if draws:
        return f"Pass a fixed `{draws[0].parameter}` to `{draws[0].call}`."
    own = [c for c in lacking if c.framework.value != "scikit-learn"]
    calls = [f"`{_CALLS[c.framework.value].format(seed)}`" for c in own]
    if not calls:
        return f"Pass `random_state={seed}` to each of these calls, or call `numpy.random.seed({seed})` before them."
    older = " In TensorFlow 1 it is `tf.set_random_seed`." if any("tf." in call for call in calls) else ""
    return f"Add {' and '.join(calls)} {_where_to_seed(entry, [c.first for c in own if c.first is not None])}.{older}"


def _where_to_seed(entry: EntryPoint, firsts: list[Location]) -> str:
    from assay.repository.randomness import Entry

    if entry.kind is Entry.NOTEBOOK:
        return f"in the first cell of {entry.path}"
    here = sorted(p.line for p in firsts if p.path == entry.path and p.line is not None and p.cell is None)
    if here:
        return f"in {entry.path} before line {here[0]}"
    first = f" (the first draw is at {firsts[0].path}:{firsts[0].line})" if firsts else ""
    return f"at the start of {entry.path}{first}"


def _frameworks(lacking: Iterable[Coverage]) -> str:
    return listed([c.framework.value for c in lacking])


def _seed_of(lacking: Iterable[Coverage]) -> str:
    return f"the seed of {_frameworks(lacking)}"


def _finding(
    rule: Rule[Repository],
    facts: Repository,
    cause: _Cause,
    *,
    what: str,
    advice: str = "",
) -> Finding:
    entry, lacking = cause.first, cause.lacking
    seeds = [s for c in lacking for s in c.seeds]
    where = seeds[0] if seeds else _place(lacking)
    runs = listed([run.path for run in cause.runs], 3)
    start = "" if where is not None and where.path == runs else f"{runs}: "
    quoted = dict.fromkeys([*seeds[:2], *(c.uncovered[0].location for c in lacking if c.uncovered)])
    return rule.finding(
        start + what
        if lacking[0].evident
        else f"{start}{what}, and the run may draw from it: nothing shows that it does by default",
        subject=entry.path,
        location=where,
        evidence=[facts.quote(p) for p in list(quoted)[:4]] or [note("The draws are in what the run reaches.")],
        advice=advice or _remedy(facts, entry, lacking),
        severity=_severity(facts, entry, lacking),
    )


@repository.rule(
    "R401",
    title="Missing random seed",
    severity=Severity.ERROR,
    failing=_UNSEEDED,
    passing=_SEEDED,
    source=_SOURCE,
    advice="Seed every generator at the start of the run.",
)
@applies_if(_draws, otherwise=_NOTHING)
def unseeded(facts: Repository) -> Iterator[Finding]:
    """Without a seed every run gives different numbers: nobody, not even the authors, can repeat the result."""
    from assay.repository.randomness import State

    for cause in _folded(facts, _faulty(facts, State.MISSING)):
        yield _finding(unseeded, facts, cause, what=_what_lacks_a_seed(cause.lacking))


def _what_lacks_a_seed(lacking: tuple[Coverage, ...]) -> str:
    """All draws, or those that are left beside draws with a seed."""
    some = sum(c.uncovered_count for c in lacking)
    if any(c.seeds for c in lacking):
        return f"{_seed_of(lacking)} does not cover {counted(some, 'draw') if some else 'all draws'}"
    calls = list(dict.fromkeys(draw.call.rpartition(".")[2] for c in lacking for draw in c.uncovered))
    if calls and all(c.partly for c in lacking):
        return f"{counted(some, 'draw')} of {_frameworks(lacking)} without a seed ({listed(calls, 3)}); others have one"
    return f"no seed is set for {_frameworks(lacking)}"


def _folded(facts: Repository, causes: Iterable[_Cause]) -> Iterator[_Cause]:
    """The causes, those of several runs as one: nobody thought of seeds, or all ask the same question."""
    alike: dict[object, list[_Cause]] = {}
    for cause in causes:
        severity = _severity(facts, cause.first, cause.lacking)
        alike.setdefault((severity, _kind_of(cause)), []).append(cause)
    for several in alike.values():
        if len(several) > 1:
            streams = {c.framework: c for cause in reversed(several) for c in cause.lacking}
            yield _Cause(tuple(run for cause in several for run in cause.runs), tuple(streams.values()))
        else:
            yield from several


def _kind_of(cause: _Cause) -> object:
    """What makes two causes one: the same condition, no seed at all, or none for the same frameworks."""
    condition = next((c.guard for c in cause.lacking if c.guard), "")
    if any(c.seeds for c in cause.lacking):
        return condition or id(cause)
    thought_of = any(c.seeded for c in cause.first.coverage) or not cause.lacking[0].evident
    return condition or (cause.lacking[0].evident, _frameworks(cause.lacking) if thought_of else "")


@repository.rule(
    "R402",
    title="Random seed that differs in every run",
    severity=Severity.WARNING,
    failing=_UNSEEDED.replace("import torch\n", "import time\nimport torch\ntorch.manual_seed(int(time.time()))\n"),
    passing=_SEEDED,
    source=_SOURCE,
    advice="Use a constant seed, or an option with a constant default, and log it.",
)
@applies_if(_draws, otherwise=_NOTHING)
def varying(facts: Repository) -> Iterator[Finding]:
    """A seed from the clock, or None, only looks like control: no run can be repeated."""
    from assay.repository.randomness import State

    for cause in _faulty(facts, State.VARYING, State.NONE):
        lacking = cause.lacking
        clock = any(c.state is State.VARYING for c in lacking)
        left_out = [c.uncovered[0].call for c in lacking if c.uncovered and c.uncovered[0].parameter]
        what = f"{_seed_of(lacking)} {'changes from run to run' if clock else 'is None unless the user sets one'}"
        drawn = [seed for c in lacking for seed in c.seeds if _is_drawn_by_default(facts, seed)]
        what = f"{_seed_of(lacking)} is drawn anew unless the user sets one" if drawn else what
        what = f"{listed(left_out)} draws with a generator of its own, which no seed is given" if left_out else what
        found = _finding(varying, facts, cause, what=what)
        seeds = [seed for c in lacking for seed in c.seeds]
        recorded = _is_recorded(facts, seeds) or any(tool.name in _RECORDERS for tool in facts.models.trackers)
        yield replace(found, severity=Severity.NOTE) if (clock or drawn) and recorded else found


def _is_drawn_by_default(facts: Repository, seed: Location) -> bool:
    """Whether the very value that seeds is assigned from a random draw: `cfg["seed"] = randint(...)`."""
    source, line = facts.code.source(seed.path), facts.quote(seed).text
    assigned = source.nodes(ast.Assign) if source is not None else ()
    return any(ast.unparse(t).replace("'", '"') in line and _draws_a_number(a) for a in assigned for t in a.targets)


def _draws_a_number(assignment: ast.Assign) -> bool:
    calls = (node for node in ast.walk(assignment.value) if isinstance(node, ast.Call))
    return any("random" in ast.unparse(call.func) for call in calls)


def _is_recorded(facts: Repository, seeds: Iterable[Location]) -> bool:
    """Whether the value that seeds is printed or logged: then the run can be repeated with it."""
    sources = ((seed, source) for seed in seeds if (source := facts.code.source(seed.path)) is not None)
    return any(_writes_down(source, _NAME.findall(facts.quote(seed).text)) for seed, source in sources)


def _writes_down(source: Source, names: Iterable[str]) -> bool:
    seeds = [name for name in names if "seed" in name]
    whole = {name.partition(".")[0] for name in names} & _SETTINGS
    calls = [node for node in source.nodes(ast.Call) if last_name(node.func) in _RECORDING]
    all_of_them = any(isinstance(a, ast.Name) and a.id in whole for call in calls for a in call.args)
    return all_of_them or any(name in ast.unparse(call) for call in calls for name in seeds)


@repository.rule(
    "R403",
    title="Random seed set only under a condition",
    severity=Severity.WARNING,
    failing="""\
==> train.py <==
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
if args.seed != 0:
    torch.manual_seed(args.seed)
model = torch.nn.Linear(3, 1)
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 3)).sum().backward()
optimiser.step()
""",
    passing=_SEEDED,
    source=_SOURCE,
    advice="Give the option a default for which the condition holds, or state in the README the seed that was used.",
)
@applies_if(_draws, otherwise=_NOTHING)
def guarded(facts: Repository) -> Iterator[Finding]:
    """The documented command runs without a seed, although the code contains one."""
    from assay.repository.randomness import State

    for cause in _folded(facts, _faulty(facts, State.GUARDED)):
        lacking = cause.lacking
        condition = next((c.guard for c in lacking if c.guard), "")
        asked = _asks_for_the_seed(facts, condition, [seed for c in lacking for seed in c.seeds])
        when = f"if `{condition}`" if condition else "under a condition"
        what = f"{_seed_of(lacking)} is set only {when}, which may be false"
        found = _finding(guarded, facts, cause, what=what, advice=guarded.advice)
        needed = asked and not _is_always_given(facts, cause, condition)
        yield found if needed else replace(found, severity=Severity.NOTE)


def _is_always_given(facts: Repository, cause: _Cause, condition: str) -> bool:
    """Whether every documented command of these runs gives an option that the condition asks for: `--seed=0`."""
    paths = {run.path for run in cause.runs}
    commands = [command for command in facts.commands.commands if command.path in paths and not command.inline]
    names = {f"--{name.rpartition('.')[2]}".replace("_", "-") for name in _NAME.findall(condition)}
    given = [{word.partition("=")[0].replace("_", "-") for word in command.arguments} for command in commands]
    return bool(given) and all(not names.isdisjoint(words) for words in given)


def _asks_for_the_seed(facts: Repository, condition: str, seeds: Iterable[Location]) -> bool:
    """Whether the condition is about the very value that seeds: `if args.seed: manual_seed(args.seed)`.

    Any other, such as the name of a data set, may hold whenever the draws happen.
    """
    names = set(_NAME.findall(condition))
    return any(not names.isdisjoint(_NAME.findall(facts.quote(seed).text)) for seed in seeds)


@repository.rule(
    "R404",
    title="Random seed set too late",
    severity=Severity.WARNING,
    failing=_UNSEEDED + "torch.manual_seed(1)\n",
    passing=_SEEDED,
    source=_SOURCE,
    advice="Move the seed to the start of the run.",
)
@applies_if(_draws, otherwise=_NOTHING)
def late(facts: Repository) -> Iterator[Finding]:
    """Weights drawn before the seed is set differ from run to run; the seed covers only what follows."""
    from assay.repository.randomness import State

    for cause in _faulty(facts, State.LATE):
        what = f"{_seed_of(cause.lacking)} is set only after the first draws"
        yield _finding(late, facts, cause, what=what, advice=late.advice)
