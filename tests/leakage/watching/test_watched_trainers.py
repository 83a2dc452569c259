"""Training outside scikit-learn is followed: PyTorch as it is, XGBoost and LightGBM by doubles of what is hooked."""

import gc
import sys
import types

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from assay.leakage import watch
from assay.leakage.watching.rows import rows_of

RANDOM = np.random.default_rng(7)
X = RANDOM.normal(size=(240, 12))
Y = (X[:, 0] + RANDOM.normal(size=240) > 0).astype(int)
X_TRAIN, X_TEST, Y_TRAIN, Y_TEST = train_test_split(X, Y, random_state=0)


def codes(seen):
    return [finding.code for finding in seen.report().findings]


class Net(torch.nn.Module):
    def __init__(self, columns=12):
        super().__init__()
        self.inner = torch.nn.Sequential(torch.nn.Linear(columns, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))

    def forward(self, x):
        return self.inner(x)[:, 0]


def train(net, x, y, epochs=2, *, learn=True):
    optimizer, loss = torch.optim.SGD(net.parameters(), lr=0.1), torch.nn.BCEWithLogitsLoss()
    net.train()
    data = torch.utils.data.TensorDataset(torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32))
    for _ in range(epochs):
        for batch, truth in torch.utils.data.DataLoader(data, batch_size=32, shuffle=True):
            optimizer.zero_grad()
            loss(net(batch), truth).backward()
            if learn:
                optimizer.step()


def ask(net, x):
    net.eval()
    with torch.no_grad():
        return torch.cat([net(part) for part in torch.tensor(x, dtype=torch.float32).split(50)])


def test_a_module_that_is_tested_on_other_rows_is_clean():
    with watch(warn=False) as seen:
        net = Net()
        for _ in range(2):
            train(net, X_TRAIN, Y_TRAIN)
            ask(net, X_TEST)
    assert codes(seen) == []
    assert len(seen.journal.evaluations) == 2
    assert len(seen.journal.evaluations[0].rows) == len(X_TEST)


def test_a_module_that_is_tested_on_its_training_rows_is_seen():
    with watch(warn=False) as seen:
        net = Net()
        train(net, X, Y)
        ask(net, X_TEST)
    assert codes(seen) == ["L1.1"]
    assert "Net" in seen.report().findings[0].message


@pytest.mark.parametrize(("step", "code"), [(StandardScaler(), "L1.2"), (SelectKBest(k=5), "L1.3")])
def test_a_step_fitted_on_all_rows_is_followed_into_tensors(step, code):
    with watch(warn=False) as seen:
        everything = step.fit_transform(X, Y)
        x_train, x_test, y_train, _ = train_test_split(everything, Y, random_state=0)
        net = Net(everything.shape[1])
        train(net, x_train, y_train)
        ask(net, x_test)
    assert codes(seen) == [code]


def test_windows_of_a_scaled_series_are_followed_into_a_module():
    values = StandardScaler().fit_transform
    series = np.cumsum(RANDOM.normal(size=(260, 1)), axis=0)
    with watch(warn=False) as seen:
        windows = np.stack([made[i : i + 12, 0] for made in [values(series)] for i in range(240)])
        net = Net()
        train(net, windows[:180], Y[:180])
        ask(net, windows[180:])
    assert codes(seen) == ["L1.2"]


def test_windows_of_a_series_scaled_by_its_past_are_clean():
    series = np.cumsum(RANDOM.normal(size=(260, 1)), axis=0)
    with watch(warn=False) as seen:
        scaler = StandardScaler().fit(series[:190])
        past, future = (scaler.transform(part)[:, 0] for part in (series[:190], series[190:]))
        net = Net()
        train(net, np.lib.stride_tricks.sliding_window_view(past, 12), Y[:179])
        ask(net, np.lib.stride_tricks.sliding_window_view(future, 12))
    assert codes(seen) == []


def test_a_module_that_is_gone_when_the_watch_ends_is_seen():
    def trained_and_tested():
        net = Net()
        train(net, X, Y)
        ask(net, X_TEST)

    with watch(warn=False) as seen:
        trained_and_tested()
        gc.collect()
    assert codes(seen) == ["L1.1"]


