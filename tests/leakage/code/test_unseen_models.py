"""Parts that a module prepares and hands to a model out of sight; models whose base class is out of sight."""

import pytest

from assay.findings import Severity
from assay.leakage.code.analysis import analyse_text

HEAD = """\
import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
"""
SPLIT_IN_A_FUNCTION = """
def load(path):
    df = pd.read_csv(path)
    X, y = df.drop(columns="ill"), df["ill"]
    X = StandardScaler().fit_transform(X)
    return train_test_split(X, y, random_state=0)
"""
SLICES = """
def load(path, n):
    X = np.loadtxt(path)
    X = StandardScaler().fit_transform(X)
    return X[:n], X[n:]
"""
KEPT_IN_AN_OBJECT = """
class Data:
    def __init__(self, path):
        rows = np.loadtxt(path)
        rows = (rows - rows.mean()) / rows.std()
        border = int(0.8 * len(rows))
        self.train, self.test = rows[:border], rows[border:]
    def parts(self):
        return self.train, self.test
"""
SCALED_AFTERWARDS = """
def load(path, n):
    X = np.loadtxt(path)
    scaler = StandardScaler().fit(X[:n])
    return scaler.transform(X[:n]), scaler.transform(X[n:])
"""
CLASSES_APART = """
def by_class(df):
    df = df.fillna(df.mean())
    return df[df["ill"] == 1], df[df["ill"] == 0]
"""
LOOP = """\
import torch, strange
from torch.utils.data import DataLoader, TensorDataset
X = torch.tensor(np.loadtxt("x.csv"))
y = torch.tensor(np.loadtxt("y.csv"))
{before}
n = int(0.8 * len(X))
train = DataLoader(TensorDataset(X[:n], y[:n]), batch_size=32)
test_x, test_y = X[n:], y[n:]
class Net({base}):
    def __init__(self):
        super().__init__()
        self.layer = strange.Layer()
    def forward(self, x):
        return self.layer(x)
net = Net()
net = net.cuda()
loss_of = strange.Likelihood(net)
optimizer = torch.optim.Adam(net.parameters())
for a, b in train:
    loss = -loss_of(net(a), b)
    loss.backward()
    optimizer.step()
print((net(test_x) - test_y).abs().mean())
"""


@pytest.mark.parametrize("text", [SPLIT_IN_A_FUNCTION, SLICES, KEPT_IN_AN_OBJECT])
def test_what_is_prepared_before_the_parts_are_handed_out_is_a_note(text: str) -> None:
    (leak,) = analyse_text(HEAD + text).leaks
    assert (leak.code, leak.severity) == ("L1.2", Severity.NOTE)
    assert "before they were split" in leak.message
    assert any("Nothing in sight is trained" in evidence.text for evidence in leak.evidence)


@pytest.mark.parametrize("text", [SCALED_AFTERWARDS, CLASSES_APART])
def test_parts_prepared_by_the_first_and_rows_sorted_by_class_are_clean(text: str) -> None:
    assert analyse_text(HEAD + text).leaks == ()


def test_a_model_in_sight_is_reported_instead_of_one_out_of_sight() -> None:
    calls = "\nfrom sklearn.svm import SVC\na, b, c, d = load('a.csv')\nprint(SVC().fit(a, c).score(b, d))\n"
    (leak,) = analyse_text(HEAD + SPLIT_IN_A_FUNCTION + calls).leaks
    assert leak.severity is Severity.WARNING


@pytest.mark.parametrize("base", ["strange.Process", "torch.nn.Module"])
def test_a_class_with_a_forward_method_is_a_network_whatever_its_base(base: str) -> None:
    found = analyse_text(HEAD + LOOP.format(base=base, before="X = (X - X.min(0)[0]) / X.max(0)[0]"))
    assert (found.models, {leak.code for leak in found.leaks}) == (1, {"L1.2"})
    assert analyse_text(HEAD + LOOP.format(base=base, before="")).leaks == ()


def test_a_script_whose_model_cannot_be_followed_still_shows_what_was_prepared_before_the_split() -> None:
    script = "rows = StandardScaler().fit_transform(pd.read_csv('a.csv'))\nn = int(0.7 * len(rows))\n"
    parts = "first, rest = rows[:n], rows[n:]\nstrange.session(first).test(rest)\n"
    assert [leak.severity for leak in analyse_text("import strange\n" + HEAD + script + parts).leaks] == [Severity.NOTE]
    shown = "print(rows[:5], rows[10:20])\nfirst, later = rows[:5], rows[10:20]\nstrange.fit(first, later)\n"
    assert analyse_text("import strange\n" + HEAD + script + shown).leaks == ()
