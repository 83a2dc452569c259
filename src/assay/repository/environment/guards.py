"""Can the code do without an import? What stands around it tells, beyond `try`.

This takes a closer look at syntax trees, so it is asked only about what nobody declares.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from assay.code import Code, Language, Source
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.environment.imports import Role, Use
from assay.repository.environment.matching import Undeclared

_TELLS = regex(
    r"available|find_spec|installed|version_info|\bPY[23]\b|\bHAS_|\bHAVE_|_FOUND\b"
    r"|__version__|LooseVersion|parse_version|\bos\.name$|\bsys\.platform|\bplatform\.system$|\bK\.backend$"
    r"|(?:^|_)(?:COLAB|KAGGLE)(?:$|_)",
    re.IGNORECASE,
)
"""How conditions ask what is there: a package, its version, a kind of system, a back end, a host of notebooks."""
_SURROUNDINGS = frozenset({"os.environ", "sys.modules"})
_HOST = "google.colab"
_HINTS = (
    "available", "find_spec", "installed", "version", "py2", "py3", "has_", "have_", "_found", "os.name", "platform",
    "k.backend", "colab", "kaggle", "environ",
)  # fmt: skip
_LOOKING = ("sys.modules", "globals()", "locals()", "NameError")
"""How a file finds out whether a name has a value."""
_OLD = regex(
    r"^[ \t]*print[ \t]+[^\s(=]|^[ \t]*except[ \t]+[\w.()]+[ \t]*,[ \t]*\w+:|\b(?:xrange|raw_input|unicode)\(",
    re.MULTILINE,
)
"""Python 2, of which not everything is understood."""
_ANY = frozenset({"Exception", "BaseException"})
_MUCH = 12
"""A `try` for errors of any kind with so many statements is about its work: that it may lack a package is chance."""
_ADVICE = regex(r"\b(?:install|requires?|required|needed|optional|extra)", re.IGNORECASE)
"""What an error says to whoever calls a function that has more needs than its file."""
_LOSS = regex(
    r"n't work|\b(?:will not|cannot|can't|disabled?|unavailable|not (?:be )?(?:available|work|supported)|skip\w{0,4}"
    r"|without|optional|fall\w{0,3} ?back|unable)\b",
    re.IGNORECASE,
)
"""What somebody is told who has no use for the package, and may go on."""
_ENDS = frozenset({"exit", "quit", "_exit", "abort", "fatal"})


@dataclass(frozen=True, slots=True)
class Guards:
    """Places in one file where imports are conditional, and where a failed import is the end."""

    conditional: tuple[Location, ...] = ()
    """Bodies of `if is_wandb_available():`, `if sys.version_info < (3, 8):` and the like."""
    fatal: tuple[Location, ...] = ()
    """`try` whose handler raises or exits, passes over a name in use, or is there for whatever may go wrong."""
    idle: bool = False
    """The file cannot run where it is: it is no Python of any version, or was taken out of another package."""

    def judged(self, use: Use) -> Use:
        """The use with the role that its surroundings give it."""
        conditional = self.idle or any(_within(use.location, place) for place in self.conditional)
        if use.role is Role.REQUIRED and conditional:
            return replace(use, role=Role.OPTIONAL)
        if use.role is Role.TESTS and conditional:
            return replace(use, role=Role.DEVELOPMENT)
        if use.role is Role.OPTIONAL and not conditional and any(_within(use.location, place) for place in self.fatal):
            return replace(use, role=Role.REQUIRED)
        return use


def judged_closely(uncovered: Iterable[Undeclared], code: Code) -> Iterator[Undeclared]:
    """The same modules, with roles that take conditions around the imports into account."""
    guards: dict[str, Guards] = {}
    several = list(uncovered)
    elsewhere = _from_elsewhere(code) if several else frozenset()
    for one in several:
        uses = []
        for use in one.outside.uses:
            path = use.location.path
            if path not in guards:
                source = code.source(path)
                idle = path in elsewhere
                guards[path] = Guards(idle=True) if idle else Guards() if source is None else read_guards(source)
            uses.append(guards[path].judged(use))
        yield replace(one, outside=replace(one.outside, uses=tuple(_if_at_hand(uses))))


def _if_at_hand(uses: list[Use]) -> list[Use]:
    """The uses of a module; where one place does without it, functions that import it are for those who have it."""
    without = any(use.role is Role.OPTIONAL for use in uses)
    required = [use for use in uses if use.role is Role.REQUIRED]
    if not without or not all(use.lazy for use in required):
        return uses
    return [replace(use, role=Role.OPTIONAL) if use.role is Role.REQUIRED else use for use in uses]


def read_guards(source: Source) -> Guards:
    """The guards of a file; most files have none, and are not looked at closely."""
    guarded = any(imported.guarded for imported in source.imports)
    if not guarded and not source.hints_at(_HINTS):
        return Guards()
    conditional = tuple(source.location(node) for node in source.nodes(ast.If) if _asks_availability(node.test))
    tried = [node for node in source.nodes(ast.Try) if node.handlers]
    fatal = [n for n in tried if (_gives_up(n) and not _advises(n, source)) or _passes(n, source) or _is_wide(n)]
    return Guards(conditional, tuple(source.location(node) for node in fatal))


def _from_elsewhere(code: Code) -> frozenset[str]:
    """Files that somebody took out of another package; where most are such, they are a package that lost its folder."""
    scripts = [source for source in code.own if source.notebook is None and source.language is Language.PYTHON]
    found = frozenset(source.path for source in scripts if _is_from_elsewhere(source, code))
    return found if len(found) * 2 <= len(scripts) else frozenset()


def _is_from_elsewhere(source: Source, code: Code) -> bool:
    """Whether a file that is in no package asks for modules beside it that are not there.

    Somebody took it out of another package, and may mean it to be put back there.
    """
    folder = source.path.rpartition("/")[0]
    if source.notebook is not None or code.source(f"{folder}/__init__.py" if folder else "__init__.py") is not None:
        return False
    relative = (i for i in source.imports if i.level and not i.guarded and not i.in_function)
    return any(code.find(imported, source) is None for imported in relative)


def _asks_availability(test: ast.expr) -> bool:
    return any(_TELLS.search(name) for name in _names(test)) or _asks_surroundings(test)


def _asks_surroundings(test: ast.expr) -> bool:
    """Whether a condition looks for a variable that somebody may have set, a module, or the host of the notebook."""
    if isinstance(test, ast.BoolOp):
        return isinstance(test.op, ast.And) and any(map(_asks_surroundings, test.values[:20]))
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.In):
        return False
    hosted = isinstance(test.left, ast.Constant) and test.left.value == _HOST
    return hosted or ast.unparse(test.comparators[0])[:20] in _SURROUNDINGS


def _names(test: ast.expr) -> list[str]:
    """The names in a condition, its operands, callees and what these are given, without descending far."""
    found: list[str] = []
    waiting: list[ast.expr] = [test]
    while waiting and len(found) < 20:
        node = waiting.pop()
        if isinstance(node, ast.BoolOp):
            waiting += node.values
        elif isinstance(node, ast.UnaryOp):
            waiting.append(node.operand)
        elif isinstance(node, ast.Compare):
            waiting += [node.left, *node.comparators]
        elif isinstance(node, ast.Subscript):
            waiting.append(node.value)
        elif isinstance(node, ast.Call):
            waiting += [node.func, *node.args]
        elif isinstance(node, ast.Attribute):
            found.append(f"{node.value.id}.{node.attr}" if isinstance(node.value, ast.Name) else node.attr)
            waiting.append(node.value)
        elif isinstance(node, ast.Name):
            found.append(node.id)
    return found


def _gives_up(node: ast.Try) -> bool:
    """Whether every handler ends the program: then what is tried is needed."""
    return all(handler.body and _ends(handler.body[-1]) for handler in node.handlers)


def _advises(node: ast.Try, source: Source) -> bool:
    """Whether every handler raises an error that says what to install, in a function: all but that does without."""
    return all(map(_says_what_to_install, node.handlers)) and _are_in_functions([node], source)


def _says_what_to_install(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is not None and _says(last.exc, _ADVICE)


def _says(node: ast.AST, what: re.Pattern[str]) -> bool:
    texts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return any(isinstance(text, str) and what.search(text) is not None for text in texts)


def _is_wide(node: ast.Try) -> bool:
    """Whether a `try` is there for whatever may go wrong in a long piece of work, which happens to import."""
    if not all(map(_catches_all, node.handlers)):
        return False
    statements = (part for statement in node.body for part in ast.walk(statement) if isinstance(part, ast.stmt))
    work = list(islice((s for s in statements if not isinstance(s, ast.Import | ast.ImportFrom)), _MUCH))
    return len(work) == _MUCH and not any(isinstance(statement, ast.Try) for statement in node.body)


def _passes(node: ast.Try, source: Source) -> bool:
    """Whether a failure leaves nothing in place of a name that is used all the same: the error only comes later.

    Not if the name may have a value from elsewhere, if somebody looks whether it has one, if its use is tried too, or
    if the handler says what will not work, and only functions have need of it.
    """
    if not all(isinstance(s, ast.Import | ast.ImportFrom) for s in node.body) or node.orelse or node.finalbody:
        return False
    if not all(_does_nothing(statement) for handler in node.handlers for statement in handler.body):
        return False
    if any(map(source.mentions, _LOOKING)):
        return False
    names = {name for statement in node.body for name in _bound(statement)}
    used = [name for name in source.nodes(ast.Name) if name.id in names]
    others = (s for kind in (ast.Import, ast.ImportFrom) for s in source.nodes(kind) if s not in node.body)
    elsewhere = any(not isinstance(n.ctx, ast.Load) for n in used) or any(names & _bound(other) for other in others)
    if elsewhere or (_tells_the_loss(node) and _are_in_functions(used, source)):
        return False
    return any(not _is_tried(name, source) for name in used)


def _tells_the_loss(node: ast.Try) -> bool:
    """Whether every handler says what there will not be, and goes on."""
    return all(any(_says(statement, _LOSS) for statement in handler.body) for handler in node.handlers)


def _are_in_functions(nodes: Iterable[ast.expr | ast.stmt], source: Source) -> bool:
    """Whether all stand in functions, so that the file can be run or imported without them."""
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = [
        *source.nodes(ast.FunctionDef),
        *source.nodes(ast.AsyncFunctionDef),
    ]
    spans = [(function.body[0].lineno, function.end_lineno or 0) for function in functions]
    return all(any(start <= node.lineno <= end for start, end in spans) for node in nodes)


def _is_tried(name: ast.Name, source: Source) -> bool:
    """Whether a name is used where an error of any kind is caught, so that something else is done without it."""
    around = (node for node in source.nodes(ast.Try) if any(map(_catches_all, node.handlers)))
    return any(node.body[0].lineno <= name.lineno <= (node.body[-1].end_lineno or 0) for node in around)


def _catches_all(handler: ast.ExceptHandler) -> bool:
    kind = handler.type
    return (kind is None or (isinstance(kind, ast.Name) and kind.id in _ANY)) and not _ends(handler.body[-1])


def _does_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (isinstance(statement, ast.Expr) and not _ends(statement))


def _bound(statement: ast.stmt) -> set[str]:
    """Names that an import binds."""
    aliases = statement.names if isinstance(statement, ast.Import | ast.ImportFrom) else []
    return {alias.asname or alias.name.partition(".")[0] for alias in aliases}


def _ends(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Raise):
        return True
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return False
    return (getattr(call.func, "attr", None) or getattr(call.func, "id", None)) in _ENDS


def _within(place: Location, around: Location) -> bool:
    line = place.line or 0
    return place.cell == around.cell and (around.line or 0) <= line <= (around.end_line or around.line or 0)
