"""TOML and JSON that would exhaust memory are refused in words, before they are parsed."""

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.bounded import MOST_JSON_ITEMS, MOST_KEY_PARTS, load_json, load_toml


@pytest.mark.parametrize(
    "key",
    [
        ".".join(["a"] * 50_000),
        " . ".join(['"a"'] * 50_000),
        "\t.".join(["'a.b'"] * 50_000),
        ".".join([r'"\""'] * 50_000),
        " . ".join([r'"\\"', '""', "''", r'"\u0061\"."'] * 12_500),
        ".".join(["a"] * (MOST_KEY_PARTS + 1)),
    ],
)
@pytest.mark.parametrize(
    "form",
    [
        "{} = 1",
        "[{}]\nb = 1",
        "b = {{ {} = 1 }}",
        "b = [\n{{{} = 1}}]",
        'b = {{ c = """\n\' \\""" "" \' """"", {} = 1 }}',
        "b = {{ c = '''\n\" '' \" ''''', {} = 1 }}",
        "# '\n{} = 1",
    ],
)
def test_a_key_of_too_many_parts_is_refused_with_its_line(key: str, form: str) -> None:
    text = "title = 'x'\n" + form.format(key)
    line = text[: text.index(key)].count("\n") + 1
    with pytest.raises(ValueError, match=rf"more than {MOST_KEY_PARTS} parts \(at line {line}\)"):
        load_toml(text)


def test_the_longest_allowed_key_and_ordinary_text_with_dots_are_read() -> None:
    key = ".".join(f"k{i}" for i in range(MOST_KEY_PARTS))
    text = f'{key} = 1\nversion = "1.2.3"\nnote = "{". ".join(["word word"] * 200)}"\n'
    assert load_toml(text) == tomllib.loads(text)


def test_dots_in_texts_and_comments_make_no_key() -> None:
    key = ".".join(["a"] * 50)
    text = f'# {key}\nx = """\n{key} = \'"""\ny = \'\'\'\n{key} = " \'\'\'\nz = \'{key}\' # "\nw = "\\"{key}"\n'
    assert load_toml(text) == tomllib.loads(text)


def test_half_a_megabyte_of_escaped_quotes_is_searched_once() -> None:
    dots = "." * 50
    with pytest.raises(ValueError, match=r"line 2"):
        load_toml(f"# {dots}\nx = " + r"\"" * 250_000)


def test_a_megabyte_without_a_dot_is_searched_once() -> None:
    assert load_toml(f"# {'a' * 1_000_000}\n# {'-' * 500_000}\nx = 1") == {"x": 1}


def test_deep_nesting_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        load_toml("x = " + "[" * 5_000)
    with pytest.raises(ValueError, match="nested too deeply"):
        load_json("[" * 200_000)


def test_json_of_too_many_items_is_refused() -> None:
    with pytest.raises(ValueError, match="more than 4,000,000 items"):
        load_json("[" + "[]," * (MOST_JSON_ITEMS // 2 + 1) + "[]]")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda s: st.lists(s) | st.dictionaries(st.text(), s)
    )
)
def test_ordinary_json_is_read_as_by_the_standard_library(value: object) -> None:
    text = json.dumps(value)
    assert load_json(text) == json.loads(text)
