"""``assay leakage sheet``."""

from pathlib import Path

import pytest

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
