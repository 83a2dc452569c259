"""``assay leakage code``: reports, suppressions, drawings, exit codes."""

import json
import os
from pathlib import Path

import pytest

from assay.cli import main

LEAKY = """\
import pandas as pd
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

df = pd.read_csv("a.csv")
X = SelectKBest(k=2).fit_transform(df.drop(columns="ill"), df["ill"])
X_train, X_test, y_train, y_test = train_test_split(X, df["ill"])
print(SVC().fit(X_train, y_train).score(X_test, y_test))
"""
CLEAN = LEAKY.replace('SelectKBest(k=2).fit_transform(df.drop(columns="ill"), df["ill"])', 'df.drop(columns="ill")')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leaky.py").write_text(LEAKY)
    (tmp_path / "clean.py").write_text(CLEAN)
    return tmp_path


def test_a_leak_exits_with_1_and_clean_code_with_0(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leakage", "code", "leaky.py"]) == 1
    assert "L1.3" in capsys.readouterr().out
    assert main(["leakage", "code", "clean.py"]) == 0


def test_a_folder_is_followed_file_by_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leakage", "code", ".", "-f", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [f["location"]["path"] for f in report["findings"]] == ["leaky.py"]
    assert report["tables"][0]["rows"][0][0] == 2


def test_sarif_points_at_the_line_of_the_step(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["leakage", "code", "leaky.py", "-f", "sarif"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["ruleId"] == "L1.3"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 7


def test_a_suppression_with_a_reason_silences(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = LEAKY.replace('df["ill"])\n', 'df["ill"])  # assay: ignore[L1.3] exploratory figure only\n', 1)
    (folder / "leaky.py").write_text(text)
    assert main(["leakage", "code", "leaky.py"]) == 0
    assert "exploratory figure only" in capsys.readouterr().out


def test_a_suppression_in_an_imported_module_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    step = PREPARE.replace("scaled", "reduced").rstrip()
    (folder / "steps.py").write_text(f"{step}\n")
    (folder / "study.py").write_text(
        "import steps\n" + LEAKY.replace("SelectKBest(k=2).fit_transform(", "steps.reduced(")
    )
    assert main(["leakage", "code", "study.py"]) == 1
    assert "steps.py:5" in capsys.readouterr().out
    (folder / "steps.py").write_text(f"{step}  # assay: ignore[L1.3] two axes for a figure\n")
    assert main(["leakage", "code", "study.py"]) == 0


def test_a_suppression_in_a_notebook_counts_within_its_cell(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = LEAKY.splitlines(keepends=True)
    second = "# assay: ignore[L1.3] agreed with the reviewer\n" + lines[6]
    cells = ["".join(lines[:6]), second, "".join(lines[7:])]
    made = [{"cell_type": "code", "source": c, "outputs": [], "metadata": {}, "execution_count": None} for c in cells]
    (folder / "a.ipynb").write_text(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert main(["leakage", "code", "a.ipynb"]) == 0
    assert "agreed with the reviewer" in capsys.readouterr().out


def test_explain_draws_the_path_in_text_and_as_a_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["leakage", "code", "leaky.py", "--explain"])
    shown = capsys.readouterr().out
    assert "● leaky.py:7:5" in shown
    assert shown.count("▼") == 4
    main(["leakage", "code", "leaky.py", "--explain", "-o", "out.html"])
    page = (folder / "out.html").read_text()
    assert page.count("<rect") >= 5
    assert "leaky.py:7:5" in page


def test_a_note_does_not_change_the_exit_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "leaky.py").write_text(LEAKY.replace("SelectKBest(k=2)", "KBinsDiscretizer()"))
    assert main(["leakage", "code", "leaky.py"]) == 0
    assert "note L1.2" in capsys.readouterr().out


def test_a_policy_decides_what_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "leaky.py").write_text(LEAKY.replace("SelectKBest(k=2)", "OneHotEncoder()"))
    assert main(["leakage", "code", "leaky.py"]) == 0
    assert "L1.2" not in capsys.readouterr().out
    assert main(["leakage", "code", "leaky.py", "--policy", "strict"]) == 0
    assert "note L1.2" in capsys.readouterr().out
    (folder / "pyproject.toml").write_text('[tool.assay.leakage]\npolicy = "strict"\n')
    main(["leakage", "code", "leaky.py"])
    assert "note L1.2" in capsys.readouterr().out
    main(["leakage", "code", "leaky.py", "--policy", "kapoor"])
    assert "L1.2" not in capsys.readouterr().out


def test_a_policy_of_ones_own_extends_another(folder: Path) -> None:
    rule = 'code = "L1.2"\nname = "scaled with test rows"\nseverity = "error"\n'
    when = 'when = { "step.kind" = "scale", "step.source" = "both", role = "test" }\n'
    (folder / "mine.toml").write_text(f'extends = "kapoor"\n[[rule]]\n{rule}{when}')
    (folder / "leaky.py").write_text(LEAKY.replace("SelectKBest(k=2)", "StandardScaler()"))
    assert main(["leakage", "code", "leaky.py", "--policy", "mine.toml"]) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[rule]]\ncode = "L1.1"\nname = "a"\nseverity = "error"\nwhen = { rows = "same" }\n', 'no column "rows"'),
        ('[[rule]]\ncode = "L1.1"\nname = "a"\nseverity = "error"\nwhen = { role = "exam" }\n', 'never "exam"'),
        ('[[rule]]\ncode = "L1.1"\nname = "a"\nseverity = "grave"\nwhen = {}\n', "no severity"),
        ('[[exemption]]\nname = "a"\n', '"rules" is missing'),
        ("colour = 1\n", 'no key "colour"'),
        ("[[", "is not TOML"),
    ],
)
def test_a_policy_that_cannot_be_read_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    (folder / "mine.toml").write_text(text)
    assert main(["leakage", "code", "clean.py", "--policy", "mine.toml"]) == 2
    assert message in capsys.readouterr().err


