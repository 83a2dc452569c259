"""Which part of a command names something of the repository: behind launchers, wrappers and interpreters."""

from __future__ import annotations

import re
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
_NOTEBOOK_TOOLS = frozenset({"jupyter", "jupyter-notebook", "jupyter-lab", "ipython", "colab"})


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
    first = rest[0]
    if _PYTHON.fullmatch(first):
        return _python(rest[1:])
    if first in _LAUNCHERS:
        return _launched(rest[1:])
    if first in _SHELL:
        script = next((w for w in rest[1:] if not w.startswith("-")), "")
        if script.endswith("activate"):
            return None  # a virtual environment
        at = rest.index(script) if script else 0
        runs = Runs.SCRIPT if script.endswith(".py") else Runs.SHELL
        return Program(runs, script, tuple(rest[at + 1 :])) if script and "-c" not in rest[1:2] else None
    if first in {"pip", "pip3"} or re.fullmatch(r"pip3\.\d+", first):
        return _pip(rest[1:])
    return _tool(first, rest[1:])


def _tool(first: str, rest: list[str]) -> Program | None:
    if first == "make":
        return _make(rest)
    if first in _OTHERS:
        script = next((w for w in rest if w.endswith(_OTHERS[first])), "")
        return Program(Runs.READS, script) if script else None
    if first in _NOTEBOOK_TOOLS or first == "streamlit":
        file = next((w for w in rest if w.endswith((".ipynb", ".py"))), "")
        return Program(Runs.READS, file) if file else None
    if first in {"docker", "docker-compose", "pytest"}:
        return None
    if _RUNNABLE.fullmatch(first) and "/" in first:
        return Program(Runs.SCRIPT if first.endswith(".py") else Runs.SHELL, first, tuple(rest))
    return Program(Runs.COMMAND, first, tuple(rest)) if re.fullmatch(r"[\w.-]{2,60}", first) else None


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
    for at, word in enumerate(rest[:-1]):
        if rest[0] == "env" and word in {"-f", "--file"}:  # conda env create -f environment.yml
            return Program(Runs.READS, rest[at + 1])
    named = next((w.partition("=")[2] for w in rest if w.startswith("--file=")), "")
    return Program(Runs.READS, named) if rest[:1] == ["env"] and named else None


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
