"""Values are followed through the whole language, through notebooks and local imports, within limits."""

import ast
import json
import sys
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.code import Code, Source, read_code
from assay.leakage.code import analysis
from assay.leakage.code.analysis import Analysis, analyse, analyse_source, analyse_text
from assay.leakage.code.facts import choices
from assay.leakage.code.frames import entries
from assay.leakage.code.language.running import Run
from assay.leakage.code.policies.policy import load_policy
from assay.leakage.code.state.events import Choice, Evaluation
from assay.leakage.code.state.machine import Limits
from assay.leakage.code.state.scopes import Names
from assay.leakage.code.state.values import Const
from assay.tree.opening import tree_of

READ = 'import pandas as pd\ndf = pd.read_csv("a.csv")\nX, y = df.drop(columns="ill"), df["ill"]\n'
SCALE = "from sklearn.preprocessing import StandardScaler\nX = StandardScaler().fit_transform(X)\n"
SPLIT = (
    "from sklearn.model_selection import train_test_split\nX_train, X_test, y_train, y_test = train_test_split(X, y)\n"
)
SCORE = "from sklearn.svm import SVC\nprint(SVC().fit(X_train, y_train).score(X_test, y_test))\n"


def codes(analysis: Analysis) -> set[str]:
    return {leak.code for leak in analysis.leaks}


