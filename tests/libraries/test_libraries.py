"""Tables of libraries: what a file may say, how it is checked, and how a call finds its row."""

import ast
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.libraries.__main__ import compact
from assay.libraries.catalogue import USER_TABLES, Catalogue, catalogue, use_tables
from assay.libraries.loading import COMPACT, parsed, read_table, shipped_sources
from assay.libraries.row import NOT_ABOUT_ROWS, Place, Port, Role, Use, parse_port

SOURCE = Path(__file__).parents[2] / "src" / "assay"

TABLE = """
packages = ["quern"]

[[rows]]
makes = "model"
names = ["QuernModel"]
covers = ["Quern*"]

[[rows]]
of = "QuernModel"
effect = "fits"
names = ["grind"]
learns = "argument[0, grain]"
"""


def test_the_compact_form_is_what_the_files_say() -> None:
    assert (SOURCE / "libraries" / COMPACT).read_text(encoding="utf-8") == compact(), "run: python -m assay.libraries"


@pytest.mark.parametrize(
    ("text", "port"),
    [
        ("argument[0, X]", Port(Place.ARGUMENT, 0, ("X",))),
        ("argument[2]", Port(Place.ARGUMENT, 2)),
        ("keyword[validation_data, eval_set]", Port(Place.ARGUMENT, -1, ("validation_data", "eval_set"))),
        ("receiver", Port(Place.RECEIVER)),
        ("return", Port(Place.RETURN)),
        ("return[1]", Port(Place.RETURN, 1)),
        ("argument[X]", None),
        ("result", None),
    ],
)
def test_ports(text: str, port: Port | None) -> None:
    assert parse_port(text) == port


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ('effect = "fitz"\nnames = ["f"]', "effect = 'fitz' is not known"),
        ('effect = "fits"\nnames = ["f"]\nlearns = "argument[X]"', "is not a port"),
        ('effect = "fits"\nnames = ["f"]\nlearn = "receiver"', 'unknown key "learn"'),
        ('effect = "fits"', "no names"),
        ('effect = "fits"\nmakes = "model"\nnames = ["f"]', "either makes or effect"),
        ('makes = "model"\nnames = ["f"]\ntraits = ["is tall"]', "is not known"),
        ('makes = "model"\nnames = ["f", "f"]', "f is described twice"),
    ],
)
def test_a_wrong_row_is_an_error_with_its_place(row: str, complaint: str) -> None:
    with pytest.raises(InputError, match=r"own\.toml, row 1") as caught:
        parsed(f"[[rows]]\n{row}", "own.toml")
    assert complaint in str(caught.value)


def test_a_call_that_two_rows_describe_is_an_error() -> None:
    rows = '[[rows]]\neffect = "reads"\nnames = ["f"]\n' * 2
    with pytest.raises(InputError, match="See row 1"):
        parsed(rows, "own.toml")


def test_libraries_agree_on_names_that_are_found_without_an_import() -> None:
    meant: dict[str, tuple[str, object]] = {}
    for library, table in shipped_sources().items():
        for row in table.get("rows", ()):
            if "of" in row or "when" in row or not row.get("bare", True) or library == "unknown":
                continue
            said = [row.get(key) for key in ("makes", "effect", "step", "supervised", "how")]
            for name in row["names"] if row.get("effect") not in NOT_ABOUT_ROWS else ():
                assert meant.setdefault(name, (library, said))[1] == said, (name, library, meant[name][0])


def test_methods_that_evaluate_are_known_by_the_package(tmp_path: Path) -> None:
    file = tmp_path / "quern.toml"
    rows = '[[rows]]\nof = "Mill"\neffect = "{}"\nnames = ["{}"]\n'
    file.write_text('packages = ["quern"]\n' + rows.format("scores", "taste") + rows.format("saves", "store"))
    assert Catalogue([read_table(file)]).evaluating_methods == (("quern", frozenset({"taste"})),)


def test_a_class_has_the_methods_of_what_it_derives_from(tmp_path: Path) -> None:
    file = tmp_path / "quern.toml"
    file.write_text(TABLE)
    types = '[types]\nmodel = "estimator"\n[[rows]]\nof = "estimator"\neffect = "predicts"\nnames = ["predict"]'
    base = tmp_path / "base.toml"
    base.write_text(f"packages = []\n{types}")
    known = Catalogue([read_table(base)], [read_table(file)])
    made = known.call("quern.mills.QuernForest")
    assert made is not None
    assert made.role is Role.MODEL
    fits = known.method(made.type, "grind")
    assert fits is not None
    assert fits.port(Use.LEARNS) == Port(Place.ARGUMENT, 0, ("grain",))
    predicts = known.method(made.type, "predict")
    assert predicts is not None
    assert predicts.role is Role.PREDICT


def test_users_add_tables_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(USER_TABLES, "")
    assert catalogue().call("quern.QuernModel") is None
    file = tmp_path / "quern.toml"
    file.write_text(TABLE)
    use_tables([file])
    assert catalogue().call("quern.QuernModel") is not None


def test_a_method_of_any_name_of_a_type_is_one_of_the_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(USER_TABLES, "")
    file = tmp_path / "quern.toml"
    file.write_text(TABLE.replace('names = ["QuernModel"]', 'names = ["QuernFirst", "QuernModel"]'))
    use_tables([file])
    for name in ("QuernFirst", "QuernModel", "QuernOther"):
        made = catalogue().call(f"quern.{name}")
        assert made is not None
        assert catalogue().method(made.type, "grind") is not None, name


def test_packages_with_models_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(USER_TABLES, "")
    assert {"sklearn", "h2o", "lightning"} <= catalogue().learning
    assert not {"pandas", "numpy", "quern", "category_encoders"} & catalogue().learning
    file = tmp_path / "quern.toml"
    file.write_text(TABLE)
    use_tables([file])
    assert "quern" in catalogue().learning


def test_a_table_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        use_tables([tmp_path / "none.toml"])


def test_the_shared_ground_imports_no_room() -> None:
    allowed = {
        "bounded",
        "code",
        "entry_points",
        "errors",
        "findings",
        "libraries",
        "patterns",
        "plain_yaml",
        "program",
        "records",
        "tree",
    }
    for part in ("libraries", "program"):
        for file in (SOURCE / part).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                module = getattr(node, "module", None) if isinstance(node, ast.ImportFrom) else None
                if module and module.startswith("assay."):
                    assert module.split(".")[1] in allowed, f"{file.name} imports {module}"
