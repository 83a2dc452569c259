"""Configurations are read with their types, changed at one place and written so that they read the same."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.ablation.configuration import Configuration, FileFormat, read_configuration
from assay.errors import InputError

words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)
keys = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=8)
scalars = st.one_of(st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False), words)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=8,
)
tables = st.dictionaries(keys, values, max_size=4)


@pytest.mark.parametrize("kind", list(FileFormat))
@given(table=tables)
def test_what_is_written_reads_the_same(
    kind: FileFormat, table: dict, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"written.{kind}"
    path.write_text(Configuration("c", kind, table).text(), encoding="utf-8")
    assert read_configuration(path).values == table


def test_a_change_touches_one_value_and_leaves_the_original(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("model:\n  depth: 3\n  names: [a, b]\nrate: 1e-3\n")
    base = read_configuration(path)
    changed = base.changed({"model.depth": 5})
    assert changed.values == {"model": {"depth": 5, "names": ["a", "b"]}, "rate": "1e-3"}
    assert base.get("model.depth") == 3


def test_an_unknown_key_is_refused_with_a_suggestion(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text('{"model": {"depth": 3}}')
    with pytest.raises(InputError, match=r"Did you mean .model\.depth"):
        read_configuration(path).changed({"model.dept": 1})
    with pytest.raises(InputError, match="unknown key"):
        read_configuration(path).get("model.depth.deeper")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("c.json", '{"a": 1, "a": 2}', '"a" is given twice'),
        ("c.yaml", "a: 1\na: 2\n", '"a" is given twice'),
        ("c.toml", "a = 1\na = 2\n", "not valid TOML"),
        ("c.yaml", "a: &x [1]\nb: [*x, *x]\n", "aliases"),
        ("c.yaml", "a: !!python/object/apply:os.system [ls]\n", "not valid YAML"),
        ("c.yaml", "- 1\n- 2\n", "not a table"),
        ("c.json", "[" * 100_000, "nested too deeply"),
        ("c.json", "{", "not valid JSON"),
        ("c.ini", "[a]\n", "is no configuration"),
    ],
)
def test_a_faulty_file_is_refused(tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        read_configuration(tmp_path / name)
    assert told in str(caught.value)