def notebook(*cells: str | tuple[str, int]) -> str:
    """A notebook; a cell may come with its execution count."""
    made = [c if isinstance(c, tuple) else (c, None) for c in cells]
    listed = [
        {"cell_type": "code", "metadata": {}, "source": text, "outputs": [], "execution_count": count}
        for text, count in made
    ]
    return json.dumps({"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def in_files(**files: str) -> Analysis:
    code = read_code(tree_of({name.replace("__", "."): text for name, text in files.items()}))
    main = code.source("main.py") or code.python[0]
    return analyse_source(code, main)


def test_the_path_leads_from_reading_to_evaluation() -> None:
    (leak,) = analyse_text(READ + SCALE + SPLIT + SCORE).leaks
    steps = [(e.text.partition(":")[0], e.location.line) for e in leak.evidence if e.kind == "step" and e.location]
    assert [line for _, line in steps] == [2, 5, 7, 9, 9]
    assert "read by `pandas.read_csv`" in steps[0][0]
    assert leak.location.line == 5
    assert "StandardScaler().fit(X_train)" in leak.advice


@pytest.mark.parametrize(
    "way",
    [
        "Z = X\nX = StandardScaler().fit_transform(Z)",
        "X, rest = StandardScaler().fit_transform(X), 1",
        "box = {'X': X}\nX = StandardScaler().fit_transform(box['X'])",
        "box = [X]\nX = [StandardScaler().fit_transform(table) for table in box][0]",
        "class A: pass\na = A()\na.X = X\nX = StandardScaler().fit_transform(a.X)",
        "scale = lambda table: StandardScaler().fit_transform(table)\nX = scale(X)",
        "s = StandardScaler()\nfit = s.fit(X)\nX = s.transform(X)",
        "try:\n    X = StandardScaler().fit_transform(X)\nexcept ValueError:\n    pass",
        "with open('log') as log:\n    X = StandardScaler().fit_transform(X)",
        "while True:\n    X = StandardScaler().fit_transform(X)\n    break",
        "def outer(t):\n    inner = lambda u: StandardScaler().fit_transform(u)\n    return inner(t)\nX = outer(X)",
        "X = (Z := StandardScaler().fit_transform(X))",
        "for scaler in [StandardScaler()]:\n    X = scaler.fit_transform(X)",
        "match 1:\n    case _:\n        X = StandardScaler().fit_transform(X)",
    ],
)
def test_a_scaler_is_found_on_every_way(way: str) -> None:
    text = READ + "from sklearn.preprocessing import StandardScaler\n" + way + "\n" + SPLIT + SCORE
    assert codes(analyse_text(text)) == {"L1.2"}


@pytest.mark.parametrize(
    ("line", "call"), [("from helper import scaled", "scaled"), ("import helper", "helper.scaled")]
)
def test_local_modules_are_followed(line: str, call: str) -> None:
    first = "from sklearn.preprocessing import StandardScaler\n"
    helper = first + "def scaled(table):\n    return StandardScaler().fit_transform(table)\n"
    main = f"{READ}{line}\nX = {call}(X)\n{SPLIT}{SCORE}"
    assert codes(in_files(helper__py=helper, main__py=main)) == {"L1.2"}


def test_lines_of_another_file_are_not_taken_for_those_of_the_loop_that_calls_it() -> None:
    helper = "\n" * 8 + "def described(given):\n    level = given - given.mean()\n    return level.reshape(-1)\n"
    main = """
import numpy as np
from helper import described
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC
waves, faults = np.load("waves.npy"), np.load("faults.npy")

rows = []
for wave in waves:
    rows.append(described(wave))

X = np.array(rows)
X_train, X_test, y_train, y_test = train_test_split(X, faults, random_state=0)
print(SVC().fit(X_train, y_train).score(X_test, y_test))
"""
    assert not codes(in_files(helper__py=helper, main__py=main))


def test_one_cause_in_two_files_is_one_finding_with_both_places() -> None:
    step = "from sklearn.preprocessing import {0}\ndef scaled(table):\n    return {0}().fit_transform(table)\n"
    main = f"{READ}import first, second\nX = second.scaled(first.scaled(X))\n{SPLIT}{SCORE}"
    files = {"first__py": step.format("StandardScaler"), "second__py": step.format("MinMaxScaler"), "main__py": main}
    (leak,) = in_files(**files).leaks
    places = {(e.location.path, e.location.line) for e in leak.evidence if e.location and "learns" in e.text}
    assert places == {("first.py", 3), ("second.py", 3)}


def test_files_that_a_cell_runs_are_followed_where_they_are_run() -> None:
    files = {
        "study/main.ipynb": notebook("%run prepared.ipynb", SPLIT + SCORE),
        "study/prepared.ipynb": notebook("%run -i ../table", SCALE),
        "table.py": READ,
    }
    code = read_code(tree_of(files))
    (leak,) = analyse_source(code, _source(code, "study/main.ipynb")).leaks
    assert (leak.code, leak.location.path, leak.location.cell) == ("L1.2", "study/prepared.ipynb", 2)


@pytest.mark.parametrize("named", ["main.ipynb", "../../outside.py", "/outside.py", "'", "nowhere", "", "-i"])
def test_a_cell_that_runs_itself_or_what_lies_outside_is_passed_over(named: str) -> None:
    files = {"a/main.ipynb": notebook(f"%run {named}", READ + SCALE, SPLIT, SCORE), "outside.py": "X = 1\n"}
    code = read_code(tree_of(files))
    assert codes(analyse_source(code, _source(code, "a/main.ipynb"))) == {"L1.2"}


def test_notebooks_that_run_each_other_end() -> None:
    files = {"a.ipynb": notebook("%run b.ipynb", "m.fit(1)"), "b.ipynb": notebook("%run a.ipynb", "m.fit(1)")}
    assert codes(analyse(read_code(tree_of(files)))) == set()


def _source(code: Code, path: str) -> Source:
    source = code.source(path)
    assert source is not None
    return source


def test_what_a_module_does_when_it_is_imported_is_followed() -> None:
    prepared = READ + "for column in X.columns:\n    X[column] = X[column].fillna(X[column].mean())\n"
    main = "from prepared import X, y\n" + SPLIT + SCORE
    assert codes(in_files(main__py=main, prepared__py=prepared)) == {"L1.2"}
    guarded = READ + "if __name__ == '__main__':\n    X = X.fillna(X.mean())\n"
    assert codes(in_files(main__py=main, prepared__py=guarded)) == set()


def test_circular_imports_and_recursion_end() -> None:
    a = "from b import g\ndef f(x):\n    return g(x)\nf(1).fit(2)\n"
    b = "from a import f\ndef g(x):\n    return f(x)\n"
    assert codes(in_files(main__py="from a import f\nf(1).fit(2)\n", a__py=a, b__py=b)) == set()
    assert codes(analyse_text("def f(x):\n    return f(f(x))\nf(model.fit(1))\n")) == set()


def test_functions_that_nobody_calls_are_followed_too() -> None:
    text = "def experiment(X, y):\n" + "".join(f"    {line}\n" for line in (SCALE + SPLIT + SCORE).splitlines())
    assert codes(analyse_text(text)) == {"L1.2"}


def test_notebook_cells_carry_their_places_and_magics_do_no_harm() -> None:
    found = analyse(read_code(tree_of({"a.ipynb": notebook("%matplotlib inline\n!ls", READ + SCALE, SPLIT, SCORE)})))
    (leak,) = found.leaks
    assert (leak.location.cell, leak.location.line) == (2, 5)


def test_a_broken_cell_is_reported_and_the_rest_followed() -> None:
    found = analyse(read_code(tree_of({"a.ipynb": notebook(READ, "this is broken(", SCALE, SPLIT, SCORE)})))
    assert codes(found) == {"L1.2"}
    assert any("cell 2" in sentence for sentence in found.left_out)


def test_cells_are_followed_in_the_order_in_which_they_ran() -> None:
    fixed, shown = (READ, 1), (SPLIT, 2)
    assert codes(analyse(read_code(tree_of({"a.ipynb": notebook(fixed, shown, (SCALE, 3), (SCORE, 4))})))) == set()
    ran_before = notebook(fixed, (SPLIT, 3), (SCALE, 2), (SCORE, 4))
    assert codes(analyse(read_code(tree_of({"a.ipynb": ran_before})))) == {"L1.2"}


def test_cells_that_are_functions_are_followed_each_after_what_it_uses() -> None:
    def cell(given: str, text: str, returned: str) -> str:
        inside = "".join(f"    {line}\n" for line in text.splitlines())
        return f"@app.cell(hide_code=True)\ndef _({given}):\n{inside}    return {returned}\n"

    start = "import marimo\napp = marimo.App()\n"
    scored = cell("X_train, X_test, y_train, y_test", SCORE, "")
    read, split = cell("", READ, "X, y"), cell("X, y", SPLIT, "X_train, X_test, y_train, y_test")
    scaled = cell("X, y", SCALE + SPLIT, "X_train, X_test, y_train, y_test")
    assert codes(analyse_text(start + scored + scaled + read)) == {"L1.2"}
    assert codes(analyse_text(start + read + split + scored)) == set()


def test_encoders_are_a_matter_of_policy() -> None:
    encoded = READ + "X = OneHotEncoder().fit_transform(X)\n" + SPLIT + SCORE
    assert codes(analyse_text(encoded)) == set()
    assert codes(analyse_text(encoded, policy=load_policy("strict"))) == {"L1.2"}


def test_unknown_calls_are_named() -> None:
    text = READ + SCALE + "import strange\nX = strange.twisted(X)\n" + SPLIT + SCORE
    found = analyse_text(text)
    assert codes(found) == {"L1.2"}
    assert ("strange.twisted", 1) in found.unknown


def test_an_assumption_lowers_a_finding_to_a_note() -> None:
    oversampled = READ + "X, y = SMOTE().fit_resample(X, y)\n" + SPLIT
    unknown = "import strange\nX_test = strange.twisted(X_test)\n"
    (sure,) = (leak for leak in analyse_text(oversampled + SCORE).leaks if leak.code == "L1.2")
    (assumed,) = (leak for leak in analyse_text(oversampled + unknown + SCORE).leaks if leak.code == "L1.2")
    assert (sure.severity, assumed.severity, assumed.confidence) == ("error", "note", "low")
    assert any("strange.twisted" in e.text for e in assumed.evidence)


def test_severity_follows_the_expected_optimism() -> None:
    scaled = analyse_text(READ + SCALE + SPLIT + SCORE).leaks[0]
    oversampled = analyse_text(READ + "X, y = SMOTE().fit_resample(X, y)\n" + SPLIT + SCORE).leaks[0]
    assert (scaled.severity, oversampled.severity) == ("warning", "error")


# --- limits ---------------------------------------------------------------------------------------------


def test_what_lies_beyond_a_limit_is_named_and_the_rest_kept() -> None:
    text = READ + SCALE + SPLIT + SCORE + "x = 1\n" * 500
    code = read_code(tree_of({"a.py": text}))
    found = analyse(code, limits=Limits(statements=100))
    assert codes(found) == {"L1.2"}
    assert any("after 100 statements" in sentence for sentence in found.left_out)
    assert any("expressions" in s for s in analyse(code, limits=Limits(expressions=50)).left_out)
    slow = analyse(code, limits=Limits(seconds=0))
    assert codes(slow) == {"L1.2"}
    assert any("after 0 s of computing" in sentence for sentence in slow.left_out)


def test_a_call_that_is_too_deep_to_follow_is_named() -> None:
    steps = [f"def step{n}(x):\n    return step{n + 1}(x)\n" for n in range(9)]
    steps.append("from sklearn.preprocessing import StandardScaler as Scaler\n")
    steps.append("def step9(x):\n    return Scaler().fit_transform(x)\n")
    text = READ + "".join(steps) + "X = step0(X)\n" + SPLIT + SCORE
    assert analyse_text(text).left_out == ("example.py: calls more than 7 functions deep were not followed",)
    assert codes(analyse_text(text.replace("step0(X)", "step5(X)"))) == {"L1.2"}


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 150 + "1" + ")" * 150 + "\nm.fit(x)",
        "x = " + "-" * 200 + "1\nm.fit(x)",
        "m.fit(1)\n" + "if a:\n" + "".join("    " * n + "if a:\n" for n in range(1, 60)) + "    " * 60 + "x = 1",
        "x = m" + ".fit(1)" * 60,
        "exec('import os')\neval('m.fit(1)')",
        "def f(*a, **k):\n    return f(*a, **k)\nf(f, f=f).fit(1)",
        "\n".join(f"def f{i}(x):\n    return f{i + 1}(x), f{i + 1}(x)" for i in range(40)) + "\nf0(m.fit(1))",
        "\n".join("for i in x:\n" + " " * 4 + "m.fit(i)" for _ in range(200)),
        "x = [" + "1," * 20_000 + "]\nm.fit(x)",
        "class A(A):\n    def fit(self):\n        return self.fit()\nA().fit()",
        "fit = 1\ndel fit, x[0], y.z\nglobal q\nnonlocal_ = [*a, *b]\na, *b = fit\n",
        "m.fit(\x00)",
        "async def f():\n    async for x in y:\n        await m.fit(x)\n",
        "import pickle\nm = pickle.load(['a', 'b'])\npickle.dump(m, m)\nm.fit(open(3), open([]))\nx[m] = True\n",
        "from multiprocessing import Process\ndef f(x):\n    Process(target=f, args=x).start()\nf(m.fit(1))\n",
        "class A:\n    fit = predict = lambda self, x: self.fit(x).predict(x)\nA().fit(A()).predict(A())\n",
        "import pandas as pd\nx = pd.concat([a, b], axis=[1])\nx.drop('a', axis=[0]).drop(['a'], ['b'])\nm.fit(x)\n",
        "if a == [] or a is not None or 1 in (a, []) or not a:\n    m.fit(a)\nelif (a := [1]) in [a]:\n    a.fit(m)\n",
        READ + "".join(f"if c({i}):\n    df = df[df.a{i} > 1]\n" for i in range(60)) + "m.fit(df)\n",
        "m.fit(1)\n" + "".join(f"if c.x{i}:\n    d{i} = m.predict(d{i - 1})\n" for i in range(1, 200)),
    ],
)
def test_hostile_code_ends_without_a_crash(text: str) -> None:
    assert isinstance(analyse_text(text), Analysis)