def test_a_policy_that_does_not_exist_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["leakage", "code", "clean.py", "--policy", "lenient"]) == 2
    assert 'there is no policy "lenient"' in capsys.readouterr().err


def test_the_pairs_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["leakage", "code", "clean.py", "--pairs", "-f", "json"])
    table = next(t for t in json.loads(capsys.readouterr().out)["tables"] if t["title"].startswith("Pairs"))
    row = dict(zip(table["columns"], table["rows"][0], strict=True))
    assert (row["relation"], row["role"], row["untouched part left"]) == ("disjoint", "test", "no")


def test_the_exemption_that_silenced_a_pair_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "leaky.py").write_text(LEAKY.replace("SelectKBest(k=2)", "OneHotEncoder()"))
    line = 1 + LEAKY[: LEAKY.index("SelectKBest(k=2)")].count("\n")
    main(["leakage", "code", "leaky.py", "--why-silent", str(line), "-f", "json"])
    table = next(t for t in json.loads(capsys.readouterr().out)["tables"] if t["title"].startswith("Why"))
    assert table["rows"][0][4] == "categories only"


def test_nothing_followed_is_said_first_and_fails_when_strict(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "own.py").write_text("import ours\nours.fit_and_evaluate('a.csv')\n")
    assert main(["leakage", "code", "own.py"]) == 0
    assert "0 models and 0 scores could be followed: not examined" in capsys.readouterr().out
    assert main(["leakage", "code", "own.py", "--strict"]) == 3
    assert main(["leakage", "code", "clean.py", "--strict"]) == 0


@pytest.mark.parametrize("path", ["nothing.py", "nothing", "data.csv"])
def test_what_cannot_be_read_is_an_input_error(folder: Path, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "data.csv").write_text("a,b\n")
    assert main(["leakage", "code", path]) == 2
    assert path in capsys.readouterr().err


