"""One program has one answer, however Python happens to arrange its sets."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

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


def _asked(seed: int, ask: str, given: str) -> str:
    told = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": _SOURCES}
    asked = subprocess.run(
        [sys.executable, "-c", ask], input=given, env=told, capture_output=True, text=True, check=True, timeout=120
    )
    return asked.stdout.strip()


def _answer(seed: int, program: str) -> str:
    return _asked(seed, _ASK, program)


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


_WHOLE_ANSWERS = (
    "import json, sys; from assay.leakage.code.analysis import analyse_text; "
    "print(json.dumps([repr(analyse_text(program)) for program in json.load(sys.stdin)]))"
)
_MORE_TRACES_THAN_ARE_KEPT = (
    """
import pandas as pd
from sklearn.linear_model import Ridge
from sklearn.model_selection import train_test_split

def with_shade(table):
    table["shade"] = table["sun"] * 2
    return table

table = pd.read_csv("load.csv")
"""
    + "".join(f'table["double{n}"] = table["heat{n}"] * 2\n' for n in range(30))
    + """
table["load"] = table.apply(lambda row: row.sum(), axis=1)
table = with_shade(table)
x_train, x_test, y_train, y_test = train_test_split(table.drop(columns="load"), table["load"])
print(Ridge().fit(x_train, y_train).score(x_test, y_test))
"""
)
_ONE_FILE_READ_TWICE = """
import pandas as pd
from sklearn.svm import SVC

early = pd.read_csv("load.csv")[:800]
late = pd.read_csv("load.csv")[500:]
both = pd.concat([early, late])
model = SVC().fit(both.drop(columns="load"), both["load"])
print(model.score(both.drop(columns="load"), both["load"]))
"""
_FITTED_IN_EITHER_BRANCH = """
import sys
import pandas as pd
from sklearn.linear_model import Ridge
from sklearn.model_selection import train_test_split

table = pd.read_csv("load.csv")
train, test = train_test_split(table)
model = Ridge()
if len(sys.argv) > 1:
    model.fit(train[["heat", "load"]], train["load"])
else:
    model.fit(train[["wind", "load"]], train["load"])
print(model.score(test[["heat", "load"]], test["load"]))
"""
_SEVERAL_UNITS_NAMED_AT_ONCE = """
import pandas as pd
from sklearn.linear_model import Ridge
from sklearn.model_selection import train_test_split

table = pd.read_csv("load.csv").drop(columns=["patient_id", "subject_id", "user_id"])
x_train, x_test, y_train, y_test = train_test_split(table.drop(columns="load"), table["load"])
print(Ridge().fit(x_train, y_train).score(x_test, y_test))
"""
_TWO_TABLES_DIVIDED_WITH_ONE_SEED = """
import pandas as pd
from sklearn.linear_model import Ridge
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

north, south = pd.read_csv("north.csv"), pd.read_csv("south.csv")
scaler = StandardScaler().fit(pd.concat([north, south]))
north_train, north_test = train_test_split(north, random_state=0)
south_train, south_test = train_test_split(south, random_state=0)
train, test = pd.concat([north_train, south_train]), pd.concat([north_test, south_test])
model = Ridge().fit(scaler.transform(train), train["load"])
print(model.score(scaler.transform(test), test["load"]))
"""
_ONE_SUM_BEGINS_WHERE_ANOTHER_DOES = """
import pandas as pd
from sklearn.linear_model import Ridge
from sklearn.model_selection import train_test_split

table = pd.read_csv("load.csv")
few, many = table[table["ill"] == 1], table[table["ill"] == 0]
table = pd.concat([few, many.sample(len(few))])
table["sum"] = table["heat"] + table["wind"] + table["rain"] + table["snow"]
x_train, x_test, y_train, y_test = train_test_split(table.drop(columns="ill"), table["ill"])
print(Ridge().fit(x_train, y_train).score(x_test, y_test))
"""
_CLASSES_OF_TWO_COLUMNS_EVENED_OUT = """
import pandas as pd
from sklearn.svm import SVC
from sklearn.model_selection import train_test_split

table = pd.read_csv("visits.csv")
few = table[(table["ill"] == 1) & (table["sex"] == 1)]
many = table[(table["ill"] == 0) & (table["sex"] == 0)]
table = pd.concat([few, many.sample(len(few))])
x_train, x_test, y_train, y_test = train_test_split(table.drop(columns="ill"), table["ill"])
print(SVC().fit(x_train, y_train).score(x_test, y_test))
"""
_PROGRAMS = {
    "classes of two columns evened out": _CLASSES_OF_TWO_COLUMNS_EVENED_OUT,
    "more traces than are kept": _MORE_TRACES_THAN_ARE_KEPT,
    "one file read twice": _ONE_FILE_READ_TWICE,
    "fitted in either branch": _FITTED_IN_EITHER_BRANCH,
    "several units named at once": _SEVERAL_UNITS_NAMED_AT_ONCE,
    "two tables divided with one seed": _TWO_TABLES_DIVIDED_WITH_ONE_SEED,
    "one sum begins where another does": _ONE_SUM_BEGINS_WHERE_ANOTHER_DOES,
}


@cache
def _whole_answers(seed: int) -> dict[str, str]:
    """All that is told of each program, with its evidence, by one process."""
    answers = json.loads(_asked(seed, _WHOLE_ANSWERS, json.dumps(list(_PROGRAMS.values()))))
    return dict(zip(_PROGRAMS, answers, strict=True))


@pytest.mark.parametrize("name", _PROGRAMS)
def test_all_that_is_told_is_the_same_under_every_hash_seed(name: str) -> None:
    answers = {_whole_answers(seed)[name] for seed in range(8)}
    assert len(answers) == 1
    assert "Leak(code=" in answers.pop()