def test_a_list_that_every_round_shuffles_is_followed() -> None:
    visit = "def visit(cases):\n    random.shuffle(cases)\n    for name, number in cases:\n        print(name)\n"
    rounds = "cases = [('a', 1), ('b', 2)]\nfor epoch in range(rounds):\n    visit(cases)\n"
    found = analyse_text("import random\n" + visit + rounds + READ + SCALE + SPLIT + SCORE)
    assert codes(found) == {"L1.2"}
    assert not any("nested" in sentence for sentence in found.left_out)


def test_many_cells_end_within_the_limits() -> None:
    found = analyse(read_code(tree_of({"a.ipynb": notebook(*[f"x{i} = m.fit(x{i - 1})" for i in range(3_000)])})))
    assert codes(found) == set()


_NAMES = st.sampled_from(["df", "X", "y", "m", "X_train", "X_test", "a", "b"])
_METHODS = [
    "fit",
    "transform",
    "fit_transform",
    "predict",
    "score",
    "drop",
    "fillna",
    "mean",
    "groupby",
    "append",
    "split",
]
_CALLS = ["train_test_split", "StandardScaler", "SVC", "f", "len", "zip", "max", "SMOTE"]
_INDICES = ["'c'", ":5", "5:", "y > 1", "['c', 'd']", "0", ":, 1"]
_VALUES = st.one_of(
    _NAMES,
    st.builds("{}[{}]".format, _NAMES, st.sampled_from(_INDICES)),
    st.builds("{}.{}({})".format, _NAMES, st.sampled_from(_METHODS), _NAMES),
    st.builds("{}({}, {})".format, st.sampled_from(_CALLS), _NAMES, _NAMES),
    st.builds("{} {} {}".format, _NAMES, st.sampled_from(["+", "-", "==", "<", "and"]), _NAMES),
)
_LINES = st.one_of(
    st.builds("{} = {}".format, _NAMES, _VALUES),
    st.builds("{}, {} = {}".format, _NAMES, _NAMES, _VALUES),
    st.builds("for {} in {}:\n    {} = {}".format, _NAMES, _VALUES, _NAMES, _VALUES),
    st.builds("if {}:\n    {} = {}\nelse:\n    {} = {}".format, _VALUES, _NAMES, _VALUES, _NAMES, _VALUES),
    st.builds("def f({}, {}):\n    return {}".format, st.just("p"), st.just("q"), _VALUES),
    st.builds("{}['c'] = {}".format, _NAMES, _VALUES),
    st.builds("print({})".format, _VALUES),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_LINES, min_size=1, max_size=25))
