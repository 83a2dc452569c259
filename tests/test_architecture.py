"""Imports point downwards only: cli, web, audit, corpus -> rooms -> the shared vocabulary."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.no_cover  # it reads the sources and runs none of them

SOURCE = Path(__file__).parents[1] / "src" / "assay"

ROOMS = frozenset(
    {
        "ablation",
        "article",
        "checklists",
        "comparison",
        "leakage",
        "reproduction",
        "repository",
        "scores",
        "slides",
    }
)
SHARED = frozenset(
    {
        "answers",
        "baseline",
        "bounded",
        "code",
        "database",
        "edits",
        "errors",
        "extras",
        "files",
        "findings",
        "garbage",
        "lenient_html",
        "libraries",
        "memory",
        "metadata",
        "patterns",
        "plain_yaml",
        "program",
        "public_addresses",
        "records",
        "report",
        "reported",
        "rules",
        "project_suppressions",
        "statistics",
        "suppressions",
        "tables",
        "tree",
        "workers",
    }
)
COMBINING = frozenset({"audit", "corpus", "editor", "interface", "site", "web"})

MAY_IMPORT: dict[str, frozenset[str]] = {
    **dict.fromkeys(ROOMS, SHARED),
    **dict.fromkeys(SHARED, SHARED),
    **dict.fromkeys(COMBINING, SHARED | ROOMS | COMBINING),
    "report": frozenset({"findings", "rules", "errors", "patterns", "records"}),
    "reported": frozenset({"errors", "lenient_html", "patterns", "records"}),
    "cli": SHARED | ROOMS | COMBINING,
    "__main__": frozenset({"cli"}),
    "notebook": SHARED | ROOMS,
    "__init__": frozenset({"interface", "notebook"}),
}
"""For each part of the package, the parts it may import besides itself and the bare package."""


def imported_names(file: Path, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of all that a module of `package` imports, wherever in the file it does so."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            origin = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            yield from (
                (node.lineno, arg.value)
                for arg in node.args
                if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            )


def forbidden_imports(source: Path) -> list[str]:
    """One sentence for each import under `source` (the folder of the package) that points the wrong way."""
    parts = {p.stem for p in source.iterdir() if p.is_dir() or p.suffix == ".py"}
    faults = []
    for file in sorted(source.rglob("*.py")):
        where = file.relative_to(source)
        part = where.parts[0].removesuffix(".py")
        if part not in MAY_IMPORT:
            faults.append(f"{where}: say in MAY_IMPORT what the new part {part!r} may import")
            continue
        package = (source.name, *where.parts[:-1])
        for line, name in imported_names(file, package):
            root, _, rest = name.partition(".")
            target = rest.partition(".")[0]
            if root == source.name and target in parts - MAY_IMPORT[part] - {part}:
                faults.append(f"{where}:{line}: {part} imports {target}")
    return faults


def test_no_import_points_upwards_or_sideways() -> None:
    assert forbidden_imports(SOURCE) == []


def test_files_of_others_are_parsed_within_bounds() -> None:
    """`tomllib` takes 8 GB for 100 kB of dots: everything that comes from outside goes through `assay.bounded`."""
    ours = {  # read from the package itself
        *("article/crosswalk.py", "article/model/components.py", "article/proposals/cues.py", "article/rules.py"),
        *("leakage/code/policies/confidence.py", "reported/asides.py", "reported/names.py", "reported/sizes.py"),
        *(
            "audit/addresses.py",
            "audit/chapters.py",
            "audit/examples.py",
            "audit/questions.py",
            "reproduction/categories.py",
            "reproduction/rules/agreement.py",
        ),
        "reported/shares.py",
    }
    direct = [
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        if re.search(r"\btomllib\.loads?\(", file.read_text(encoding="utf-8"))
    ]
    assert set(direct) - ours == {"bounded.py"}


def test_html_of_others_is_parsed_by_the_lenient_parser() -> None:
    """Python before 3.13.4 fails on `<![` with an unknown word."""
    direct = [f.name for f in SOURCE.rglob("*.py") if "html.parser" in f.read_text(encoding="utf-8")]
    assert direct == ["lenient_html.py"]


def test_what_is_slow_to_make_at_the_start_is_made_our_way() -> None:
    """Frozen classes come from `records`, patterns of modules from `patterns`: see there what that saves."""
    faults = []
    for file in sorted(SOURCE.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        standard = re.search(r"^from dataclasses import .*\bdataclass\b", text, re.MULTILINE)
        if file.stem != "records" and standard and "@dataclass(frozen=True" in text:
            faults.append(f"{file.relative_to(SOURCE)}: a frozen class of the standard library")
        if re.search(r"^\w+ = re\.compile\((?!rb)", text, re.MULTILINE):
            faults.append(f"{file.relative_to(SOURCE)}: a pattern that is compiled at once")
    assert faults == []


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A package with two rooms, a shared module and a command line, all of them innocent."""
    source = tmp_path / "assay"
    files = {
        "__init__.py": "",
        "findings.py": "from assay import __version__",
        "errors.py": "import errno",
        "report/__init__.py": "from ..findings import Report",
        "scores/__init__.py": "from assay.findings import Report\nfrom . import solve",
        "scores/solve.py": "import json\nfrom assay.scores import solve",
        "leakage/__init__.py": "from assay import errors",
        "cli/__init__.py": "def main():\n    from assay.scores import solve\n    import assay.leakage",
    }
    for name, text in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    return source


def test_downward_imports_are_allowed(tree: Path) -> None:
    assert forbidden_imports(tree) == []


@pytest.mark.parametrize(
    "statement",
    [
        "import assay.leakage",
        "import assay.leakage.data as data",
        "from assay import leakage",
        "from assay.leakage import data",
        "from .. import leakage",
        "from ..leakage import data",
        "def f():\n    from assay.leakage import data",
        "if TYPE_CHECKING:\n    from assay.leakage import data",
        "importlib.import_module('assay.leakage')",
        "__import__('assay.leakage')",
    ],
)
def test_a_room_that_imports_another_is_caught(tree: Path, statement: str) -> None:
    (tree / "scores" / "solve.py").write_text(statement)
    [fault] = forbidden_imports(tree)
    assert fault.startswith("scores/solve.py:")
    assert fault.endswith("scores imports leakage")


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("findings.py", "from assay.scores import solve"),
        ("errors.py", "from assay.cli import main"),
        ("report/__init__.py", "from .. import scores"),
        ("report/__init__.py", "from assay import suppressions"),
        ("scores/__init__.py", "from assay.cli import main"),
        ("__init__.py", "from assay.scores import check"),
    ],
)
def test_an_upward_import_is_caught(tree: Path, module: str, statement: str) -> None:
    (tree / "suppressions.py").touch()
    (tree / module).write_text(statement)
    assert len(forbidden_imports(tree)) == 1


def test_a_part_without_a_place_in_the_order_is_caught(tree: Path) -> None:
    (tree / "utilities.py").touch()
    assert forbidden_imports(tree) == ["utilities.py: say in MAY_IMPORT what the new part 'utilities' may import"]
