"""A notebook's numbers, outputs and names tell whether it would run again from top to bottom."""

import json
from typing import Any

import pytest

from assay.code import read_code
from assay.findings import Location
from assay.repository.notebooks import NotebookRun, read_notebooks
from assay.tree import tree_of


def run_of(*cells: str | tuple[str, int | None] | dict[str, Any], kernel: str = "python3") -> NotebookRun:
    made = []
    for cell in cells:
        text, count = (cell, None) if isinstance(cell, str) else cell if isinstance(cell, tuple) else ("", None)
        plain = {"cell_type": "code", "source": text, "execution_count": count, "outputs": []}
        made.append(plain | cell if isinstance(cell, dict) else plain)
    metadata = {"kernelspec": {"name": kernel, "language": "python"}, "language_info": {"version": "3.9.1"}}
    tree = tree_of({"a.ipynb": json.dumps({"cells": made, "metadata": metadata})})
    [run] = read_notebooks(tree, read_code(tree))
    return run


def cells_of(places: tuple[Location, ...]) -> list[int | None]:
    return [place.cell for place in places]


# --- numbers and outputs ---------------------------------------------------------------------------


def test_a_notebook_run_once_from_top_to_bottom_is_linear() -> None:
    run = run_of(("a = 1", 1), ("b = 2", 2), ("", None), ("c = 3", 3))
    assert run.linear
    assert run.code_cells == 3
    assert (run.kernel, run.language_version) == ("python3", "3.9.1")


def test_cells_run_out_of_order_are_named() -> None:
    run = run_of(("a = 1", 1), ("b = 2", 4), ("c = 3", 2), ("d = 4", 4), ("e = 5", 5))
    assert cells_of(run.out_of_order) == [3, 4]
    assert run.gaps == (3,)
    assert not run.linear


@pytest.mark.parametrize("count", [None, 0])
def test_cells_without_a_number_were_never_run(count: int | None) -> None:
    run = run_of(("a = 1", 1), ("b = 2", count))
    assert cells_of(run.never_run) == [2]
    assert not run.linear


def test_exceptions_in_outputs_are_errors() -> None:
    failed = {"output_type": "error", "ename": "NameError", "evalue": "name 'x' is not defined", "traceback": []}
    [(place, message)] = run_of(("a = 1", 1), {"source": "x", "execution_count": 2, "outputs": [failed]}).errors
    assert place == Location("a.ipynb", cell=2)
    assert message == "NameError: name 'x' is not defined"


def test_to_run_the_imports_again_is_not_out_of_order() -> None:
    assert run_of(("import os\n# tools\nfrom a import b", 4), ("x = 1", 2), ("print(x)", 3)).out_of_order == ()
    assert len(run_of(("import os\ny = 1", 4), ("x = 1", 2), ("print(x)", 3)).out_of_order) == 2


def test_absurd_numbers_do_no_harm() -> None:
    run = run_of(("a = 1", 10**18), ("b = 1", -5), ("c = 1", 10**400))
    assert len(run.gaps) <= 10_003


# --- hidden state ----------------------------------------------------------------------------------


def hidden(*cells: str) -> list[tuple[str, int | None, int | None]]:
    return [(d.name, d.used.cell, d.defined.cell if d.defined else None) for d in run_of(*cells).hidden_state]


def test_a_name_defined_only_further_down_is_hidden_state() -> None:
    assert hidden("print(x)", "x = 1") == [("x", 1, 2)]


def test_a_name_defined_nowhere_is_hidden_state() -> None:
    assert hidden("import numpy as np", "model.fit(np.ones(3))") == [("model", 2, None)]


def test_a_name_that_only_functions_use_is_told_apart() -> None:
    [inside] = run_of("def f():\n    return nowhere").hidden_state
    assert (inside.name, inside.deferred) == ("nowhere", True)
    [outside] = run_of("def f():\n    return nowhere", "print(nowhere)").hidden_state
    assert (outside.used.cell, outside.deferred) == (2, False)


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("x = 1\n", ["y"]),
        ("from more import *\n", []),
        ("from gone import *\n", []),
        ("globals()['y'] = 1\n", []),
    ],
)
def test_stars_of_modules_of_the_repository_bring_the_names_they_have(module: str, names: list[str]) -> None:
    cells = [{"cell_type": "code", "source": text, "outputs": []} for text in ("from own import *", "print(x, y)")]
    files = {"a.ipynb": json.dumps({"cells": cells, "metadata": {}}), "own.py": module, "more.py": "x = y = 1\n"}
    tree = tree_of(files)
    [run] = read_notebooks(tree, read_code(tree))
    assert [d.name for d in run.hidden_state] == names


def test_an_import_further_down_is_no_hidden_state_where_a_star_may_bring_it() -> None:
    assert hidden("from somewhere import *", "plt.plot(1)", "import matplotlib.pyplot as plt") == []
    assert hidden("from somewhere import *", "print(x)", "x = 1") == [("x", 2, 3)]


def test_a_name_that_a_function_uses_may_come_later() -> None:
    assert hidden("def f():\n    return x", "x = 1\nf()") == []


def test_a_name_that_a_function_uses_must_come_at_some_time() -> None:
    assert hidden("def f():\n    return x", "f()") == [("x", 1, None)]


@pytest.mark.parametrize(
    "text",
    [
        "for i, (a, *b) in []:\n    print(i, a, b)",
        "print([x * y for x in [1] for y in [x] if y])",
        "f = lambda a, *b, c=1, **d: (a, b, c, d)",
        "with open('x') as handle:\n    handle.read()",
        "try:\n    1\nexcept ValueError as error:\n    print(error)",
        "class A:\n    y = 1\n    z = y\n    def m(self):\n        return A",
        "if (n := 3) > 2:\n    print(n)",
        "import os.path, numpy.linalg as la\nos, la",
        "from x import (a as b)\nb",
        "def f(x):\n    total = 0\n    for y in x:\n        total += y\n    return total",
        "def f():\n    global made\n    made = 1\nf()\nprint(made)",
        "match 3:\n  case [a, *rest]:\n    a, rest\n  case {'k': v, **more}:\n    v, more\n  case b:\n    b",
        "x: int = 1\nx += 1\ndel x",
        "print(__name__, display, get_ipython(), _, In, Out)",
        "files = !ls\nprint(files)",
        "%%capture said\n1\nprint(said)",
        "from anything import *\nnames_from_there",
        "%run setup.py\nfrom_there",
        "def f():\n    def g():\n        return h\n    h = 1\n    return g",
        "{k: v for k, v in {}.items()}",
    ],
)
def test_ordinary_code_has_no_hidden_state(text: str) -> None:
    assert hidden(text) == []


@pytest.mark.parametrize("text", ["total += 1", "print([i for i in range(3)]); i", "x = x + 1", "def f(a=b): ..."])
def test_uses_without_a_definition_are_seen_everywhere(text: str) -> None:
    assert len(hidden(text)) == 1


def test_a_cell_that_does_not_parse_may_have_defined_the_name() -> None:
    assert hidden("x = = 1", "print(x, y)") == [("y", 2, None)]


def test_vendored_notebooks_and_other_languages_are_left_alone() -> None:
    r = json.dumps(
        {"cells": [{"cell_type": "code", "source": "y <- x"}], "metadata": {"kernelspec": {"language": "R"}}}
    )
    tree = tree_of({"a.ipynb": r, "third_party/b.ipynb": r})
    [run] = read_notebooks(tree, read_code(tree))
    assert run.hidden_state == ()