def test_any_program_is_followed_to_its_end(lines: list[str]) -> None:
    text = "\n".join(lines) + "\nm.fit(X, y)\nprint(m.score(X, y))\n"
    first, second = analyse_text(text), analyse_text(text)
    assert first.leaks == second.leaks
    assert all(leak.location.path == "example.py" for leak in first.leaks)


def test_a_part_that_a_function_scales_by_itself_and_then_cuts_is_told_as_such() -> None:
    text = """
def rows(name):
    X = pd.read_csv(name)
    X = (X - np.min(X)) / (np.max(X) - np.min(X))
    return X[1:]
X_train, X_test = rows("first.csv"), rows("second.csv")
model = SVC().fit(X_train[["age"]], X_train["ill"])
print(f1_score(X_test["ill"], model.predict(X_test[["age"]])))
"""
    assert {leak.topic for leak in analyse_text(text).leaks} == {"own statistics"}


def test_divisions_of_divisions_do_not_carry_all_rows_in_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else names double at each step, and one comparison of two such values takes longer than anybody waits."""
    names: list[object] = []

    def noted(*given: object) -> object:
        names.append(turn(*given))  # type: ignore[arg-type]
        return names[-1]

    turn = entries.division_in_turn
    monkeypatch.setattr(entries, "division_in_turn", noted)
    again = "    parts = [parts[j], pd.concat(parts[:j] + parts[j + 1 :])]\n"
    analyse_text(READ + "parts = [df, pd.read_csv('b.csv')]\nfor j in range(20):\n" + again * 8 + SPLIT + SCORE)
    found = [name for name in names if isinstance(name, tuple)]
    assert len({name[2] for name in found}) > 4
    assert all(isinstance(part, str | int) for name in found for part in name)


LEARN = """\
import torch
from pkg.keeping import Keeper


