"""Libraries that only rows describe: a leaky program is reported, its corrected form is not."""

from pathlib import Path

import pytest

from assay.leakage.code.analysis import analyse_text
from assay.libraries.catalogue import USER_TABLES, use_tables

H2O = """
import h2o
from h2o.estimators import H2OGradientBoostingEstimator
hf = h2o.import_file("patients.csv")
train, test = hf.split_frame(ratios=[0.8], seed=1)
m = H2OGradientBoostingEstimator(ntrees=50)
m.train(x=["age", "dose"], y="ill", training_frame={rows})
print(m.model_performance(test).auc())
"""
AUTOML = """
import h2o
from h2o.automl import H2OAutoML
hf = h2o.import_file("patients.csv")
train, test = hf.split_frame(ratios=[0.8], seed=1)
m = H2OAutoML(max_models=20)
m.train(x=["age", "dose"], y="ill", training_frame={rows})
print(m.leader.model_performance(test_data=test))
"""
AUTOGLUON = """
from autogluon.tabular import TabularDataset, TabularPredictor
from sklearn.model_selection import train_test_split
df = TabularDataset("patients.csv")
train, test = train_test_split(df, random_state=0)
p = TabularPredictor(label="ill").fit({rows})
p.leaderboard(test)
"""
PYRO = """
import numpy as np
import torch
from pyro.infer import SVI, Trace_ELBO
from pyro.optim import Adam
X, y = torch.tensor(np.load("x.npy")), torch.tensor(np.load("y.npy"))
train, test = X[:800], X[800:]
svi = SVI(model, guide, Adam({{"lr": 0.01}}), loss=Trace_ELBO())
for _ in range(100):
    svi.step({rows})
print(svi.evaluate_loss(test))
"""
LIGHTNING = """
import lightning as L
import pandas as pd
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader
df = pd.read_csv("patients.csv")
train, test = train_test_split(df, random_state=0)
class Net(L.LightningModule):
    pass
class Rows(L.LightningDataModule):
    def train_dataloader(self):
        return DataLoader({rows})
    def test_dataloader(self):
        return DataLoader(test)
net, trainer = Net(), L.Trainer(max_epochs=3)
trainer.fit(net, datamodule=Rows())
trainer.test(net, datamodule=Rows())
"""
RIVER = """
import pandas as pd
from river import compose, linear_model, metrics, preprocessing, stream
df = pd.read_csv("patients.csv")
train, test = df[:800], df[800:]
model = compose.Pipeline(preprocessing.StandardScaler(), linear_model.LogisticRegression())
metric = metrics.Accuracy()
for x, y in stream.iter_pandas({rows}):
    model.learn_one(x, y)
for x, y in stream.iter_pandas(test):
    metric.update(y, model.predict_one(x))
"""
TRANSFORMERS = """
import torch
from datasets import load_dataset
from peft import get_peft_model
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification
rows = load_dataset("csv", data_files="notes.csv")["train"]
parts = rows.train_test_split(test_size=0.1)
train, test = parts["train"], parts["test"]
model = get_peft_model(AutoModelForSequenceClassification.from_pretrained("bert"), settings)
optimizer = torch.optim.AdamW(model.parameters())
for batch in DataLoader({rows}, batch_size=8):
    outputs = model(**{{name: column.to("cuda") for name, column in batch.items()}})
    outputs.loss.backward()
    optimizer.step()
for batch in DataLoader(test, batch_size=8):
    said = torch.argmax(model(**batch).logits, dim=-1)
    print((said == batch["labels"]).sum())
"""
SENTENCES = """
import pandas as pd
from sentence_transformers import InputExample, SentenceTransformer, losses
from sentence_transformers.evaluation import EmbeddingSimilarityEvaluator
from torch.utils.data import DataLoader
df = pd.read_csv("pairs.csv")
train, test = df[:800], df[800:]
examples = [InputExample(texts=[pair.a, pair.b], label=pair.same) for pair in {rows}.itertuples()]
model = SentenceTransformer("small")
model.fit(train_objectives=[(DataLoader(examples), losses.CosineSimilarityLoss(model))], epochs=1)
model.evaluate(EmbeddingSimilarityEvaluator(test["a"], test["b"], test["same"]))
"""
SURVIVAL = """
import pandas as pd
from lifelines import CoxPHFitter
from lifelines.utils import concordance_index
from sklearn.model_selection import train_test_split
df = pd.read_csv("patients.csv")
train, test = train_test_split(df, random_state=0)
cox = CoxPHFitter()
cox.fit({rows}, duration_col="time", event_col="died")
print(concordance_index(test["time"], -cox.predict_partial_hazard(test), test["died"]))
"""
RATINGS = """
import pandas as pd
from surprise import SVD, Dataset, Reader, accuracy
from surprise.model_selection import train_test_split
df = Dataset.load_from_df(pd.read_csv("ratings.csv"), Reader())
train, test = train_test_split(df, test_size=0.25)
algo = SVD()
algo.fit({rows})
accuracy.rmse(algo.test(test))
"""


@pytest.mark.parametrize(
    ("program", "every"),
    [
        pytest.param(H2O, "hf", id="h2o"),
        pytest.param(AUTOML, "hf", id="h2o automl"),
        pytest.param(AUTOGLUON, "df", id="autogluon"),
        pytest.param(PYRO, "X", id="pyro"),
        pytest.param(LIGHTNING, "df", id="lightning"),
        pytest.param(RIVER, "df", id="river"),
        pytest.param(TRANSFORMERS, "rows", id="transformers"),
        pytest.param(SENTENCES, "df", id="sentence_transformers"),
        pytest.param(SURVIVAL, "df", id="lifelines"),
        pytest.param(RATINGS, "df", id="surprise"),
    ],
)
def test_training_on_the_test_rows_is_reported_and_training_on_others_is_not(program: str, every: str) -> None:
    leaky, honest = (analyse_text(program.format(rows=rows)) for rows in (every, "train"))
    assert [leak.code for leak in leaky.leaks] == ["L1.1"]
    assert honest.leaks == ()
    assert (honest.models, bool(honest.evaluations)) == (1, True)


def test_what_is_learnt_before_the_split_reaches_the_model() -> None:
    program = H2O.replace(
        'hf = h2o.import_file("patients.csv")',
        'df["dose"] = df["dose"].fillna(df["dose"].mean())\nhf = h2o.H2OFrame(df)',
    )
    program = program.replace("import h2o\n", 'import h2o\nimport pandas as pd\ndf = pd.read_csv("patients.csv")\n', 1)
    assert [leak.code for leak in analyse_text(program.format(rows="train")).leaks] == ["L1.2"]


def test_a_table_of_the_user_teaches_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = """
import pandas as pd
import quern
df = pd.read_csv("patients.csv")
mill = quern.Mill()
mill.grind(df)
mill.taste(df[800:])
"""
    monkeypatch.setenv(USER_TABLES, "")
    assert analyse_text(f"{program}").leaks == ()
    table = tmp_path / "quern.toml"
    table.write_text("""
packages = ["quern"]
[[rows]]
makes = "model"
names = ["Mill"]
[[rows]]
of = "Mill"
effect = "fits"
names = ["grind"]
learns = "argument[0]"
[[rows]]
of = "Mill"
effect = "scores"
names = ["taste"]
rows = "argument[0]"
""")
    use_tables([table])
    assert [leak.code for leak in analyse_text(f"{program}").leaks] == ["L1.1"]
