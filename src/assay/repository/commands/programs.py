"""Which part of a command names something of the repository: behind launchers, wrappers and interpreters."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

from assay.patterns import regex
from assay.records import dataclass

_PYTHON = regex(r"(?:\S*/)?(?:python[\d.]*w?|ipython[\d.]*|py|pypy\d?)(?:\.exe)?")
_SHELL = frozenset({"bash", "sh", "zsh", "source", ".", "sbatch", "qsub", "bsub", "csh"})
_OTHERS = {"Rscript": ".R", "julia": ".jl", "th": ".lua", "lua": ".lua", "octave": ".m", "papermill": ".ipynb"}
_WRAPPERS = frozenset(
    {"sudo", "nohup", "nice", "stdbuf", "exec", "env", "command", "xvfb-run", "winpty", "time", "caffeinate"}
)
_RUNNERS = frozenset({"poetry", "uv", "pipenv", "pdm", "hatch", "rye", "pixi"})
_LAUNCHERS = frozenset(
    {
        "torchrun", "deepspeed", "accelerate", "horovodrun", "mpirun", "mpiexec", "srun", "composer", "kernprof",
        "coverage", "taskset", "timeout", "numactl", "conda", "wandb", "ds", "fabric", "chrt", "colossalai", "bfrun",
    }
)  # fmt: skip
_LAUNCHING_MODULES = regex(
    r"torch\.distributed\.(?:launch|run)|accelerate\.commands\.launch|pdb|ipdb|cProfile|profile|trace|scalene|kernprof|"
    r"memory_profiler|line_profiler|debugpy|coverage|torch\.utils\.bottleneck|deepspeed\S*|xla_spawn|torch_xla\S*|"
    r"paddle\.distributed\.launch|"
    r"torchbiggraph\S*|oneflow\.distributed\.launch|mpi4py|bluefog\S*|viztracer"
)
_PYTHON_VALUES = frozenset({"-W", "-X", "-Q"})
_RUNNABLE = regex(r"[\w./-]{1,200}\.(?:py|sh|bash|R|jl)")
_NOTEBOOK_TOOLS = frozenset({"jupyter", "jupyter-notebook", "jupyter-lab", "ipython", "colab", "streamlit"})
_ELSEWHERE = frozenset({"docker", "docker-compose", "pytest"})
"""Programs whose arguments are not followed."""
_PIP = regex(r"pip3?(?:\.\d+)?")
_NAME = regex(r"[\w.-]{2,60}")


class Runs(StrEnum):
    """What a command names."""

    SCRIPT = "script"
    MODULE = "module"
    SHELL = "shell script"
    MAKE = "make target"
    READS = "file"
    INSTALLS = "folder"
    COMMAND = "command"
    """A program by its bare name, which the repository's own package may install."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is run, and the words after it."""

    runs: Runs
    target: str
    arguments: tuple[str, ...] = ()
    folder: str = ""
    """A folder that the command itself changes to (`make -C`)."""
    launcher: tuple[str, ...] = ()
    """The words that a launcher takes before the script: `accelerate launch --config_file fsdp.yml`."""


def find_program(words: tuple[str, ...]) -> Program | None:
    """The part of a command that concerns the repository; None when nothing does."""
    rest = list(words)
    while rest and (rest[0] in _WRAPPERS or (rest[0] in _RUNNERS and rest[1:2] == ["run"])):
        rest = rest[2:] if rest[0] in _RUNNERS else _after_options(rest[1:])
    if not rest:
        return None
    first, given = rest[0], rest[1:]
    reader = next((read for matches, read in _READERS if matches(first)), None)
    if reader is not None:
        return reader(given)
    if first in _OTHERS:
        return _file_among(given, (_OTHERS[first],))
    return _by_its_own_name(first, given)


def _by_its_own_name(first: str, given: list[str]) -> Program | None:
    """A script by its path, or a command that a package may install."""
    if first.endswith(".py") and not given and not first.startswith("."):
        return None  # an entry of a list of files, which no shell would run
    if _RUNNABLE.fullmatch(first) and "/" in first:
        return Program(Runs.SCRIPT if first.endswith(".py") else Runs.SHELL, first, tuple(given))
    return Program(Runs.COMMAND, first, tuple(given)) if _NAME.fullmatch(first) else None


def _shell(given: list[str]) -> Program | None:
    """The script that a shell runs; a line of its own (`-c`) and a virtual environment are none."""
    script = next((w for w in given if not w.startswith("-")), "")
    if not script or script.endswith("activate") or given[:1] == ["-c"]:
        return None
    runs = Runs.SCRIPT if script.endswith(".py") else Runs.SHELL
    return Program(runs, script, tuple(given[given.index(script) + 1 :]))