def one_pass(net, loader, criterion, stepper=None):
    total = 0
    for x, y in loader:
        loss = criterion(net(x), y)
        if stepper is not None:
            loss.backward()
            stepper.step()
        total += loss.item()
    return {"loss": total / len(loader)}


def train_model(net, train_loader, val_loader, *, epochs):
    criterion, stepper, keeper = torch.nn.MSELoss(), torch.optim.Adam(net.parameters()), Keeper("net.pt")
    for epoch in range(epochs):
        one_pass(net, train_loader, criterion, stepper)
        watched = one_pass(net, val_loader, criterion)
        KEEP
    return net
"""
KEEPER = """\
import torch


class Keeper:
    def __init__(self, path):
        self.path, self.least = path, None

    def beats(self, loss):
        return self.least is None or loss < self.least

    def step(self, net, loss):
        if self.beats(loss):
            self.least = loss
            torch.save(net.state_dict(), self.path)
            return True
        return False
"""
TRAIN = """\
import pandas as pd
import torch
from torch.utils.data import DataLoader, TensorDataset
from pkg.learning import train_model


def rows(path):
    table = pd.read_csv(path)
    held = TensorDataset(torch.tensor(table.drop(columns="ill").values), torch.tensor(table["ill"].values))
    return DataLoader(held, batch_size=8)


