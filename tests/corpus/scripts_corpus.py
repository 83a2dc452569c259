"""Small scripts to make corpora of: one that is in order, one that trains on its test set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

HONEST = """
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
data = pd.read_csv("data.csv")
X_train, X_test, y_train, y_test = train_test_split(data.drop(columns="y"), data["y"])
model = LogisticRegression().fit(X_train, y_train)
print(model.score(X_test, y_test))
"""
LEAKING = HONEST.replace("fit(X_train, y_train)", "fit(X_test, y_test)")

MakeList = Callable[..., Path]
"""How many scripts, which of them hang, which are missing: the list of them."""