def test_a_file_that_does_not_parse_is_left_out_by_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "broken.py").write_text("def (:\n")
    assert main(["leakage", "code", "broken.py", "clean.py"]) == 0
    assert "broken.py:1: does not parse" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("broken.py", "def (:\n", "broken.py:1: does not parse"),
        ("binary.py", "a = 1\0\n", "binary.py: is not text"),
        ("blank.ipynb", "", "blank.ipynb: cannot be read"),
        ("study.Rmd", "```{r}\nx <- 1\n```\n", "it is not Python"),
    ],
)
def test_where_nothing_could_be_followed_nothing_found_is_not_said(
    folder: Path, name: str, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).write_text(text)
    assert main(["leakage", "code", name]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err


def test_an_empty_script_has_no_leak(folder: Path) -> None:
    (folder / "empty.py").write_text("")
    assert main(["leakage", "code", "empty.py"]) == 0


def test_what_a_folder_does_not_show_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = folder.joinpath(*["d"] * 70)
    deep.mkdir(parents=True)
    (deep / "deep.py").write_text(LEAKY)
    main(["leakage", "code", ".", "-f", "json"])
    assert any("were not entered" in note for note in json.loads(capsys.readouterr().out)["left_out"])


def test_a_pipe_that_nobody_writes_to_is_refused_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "pipe.py")
    assert main(["leakage", "code", "pipe.py"]) == 2
    assert "pipe.py: is a pipe" in capsys.readouterr().err


def test_a_module_beside_the_script_that_cannot_be_read_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "large.py").write_bytes(b"#" * (2 * 1024 * 1024 + 1))
    assert main(["leakage", "code", "leaky.py", "-f", "json"]) == 1
    [note] = json.loads(capsys.readouterr().out)["left_out"]
    assert note.startswith("large.py: is larger than")


PREPARE = """\
from sklearn.feature_selection import SelectKBest


def scaled(table, y):
    return SelectKBest(k=2).fit_transform(table, y)
"""


def study_with(line: str) -> str:
    """A study that has its rows scaled by a function of another module before it divides them."""
    return f"{line}\n" + CLEAN.replace('df.drop(columns="ill")', 'scaled(df.drop(columns="ill"), df["ill"])')