train_loader, val_loader = rows("train.csv"), rows("val.csv")
net = train_model(torch.nn.Sequential(torch.nn.Linear(9, 1)), train_loader, val_loader, epochs=30)
"""


@pytest.mark.parametrize(
    ("keep", "found"),
    [
        ('if keeper.step(net, watched["loss"]): print("kept", epoch)', {"LX1"}),
        ('print(epoch, watched["loss"])', set()),
    ],
)
def test_a_training_that_keeps_its_best_state_is_followed_over_several_modules(keep: str, found: set[str]) -> None:
    files = {
        "main.py": TRAIN,
        "pkg/__init__.py": "",
        "pkg/learning.py": LEARN.replace("KEEP", keep),
        "pkg/keeping.py": KEEPER,
    }
    code = read_code(tree_of(files))
    main = code.source("main.py")
    assert main is not None
    assert codes(analyse_source(code, main)) == found


@pytest.mark.parametrize(("way", "found"), [("return", {"L1.2"}), ("raise ValueError", set())])
def test_what_was_changed_before_an_early_return_stays_changed(way: str, found: set[str]) -> None:
    text = READ + (
        "from sklearn.preprocessing import StandardScaler\n"
        "class Box: pass\n"
        "box = Box()\n"
        "box.X = X\n"
        "def prepare(scale):\n"
        "    if scale:\n"
        "        box.X = StandardScaler().fit_transform(box.X)\n"
        f"        {way}\n"
        "    print('as it is')\n"
        "prepare(input())\n"
        "X = box.X\n"
    )
    assert codes(analyse_text(text + SPLIT + SCORE)) == found


WINDOWS = """
import yaml, json, argparse
import numpy as np
from pathlib import Path
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC
{read}
series, size, step = np.load("wave.npy"), settings["window"]["size"], settings["window"]["step"]
X = np.array([series[i : i + size] for i in range(0, len(series) - size, step)])
X_train, X_test, y_train, y_test = train_test_split(X, np.load("labels.npy"))
print(SVC().fit(X_train, y_train).score(X_test, y_test))
"""


@pytest.mark.parametrize(
    ("path", "read"),
    [
        ("window.yaml", 'with open("window.yaml") as file:\n    settings = yaml.safe_load(file)'),
        ("conf/window.yml", 'settings = yaml.safe_load(open(Path(__file__).parent / "conf" / "window.yml")) or {}'),
        ("a/window.json", 'with open("a/window.json") as file:\n    settings = json.load(file)'),
        (
            "window.json",
            (
                'parser = argparse.ArgumentParser()\nparser.add_argument("--settings", default="window.json")\n'
                "with open(parser.parse_args().settings) as file:\n    settings = json.load(file)"
            ),
        ),
    ],
)
def test_settings_are_read_from_files_of_the_tree(path: str, read: str) -> None:
    def told(step: int) -> set[str]:
        settings = {"window": {"size": 200, "step": step}}
        text = json.dumps(settings) if path.endswith("json") else f"window:\n  size: 200\n  step: {step}\n"
        code = read_code(tree_of({"main.py": WINDOWS.format(read=read), path: text}))
        return codes(analyse_source(code, code.python[0]))

    assert told(50) == {"L3.2"}
    assert told(200) == set()


@pytest.mark.parametrize("text", ["[1, 2, 3]", "window: &a\n  size: *a\n", "window: [", "a: 1\n", ""])
def test_what_a_file_of_settings_does_not_say_is_not_known(text: str) -> None:
    read = 'settings = yaml.safe_load(open("window.yaml"))'
    code = read_code(tree_of({"main.py": WINDOWS.format(read=read), "window.yaml": text}))
    assert codes(analyse_source(code, code.python[0])) == set()


def test_a_setting_that_may_be_another_decides_nothing() -> None:
    """Two ways to divide, by an option: neither is followed alone."""
    text = (
        READ
        + SPLIT
        + "import argparse\nfrom sklearn.svm import SVC\nparser = argparse.ArgumentParser()\n"
        + 'parser.add_argument("--all", type=int, default=1)\nargs = parser.parse_args()\n'
        + "if args.all == 0:\n    print(SVC().fit(X, y).score(X_test, y_test))\n"
    )
    assert codes(analyse_text(text)) == {"L1.1"}


def test_a_path_names_the_division_of_its_own_table_where_one_seed_divides_two() -> None:
    split = "X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)\n"
    other = 'X, y = pd.read_csv("b.csv"), pd.read_csv("c.csv")["well"]\n'
    used = "from sklearn.model_selection import train_test_split\n"
    (leak,) = analyse_text(f"{READ}{used}{SCALE}{split}{SCORE}{other}{split}").leaks
    divided = [e.location for e in leak.evidence if e.text.startswith("the rows are split here")]
    assert [place.line for place in divided if place] == [7]


def test_a_label_that_rows_are_left_out_by_was_not_scaled() -> None:
    out = 'X = pd.DataFrame(X)\nX["kind"] = df["kind"]\nX = X.drop(X.index[X["kind"] == "shell"])\n'
    (leak,) = analyse_text(READ + SCALE + out + SPLIT + SCORE).leaks
    assert leak.message.startswith("the scaling")


def test_an_object_that_is_fitted_and_then_predicts_is_a_model() -> None:
    program = """
