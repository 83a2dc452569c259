"""Code for a newer Python than the one that runs Assay is read like any other, and is no syntax error."""

import ast

import pytest

from assay.code.newer_python import backdated
from assay.code.parsing import parse

NEWER = {
    "quotes of the f-string in a field": 'x = f"No{t.replace(" ", "")},{m}\\n"\n',
    "keys in two levels, and a literal behind": "x = f'{d['a']['b']:>10} and {y!r}' 'more'\n",
    "an f-string in an f-string in an f-string": 'x = f"{f"{f"{1 + 1}"}"}"\n',
    "a field on several lines": 'x = f"{\n  a + b\n}" + "c"\n',
    "a backslash in a field": 'x = f"{"\\n".join(rows)}"\n',
    "a key in a field with a width": 'q = f"{d["k"]:{w}.{p}f}"\n',
    "parameters for types": "def first[T](xs: list[T]) -> T:\n    return xs[0]\nclass Box[T]:\n    pass\n",
    "a name for a type": "type Pair[T] = tuple[T, T]\n",
    "an apostrophe in a comment before": '# it\'s new\nx = rf"\\d{d["k"]}"\n',
}


@pytest.mark.parametrize("text", NEWER.values(), ids=NEWER)
def test_newer_syntax_is_no_problem_and_keeps_its_lines(text: str) -> None:
    parsed = parse(text)
    assert parsed.problem is None
    assert isinstance(parsed.tree, ast.Module)
    assert backdated(text).count("\n") == text.count("\n")


def test_the_names_in_a_field_are_read() -> None:
    tree = parse('total = f"{prices["net"]} of {len(rows)}"\n').tree
    assert tree is not None
    assert {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} == {"total", "prices", "len", "rows"}


@pytest.mark.parametrize("text", ['x = f"{a["\n', 'x = f"{', "x = (", 'f"{' * 300, 'f"{a' + ":{a" * 50_000])
def test_what_no_python_reads_stays_a_problem(text: str) -> None:
    assert parse(text).problem is not None


@pytest.mark.parametrize(
    "text", ['a = f"{x} and \\"{y}\\""\n', "b = f'''{d[\"k\"]}\n'''\n", 'c = "plain {" + \'}"\'\n']
)
def test_what_is_fine_today_is_not_rewritten(text: str) -> None:
    assert ast.dump(ast.parse(backdated(text))) == ast.dump(ast.parse(text))
