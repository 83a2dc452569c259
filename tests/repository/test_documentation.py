"""Comments, docstrings and habits are counted as a reader would count them."""

import io
import json
import tokenize
from pathlib import Path

import pytest

from assay.code import read_code
from assay.repository.documentation import DocumentationFacts, HabitKind, SourceDocumentation, read_documentation
from assay.tree import open_tree, tree_of

SOURCE = Path(__file__).parents[2] / "src"


def facts_of(files: dict[str, str]) -> DocumentationFacts:
    tree = tree_of(files)
    return read_documentation(tree, read_code(tree))


def of(text: str) -> SourceDocumentation:
    [source] = facts_of({"a.py": text}).sources
    return source


# --- lines -----------------------------------------------------------------------------------------


def test_lines_are_code_comment_docstring_or_blank() -> None:
    lines = of('"""One\ntwo."""\n\n# a comment\nx = 1  # another\ny = "# none"\nz = """\n# none\n"""').lines
    assert (lines.code, lines.comments, lines.docstrings, lines.blank) == (5, 2, 2, 1)


@pytest.mark.parametrize(
    ("line", "comments"),
    [("x = '#' # yes", 1), ("x = 'ä' '#'", 0), ("x = f'{1}#'", 0), ("x = b'#'", 0), ("# only", 1), ("x = '' #", 1)],
)
def test_a_sign_in_a_string_begins_no_comment(line: str, comments: int) -> None:
    assert of(line).lines.comments == comments


def test_comments_between_the_pieces_of_a_string_are_comments() -> None:
    assert of("x = (\n    'ä #'  # yes\n    f'{1} #'  # yes\n    # yes\n    '#'\n)\n").lines.comments == 3
    assert of("x = 'ä', '''#\n # none'''  # yes\n").lines.comments == 1


@pytest.mark.no_cover
def test_comments_are_counted_as_the_tokenizer_counts_them() -> None:
    tree = open_tree(SOURCE)
    found = read_documentation(tree, read_code(tree)).sources
    assert len(found) > 50
    for source in found:
        text = (SOURCE / source.path).read_text(encoding="utf-8")
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        assert source.lines.comments == sum(t.type == tokenize.COMMENT for t in tokens), source.path


# --- what is explained -----------------------------------------------------------------------------


def test_docstrings_of_what_is_public_are_a_share() -> None:
    facts = facts_of(
        {
            "a.py": '"""Module."""\ndef f(a: int, b, *c):\n    """Doc."""\nclass C:\n    def m(self, x: str): ...\n',
            "b.py": "def _private(): ...\nasync def g(): ...\n",
        }
    )
    assert facts.docstring_share == 1 / 4
    assert [s.module_docstring for s in facts.sources] == [True, False]


def test_nothing_to_explain_has_no_share() -> None:
    facts = facts_of({"README.md": "x", "broken.py": "def ("})
    assert (facts.comment_share, facts.docstring_share, facts.rating) == (None, None, None)


def test_prose_in_notebooks_is_counted() -> None:
    cells = [{"cell_type": "markdown", "source": "# Two words"}, {"cell_type": "code", "source": "x = 1  # one"}]
    [source] = facts_of({"a.ipynb": json.dumps({"cells": cells})}).sources
    assert (source.prose_words, source.lines.comments) == (3, 1)


# --- habits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("try:\n    1\nexcept:\n    pass", HabitKind.BARE_EXCEPT, 3),
        ("def f(a, b=[]): ...", HabitKind.MUTABLE_DEFAULT, 1),
        ("from os import *", HabitKind.STAR_IMPORT, 1),
        ("eval('1')", HabitKind.EVALUATION, 1),
        ("import os\nimport sys\nsys.exit()", HabitKind.UNUSED_IMPORT, 1),
        ("x = 1\nx == None", HabitKind.NONE_BY_EQUALITY, 2),
        ("def f():\n    global x", HabitKind.GLOBAL, 2),
        ("def f():\n" + "    1\n" * 100, HabitKind.LONG_FUNCTION, 1),
        ("def f(a, b, c, d, e, f, g, h, i, j, k): ...", HabitKind.MANY_PARAMETERS, 1),
        ("\nx = '" + "y" * 120 + "'", HabitKind.LONG_LINE, 2),
    ],
)
def test_each_habit_is_found_once_at_its_place(text: str, kind: HabitKind, line: int) -> None:
    [habit] = of(text).habits
    assert (habit.kind, habit.location.line) == (kind, line)


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    1\nexcept:\n    raise",
        "import os\n__all__ = ['os']",
        "import os  # noqa",
        "import os.path as p\np.join",
        "from __future__ import annotations",
        "try:\n    import apex\nexcept ImportError:\n    apex = None",
        "import torch\ndef f(x: 'torch'): ...",
        "def f(a=()): ...",
        "x is None",
    ],
)
def test_good_code_shows_no_habit(text: str) -> None:
    assert of(text).habits == ()


def test_the_rating_falls_with_the_habits_and_not_below_zero() -> None:
    clean = facts_of({"a.py": "x = 1\n" * 100})
    some = facts_of({"a.py": "x = 1\n" * 99 + "from os import *\n"})
    worst = facts_of({"a.py": "from os import *\n"})
    assert (clean.rating, some.rating, worst.rating) == (10.0, 8.0, 0.0)
    assert len(some.habits(HabitKind.STAR_IMPORT)) == 1