import pandas as pd
from elsewhere import make_model
from sklearn.metrics import mean_absolute_error
df = pd.read_csv("series.csv")
df["v"] = df["v"].fillna(df["v"].mean())
train, test = df[:800], df[800:]
model = make_model("deep")
model.fit(train)
said = model.predict(test)
print(mean_absolute_error(test["v"], said))
"""
    found = analyse_text(program)
    assert found.models == 1
    assert [leak.code for leak in found.leaks] == ["L1.2"]


def test_an_object_that_is_fitted_and_only_transforms_is_no_model() -> None:
    program = """
import pandas as pd
from elsewhere import make_step
df = pd.read_csv("series.csv")
step = make_step("wide")
step.fit(df)
print(step.transform(df))
"""
    assert analyse_text(program).models == 0


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (MemoryError(), "train.py: needs more memory than is allowed"),
        (RecursionError(), "train.py: is nested too deeply to follow"),
        (KeyError("rows"), "train.py: internal fault (KeyError: 'rows')"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_fault_with_one_file_does_not_silence_the_others(
    monkeypatch: pytest.MonkeyPatch, fault: Exception, sentence: str
) -> None:
    follow = analysis.run

    def failing(
        code: Code, source: Source, body: Sequence[ast.stmt], limits: Limits, *, either_way: bool = False
    ) -> Run:
        if source.path == "train.py":
            raise fault
        return follow(code, source, body, limits, either_way=either_way)

    monkeypatch.setattr(analysis, "run", failing)
    text = READ + SCALE + SPLIT + SCORE
    found = analyse(read_code(tree_of({"train.py": text, "other.py": text})))
    assert found.left_out == (sentence,)
    assert {leak.location.path for leak in found.leaks} == {"other.py"}
    assert found.files == 2


def _steps(functions: int) -> int:
    """How many calls the analysis of a chain of functions makes, each of which calls the next."""
    links = "".join(f"def f{i}(x):\n    return f{i + 1}(x)\n" for i in range(functions))
    code = read_code(tree_of({"a.py": f"{links}def f{functions}(x):\n    return m.fit(x)\nf0(1)\n"}))
    events: Counter[str] = Counter()
    sys.setprofile(lambda _frame, event, _argument: events.update((event,)))
    try:
        analyse(code)
    finally:
        sys.setprofile(None)
    return events["call"] + events["c_call"]


def test_twice_as_many_functions_that_call_each_other_take_twice_as_many_steps() -> None:
    _, few, more, most = map(_steps, (10, 200, 400, 600))  # the first fills caches
    assert most - more <= 1.1 * (more - few)


def test_names_are_copied_anew_only_after_a_change() -> None:
    names = Names()
    names["rows"] = Const(1)
    before = names.as_they_are()
    assert names.as_they_are() is before
    names["rows"] = Const(2)
    assert not names.still(before)
    assert before == {"rows": Const(1)}
    assert names.as_they_are() == {"rows": Const(2)}


def test_what_a_choice_compares_is_worked_out_once_for_all_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = "best = 0\nfrom sklearn.tree import DecisionTreeClassifier\n"
    names = "abc"
    for depth, name in enumerate(names):
        searched += "    " * depth + f"for {name} in [2, 4, 8]:\n"
    inner = "    " * len(names)
    given = ", ".join(f"{name}={name}" for name in names)
    searched += f"{inner}tree = DecisionTreeClassifier({given}).fit(X_train, y_train)\n"
    searched += f"{inner}score = tree.score(X_test, y_test)\n{inner}if score > best:\n{inner}    best = score\n"
    calls: Counter[tuple[int, int]] = Counter()
    asked = choices._asks_for_rows

    def counted(choice: Choice, evaluation: Evaluation) -> bool:
        calls[id(choice), id(evaluation)] += 1
        return asked(choice, evaluation)

    monkeypatch.setattr(choices, "_asks_for_rows", counted)
    assert "LX1" in codes(analyse_text(READ + SPLIT + searched))
    assert calls
    assert set(calls.values()) == {1}