@pytest.mark.parametrize(
    ("study", "line", "others"),
    [
        ("study.py", "from tools.prepare import scaled", {"tools/prepare.py": PREPARE}),
        (
            "study.py",
            "from tools import scaled",
            {"tools/__init__.py": "from .inner.prepare import scaled", "tools/inner/prepare.py": PREPARE},
        ),
        ("runs/study.py", "from tools.prepare import scaled", {"tools/prepare.py": PREPARE}),
        ("runs/study.py", "from .tools.prepare import scaled", {"runs/tools/prepare.py": PREPARE}),
        ("study.py", "from prepare import scaled", {"src/prepare.py": PREPARE}),
        (
            "runs/study.py",
            "import sys\nsys.path.append('../shared')\nfrom prepare import scaled",
            {"shared/prepare.py": PREPARE},
        ),
        (
            "src/pkg/steps/study.py",
            "from pkg.prepare import scaled",
            {"src/__init__.py": "", "src/pkg/__init__.py": "", "src/pkg/prepare.py": PREPARE},
        ),
        (
            "study.py",
            "from pkg.prepare import scaled",
            {"pyproject.toml": "", "src/__init__.py": "", "src/pkg/prepare.py": PREPARE},
        ),
    ],
)
def test_what_a_script_imports_is_followed_wherever_it_lies(
    folder: Path, capsys: pytest.CaptureFixture[str], study: str, line: str, others: dict[str, str]
) -> None:
    for path, text in {study: study_with(line), **others}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    assert main(["leakage", "code", study, "-f", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    where = next(path for path, text in others.items() if text == PREPARE)
    assert [(f["code"], f["location"]["path"]) for f in found] == [("L1.3", where)]


WINDOWS = """\
import yaml, numpy as np
from pathlib import Path
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

ROOT = Path(__file__).resolve().parents[1]
with open(ROOT / "configs" / "windows.yaml") as file:
    settings = yaml.safe_load(file)
size, step, wave = settings["size"], settings["step"], np.load("wave.npy")
X = np.array([wave[i : i + size] for i in range(0, len(wave) - size, step)])
X_train, X_test, y_train, y_test = train_test_split(X, np.load("labels.npy"))
print(SVC().fit(X_train, y_train).score(X_test, y_test))
"""


@pytest.mark.parametrize(("text", "found"), [("size: 90\nstep: 30\n", ["L3.2"]), ("size: 90\nstep: 90\n", [])])
def test_the_settings_that_a_script_names_are_read(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, found: list[str]
) -> None:
    for path, written in {"src/study.py": WINDOWS, "configs/windows.yaml": text}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(written)
    main(["leakage", "code", "src/study.py", "-f", "json"])
    assert [finding["code"] for finding in json.loads(capsys.readouterr().out)["findings"]] == found


def test_data_that_is_named_like_settings_is_no_trouble(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rows.json").write_text("[" + "1, " * 100_000 + "1]")
    (folder / "clean.py").write_text(CLEAN.replace('pd.read_csv("a.csv")', 'pd.read_json("rows.json")'))
    assert main(["leakage", "code", "clean.py", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["left_out"] == []


def test_a_notebook_that_the_reader_does_not_enter_is_no_fault(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "study.ipynb").write_text('{"cells": [], "nbformat": 4}')
    assert main(["leakage", "code", ".ipynb_checkpoints/study.ipynb"]) == 2
    assert "nothing here can be followed" in capsys.readouterr().err


def test_nothing_is_read_above_the_working_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "prepare.py").write_text(PREPARE)
    (folder / "runs").mkdir()
    (folder / "runs" / "study.py").write_text(study_with("from ..prepare import scaled"))
    monkeypatch.chdir(folder / "runs")
    assert main(["leakage", "code", "study.py", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--policy", "strict", "--select", "L1, LX1"], "--select 'L1, LX1' --policy strict"),
        (["--pairs", "-o", "out.json", "--force", "-f", "json"], "--pairs"),
        ([], ""),
    ],
)
def test_the_report_names_the_options_that_made_it(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], shown: str
) -> None:
    main(["leakage", "code", "clean.py", *options, *([] if "-f" in options else ["-f", "json"])])
    told = (folder / "out.json").read_text() if "-o" in options else capsys.readouterr().out
    words = json.loads(told)["command"].removeprefix("assay leakage code clean.py").split()
    assert sorted(words) == sorted(shown.split())


@pytest.mark.parametrize("mark", ["requirements.txt", "pyproject.toml", ".gitignore", "README.md", "runs/__init__.py"])
@pytest.mark.parametrize("named", ["{folder}/runs/study.py", "../runs/study.py"])
def test_a_script_outside_the_working_folder_is_read_with_its_project(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], mark: str, named: str
) -> None:
    (folder / "tools").mkdir()
    (folder / "tools" / "prepare.py").write_text(PREPARE)
    (folder / "runs").mkdir()
    (folder / "runs" / "study.py").write_text(study_with("from tools.prepare import scaled"))
    (folder / mark).write_text("")
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert main(["leakage", "code", named.format(folder=folder), "-f", "json"]) == 1
    [found] = json.loads(capsys.readouterr().out)["findings"]
    assert found["location"]["path"] == "tools/prepare.py"


def test_nothing_is_read_above_a_script_that_lies_in_no_project(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "prepare.py").write_text(PREPARE)
    (folder / "runs").mkdir()
    (folder / "runs" / "study.py").write_text(study_with("from prepare import scaled"))
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert main(["leakage", "code", str(folder / "runs" / "study.py"), "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []


def test_an_absolute_path_below_the_working_folder_is_shown_as_the_relative_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "runs").mkdir()
    (folder / "runs" / "study.py").write_text(LEAKY)
    assert main(["leakage", "code", str(folder / "runs" / "study.py"), "-f", "json"]) == 1
    assert {f["location"]["path"] for f in json.loads(capsys.readouterr().out)["findings"]} == {"runs/study.py"}


def test_a_notebook_outside_the_working_folder_is_read_though_it_lies_where_no_project_is_looked_at(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = folder / "notes" / ".ipynb_checkpoints" / "study.py"
    study.parent.mkdir(parents=True)
    study.write_text(LEAKY)
    (folder / "requirements.txt").write_text("")
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert main(["leakage", "code", str(study), "-f", "json"]) == 1
