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
