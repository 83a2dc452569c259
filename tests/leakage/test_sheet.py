"""``assay leakage sheet``."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from assay.checklists.filled import read_filled
from assay.cli import main

LEAKY = """
import pandas as pd
from imblearn.over_sampling import SMOTE
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
df = pd.read_csv("d.csv")
X, y = SMOTE().fit_resample(df.drop(columns=["died"]), df["died"])
X_train, X_test, y_train, y_test = train_test_split(X, y)
model = LogisticRegression().fit(X_train, y_train)
print(model.score(X_test, y_test))
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text(LEAKY)
    lines = [f"{i * 0.731:.3f},{i * i % 97},{i % 3 == 0:d}" for i in range(60)]
    Path("a.csv").write_text("u,v,died\n" + "\n".join(lines[:45]) + "\n")
    Path("b.csv").write_text("u,v,died\n" + "\n".join(lines[40:]) + "\n")


def answers() -> dict[str, str]:
    return {a.item.id: a.text for a in read_filled(Path("sheet.yaml")).answers if a.given}


def test_code_and_tables_propose_answers_and_leave_arguments_to_a_person(capsys: pytest.CaptureFixture[str]):
    words = ["--code", "train.py", "--train", "a.csv", "--test", "b.csv", "--target", "died"]
    assert main(["leakage", "sheet", "sheet.yaml", *words]) == 0
    told = answers()
    assert "train_test_split" in told["B1"]
    assert "training part: 45 rows" in told["B2"]
    assert "SMOTE" in told["B5"]
    assert "5 of 20 test rows" in told["B9"]
    assert not {"A4", "A5", "C1", "C2"} & told.keys()
    assert "left to a person" in capsys.readouterr().err
    assert all(a.proposed for a in read_filled(Path("sheet.yaml")).answers if a.given)


def test_an_answer_that_the_code_contradicts_is_flagged(capsys: pytest.CaptureFixture[str]):
    Path("sheet.yaml").write_text("checklist: model-info-sheet\nanswers:\n  B5: inside the training folds only\n")
    assert main(["leakage", "sheet", "sheet.yaml", "--code", "train.py", "--select", "K105"]) == 1
    shown = capsys.readouterr().out
    assert "SMOTE" in shown
    assert "B5" in shown
    assert main(["leakage", "sheet", "sheet.yaml", "--select", "K105"]) == 0


def test_one_part_alone_is_refused(capsys: pytest.CaptureFixture[str]):
    assert main(["leakage", "sheet", "sheet.yaml", "--train", "a.csv"]) == 2
    assert "go together" in capsys.readouterr().err
    assert not Path("sheet.yaml").exists()


def test_what_the_tables_show_is_proposed_question_by_question():
    assert main(["leakage", "sheet", "sheet.yaml", "--train", "a.csv", "--test", "b.csv", "--target", "died"]) == 0
    told = answers()
    assert {"B2", "B3", "B4", "B5", "B9", "C3", "D1", "D2", "D3"} <= told.keys()
    assert told["B4"].startswith("No cell is missing")
    assert "no time column found" in told["D2"]


def test_a_note_about_a_guess_contradicts_nobody(capsys: pytest.CaptureFixture[str]):
    """The country is guessed to be a group; the answer that rows are independent stands."""
    lines = [f"{i * 0.731:.3f},{(i * 7919) % 101},c{(i * 37) % 12},{i * 31 % 7 < 3:d}" for i in range(240)]
    Path("c.csv").write_text("u,v,country,died\n" + "\n".join(lines[:180]) + "\n")
    Path("d.csv").write_text("u,v,country,died\n" + "\n".join(lines[180:]) + "\n")
    Path("ours.yaml").write_text("checklist: model-info-sheet\nanswers:\n  D3: every row is another ship\n")
    words = ["--train", "c.csv", "--test", "d.csv", "--target", "died", "--select", "K105"]
    assert main(["leakage", "sheet", "ours.yaml", *words]) == 0
    capsys.readouterr()


def test_scaling_says_nothing_about_resampling(capsys: pytest.CaptureFixture[str]):
    draw = np.random.default_rng(0)
    x = draw.normal(size=(200, 3))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    rows = [",".join(map(repr, row.tolist())) + f",{i % 2}" for i, row in enumerate(x)]
    Path("c.csv").write_text("p,q,r,died\n" + "\n".join(rows[:150]) + "\n")
    Path("d.csv").write_text("p,q,r,died\n" + "\n".join(rows[150:]) + "\n")
    Path("ours.yaml").write_text(
        "checklist: model-info-sheet\nanswers:\n  B3: scaled inside the training part\n  B5: none was done\n"
    )
    words = ["--train", "c.csv", "--test", "d.csv", "--target", "died", "--select", "K105"]
    assert main(["leakage", "sheet", "ours.yaml", *words]) == 1
    shown = capsys.readouterr().out
    assert "B3" in shown
    assert "B5" not in shown


def table_sheet(answers: str) -> int:
    Path("ours.yaml").write_text(f"checklist: model-info-sheet\nanswers:\n{answers}")
    words = ["--train", "a.csv", "--test", "b.csv", "--target", "died", "--select", "K105"]
    return main(["leakage", "sheet", "ours.yaml", *words])


def test_an_admitted_leak_is_no_contradiction(capsys: pytest.CaptureFixture[str]):
    assert table_sheet("  B9: there are no copies\n") == 1
    assert "B9" in capsys.readouterr().out
    assert table_sheet("  B9: five duplicates remain; we report the score without them too\n") == 0
    assert table_sheet("  B9: no duplicates remain\n") == 1
    Path("ours.yaml").write_text("checklist: model-info-sheet\nanswers:\n  B5: SMOTE was run before the split\n")
    assert main(["leakage", "sheet", "ours.yaml", "--code", "train.py", "--select", "K105"]) == 0
    capsys.readouterr()


