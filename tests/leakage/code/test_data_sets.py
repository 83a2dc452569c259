"""Data sets of which loaders serve some places: places that nobody knows are no proof that rows are shared."""

import pytest

from assay.leakage.code.analysis import analyse_text

HEAD = """
import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

table = pd.read_csv("patients.csv")
x, y = torch.tensor(table.drop(columns="ill").values), torch.tensor(table["ill"].values)
rows = TensorDataset(x, y)
a, b = np.load("a.npy"), np.load("b.npy")
net = nn.Sequential(nn.Linear(64, 2))
steps = torch.optim.Adam(net.parameters())
def learn(batches):
    for features, truth in batches:
        nn.functional.cross_entropy(net(features), truth).backward()
        steps.step()
"""
ONCE = """
learn(DataLoader({known}))
correct = 0
for features, truth in DataLoader({others}):
    correct += (net(features).argmax(1) == truth).sum().item()
print(correct)
"""


def codes(text: str) -> set[str]:
    """The rules that fire."""
    return {leak.code for leak in analyse_text(HEAD + text).leaks}


@pytest.mark.parametrize(
    ("known", "others", "expected"),
    [
        ("rows", "rows", {"L1.1"}),
        ("Subset(rows, a)", "Subset(rows, a)", {"L1.1"}),
        ("rows, sampler=None", "rows", {"L1.1"}),
        ("Subset(rows, a)", "Subset(rows, b)", set()),
        ("rows, sampler=first_places", "rows, sampler=last_places", set()),
    ],
)
def test_only_the_same_places_of_a_data_set_prove_that_rows_are_shared(
    known: str, others: str, expected: set[str]
) -> None:
    assert codes(ONCE.format(known=known, others=others)) == expected
