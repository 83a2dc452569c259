"""Whether a file fits or optimises something: its own code does, code that it imports, or what it starts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from assay.code import Code, Source
from assay.patterns import regex

MAKEFILE, PIPELINE, ANY_NOTEBOOK = "makefile:", "dvc.yaml", ".ipynb"
"""What a name begins with that is a target; the pipeline of DVC; and notebooks whose names are not told."""
FITTING = (
    ".backward(", ".fit(", ".minimize(", "apply_gradients", "optimizer.step", ".fit_generator(", "optax.apply_updates",
    "MCMC(", "SVI(", "pm.sample(", ".fit_predict(", ".learn(", "train_on_batch(", "lgb.train(", "xgb.train(",
    "q_table[",
)  # fmt: skip
_PERHAPS_FITTING = (*FITTING, "train(")
"""`model.train(False)` prepares a network for its test, so that this says nothing in a script for tests."""
_SCRIPT = regex(
    r"(?:(?:\b(?:torchrun|deepspeed|horovodrun|srun|mpirun|mpiexec|accelerate launch|uv run|"
    r"python[\d.]* +-m +torch\.distributed\.(?:launch|run))|\$\{?\w{1,40}\}?\"?)"
    r"(?: +--?[\w-]{1,40}(?:[= ][\w.:/$-]{1,60})??){0,8} +(?=[\w./-]{1,150}\.py\b)|"
    r"\bpython[\dw.]* +(?:-[a-ln-zA-Z] +)?(?:-m +([\w.]{1,150})|(?=[\w./]))|(?<![\w./\\])(?=\./))"
    r"(?(1)|([\w./-]{1,150}\.py)\b)(?=([^\n#(;&|]{0,200}))"
)
SHELL = regex(
    r"(?:\b(?:bash|sh|source|sbatch)\s+(?:--?[\w-]{1,30}(?:=\S{1,80})?\s+){0,6}|(?<![\w./])\./)"
    r"(?:\./)?([\w./-]{1,150}\.(?:sh|bash|sbatch|slurm))\b"
)
NO_TRAINING = regex(
    r"(?:^|\s)(?:-h|--help|--?(?:test|eval\w{0,10}|predict|infer\w{0,6}|demo|plot)(?:[= ]true)?)(?=\s|`|$)"
)
"""Options of a command that does something else than training."""
_OTHER_SCRIPT = regex(
    r"(?:^|[/_.-])(?:test|eval|infer|predict|demo|plot|draw|vis|download|pre_?process|prepare|process|convert|generate|"
    r"sample|app|setup|make|build|create|extract|analy|compar)[^/]{0,60}$"
)
"""Scripts whose names say that they do something else; what they import may well train."""
_STARTING = ("subprocess", "os.system", "runpy")
"""By these a script starts others."""
_RULE = regex(
    r"^([\w.-]{1,60}(?: [\w.-]{1,60}){0,5})[ \t]*:(?!=)([^\n]{0,500})\n"
    r"((?:\t[^\n]{0,1000}(?:\n|$)|[ \t]*\n){0,100})",
    re.MULTILINE,
)
"""A rule of a Makefile: targets, what they need first, and what is done."""
_VARIABLE = regex(r"^(\w{1,60})[ \t]*[:?]?=[ \t]*([^\n#]{0,200}?)[ \t]*$", re.MULTILINE)
_REFERENCE = regex(r"\$[({](\w{1,60})[)}]")
_LONGEST_SHELL = 20_000
_COMMANDS = 10
"""So many commands of one shell script are followed."""
_HOPS, _FILES = 3, 60
"""How far, and through how many files, imports and what scripts start are followed."""


def scripts(commands: str) -> Iterator[tuple[int, str, str]]:
    """Place, script and words of each command that may be training."""
    for match in _SCRIPT.finditer(commands):
        if not NO_TRAINING.search(match[3]):
            name = match[2] or match[1].replace(".", "/") + ".py"
            yield match.start(), name.removeprefix("./"), match[0]


def trains(name: str, code: Code, hops: int = _HOPS) -> bool:
    """Whether what is told to run trains: a script or notebook, a shell script, a folder, a target, a pipeline."""
    if name.startswith(MAKEFILE):
        return any(_started(text, code, hops) for text in _recipes(name.removeprefix(MAKEFILE), code))
    if not name.endswith((".py", ANY_NOTEBOOK)):
        if name in code.modules.tree.folders:
            return mentions_any([s for s in code.own if s.path.startswith(name + "/")], FITTING)
        shells = [f for f in code.modules.tree.own if f.path == name or f.path.endswith("/" + name)][:3]
        return any(_started(f.text()[:_LONGEST_SHELL], code, hops) for f in shells)
    if name == ANY_NOTEBOOK:
        return mentions_any([s for s in code.own if s.path.endswith(ANY_NOTEBOOK)], FITTING)
    named = called(name, code)
    if _OTHER_SCRIPT.search(name.lower()):
        return mentions_any(named, FITTING)
    return any(
        mentions_any(sources, _PERHAPS_FITTING) for sources in (named, imported_by(named, code), _others(named, code))
    )


def trains_itself(name: str, code: Code) -> bool:
    """Whether a file that is only named is something to run, called like nothing else, and trains without others."""
    if _OTHER_SCRIPT.search(name.lower()):
        return False
    if name.endswith(".sh"):
        return trains(name, code)
    return mentions_any([s for s in called(name, code) if runs(s)], FITTING)


def only_defines(name: str, code: Code) -> bool:
    """Whether all files of this name do nothing when they are started, and only have what others import."""
    named = called(name, code)
    return bool(named) and not any(map(runs, named))


def called(name: str, code: Code) -> list[Source]:
    """The repository's own files that a name in a README may mean."""
    return [s for s in code.own if s.path == name or s.path.endswith("/" + name)][:3]


