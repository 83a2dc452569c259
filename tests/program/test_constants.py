"""Expressions whose value the text decides, and those whose value only a run would show."""

import ast

import pytest

from assay.program.constants import Unknown, constant_of

ASSIGNED = {"SIZE": "0.2", "FOLDS": "2 + 3", "ROOT": "'data'", "TWICE": None, "LOOP": "LOOP"}


def value_of(text: str) -> object:
    def names(name: str) -> list[ast.expr]:
        found = ASSIGNED.get(name)
        return [] if found is None else [ast.parse(found, mode="eval").body]

    return constant_of(ast.parse(text, mode="eval").body, names, ast.unparse)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("-SIZE", -0.2),
        ("FOLDS", 5),
        ("f'{ROOT}/{FOLDS}.csv'", "data/5.csv"),
        ("ROOT + '/a'", "data/a"),
        ("pathlib.Path(ROOT) / 'a'", "data/a"),
        ("os.path.join(ROOT, 'a', '..', 'b')", "data/a/../b"),
        ("os.path.dirname('a/b/c.py')", "a/b"),
        ("pathlib.Path('a/b/c.py').resolve().parent", "a/b"),
        ("pathlib.Path('a/b/c.py').parents[1]", "a"),
        ("os.getcwd()", "."),
        ("None", None),
    ],
)
def test_decided_by_the_text(text: str, value: object) -> None:
    assert value_of(text) == value


@pytest.mark.parametrize(
    "text", ["TWICE", "LOOP", "call()", "ROOT + 1", "1 / 2", "x[0]", "10 ** 9 ** 9", "-'a'", "os.path.join(x)", "b'a'"]
)
def test_not_decided_by_the_text(text: str) -> None:
    with pytest.raises(Unknown):
        value_of(text)