def test_rows_that_no_optimiser_learnt_from_are_no_training_rows():
    with watch(warn=False) as seen:
        net = Net()
        train(net, X_TEST, Y_TEST, learn=False)
        ask(net, X_TEST)
        train(net, X_TRAIN, Y_TRAIN)
        ask(net, X_TEST)
    assert codes(seen) == []


def test_everything_is_restored_and_a_module_works_as_before():
    before = torch.nn.Module.__call__
    with watch(warn=False):
        assert torch.nn.Module.__call__ is not before
    assert torch.nn.Module.__call__ is before
    assert ask(Net(), X_TEST).shape == (60,)


class DMatrix:
    """As much of xgboost.DMatrix as a caller meets: the data by place or by name."""

    def __init__(self, data, label=None):
        self.shape = data.shape


class XGBooster:
    def __init__(self, params=None):
        self.rounds = 0

    def update(self, dtrain, iteration, fobj=None):
        self.rounds += 1

    def predict(self, data, output_margin=False):
        return np.zeros(data.shape[0])

    def inplace_predict(self, data):
        return self.predict(data)


def xgb_train(params, dtrain, num_boost_round=3):
    booster = XGBooster(params)
    for round_ in range(num_boost_round):
        booster.update(dtrain, iteration=round_, fobj=None)
    return booster


class Dataset:
    def __init__(self, data, label=None):
        self.data = data


class LGBooster:
    def __init__(self, params=None, train_set=None, model_file=None):
        self.train_set = train_set

    def update(self, train_set=None):
        return False

    def predict(self, data):
        return np.zeros(len(data))


@pytest.fixture
def doubles(monkeypatch):
    xgboost, lightgbm = types.ModuleType("xgboost"), types.ModuleType("lightgbm")
    xgboost.DMatrix, xgboost.Booster, xgboost.train = DMatrix, XGBooster, xgb_train
    lightgbm.Dataset, lightgbm.Booster = Dataset, LGBooster
    lightgbm.train = lambda params, train_set, rounds=3: [b := LGBooster(params, train_set), b.update()][0]
    monkeypatch.setitem(sys.modules, "xgboost", xgboost)
    monkeypatch.setitem(sys.modules, "lightgbm", lightgbm)
    return xgboost, lightgbm


@pytest.mark.parametrize(("rows", "expected"), [(X_TRAIN, []), (X, ["L1.1"])])
def test_xgb_train_is_followed_through_its_matrices(doubles, rows, expected):
    xgb, _ = doubles
    with watch(warn=False) as seen:
        booster = xgb.train({}, xgb.DMatrix(rows, label=None))
        booster.predict(xgb.DMatrix(X_TEST))
    assert codes(seen) == expected
    assert seen.journal.fits == 1
    with watch(warn=False) as seen:
        xgb.train({}, xgb.DMatrix(data=rows)).inplace_predict(X_TEST)
    assert codes(seen) == expected
    assert len(seen.journal.evaluations) == 1


@pytest.mark.parametrize(("rows", "expected"), [(X_TRAIN, []), (X, ["L1.1"])])
def test_lgb_train_is_followed_through_its_data_sets(doubles, rows, expected):
    _, lgb = doubles
    with watch(warn=False) as seen:
        lgb.train({}, lgb.Dataset(pd.DataFrame(rows))).predict(X_TEST)
    assert codes(seen) == expected


def test_a_scaler_fitted_on_all_rows_is_followed_into_a_booster(doubles):
    xgb, _ = doubles
    with watch(warn=False) as seen:
        scaled = StandardScaler().fit_transform(X)
        x_train, x_test = train_test_split(scaled, random_state=0)
        xgb.train({}, xgb.DMatrix(x_train)).predict(xgb.DMatrix(x_test))
    assert codes(seen) == ["L1.2"]


class HuggingFaceDataset:
    """As much of datasets.Dataset as tells its rows."""

    def __init__(self, frame):
        self.frame = frame

    @property
    def column_names(self):
        return list(self.frame)

    def to_pandas(self):
        return self.frame.copy()

    def __len__(self):
        return len(self.frame)


def test_rows_of_a_hugging_face_dataset_are_those_of_its_table():
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(12)])
    found = rows_of(HuggingFaceDataset(frame))
    np.testing.assert_array_equal(found.keys, rows_of(X).keys)
    assert found.labels is None
