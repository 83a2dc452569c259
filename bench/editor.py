"""How long the language server computes after a change: `python bench/editor.py`.

The same small program is repeated until the file has 125 to 1,000 lines; each file is examined anew, as after a key
stroke. Seconds are of one processor, the best of seven attempts.
"""

from __future__ import annotations

import time

from assay.editor.documents import findings_in

PROGRAM = """
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

table = pd.read_csv("patients.csv")
X_train, X_test, y_train, y_test = train_test_split(table.drop(columns="ill"), table["ill"], random_state=0)
model = LogisticRegression(random_state=0).fit(X_train, y_train)
print(model.score(X_test, y_test))
"""
ATTEMPTS = 7


def program(lines: int) -> str:
    """So many lines of code, with names of their own in each repetition."""
    size = len(PROGRAM.splitlines())
    parts = (PROGRAM.replace("table", f"table{i}").replace("model =", f"model{i} =") for i in range(lines // size))
    return "".join(parts)


def seconds(text: str, attempt: int) -> float:
    """Of computing, for text that was never seen before."""
    started = time.process_time()
    findings_in("train.py", f"{text}typed = {attempt}\n")
    return time.process_time() - started


def main() -> None:
    """Print a row for each size."""
    seconds(program(50), 0)
    for lines in (125, 250, 500, 1_000):
        best = min(seconds(program(lines), attempt) for attempt in range(1, ATTEMPTS + 1))
        print(f"{lines:5} lines  {1000 * best:6.0f} ms")


if __name__ == "__main__":
    main()
