"""One program has one answer, however Python happens to arrange its sets."""

import os
import subprocess
import sys
from pathlib import Path

import assay

_SOURCES = str(Path(assay.__file__).parents[1])
_ASK = (
    "import sys; from assay.leakage.code.analysis import analyse_text; "
    "print([(leak.code, leak.message) for leak in analyse_text(sys.stdin.read()).leaks])"
)
_ONE_PERSON_LEFT_OUT = """
import numpy as np
from scipy.io import loadmat
from sklearn.svm import SVC

signals, answers = [], []
for number in range(1, 11):
    data = loadmat(f"person{number}.mat")
    signals.append(data["signal"][72:328])
    answers.append(data["answer"][72:328])
signals, answers = np.array(signals), np.array(answers)

def gathered(x, y, persons):
    return np.concatenate([x[i] for i in persons]), np.concatenate([y[i] for i in persons])

for person in range(10):
    others = np.delete(np.arange(10), person)
    x_train, y_train = gathered(signals, answers, others)
    x_test, y_test = gathered(signals, answers, [person])
    print(SVC().fit(x_train, y_train).score(x_test, y_test))
"""


def _answer(seed: int, program: str) -> str:
    told = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": _SOURCES}
    asked = subprocess.run(
        [sys.executable, "-c", _ASK], input=program, env=told, capture_output=True, text=True, check=True, timeout=120
    )
    return asked.stdout.strip()


def test_a_program_has_the_same_leaks_under_every_hash_seed() -> None:
    assert {_answer(seed, _ONE_PERSON_LEFT_OUT) for seed in range(10)} == {"[]"}


_SEVERAL_FEATURES_OF_LATER_ROWS = """
import pandas as pd
from sklearn.linear_model import Ridge

table = pd.read_csv("load.csv")
table["next"] = table["heat"].shift(-1)
table["rise"] = table["next"] - table["heat"]
table["share"] = table["next"] / table["heat"]
early, late = table[:800], table[800:]
model = Ridge().fit(early.drop(columns="load"), early["load"])
print(model.score(late.drop(columns="load"), late["load"]))
"""


def test_of_several_features_made_in_one_place_the_same_is_named_under_every_hash_seed() -> None:
    answers = {_answer(seed, _SEVERAL_FEATURES_OF_LATER_ROWS) for seed in range(6)}
    assert len(answers) == 1
    assert "`next` looks ahead" in answers.pop()
