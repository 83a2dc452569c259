"""What Python code itself says is to be installed: commands it starts, images and steps it describes, remarks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.code import Source
from assay.code.source import calls_of
from assay.patterns import regex
from assay.repository.environment.declared import Reading
from assay.repository.environment.manifests.installers import read_command, read_words
from assay.repository.environment.manifests.own_installers import read_own_installers
from assay.tree import Tree

_CHECKING = "check_requirements"
"""What forks of YOLO call to get a package at the moment they need it."""
HINTS = ("install", _CHECKING, "pip_packages", "conda_packages", "python_packages", "pip_requirements")
"""Without one of these, code asks for nothing."""
_STARTING = frozenset(
    {
        "os.system", "os.popen", "subprocess.run", "subprocess.call", "subprocess.check_call",
        "subprocess.check_output", "subprocess.Popen", "subprocess.getoutput", "pip.main", "pip._internal.main",
    }
)  # fmt: skip
_METHODS = {
    "pip_install": ["pip", "install"], "uv_pip_install": ["pip", "install"],
    "pip_install_from_requirements": ["pip", "install", "-r"], "conda_install": ["conda", "install"],
    "micromamba_install": ["conda", "install"],
}  # fmt: skip
"""Methods of an image that is described in code (Modal), and the command that each stands for."""
_RUNNING = "run_commands"
_SESSION = "install"
"""What the session of a noxfile is told to do."""
_KEYWORDS = {
    "packages_to_install": ["pip", "install"],  # Kubeflow Pipelines
    "pip_packages": ["pip", "install"],  # Azure ML, BentoML
    "conda_packages": ["conda", "install"],
    "python_packages": ["pip", "install"],  # Beam
    "pip_requirements": ["pip", "install"],  # MLflow
    "extra_pip_requirements": ["pip", "install"],
}
"""Arguments that list what a step, an image or a model needs, and the command that each stands for."""
_MOST_WORDS = 300
_NOT_TOLD = "$"
"""Stands for a word of a command that is only known when it runs."""
_REMARK = regex(r"#[^\n]{0,200}?(?<![\w-])((?:pip[\d.]*|conda|mamba)[ \t]{1,9}install[ \t][^\n]{2,500})")
_COMMAND = regex(r"(?<![\w-])(?:pip[\d.]*|conda|mamba)[ \t]{1,9}install[ \t][^\n]{2,500}")
_OVER = regex(r"[.:!?](?=\s|$)|[()`'\"#\u2014]|\s(?:to|in|for|if|with|from|by|then|before|after|which|on)\s|\s-\s")
"""Where the command ends and the remark goes on."""


def read_code(source: Source, reading: Reading, tree: Tree) -> None:
    """Add all that the code of a script or notebook asks for."""
    if not any(map(source.mentions, HINTS)):
        return
    _read_started(source, reading, tree)
    _read_described(source, reading, tree)
    _read_remarks(source, reading, tree)
    _read_installing_imports(source, reading, tree)
    if source.mentions("install"):
        read_own_installers(source, reading, tree, _texts)


def _read_started(source: Source, reading: Reading, tree: Tree) -> None:
    """Commands that the code starts."""
    for call in calls_of(source, _STARTING):
        command = next(iter(call.node.args), None)
        if isinstance(command, ast.Constant) and isinstance(command.value, str):
            read_command(command.value, call.location, reading, tree)
        elif isinstance(command, ast.List | ast.Tuple):
            words = [_word(part) for part in command.elts[:_MOST_WORDS]]
            by_itself = call.name.startswith("pip.")
            read_words(["pip", *words] if by_itself else words, call.location, reading, tree)


def _read_described(source: Source, reading: Reading, tree: Tree) -> None:
    """Images and steps that the code describes, for a platform to build."""
    for node in source.calls.of({*_METHODS, _RUNNING, _SESSION}):
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        texts = [text for argument in node.args[:_MOST_WORDS] for text in _texts(argument, source)]
        if method == _RUNNING:
            for command in texts:
                read_command(command, source.location(node), reading, tree)
        elif method == _SESSION:
            if source.path.endswith("noxfile.py"):
                read_words(["pip", "install", *texts], source.location(node), reading, tree)
        elif method and texts:
            read_words([*_METHODS[method], *texts], source.location(node), reading, tree)
    for node in source.calls.of({_CHECKING}):
        texts = [text for argument in node.args[:1] for text in _texts(argument, source)]
        read_words(["pip", "install", *texts], source.location(node), reading, tree)
    for keyword in source.nodes(ast.keyword):
        if keyword.arg in _KEYWORDS:
            texts = _texts(keyword.value, source)
            read_words([*_KEYWORDS[keyword.arg], *texts], source.location(keyword.value), reading, tree)


def _read_remarks(source: Source, reading: Reading, tree: Tree) -> None:
    """Commands in comments and in texts: what documents code, and what it says where a package is missing."""
    if not source.mentions("install "):
        return
    for number, line in enumerate(source.lines, 1):
        remark = _REMARK.search(line) if "install " in line and "#" in line else None
        if remark is not None:
            read_command(_OVER.split(remark[1])[0], source.location(number), reading, tree)
    for node in source.strings:
        text = str(node.value)
        for number, line in enumerate(text.split("\n"), node.lineno) if "install " in text else ():
            command = _COMMAND.search(line) if "install " in line else None
            if command is not None:
                read_command(_OVER.split(command[0])[0], source.location(number), reading, tree)


def _read_installing_imports(source: Source, reading: Reading, tree: Tree) -> None:
    """Modules whose import installs another: `import kora.install.rdkit`."""
    for imported in source.imports:
        parts = imported.module.split(".")
        if "install" in parts[1:] and not imported.level:
            named = parts[parts.index("install", 1) + 1 :][:1] or list(imported.names)
            read_words(["pip", "install", *named], imported.location, reading, tree)


def _texts(argument: ast.expr, source: Source) -> list[str]:
    """The texts that an argument gives: one, a list of them, or the name of such a list."""
    return list(_texts_in(argument, source, follow=True))[:_MOST_WORDS]


def _texts_in(argument: ast.expr, source: Source, *, follow: bool) -> Iterator[str]:
    if isinstance(argument, ast.Starred):
        argument = argument.value
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        yield argument.value
    elif isinstance(argument, ast.List | ast.Tuple | ast.Set):
        for part in argument.elts[:_MOST_WORDS]:
            yield from _texts_in(part, source, follow=follow)
    elif isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Add):
        yield from _texts_in(argument.left, source, follow=False)
        yield from _texts_in(argument.right, source, follow=follow)
    elif isinstance(argument, ast.Name) and follow:
        for assigned in source.nodes(ast.Assign):
            if any(isinstance(target, ast.Name) and target.id == argument.id for target in assigned.targets):
                yield from _texts_in(assigned.value, source, follow=False)


def _word(part: ast.expr) -> str:
    if isinstance(part, ast.Constant) and isinstance(part.value, str):
        return part.value
    return "sys.executable" if isinstance(part, ast.Attribute) and part.attr == "executable" else _NOT_TOLD
