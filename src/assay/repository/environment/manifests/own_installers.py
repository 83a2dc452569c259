"""Functions and loops of the audited code that install or look for what they are given, and what that is.

`def need(module, package): … subprocess.check_call([sys.executable, "-m", "pip", "install", package])`, and then
`need("cv2", "opencv-python")`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import islice

from assay.code import Source
from assay.patterns import regex
from assay.repository.environment.declared import Reading
from assay.repository.environment.manifests.installers import read_words
from assay.tree import Tree

Texts = Callable[[ast.expr, Source], list[str]]
_STARTS = frozenset({"system", "popen", "run", "call", "check_call", "check_output", "Popen", "getoutput", "main"})
_LOOKS = frozenset({"__import__", "import_module", "find_spec"})
_MOST = 100
"""So many functions and loops of one file are looked at: nobody writes more, and each asks for the whole file."""
_PIP = regex(r"\bpip[\d.]*\b.*\binstall\b|^install\b")


def read_own_installers(source: Source, reading: Reading, tree: Tree, texts: Texts) -> None:
    """Add what the calls of such functions and the lists of such loops name; `texts` reads an argument."""
    functions = ((function, _installed(function)) for function in source.nodes(ast.FunctionDef))
    for function, installed in islice(((f, names) for f, names in functions if names), _MOST):
        for place, parameter in enumerate(function.args.args):
            if parameter.arg not in installed:
                continue
            for call in source.calls.of({function.name}):
                given = _given(call, place, parameter.arg)
                if given is not None:
                    read_words(["pip", "install", *texts(given, source)], source.location(call), reading, tree)
    loops = (n for n in source.nodes(ast.For) if isinstance(n.target, ast.Name) and n.target.id in _asked_for(n))
    for loop in islice(loops, _MOST):
        named = [*texts(loop.iter, source), *_gathered(loop.iter, source, texts)]
        read_words(["pip", "install", *named], source.location(loop.iter), reading, tree)


def _gathered(names: ast.expr, source: Source, texts: Texts) -> list[str]:
    """What another loop puts into a list: `for one in NEEDED: … missing.append(one)`."""
    if not isinstance(names, ast.Name):
        return []
    added = {
        call.args[0].id
        for call in source.calls.of({"append"})
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
        if call.func.value.id == names.id and call.args and isinstance(call.args[0], ast.Name)
    }
    loops = (n for n in source.nodes(ast.For) if isinstance(n.target, ast.Name) and n.target.id in added)
    return [text for loop in loops for text in texts(loop.iter, source)]


def _asked_for(loop: ast.For) -> set[str]:
    """The names that a loop installs, or looks for: `for name in NEEDED: __import__(name)`."""
    looked = (n for n in ast.walk(loop) if isinstance(n, ast.Call) and _called(n) in _LOOKS)
    return _installed(loop) | {n.args[0].id for n in looked if n.args and isinstance(n.args[0], ast.Name)}


def _installed(around: ast.FunctionDef | ast.For) -> set[str]:
    """The names that commands which install speak of."""
    found: set[str] = set()
    for node in ast.walk(around):
        if not isinstance(node, ast.Call) or not node.args or _called(node) not in _STARTS:
            continue
        inside = list(ast.walk(node.args[0]))
        words = " ".join(n.value for n in inside if isinstance(n, ast.Constant) and isinstance(n.value, str))
        if _PIP.search(words) is not None:
            found |= {n.id for n in inside if isinstance(n, ast.Name)}
    return found


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _given(call: ast.Call, place: int, name: str) -> ast.expr | None:
    """What a call gives for a parameter."""
    named = next((k.value for k in call.keywords if k.arg == name), None)
    return call.args[place] if named is None and place < len(call.args) else named
