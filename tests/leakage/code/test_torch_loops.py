"""Training loops written out in torch: own trainers, loaders, data modules, mixed precision."""

import pytest

from assay.leakage.code.analysis import analyse_text

TRAINER = """
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, 8), nn.ReLU(), nn.Linear(8, 1))
    def forward(self, x):
        return self.layers(x)
class BaseTrainer:
    def __init__(self, model, train_loader, test_loader):
        self.model, self.train_loader, self.test_loader = model, train_loader, test_loader
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.loss = nn.MSELoss()
    def fit(self, epochs):
        for _ in range(epochs):
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                self.loss(self.model(x), y).backward()
                self.optimizer.step()
class Trainer(BaseTrainer):
    def evaluate(self):
        self.model.eval()
        total = 0
        for x, y in self.test_loader:
            total += self.loss(self.model(x), y).item()
        return total / len(self.test_loader)
df = pd.read_csv("patients.csv")
df["dose"] = df["dose"].fillna({given})
X, y = torch.tensor(df[["age", "dose"]].values), torch.tensor(df["ill"].values)
trainer = Trainer(Net(2), DataLoader(TensorDataset(X[:800], y[:800])), DataLoader(TensorDataset(X[800:], y[800:])))
trainer.fit(5)
print(trainer.evaluate())
"""
MODULE = """
import pandas as pd
import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader, Dataset, random_split
class Rows(Dataset):
    def __init__(self, path):
        df = pd.read_csv(path)
        df["dose"] = df["dose"].fillna({given})
        self.x, self.y = df.drop(columns="ill").values, df["ill"].values
    def __len__(self):
        return len(self.x)
    def __getitem__(self, i):
        return torch.tensor(self.x[i]), self.y[i]
class Parts(pl.LightningDataModule):
    def setup(self, stage=None):
        self.train, self.test = random_split(Rows("patients.csv"), [0.8, 0.2])
    def train_dataloader(self):
        return DataLoader(self.train)
    def test_dataloader(self):
        return DataLoader(self.test)
class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(3, 1)
parts, trainer = Parts(), pl.Trainer(max_epochs=5)
trainer.fit(Net(), parts)
trainer.test(datamodule=parts)
"""
ENGINE = """
import numpy as np
import timm
import torch
from sklearn.metrics import roc_auc_score
from torch.utils.data import DataLoader, Dataset
class Rows(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __len__(self):
        return len(self.x)
    def __getitem__(self, i):
        return {{"image": self.x[i], "label": self.y[i]}}
def train_one_epoch(model, optimizer, loader, criterion, scaler):
    for batch in loader:
        with torch.cuda.amp.autocast():
            loss = criterion(model(batch["image"].cuda(non_blocking=True)), batch["label"].cuda())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
@torch.no_grad()
def evaluate(model, loader):
    said, true = [], []
    for batch in loader:
        said.append(model(batch["image"].cuda()).sigmoid().cpu().numpy())
        true.append(batch["label"].numpy())
    return roc_auc_score(np.concatenate(true), np.concatenate(said))
def main():
    x, y = np.load("scans.npy"), np.load("ill.npy")
    x = x - {given}
    order = np.random.permutation(len(x))
    first, last = order[:800], order[800:]
    loaders = {{"train": DataLoader(Rows(x[first], y[first])), "test": DataLoader(Rows(x[last], y[last]))}}
    model = timm.create_model("resnet50", num_classes=1).cuda()
    optimizer, scaler = torch.optim.AdamW(model.parameters()), torch.cuda.amp.GradScaler()
    train_one_epoch(model, optimizer, loaders["train"], torch.nn.BCEWithLogitsLoss(), scaler)
    print(evaluate(model, loaders["test"]))
main()
"""


@pytest.mark.parametrize(
    ("program", "statistic"),
    [
        pytest.param(TRAINER, 'df["dose"].mean()', id="own trainer"),
        pytest.param(MODULE, 'df["dose"].mean()', id="data module"),
        pytest.param(ENGINE, "x.mean(axis=0)", id="mixed precision"),
    ],
)
def test_a_statistic_of_all_rows_before_the_split_is_reported(program: str, statistic: str) -> None:
    leaky = analyse_text(program.format(given=statistic))
    assert "L1.2" in {leak.code for leak in leaky.leaks}
    clean = analyse_text(program.format(given="0"))
    assert clean.models == 1
    assert "L1.2" not in {leak.code for leak in clean.leaks}


