"""Command lines that are no argparse: absl and TensorFlow flags, click, typer, fire, tyro and docopt."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.code import Call, Source, calls
from assay.code.names import dotted
from assay.code.source import calls_of
from assay.patterns import regex
from assay.repository.commands.interface import MANY, Interface, Option
from assay.repository.commands.parsers import constant_texts, literal_choices, literal_text

_ABSL_OWN = (
    "--logtostderr", "--alsologtostderr", "--log_dir", "--v", "--verbosity", "--stderrthreshold", "--flagfile",
    "--undefok", "--pdb_post_mortem", "--pdb", "--run_with_pdb", "--only_check_args", "--showprefixforinfo",
)  # fmt: skip
_DOCOPT = regex(r"(?<![\w-])(--?[A-Za-z][\w-]{0,60})(?:[ =](<[^>\n]{1,60}>|[A-Z][A-Z_]{1,40})\b)?")
_FRAMES = ("click", "typer", "rich_click", "asyncclick")
_STARTING = frozenset({"command", "group", "callback"})
Function = ast.FunctionDef | ast.AsyncFunctionDef
_CONFIGURING = frozenset({"DEFINE_config_file", "DEFINE_config_dict"})
_REQUIRING = frozenset({"mark_flag_as_required", "mark_flags_as_required"})
_TYPER = frozenset({"typer.run"})
_FIRE = frozenset({"fire.Fire", "tyro.cli"})


def read_flags(sources: list[Source]) -> Interface | None:
    """The flags that the files define, with those that absl itself has."""
    found = list(_flag_calls(sources))
    defined = [(last, call) for last, call in found if last not in _REQUIRING and call.node.args]
    if not defined:
        return None
    if any(literal_text(call.node.args[0]) is None for _, call in defined):
        return Interface(open="flags are made at run time")
    required = {name for last, call in found if last in _REQUIRING for name in _listed_texts(call.node)}
    options = [_flag(last, call, required) for last, call in defined]
    own = [Option((name,), options[0].location, values=1) for name in _ABSL_OWN]
    configured = not _CONFIGURING.isdisjoint(last for last, _ in defined)
    why = "a configuration file has settings of its own" if configured else ""
    return Interface((*options, *own), open=why, single_dash=True, negated=("--no",))


def _flag_calls(sources: list[Source]) -> Iterator[tuple[str, Call]]:
    """The calls that define flags or require them, with their last names."""
    for source in sources:
        for call in calls(source) if source.mentions("DEFINE_") or source.mentions("mark_flag") else ():
            last = call.name.rpartition(".")[2]
            if last.startswith("DEFINE_") or last in _REQUIRING:
                yield last, call


def _flag(last: str, call: Call, required: set[str]) -> Option:
    node = call.node
    name = literal_text(node.args[0]) or ""
    needed = any(k.arg == "required" and isinstance(k.value, ast.Constant) for k in node.keywords)
    choices = literal_choices(node.args[2]) if last == "DEFINE_enum" and len(node.args) > 2 else ()
    values = 0 if last in {"DEFINE_boolean", "DEFINE_bool"} else 1
    return Option((f"--{name}",), call.location, needed or name in required, choices, values)


def _listed_texts(node: ast.Call) -> list[str]:
    first = node.args[0] if node.args else None
    return list(constant_texts(first.elts if isinstance(first, ast.List) else node.args))


def read_click(source: Source) -> Interface | None:
    """Options of functions that click or typer decorate; of several commands, all together."""
    if not any(source.mentions(name) for name in ("click", "typer")):
        return None
    options: list[Option] = []
    positional: list[Option] = []
    run = {dotted(call.node.args[0]) for call in calls_of(source, _TYPER) if call.node.args}
    commands, why = 0, ""
    for function in source.nodes(ast.FunctionDef):
        names = [source.resolve(d.func if isinstance(d, ast.Call) else d) for d in function.decorator_list]
        lasts = [name.rpartition(".")[2] for name in names]
        if function.name not in run and not _STARTING & set(lasts):
            continue
        commands += 1
        if any(n.partition(".")[0] not in _FRAMES and m not in _STARTING for n, m in zip(names, lasts, strict=True)):
            why = "decorators of its own may add options"
        if "option" in lasts or "argument" in lasts or not source.mentions("typer"):
            _decorators(function, lasts, source, options, positional)
        else:
            _parameters(function, source, options, positional)
    if not commands:
        return None
    own = [Option((name,), source.location(None), values=0) for name in ("--install-completion", "--show-completion")]
    return Interface((*options, *own), tuple(positional), why, exact=commands == 1, negated=("--no-",))


def _decorators(
    function: Function, lasts: list[str], source: Source, options: list[Option], positional: list[Option]
) -> None:
    for decorator, last in zip(function.decorator_list, lasts, strict=True):
        if isinstance(decorator, ast.Call) and last in {"option", "argument"}:
            _clicked(decorator, last, source, options, positional)


def _clicked(decorator: ast.Call, kind: str, source: Source, options: list[Option], positional: list[Option]) -> None:
    names = [part.strip() for text in constant_texts(decorator.args) for part in text.split("/")]
    given = {k.arg: k.value for k in decorator.keywords}
    place = source.location(decorator)
    required = given.get("required")
    stated = bool(required.value) if isinstance(required, ast.Constant) else None
    if kind == "argument":
        nargs = given.get("nargs")
        needed = stated is not False and "default" not in given and nargs is None
        positional.append(Option(tuple(names[:1]) or ("argument",), place, needed))
        return
    dashed = [n for n in names if n.startswith("-")]
    if not dashed:
        return
    kind_of = given.get("type")
    chosen = (
        kind_of.args[0]
        if isinstance(kind_of, ast.Call) and dotted(kind_of.func).endswith("Choice") and kind_of.args
        else None
    )
    switch = (
        "is_flag" in given or "count" in given or len(dashed) != len([n for n in dashed if not n.startswith("--no-")])
    )
    values = 0 if switch else MANY if "nargs" in given else 1
    options.append(Option(tuple(dashed), place, stated is True, literal_choices(chosen), values))


def _parameters(function: Function, source: Source, options: list[Option], positional: list[Option]) -> None:
    """typer: a parameter with a default is an option, one without is an argument."""
    a = function.args
    ordinary = [*a.posonlyargs, *a.args]
    defaults: list[ast.expr | None] = [None] * (len(ordinary) - len(a.defaults)) + list(a.defaults)
    for parameter, default in [*zip(ordinary, defaults, strict=True), *zip(a.kwonlyargs, a.kw_defaults, strict=True)]:
        place = source.location(parameter)
        noted = (
            " ".join(dotted(n.func) for n in ast.walk(parameter.annotation) if isinstance(n, ast.Call))
            if parameter.annotation
            else ""
        )
        maker = dotted(default.func) if isinstance(default, ast.Call) else ""
        if "Argument" in maker + noted or (default is None and "Option" not in noted):
            positional.append(Option((parameter.arg,), place, default is None and "Argument" not in noted))
            continue
        named = [
            *(default.args if isinstance(default, ast.Call) else ()),
            *(
                arg
                for n in (ast.walk(parameter.annotation) if parameter.annotation else ())
                if isinstance(n, ast.Call)
                for arg in n.args
            ),
        ]
        written = [p for t in constant_texts(named) for p in t.split("/") if t.startswith("-")]
        names = (
            *written,
            *([] if any(w.startswith("--") for w in written) else ["--" + parameter.arg.replace("_", "-")]),
        )
        switch = isinstance(parameter.annotation, ast.Name) and parameter.annotation.id == "bool"
        options.append(Option(tuple(names), place, values=0 if switch else 1))


def read_fire(source: Source) -> Interface | None:
    """Fire and tyro: the parameters of a function, or the fields of a class, of the same file."""
    for call in calls_of(source, _FIRE):
        name = dotted(call.node.args[0]) if call.node.args else ""
        for function in source.nodes(ast.FunctionDef):
            a = function.args
            if function.name == name and a.kwarg is None and a.vararg is None:
                names = [p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
                options = tuple(Option((f"--{n}",), source.location(function)) for n in names)
                annotated = call.name == "tyro.cli" and any(
                    not isinstance(p.annotation, ast.Name) or p.annotation.id not in {"int", "str", "float", "bool"}
                    for p in (*a.args, *a.kwonlyargs)
                )
                why = "parameters have options of their own" if annotated else ""
                return Interface(options, open=why, exact=False, any_case=True, negated=("--no", "--no-"))
        return Interface(open=f"{call.name} takes its options from an object")
    return None


def read_docopt(source: Source) -> Interface | None:
    """docopt: the options that the usage text names."""
    if not source.mentions("docopt(") or source.tree is None:
        return None
    usage = ast.get_docstring(source.tree) or ""
    if "usage" not in usage.lower():
        return Interface(open="the usage text is made at run time")
    place = source.location(1)
    options = tuple(Option((m[1],), place, values=1 if m[2] else 0) for m in _DOCOPT.finditer(usage[:20_000]))
    return Interface(options, exact=False)
