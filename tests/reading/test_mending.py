"""Scripts with slips: the rest is read, every line stays where it is, and the slip is told."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.code.parsing import parse, parse_mended
from assay.code.source import read_syntax

SOUND = "import numpy\n\n\ndef f(x):\n    y = x + 1\n    return y\n\n\nfor i in range(3):\n    a = f(i)\nprint(a)\n"

SLIPS = {
    "an indented block at the top": ("import a\n b = a.c()\n d = b\ne = d\n", "import a\nb = a.c()\nd = b\ne = d"),
    "a first line that is indented": ("    a = 1\nb = 2\n", "a = 1\nb = 2"),
    "methods deeper than their docstring": (
        'class A:\n   """Why."""\n\n    def f(self):\n        return 1\n',
        'class A:\n    """Why."""\n\n    def f(self):\n        return 1',
    ),
    "a line between two depths": ("if a:\n    b = 1\n  c = 2\n", "if a:\n    b = 1\n    c = 2"),
    "a line that lost its indentation": (
        "def f(x):\n    y = [x]\n    for i in y:\n        y = i\n y.append([\n        i])\n    return y\nz = 1\n",
        "def f(x):\n    y = [x]\n    for i in y:\n        y = i\n    y.append([i])\n    return y\nz = 1",
    ),
    "a body of comments": ("def f():\n    # later\nx = 1\n", "def f():\n    pass\nx = 1"),
    "a header without its colon": ("for i in x\n    a = i\nb = 2\n", "a = i\nb = 2"),
    "a header that is no Python": ("if a = 1:\n    b = 2\nc = 3\n", "if True:\n    b = 2\nc = 3"),
    "a bracket that is not closed": ("x = (1,\ny = 2\nz = 3\n", "y = 2\nz = 3"),
    "a string that is not closed": ("a = 'b\nc = 1\nd = 2\n", "c = 1\nd = 2"),
    "marks of a merge": (
        f"{SOUND}<<<<<<< HEAD\nb = 2\n=======\nc = 3\n>>>>>>> other\n", f"{SOUND}b = 2\nc = 3"
    ),
    "a mark of a merge in a function": (
        "def f():\n<<<<<<< HEAD\n    a = 1\n    b = 2\n", "def f():\n    a = 1\n    b = 2"
    ),
    "a continuation after a bracket": ("f(a,\n        b)\n  c = 1\nd = 2\n", "f(a, b)\nc = 1\nd = 2"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "meant"), SLIPS.values(), ids=SLIPS)
def test_a_slip_costs_no_more_than_itself(text: str, meant: str):
    assert parse(text).tree is None
    read = parse_mended(text)
    assert read.tree is not None
    assert ast.unparse(read.tree) == ast.unparse(ast.parse(meant))
    assert "does not parse" in read.problem.message


def test_lines_stay_where_they_are():
    read = parse_mended("import a\n b = 1\n c = 2\n\nd = (\n\ne = 3\n")
    assert {node.targets[0].id: node.lineno for node in read.tree.body if isinstance(node, ast.Assign)} == {
        "b": 2, "c": 3, "e": 7,
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["def (:\n", "this is prose\nand no Python at all\n", "\x89PNG\r\n\x1a" * 40, "(" * 1000, "a b\n" * 99]
)
def test_what_is_not_python_is_not_made_into_it(text: str):
    assert parse_mended(text).tree is None


def test_sound_text_is_read_as_it_is():
    assert ast.dump(parse_mended(SOUND).tree) == ast.dump(ast.parse(SOUND))
    assert parse_mended(SOUND).problem is None


@given(st.data())
def test_whatever_stands_in_a_line_the_others_stay_where_they_are(data):
    lines = SOUND.split("\n")
    at = data.draw(st.integers(0, len(lines) - 2))
    lines[at] = data.draw(st.text(st.sampled_from("ab =(:)'\"#\\[]{} +-"), max_size=12))
    read = parse_mended("\n".join(lines))
    if read.tree is not None:
        calls = {node.func.id: node.lineno for node in ast.walk(read.tree) if isinstance(node, ast.Call)
                 and isinstance(node.func, ast.Name) and node.func.id in {"range", "print"}}  # fmt: skip
        assert calls.items() <= {"range": 9, "print": 11}.items()


def test_broken_and_older_cells_of_a_notebook_are_read_but_for_their_slips():
    cells = ["import a\n b = 1", "print 'x'", "c = 2"]
    text = "\n".join(cells)
    syntax = read_syntax(text, "n.ipynb", ((1, 1), (3, 2), (4, 3)))
    assert [ast.unparse(node) for node in syntax.tree.body] == ["import a", "b = 1", "print('x')", "c = 2"]
    assert [problem.line for problem in syntax.problems] == [2, 3]
