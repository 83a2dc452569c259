"""How long does `assay leakage code` take? For usual notebooks, for a thousand of them, and for code made to hurt.

    python bench/leakage_code.py

Times are CPU seconds of reading, parsing, following and judging, in one process that has warmed up.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from assay.code import read_code
from assay.leakage.code.analysis import Analysis, analyse
from assay.tree.opening import tree_of

TARGET = 0.060
"""CPU seconds for a notebook of 500 lines."""

LOOK = """\
# ## Step {n}: a first look
# The table has one row for each visit. We look at what is missing first,
# and then at how the columns hang together.

df{n} = pd.read_csv("table_{n}.csv")
df{n}.head()
df{n}.info()
print(df{n}.isnull().sum())
df{n}["age"] = df{n}["age"].fillna(df{n}["age"].median())
df{n}["sex"] = df{n}["sex"].map({{"m": 0, "f": 1}})
for column in ["weight", "height", "income"]:
    if df{n}[column].isnull().any():
        df{n}[column].fillna(df{n}[column].mean(), inplace=True)
plt.figure(figsize=(8, 4))
sns.heatmap(df{n}.corr(), annot=True)
plt.title("Correlation {n}")
plt.show()

# Which columns matter? A picture for each.
for column in df{n}.columns:
    plt.hist(df{n}[column], bins=20)
    plt.xlabel(column)
    plt.show()

X{n} = df{n}.drop(columns=["ill", "name"])
y{n} = df{n}["ill"]
"""
MODEL = """\
X_train, X_test, y_train, y_test = train_test_split(X{n}, y{n}, test_size=0.2, random_state={n})
scaler = StandardScaler()
X_train = scaler.fit_transform(X_train)
X_test = scaler.transform(X_test)
def show(model, a, b, c, d):
    model.fit(a, c)
    guess = model.predict(b)
    print(accuracy_score(d, guess), f1_score(d, guess))
    return confusion_matrix(d, guess)
results = {{}}
for name, model in [("forest", RandomForestClassifier()), ("svm", SVC()), ("bayes", GaussianNB())]:
    results[name] = show(model, X_train, X_test, y_train, y_test)
search = GridSearchCV(SVC(), {{"C": [1, 10, 100]}}, cv=5)
search.fit(X_train, y_train)
print(search.best_params_, search.score(X_test, y_test))
scores = [cross_val_score(DecisionTreeClassifier(max_depth=d), X_train, y_train).mean() for d in range(2, 20)]
plt.plot(range(2, 20), scores)
"""


def notebook(cells: list[str]) -> str:
    """The cells as a notebook."""
    made = [{"cell_type": "code", "source": c, "outputs": [], "metadata": {}, "execution_count": None} for c in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def usual(lines: int, dense: int = 3) -> str:
    """A notebook of about so many lines; one look at the data in `dense` is followed by a round of models."""
    cells = ["import pandas as pd\nimport numpy as np\n"]
    for number in range(lines):
        if sum(c.count("\n") for c in cells) >= lines:
            break
        cells += [LOOK.format(n=number), *([MODEL.format(n=number)] if number % dense == 0 else [])]
    return notebook(cells)


CHAINS = (2_500, 5_000, 10_000)
"""Twice as many functions should take twice as long."""


def chain(count: int) -> str:
    """A script of so many functions, each of which calls the next."""
    links = "".join(f"def f{i}(x):\n    return f{i + 1}(x)\n" for i in range(count))
    return f"{links}def f{count}(x):\n    return m.fit(x)\nf0(1)\n"


HOSTILE: dict[str, Callable[[], dict[str, str]]] = {
    "one cell of 100,000 lines": lambda: {"a.ipynb": notebook(["x = model.fit(x)\n" * 100_000])},
    "10,000 cells": lambda: {"a.ipynb": notebook([f"x{i} = model.fit(x{i - 1})" for i in range(10_000)])},
    "expressions nested 240 deep": lambda: {"a.py": "x = " + "-" * 240 + "1\nm.fit(x)\n" + "f(" * 90 + ")" * 90},
    "functions that double their calls": lambda: {
        "a.py": "".join(f"def f{i}(x):\n    return f{i + 1}(x), f{i + 1}(x)\n" for i in range(60)) + "f0(m.fit(1))\n"
    },
    **{f"{count:,} functions that each call the next": lambda count=count: {"a.py": chain(count)} for count in CHAINS},
    "a function that calls itself": lambda: {"a.py": "def f(x):\n    return f(f(x))\nf(m.fit(1))\n"},
    "1,000 loops within branches": lambda: {
        "a.py": "".join(f"for i in x{n}:\n    if i:\n        x{n + 1} = m.fit(i)\n" for n in range(1_000))
    },
    "code in strings": lambda: {"a.py": "exec('m.fit(1)')\n" * 2_000},
    "a list of 100,000 numbers": lambda: {"a.py": "x = [" + "1, " * 100_000 + "]\nm.fit(x)\n"},
}


def timed(files: dict[str, str]) -> tuple[float, Analysis]:
    """CPU seconds, and what was found."""
    start = time.process_time()
    found = analyse(read_code(tree_of(files)))
    return time.process_time() - start, found


def main() -> None:
    """Measure and print."""
    timed({"a.ipynb": usual(50)})
    print("CPU seconds  what")
    for lines in (100, 500, 2_000):
        seconds = min(timed({"a.ipynb": usual(lines)})[0] for _ in range(5))
        verdict = ("within" if seconds <= TARGET else "BEYOND") + f" {TARGET}" if lines == 500 else ""
        print(f"{seconds:11.3f}  a notebook of {lines} lines  {verdict}")
    seconds = min(timed({"a.ipynb": usual(500, dense=1)})[0] for _ in range(5))
    print(f"{seconds:11.3f}  a notebook of 500 lines with five models every 35 lines")
    start = time.process_time()
    for number in range(1_000):
        timed({f"{number}.ipynb": usual(150)})
    print(f"{time.process_time() - start:11.3f}  1,000 notebooks of 150 lines, one after the other")
    for name, make in HOSTILE.items():
        seconds, found = timed(make())
        print(f"{seconds:11.3f}  {name}: {'; '.join(found.left_out)[:100] or 'followed to the end'}")


if __name__ == "__main__":
    main()