def runs(source: Source) -> bool:
    """Whether a file does something when it is started, and not only defines what others use."""
    if source.notebook is not None or source.mentions("__main__") or source.tree is None:
        return True
    return any(map(_acts, source.tree.body))


def _acts(step: ast.stmt) -> bool:
    """Whether a statement is a loop, or calls something of an object as `model.fit(rows)` does."""
    value = step.value if isinstance(step, ast.Expr | ast.Assign) else None
    calls = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
    return calls or isinstance(step, ast.For | ast.While | ast.With)


def _started(commands: str, code: Code, hops: int) -> bool:
    """Whether one of the commands trains, or a shell script that one of them starts."""
    text = commands.replace("\\\n", "  ")
    found = [name for _, name, _ in scripts(text)][:_COMMANDS]
    if hops:
        found += [match[1] for match in SHELL.finditer(text)][:_COMMANDS]
    return any(trains(name, code, hops - 1) for name in dict.fromkeys(found))


def _recipes(target: str, code: Code) -> list[str]:
    """What a target of the Makefile does, with all that it needs first."""
    makefile = next((f for f in code.modules.tree.directly_in("") if f.name.lower() == "makefile"), None)
    if makefile is None:
        return []
    text = makefile.text()[:_LONGEST_SHELL].replace("\\\n", "  ")
    values = dict(_VARIABLE.findall(text))
    text = _REFERENCE.sub(lambda match: values.get(match[1], match[0]), text)
    rules = {name: (rule[2].split(), rule[3]) for rule in _RULE.finditer(text) for name in rule[1].split()}
    waiting, done = [target], list[str]()
    while waiting and len(done) < _FILES:
        needs, recipe = rules.pop(waiting.pop(), ([], ""))
        waiting += needs
        done.append(recipe)
    return done


def mentions_any(sources: list[Source], words: tuple[str, ...]) -> bool:
    """Whether one of the files has one of the words."""
    return any(s.mentions(word) for s in sources for word in words)


def imported_by(sources: list[Source], code: Code) -> list[Source]:
    """The repository's own files that these import, directly or over a few others."""
    seen = {s.path: s for s in sources}
    last = sources
    for _ in range(_HOPS):
        found: list[Source] = []
        for source in last:
            for imported in source.imports:
                path = code.find(imported, source)
                inner = code.source(path) if path else None
                if inner and inner.path not in seen and len(seen) < _FILES:
                    seen[inner.path] = inner
                    found.append(inner)
        last = found
    return [s for path, s in seen.items() if s not in sources]


def _others(sources: list[Source], code: Code) -> list[Source]:
    """The repository's own scripts that these start by name."""
    starting = [s for s in sources if s.hints_at(_STARTING)]
    words = [str(constant.value) for s in starting for constant in s.strings]
    names = [
        word.rpartition("/")[2] for word in words if word.endswith(".py") and not _OTHER_SCRIPT.search(word.lower())
    ]
    return [source for name in dict.fromkeys(names[:_FILES]) for source in called(name, code)]