def test_an_answer_changed_to_the_opposite_is_flagged_though_its_evidence_is_kept(capsys: pytest.CaptureFixture[str]):
    words = ["leakage", "sheet", "sheet.yaml", "--code", "train.py", "--select", "K105"]
    assert main(words) == 0
    assert main(words) == 0  # what was found is conceded
    sheet = yaml.safe_load(Path("sheet.yaml").read_text())
    assert "L1.2 at train.py" in sheet["answers"]["B5"]["evidence"]
    sheet["answers"]["B5"]["answer"] = "no rows were resampled"
    Path("sheet.yaml").write_text(yaml.safe_dump(sheet))
    assert main(words) == 1
    sheet["answers"]["B5"]["evidence"] += "; the L1.2 is about a model that is not reported"
    Path("sheet.yaml").write_text(yaml.safe_dump(sheet))
    assert main(words) == 0
    capsys.readouterr()


def test_one_answer_that_admits_a_leak_contradicts_no_other(capsys: pytest.CaptureFixture[str]):
    def checked(answers: str) -> int:
        Path("ours.yaml").write_text(f"checklist: model-info-sheet\nanswers:\n{answers}")
        return main(["leakage", "sheet", "ours.yaml", "--select", "K104"])

    assert checked("  B5: SMOTE made rows before the split\n") == 1
    assert checked("  B5: SMOTE made rows before the split, which leaks; the score is too high\n") == 0
    assert checked("  B3: scaled on all rows, a limitation\n") == 0
    assert checked("  B3: scaled on all rows, which is no leakage\n") == 1
    assert checked("  B1: the split is random in time\n  A4: no forecasting claim\n") == 0
    capsys.readouterr()


def test_stated_numbers_of_rows_are_compared_with_the_tables(capsys: pytest.CaptureFixture[str]):
    assert table_sheet("  B2: 9999 rows were used\n") == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "training part: 45 rows" in shown
    assert table_sheet("  B2: 45 training rows and 20 test rows, 65 rows in all\n") == 0
    assert table_sheet("  B2: a part for testing, drawn in 2019\n") == 0
    capsys.readouterr()


PROJECT = """
import pandas as pd
from imblearn.over_sampling import SMOTE
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, train_test_split
from sklearn.preprocessing import StandardScaler

df = pd.read_csv("patients.csv")
df = df.drop_duplicates()
df = df.dropna()
print(df[["hospital", "town"]].drop_duplicates(), df["town"].unique())
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="died"), df["died"], test_size=0.2)
X_train, X_test = X_train.fillna(0), X_test.fillna(0)
scaler = StandardScaler().fit(X_train)
search = GridSearchCV(LogisticRegression(), {"C": [1, 10]}, cv=GroupKFold(5)).fit(scaler.transform(X_train), y_train)
print(search.score(scaler.transform(X_test), y_test))
"""
README = """# Deaths
Data: https://zenodo.org/record/123. Paper: https://doi.org/10.1000/xyz
@article{d, author={Defferrard, Micha\\"el and Benzi, Kirell}, title={T}}
"""


def test_a_project_answers_most_of_the_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text(PROJECT)
    (folder / "README.md").write_text(README)
    (folder / "requirements.txt").write_text("pandas\n")
    path = tmp_path / "sheet.yaml"
    assert main(["leakage", "sheet", str(path), "--code", str(folder)]) == 0
    answers = {name: answer["answer"] for name, answer in yaml.safe_load(path.read_text())["answers"].items() if answer}
    assert answers["A1"] == "Authors: Defferrard, Michael; Benzi, Kirell"
    assert "zenodo.org/record/123" in answers["A3"]
    assert "test_size=0.2" in answers["B2"]
    assert answers["B3"] == "Steps that learn from rows: StandardScaler"
    assert answers["B4"] == "Gaps are filled by fillna"
    assert answers["B5"].startswith("No call of a known library resamples")
    assert answers["B6"].startswith("No call of a known library selects")
    assert answers["B7"] == "Choices are made by GridSearchCV"
    assert answers["B9"] == "Duplicates are dropped by drop_duplicates"
    assert answers["D3"] == "Rows of one group are kept together by GroupKFold"
    assert answers["D4"] == "Rows are dropped by dropna"
    assert len(answers) >= 14
    assert "left to a person" in capsys.readouterr().err


def test_tables_add_to_what_the_code_does():
    """A numeric target has no classes to resample: the check that did not run is no answer, and the code's stays."""
    Path("train.py").write_text("from sklearn.preprocessing import StandardScaler\nStandardScaler().fit(X_train)\n")
    words = ["--code", "train.py", "--train", "a.csv", "--test", "b.csv", "--target", "u"]
    assert main(["leakage", "sheet", "sheet.yaml", *words]) == 0
    told = answers()
    assert told["B3"].startswith("Steps that learn from rows: StandardScaler. scaling:")
    assert told["B5"].startswith("No call of a known library resamples rows")
    assert "not run" not in " ".join(told.values())


IMPUTED = """
import pandas as pd
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
df = pd.read_csv("d.csv")
y = df.pop("died")
X = SimpleImputer().fit_transform(df, y)
X_train, X_test, y_train, y_test = train_test_split(X, y)
print(LogisticRegression().fit(X_train, y_train).score(X_test, y_test))
"""


def test_a_step_in_code_answers_the_questions_about_it():
    Path("train.py").write_text(IMPUTED)
    assert main(["leakage", "sheet", "sheet.yaml", "--code", "train.py"]) == 0
    told = answers()
    assert "Found: the imputation" in told["B3"]
    assert "Found: the imputation" in told["B4"]
    assert "Found" not in told["B5"]