def _file_among(given: list[str], endings: tuple[str, ...]) -> Program | None:
    file = next((w for w in given if w.endswith(endings)), "")
    return Program(Runs.READS, file) if file else None


def _notebook(given: list[str]) -> Program | None:
    return _file_among(given, (".ipynb", ".py"))


def _python(rest: list[str]) -> Program | None:
    at = 0
    while at < len(rest) and rest[at].startswith("-"):
        flag = rest[at]
        if flag == "-m" and at + 1 < len(rest):
            return _module(rest[at + 1], rest[at + 2 :])
        if flag.startswith("-m") and len(flag) > 2:
            return _module(flag[2:], rest[at + 1 :])
        if flag in {"-c", "-", "--version", "-V", "-h", "--help"}:
            return None
        at += 2 if flag in _PYTHON_VALUES else 1
    if at >= len(rest):
        return None
    return Program(Runs.SCRIPT, rest[at], tuple(rest[at + 1 :]))


def _module(name: str, rest: list[str]) -> Program | None:
    if _LAUNCHING_MODULES.fullmatch(name):
        return _launched(rest)
    if name == "pip":
        return _pip(rest)
    return Program(Runs.MODULE, name, tuple(rest))


def _launched(rest: list[str]) -> Program | None:
    """What comes after a launcher's own options: the first script, module or interpreter."""
    for at, word in enumerate(rest):
        if _PYTHON.fullmatch(word):
            return _python(rest[at + 1 :])
        if word in {"-m", "--module"} and at + 1 < len(rest) and not rest[at + 1].isdigit():
            return Program(Runs.MODULE, rest[at + 1], tuple(rest[at + 2 :]))
        if word.endswith(".py") and not rest[max(0, at - 1)].startswith("--config"):
            return Program(Runs.SCRIPT, word, tuple(rest[at + 1 :]), launcher=tuple(rest[:at]))
    return _conda_environment(rest) if rest[:1] == ["env"] else None


def _conda_environment(rest: list[str]) -> Program | None:
    """The file that `conda env create -f environment.yml` reads."""
    after = (rest[at + 1] for at, word in enumerate(rest[:-1]) if word in {"-f", "--file"})
    joined = (word.partition("=")[2] for word in rest if word.startswith("--file="))
    named = next(after, next(joined, ""))
    return Program(Runs.READS, named) if named else None


def _pip(rest: list[str]) -> Program | None:
    if "install" not in rest:
        return None
    for at, word in enumerate(rest):
        if word in {"-r", "--requirement"} and at + 1 < len(rest):
            return Program(Runs.READS, rest[at + 1])
        if word.startswith("-r") and word.endswith(".txt"):
            return Program(Runs.READS, word[2:])
    for word in rest[rest.index("install") + 1 :]:
        if re.fullmatch(r"\.{1,2}(?:/[\w./-]*)?(?:\[[\w,-]*\])?", word):
            return Program(Runs.INSTALLS, word.partition("[")[0])
    return None


def _make(rest: list[str]) -> Program | None:
    folder, targets, at = "", [], 0
    while at < len(rest):
        word = rest[at]
        if word in {"-C", "--directory"} and at + 1 < len(rest):
            folder, at = rest[at + 1], at + 1
        elif word in {"-f", "--file"}:
            return Program(Runs.READS, rest[at + 1]) if at + 1 < len(rest) else None
        elif word.startswith("-"):
            at += word in {"-j", "-l"} and rest[at + 1 : at + 2] != [] and rest[at + 1].isdigit()
        elif "=" not in word:
            targets.append(word)
        at += 1
    return Program(Runs.MAKE, targets[0] if targets else "", tuple(targets[1:]), folder)


def _after_options(rest: list[str]) -> list[str]:
    at = 0
    while at < len(rest) and (rest[at].startswith("-") or "=" in rest[at]):
        at += 2 if rest[at] in {"-n", "-u", "-s"} else 1
    return rest[at:]


_READERS: tuple[tuple[Callable[[str], object], Callable[[list[str]], Program | None]], ...] = (
    (_PYTHON.fullmatch, _python),
    (_PIP.fullmatch, _pip),
    (_LAUNCHERS.__contains__, _launched),
    (_SHELL.__contains__, _shell),
    ("make".__eq__, _make),
    (_NOTEBOOK_TOOLS.__contains__, _notebook),
    (_ELSEWHERE.__contains__, lambda _: None),
)
"""Who reads the words after each program."""