EPOCHS = """
import pandas as pd
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
class Smooth(nn.Module):
    def __init__(self):
        super().__init__()
        self.log = nn.LogSoftmax(dim=1)
    def forward(self, said, true):
        return -(self.log(said) * F.one_hot(true)).mean()
def loader(path):
    df = pd.read_csv(path)
    return DataLoader(TensorDataset(torch.tensor(df.drop(columns="ill").values), torch.tensor(df["ill"].values)))
first_part, last_part = loader("known.csv"), loader("new.csv")
encoder, head = nn.Sequential(nn.Linear(8, 4)), nn.Sequential(nn.Linear(4, 2))
criterion = {criterion}
optimizer = torch.optim.Adam([*encoder.parameters(), *head.parameters()])
def train():
    for x, y in first_part:
        optimizer.zero_grad()
        criterion(head(encoder(x)), y).backward()
        optimizer.step()
def right(said, y, places=(1, 3)):
    found = said.topk(max(places), 1)[1].t()
    hits = found.eq(y.view(1, -1).expand_as(found))
    return [hits[:k].view(-1).float().sum(0) for k in places]
def test(held):
    hits, total = 0, 0
    with torch.no_grad():
        for x, y in held:
            hits += right(head(encoder(x)), y)[0].item()
            total += len(y)
    return {{"top1": hits / total}}
best = 0
for epoch in range(30):
    train()
    score = test(last_part)["top1"]
    board.record(epoch, score)
    {choice}
print(best)
"""
KEPT = """if score > best:
        best = score
        torch.save(head.state_dict(), "best.pt")"""


@pytest.mark.parametrize("criterion", ["nn.CrossEntropyLoss()", "Smooth()"])
@pytest.mark.parametrize("choice", [KEPT, "best = max(best, score)"])
def test_the_best_epoch_on_the_test_rows_is_a_choice(criterion: str, choice: str) -> None:
    """The score passes through a helper, a slice of the hits, a dict, and a log that nothing is known of."""
    found = analyse_text(EPOCHS.format(criterion=criterion, choice=choice))
    assert {(leak.code, str(leak.severity)) for leak in found.leaks} >= {("LX1", "warning")}


def test_the_score_of_the_last_epoch_is_no_choice() -> None:
    found = analyse_text(EPOCHS.format(criterion="Smooth()", choice="best = score"))
    assert found.models
    assert "LX1" not in {leak.code for leak in found.leaks}


LISTED = """
import csv, json, os
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from PIL import Image
class Pictures(Dataset):
    def __init__(self, config, mode):
        self.config, self.files, self.labels = config, [], []
        root = config["root"]
        listing = os.path.join(root, "train.csv") if mode == "train" else os.path.join(root, {held!r})
        with open(listing) as lines:
            for item in csv.reader(lines):
                self.files.append(os.path.join(root, "pictures", item[0] + ".png"))
                self.labels.append({{"well": 0, "ill": 1}}[item[1]])
    def __len__(self):
        return len(self.files)
    def __getitem__(self, i):
        return torch.tensor(Image.open(self.files[i])), self.labels[i]
config = json.load(open("config.json"))
known = DataLoader(Pictures(config, "train"))
new = DataLoader(Pictures(config, "new"))
net = nn.Sequential(nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters())
for x, y in known:
    nn.functional.cross_entropy(net(x), y).backward()
    optimizer.step()
right = sum((net(x).argmax(1) == y).sum().item() for x, y in new)
print(right / len(new))
"""


def test_pictures_of_two_lists_do_not_share_the_rows_of_the_settings() -> None:
    found = analyse_text(LISTED.format(held="new.csv"))
    assert found.models == 1
    assert "L1.1" not in {leak.code for leak in found.leaks}


SORTED = """
import os
import numpy as np
from keras.models import Sequential
from keras.layers import Dense
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
names = os.listdir("pictures")
known, new = train_test_split(names, random_state=0)
shown, held = {}, {}
for name in names:
    picture = pixels_of(os.path.join("pictures", name))
    if name in known:
        shown[name] = picture
    else:
        held[name] = picture
X, X_new = np.array(list(shown.values())), np.array(list(held.values()))
net = Sequential([Dense(8), Dense(1)])
net.compile(loss="mse")
net.fit(X, np.load("known.npy"))
print(accuracy_score(np.load("new.npy"), net.predict(X_new)))
"""


def test_rounds_that_fill_two_dicts_divide_what_they_meet() -> None:
    found = analyse_text(SORTED)
    assert found.models == 1
    assert "L1.1" not in {leak.code for leak in found.leaks}
