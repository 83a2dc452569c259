"""The code and its words stay readable: simple functions, no import cycles, names one can search for, plain English.

The numbers in the tables are ceilings that only come down: a change that improves a room lowers its number.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import complexipy
import pytest

pytestmark = pytest.mark.no_cover

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "assay"
MOST_COMPLEX = 12
"""Cognitive complexity: beyond it a function does not fit into a reader's head at once."""
MOST_OPERATORS = 3
"""`and` and `or` in one condition: beyond it the parts of the condition get names."""

TOO_COMPLEX = {
    "repository": 75,
    "records": 1,
}
"""Functions over the limit that are still there, by room."""
TOO_MANY_OPERATORS = {
    "repository": 3,
    "reproduction": 1,
}
IN_CYCLES: dict[str, int] = {}
"""Modules that import each other in a circle when they are loaded, by room."""
GERUNDS = 34
"""Modules named by a bare gerund, such as `giving.py`."""
VAGUE_FUNCTIONS = 20
"""Functions called `of`, `_told` and the like, which nobody finds by searching."""
FOREIGN_WORDS = {"code": 0, "docs": 0}
"""Uses of the words that the style guide bans."""

_VAGUE = {"of", "_of", "_told", "_said", "_shown", "_listed", "_named"}
_BANNED = re.compile(
    r"\b(?:(?:is|are|was|were|be|been) told|tells? (?:of|that)|told (?:of|that)|mend(?:s|ed|ing)?|(?:be|is|are) had"
    r"|held against|speaks? of|so that nobody|whoever|whatever does|(?:is|are) to be)\b",
    re.IGNORECASE,
)


@cache
def modules() -> tuple[tuple[Path, ast.Module], ...]:
    return tuple((file, ast.parse(file.read_text(encoding="utf-8"))) for file in sorted(SOURCE.rglob("*.py")))


def room_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def over_ceiling(found: Counter[str], ceiling: dict[str, int]) -> dict[str, str]:
    return {room: f"{n} > {ceiling.get(room, 0)}" for room, n in found.items() if n > ceiling.get(room, 0)}


def test_no_more_functions_are_hard_to_follow() -> None:
    found = Counter(
        room_of(file)
        for file, _ in modules()
        for function in complexipy.file_complexity(str(file)).functions
        if function.complexity > MOST_COMPLEX
    )
    assert over_ceiling(found, TOO_COMPLEX) == {}


def test_no_more_conditions_have_many_operators() -> None:
    found: Counter[str] = Counter()
    for file, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.If | ast.While | ast.IfExp):
                joined = [part for part in ast.walk(node.test) if isinstance(part, ast.BoolOp)]
                found[room_of(file)] += sum(len(part.values) - 1 for part in joined) > MOST_OPERATORS
    assert over_ceiling(found, TOO_MANY_OPERATORS) == {}


def test_no_more_modules_import_each_other_in_a_circle() -> None:
    found = Counter(name.split(".")[1] for circle in circles(imports()) for name in circle)
    assert over_ceiling(found, IN_CYCLES) == {}


def test_no_more_modules_are_named_by_a_gerund() -> None:
    assert sum(file.stem.endswith("ing") and "_" not in file.stem for file, _ in modules()) <= GERUNDS


def test_no_more_functions_have_vague_names() -> None:
    functions = (node for _, tree in modules() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    assert sum(node.name in _VAGUE for node in functions) <= VAGUE_FUNCTIONS


@pytest.mark.parametrize("where", FOREIGN_WORDS)
def test_no_more_sentences_use_words_that_the_guide_bans(where: str) -> None:
    texts = strings() if where == "code" else pages()
    assert sum(len(_BANNED.findall(text)) for text in texts) <= FOREIGN_WORDS[where]


def strings() -> Iterator[str]:
    """Every text in the code: messages, docstrings, titles."""
    for _, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def pages() -> Iterator[str]:
    for file in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        yield file.read_text(encoding="utf-8")


# --- import cycles -----------------------------------------------------------------------------------


def imports() -> dict[str, set[str]]:
    """What each module imports when it is loaded; imports inside functions and for type checkers do not count."""
    named = {dotted(file): tree for file, tree in modules()}
    return {name: {one for one in loaded(tree.body, set(named)) if one != name} for name, tree in named.items()}


def dotted(file: Path) -> str:
    return ".".join(file.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


def loaded(body: list[ast.stmt], known: set[str]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield from {full if full in known else str(node.module)} & known
        for part in ("body", "orelse", "finalbody"):
            yield from loaded(getattr(node, part, []), known)


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """The groups of modules each of which leads to every other of its group."""
    reached = {name: reachable(name, graph) for name in graph}
    groups: list[set[str]] = []
    for name in graph:
        group = {other for other in reached[name] if name in reached[other]}
        if len(group) > 1 and group not in groups:
            groups.append(group)
    return groups


def reachable(start: str, graph: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for other in graph[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


def test_a_circle_of_imports_is_seen() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]
