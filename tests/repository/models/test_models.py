"""Checkpoints, weights, trackers, configuration and hyper-parameters, as code and files tell of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.code import read_code
from assay.repository.data import LinkKind, Storage
from assay.repository.models import ModelFacts, Origin, Stated, read_models
from assay.tree import tree_of


def models_of(files: dict[str, str | bytes]) -> ModelFacts:
    tree = tree_of(files)
    return read_models(tree, read_code(tree))


def script(text: str) -> ModelFacts:
    return models_of({"train.py": text + "\n"})


# --- saving ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "import torch\ntorch.save(model.state_dict(), 'm.pt')",
        "import torch as t\nt.save({'net': net}, path)",
        "from network import *\nt.save({'model': m.state_dict()}, 'x.tar')",
        "model.save_weights('w.h5')",
        "model.save('model.h5')",
        "model.save('out/best')",
        "from tensorflow.keras.callbacks import ModelCheckpoint\nModelCheckpoint('x.h5')",
        "import joblib\njoblib.dump(clf, 'clf.joblib')",
        "from chainer import serializers\nserializers.save_hdf5('x.h5', model)",
        "import pickle\npickle.dump(model, open('model.pkl', 'wb'))",
        "import pickle\nfile = open('random_forest_model.pkl', 'wb')\npickle.dump(rf_random, file)",
        "import pickle\nwith open('model.pkl', 'wb') as f:\n    pickle.dump(best, f)",
        "import pickle\nngb = NGBRegressor().fit(x, y)\npickle.dump(ngb, f)",
        "import pickle\nx2.fit(x, y)\npickle.dump(x2, f)",
        "import pickle\nkept = dict(weights=w, loss=1)\npickle.dump(kept, open(str(n) + '.pkl', 'wb'))",
        "import pytorch_lightning as pl\npl.Trainer(max_epochs=3)",
        "from transformers import Trainer\nTrainer(model=m)",
        "model.save_pretrained('out')",
        "import xgboost\nbst.save_model('b.json')",
        "from flax.training import checkpoints\ncheckpoints.save_checkpoint('d', s, 1)",
        "import orbax.checkpoint as ocp\nocp.PyTreeCheckpointer()",
        "from safetensors.torch import save_file\nsave_file(weights, 'a.safetensors')",
        "import torch\ntorch.onnx.export(model, x, 'm.onnx')",
        "import tensorflow as tf\ntf.saved_model.save(model, 'd')",
        "import tensorflow as tf\nsaver = tf.train.Saver()\nsaver.save(session, 'x')",
        "import tensorflow as tf\ntf.train.Supervisor(saver=tf.train.Saver())",
        "import numpy as np\nnp.savez('w.npz', *lasagne.layers.get_all_param_values(net))",
        "learn.export('model.pkl')",
    ],
)
def test_calls_that_save_models(line: str) -> None:
    assert script(line).saves


@pytest.mark.parametrize(
    "line",
    [
        "import torch\ntorch.save(features, 'f.pt')",
        "import torch\ntorch.save(dataset, 'd.pt')",
        "img.save('a.png')",
        "fig.save('plot.pdf')",
        "import numpy as np\nnp.save('x.npy', x)",
        "import pickle\npickle.dump(vocab, open('vocab.pkl', 'wb'))",
        "import pickle\nhistory = model.fit(x)\npickle.dump(history, f)",
        "import pickle\nle.fit(x)\nx = le.transform(x)\npickle.dump(le, f)",
        "import json\njson.dump(results, open('r.json', 'w'))",
        "import pytorch_lightning as pl\npl.Trainer(enable_checkpointing=False)",
        "# torch.save(model, 'x')",
        "wb.save('table.xlsx')",
        "tokenizer.save('t.json')",
        "import pickle\npickle.dump([embedding, clusters], open('x.pickle', 'wb'))",
        "import tensorflow as tf\nsaver = tf.train.Saver()\nsaver.restore(session, 'x')",
        "import numpy as np\nnp.savez('estimator_list', a=found)",
    ],
)
def test_calls_that_save_something_else(line: str) -> None:
    assert script(line).saves == ()


def test_callbacks_chosen_in_a_configuration_file_save_too() -> None:
    facts = models_of({"c.yaml": "cb:\n  _target_: lightning.pytorch.callbacks.ModelCheckpoint\n"})
    assert [str(s.location) for s in facts.saves] == ["c.yaml:2"]


def test_r_and_julia_save_models() -> None:
    assert models_of({"a.R": 'saveRDS(model, "model.rds")\n'}).saves
    assert not models_of({"a.R": 'saveRDS(table, "t.rds")\n'}).saves
    assert not models_of({"a.R": 'save(model_results, file = "model_results.RData")\n'}).saves
    assert models_of({"a.jl": 'BSON.@save "model.bson" model\n'}).saves


def test_code_that_does_not_parse_is_read_by_lines() -> None:
    facts = script("import torch\nx.cuda(async=True)\nloss.backward()\ntorch.save(s, 'x')\nw = SummaryWriter('runs')")
    assert facts.saves
    assert facts.trains is not None
    assert [t.name for t in facts.trackers if t.used] == ["tensorboard"]


# --- loading ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "origin"),
    [
        ("from transformers import AutoModel\nAutoModel.from_pretrained('bert-base-uncased')", Origin.HUB),
        ("from transformers import AutoModel\nAutoModel.from_pretrained('./out/best')", Origin.LOCAL),
        ("from transformers import AutoModel\nAutoModel.from_pretrained(args.model)", Origin.UNKNOWN),
        ("import torchvision\ntorchvision.models.resnet50(pretrained=True)", Origin.HUB),
        ("from keras.applications.vgg16 import VGG16\nVGG16()", Origin.HUB),
        ("import torch\ntorch.load('checkpoints/best.pt')", Origin.LOCAL),
        ("import torch\ntorch.hub.load('a/b', 'c')", Origin.HUB),
        ("import torch\nmodel = torch.load(args.resume)", Origin.UNKNOWN),
    ],
)
def test_where_loaded_models_come_from(line: str, origin: Origin) -> None:
    assert [load.origin for load in script(line).loads] == [origin]


@pytest.mark.parametrize("line", ["torchvision.models.resnet50(pretrained=False)", "torchvision.models.resnet50()"])
def test_architectures_without_weights_load_nothing(line: str) -> None:
    assert script(f"import torchvision\n{line}").loads == ()


def test_a_checkpoint_in_the_repository_is_found() -> None:
    facts = models_of({"a.py": "import torch\ntorch.load('w/best.pt')\n", "w/best.pt": "x"})
    assert facts.loads[0].found == ("w/best.pt",)


# --- artefacts, links, records ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["model.h5", "checkpoints/epoch_3.pth", "weights.onnx", "models/clf.pkl", "a.safetensors", "m.joblib", "x.ckpt",
     "saved/saved_model.pb", "out/model.ckpt-100.data-00000-of-00001", "best.caffemodel"],
)  # fmt: skip
def test_files_that_hold_models(path: str) -> None:
    assert [a.path for a in models_of({path: "x"}).artefacts] == [path]


@pytest.mark.parametrize(
    "path", ["data/features.pkl", "data/train.h5", "config.json", "vocab.bin", "data/processed/data.pt"]
)
def test_files_that_hold_something_else(path: str) -> None:
    assert models_of({path: "x"}).artefacts == ()


def test_dvc_pointers_to_models_count() -> None:
    [artefact] = models_of({"model.pkl.dvc": "outs:\n- path: model.pkl\n  size: 9\n"}).artefacts
    assert (artefact.path, artefact.storage, artefact.size) == ("model.pkl", Storage.DVC, 9)


def test_links_to_weights_are_told_from_links_to_data() -> None:
    text = "Pretrained model: https://drive.google.com/x1\n\nThe dataset: https://zenodo.org/record/1\n"
    [link] = models_of({"README.md": text}).links
    assert (link.url, link.kind) == ("https://drive.google.com/x1", LinkKind.DRIVE)


def test_logs_and_tables_of_results_are_records() -> None:
    files = {"runs/events.out.tfevents.1.host": "x", "results/a.csv": "x", "train.log": "x", "src/a.csv": "x"}
    assert {r.path for r in models_of(dict(files)).records} == {*files} - {"src/a.csv"}


# --- tools -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tracker"),
    [
        ("import wandb\nwandb.init()", "wandb"),
        ("import mlflow as mf\nmf.start_run()", "mlflow"),
        ("from torch.utils.tensorboard import SummaryWriter\nSummaryWriter()", "tensorboard"),
        ("from tensorboardX import SummaryWriter\nclass Log(SummaryWriter):\n    pass", "tensorboard"),
        ("import tensorflow as tf\ntf.summary.scalar('a', 1)", "tensorboard"),
        ("from keras.callbacks import TensorBoard\nTensorBoard('d')", "tensorboard"),
        ("from pytorch_lightning.loggers import WandbLogger\nWandbLogger()", "wandb"),
        ("from transformers import TrainingArguments\nTrainingArguments('d', report_to=['wandb'])", "wandb"),
        ("from stable_baselines3 import PPO\nPPO('MlpPolicy', env, tensorboard_log=where)", "tensorboard"),
        ("from comet_ml import Experiment\nExperiment()", "comet"),
        ("import neptune.new as neptune\nneptune.init()", "neptune"),
        ("from sacred import Experiment\nex = Experiment('a')", "sacred"),
        ("from aim import Run\nRun()", "aim"),
        ("from clearml import Task\nTask.init()", "clearml"),
        ("from dvclive import Live\nLive()", "dvclive"),
    ],
)
def test_trackers_that_are_called_are_used(text: str, tracker: str) -> None:
    facts = script(text)
    assert [t.name for t in facts.trackers if t.used] == [tracker]
    assert facts.tracked


@pytest.mark.parametrize("text", ["import wandb", "import wandb\n# wandb.init()", "import mlflow\nprint('mlflow.log')"])
def test_an_import_alone_is_not_use(text: str) -> None:
    facts = script(text)
    assert [t.used for t in facts.trackers] == [False]
    assert not facts.tracked


def test_a_local_module_called_like_a_tracker_is_none() -> None:
    assert models_of({"aim.py": "def run(): pass\n", "a.py": "import aim\naim.run()\n"}).trackers == ()


def test_trackers_in_tests_do_not_count() -> None:
    assert models_of({"tests/test_a.py": "import wandb\ndef test_a():\n    wandb.init()\n"}).trackers == ()


def test_a_configuration_file_may_choose_the_tracker() -> None:
    facts = models_of({"logger.yaml": "wandb:\n  _target_: lightning.pytorch.loggers.wandb.WandbLogger\n"})
    assert [t.name for t in facts.trackers if t.used] == ["wandb"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import argparse\nargparse.ArgumentParser()", "argparse"),
        ("import hydra\n@hydra.main(config_path='.')\ndef main(c): pass", "hydra"),
        ("import gin\n@gin.configurable\ndef f(): pass", "gin"),
        ("from absl import flags\nflags.DEFINE_float('lr', 1, '')", "absl"),
        ("import ml_collections\nml_collections.ConfigDict()", "ml_collections"),
        ("from yacs.config import CfgNode as CN\nCN()", "yacs"),
    ],
)
def test_configuration_systems(text: str, name: str) -> None:
    assert [t.name for t in script(text).configurations if t.used] == [name]


# --- hyper-parameters ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "stated"),
    [
        ({"c.yaml": "optimizer:\n  lr: 0.01\n"}, Stated.FILE),
        ({"a.py": "p.add_argument('--lr', default=0.01)\n"}, Stated.OPTION),
        ({"a.py": "@dataclass\nclass Config:\n    lr: float = 0.01\n"}, Stated.FIELD),
        ({"a.py": "config = {'lr': 0.01}\n"}, Stated.FIELD),
        ({"a.py": "LR = 0.01\n"}, Stated.CONSTANT),
        ({"README.md": "Run `python train.py --lr 0.01`\n"}, Stated.README),
        ({"README.md": "We use a learning rate of 0.01.\n"}, Stated.README),
        ({"a.py": "Adam(p, lr=0.01)\n"}, Stated.LITERAL),
        ({"a.py": "optim.SGD(p, 0.01)\n"}, Stated.LITERAL),
    ],
)
def test_where_the_learning_rate_is_stated(files: dict[str, str | bytes], stated: Stated) -> None:
    found = [h for h in models_of(files).hyper_parameters if h.name == "learning rate"]
    assert {(h.stated, h.value) for h in found} == {(stated, "0.01")}


# --- hostile input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": "torch.save(" * 90 + ")" * 90},
        {"a.py": "model.save(*a, **b)\nmodel.save()\ntorch.load()\nx.restore()\n"},
        {"a.yaml": "_target_: " + "a." * 50_000 + "ModelCheckpoint\n" + "lr: " * 20_000},
        {"README.md": "--lr " * 20_000 + "learning rate " * 20_000},
        {"a.R": "saveRDS(" * 20_000},
        {"a.py": "import wandb\n" + "wandb.log({})\n" * 3_000},
    ],
)
def test_hostile_input_hides_nothing_else(files: dict[str, str | bytes]) -> None:
    facts = models_of({"train.py": "import torch\ntorch.save(model, 'm.pt')\n", **files})
    assert "train.py" in {save.location.path for save in facts.saves}


@given(st.text(alphabet="abcmodel/\\.*'\"(){}[]%:~ \n=+,", max_size=120))
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_without_an_error(text: str) -> None:
    models_of(
        {"a.py": f"import torch\ntorch.save({text!r}, m)\n{text}\n", "README.md": text, "a.R": text, "c.yaml": text}
    )


def test_a_writer_of_events_is_tensorboard() -> None:
    text = "from tensorflow.python import pywrap_tensorflow\nw = pywrap_tensorflow.EventsWriter(b'x')"
    assert [t.name for t in script(text).trackers if t.used] == ["tensorboard"]
