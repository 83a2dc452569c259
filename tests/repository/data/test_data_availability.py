"""The one answer: how somebody else comes by the data."""

import pytest
from data_trees import data_of, script

from assay.findings import Confidence
from assay.repository.availability import answer_of
from assay.repository.data import Availability, LinkKind

READS = "import pandas as pd\nfrom sklearn.svm import SVC\nd = pd.read_csv('data/patients.csv')\nSVC().fit(d, d)\n"
TABLE = "age,ill\n" + "50,1\n" * 200


def test_a_table_that_code_reads_is_in_the_repository() -> None:
    facts = script(READS, data__patients_csv=TABLE)
    assert answer_of(facts).availability is Availability.IN_REPOSITORY
    assert answer_of(facts).confidence is Confidence.HIGH
    assert [f.path for f in facts.files if f.used] == ["data/patients.csv"]


def test_without_any_trace_the_data_are_absent() -> None:
    facts = script(READS)
    assert answer_of(facts).availability is Availability.ABSENT
    assert [str(r.location) for r in facts.reads if r.missing] == ["train.py:3:5"]


@pytest.mark.parametrize(
    "call",
    [
        "import torchvision\nd = torchvision.datasets.CIFAR10('data', download=True)",
        "from torchvision import datasets\nd = datasets.__dict__['CIFAR10']('data', download=True)",
        "from datasets import load_dataset\nd = load_dataset('imdb')",
        "from sklearn.datasets import fetch_20newsgroups\nd = fetch_20newsgroups()",
        "from tensorflow import keras\nd = keras.datasets.mnist.load_data()",
        "import tensorflow_datasets as tfds\nd = tfds.load('mnist')",
        "from ogb.nodeproppred import PygNodePropPredDataset\nd = PygNodePropPredDataset('ogbn-arxiv')",
        "from torch_geometric.datasets import Planetoid\nd = Planetoid('data', 'Cora')",
        "import openml\nd = openml.datasets.get_dataset(31)",
        "import nltk\nnltk.download('movie_reviews')",
        "import seaborn as sns\nd = sns.load_dataset('titanic')",
        "from sklearn.datasets import load_iris\nd = load_iris()",
        "import urllib.request\nurllib.request.urlretrieve('https://example.org/data/train.zip', 'train.zip')",
        "import pandas as pd\nd = pd.read_csv('https://archive.ics.uci.edu/ml/machine-learning-databases/iris/iris.data')",
        "import gdown\ngdown.download('https://drive.google.com/uc?id=1', 'dataset.zip')",
        "import huggingface_hub\nhuggingface_hub.snapshot_download('a/b', repo_type='dataset')",
        "from fastai.vision.all import *\npath = untar_data(URLs.PETS)",
        "import scanpy as sc\nd = sc.read('data/kang.h5ad', backup_url='https://www.dropbox.com/s/1/kang.h5ad?dl=1')",
        "from torch_geometric.datasets import Planetoid, Cora\nd = (Cora if x else Planetoid)('data', x)",
        "from deeprobust.graph.data import Dataset\nd = Dataset(root='/tmp/', name=args.dataset)",
        (
            "from pytorch_pretrained_bert import cached_path\n"
            "SETS = {'train': 'https://s3.amazonaws.com/datasets.huggingface.co/wikitext-2/train.txt'}\n"
            "d = cached_path(SETS[split])"
        ),
        "import gym, d4rl\nenv = gym.make('hopper-medium-v2')\nd = env.get_dataset()",
    ],
)
def test_calls_that_fetch_data_are_downloads(call: str) -> None:
    assert answer_of(script(call + "\nmodel.fit(d)\n")).availability is Availability.DOWNLOADED


def test_a_data_set_that_the_library_is_not_told_to_fetch_is_only_named() -> None:
    facts = script("import torchvision\nd = torchvision.datasets.CIFAR10('data', download=False)\nmodel.fit(d)\n")
    assert answer_of(facts).availability is Availability.NAMED
    assert [d.automatic for d in facts.downloads] == [False]


def test_weights_are_not_data() -> None:
    facts = script(
        "import urllib.request\nurllib.request.urlretrieve('https://example.org/model.pth', 'm.pth')\n" + READS
    )
    assert answer_of(facts).availability is Availability.ABSENT
    assert not facts.downloads


def test_a_local_module_called_datasets_fetches_nothing() -> None:
    files = {
        "datasets.py": "def load_dataset(name): return 1\n",
        "train.py": "from datasets import load_dataset\n" + READS,
    }
    files["train.py"] += "load_dataset('imdb')\n"
    assert data_of(dict(files)).downloads == ()


@pytest.mark.parametrize("name", ["csv", "json", "./local", "imagefolder"])
def test_local_files_through_the_hub_library_are_no_download(name: str) -> None:
    facts = script(f"from datasets import load_dataset\nd = load_dataset('{name}', data_files='a.csv')\n")
    assert facts.downloads == ()


def test_tools_that_nltk_fetches_for_itself_are_no_data() -> None:
    assert script("import nltk\nnltk.download('punkt')\nnltk.download('stopwords')\n").downloads == ()


@pytest.mark.parametrize(
    "command",
    [
        "wget https://zenodo.org/record/12/files/images.zip",
        "curl -O https://example.org/datasets/train.tar.gz",
        "kaggle datasets download -d somebody/something",
        "URL=https://www.dropbox.com/s/1/celeba.zip?dl=0\n# CelebA images\nwget -N $URL -O data/celeba.zip",
    ],
)
def test_shell_scripts_download(command: str) -> None:
    facts = data_of({"train.py": READS, "get.sh": command + "\n"})
    assert answer_of(facts).availability is Availability.DOWNLOADED


@pytest.mark.parametrize(
    "command",
    [
        "wget https://repo.anaconda.com/miniconda/Miniconda3.sh",
        "wget https://example.org/resnet50.pth",
        "pip install x",
    ],
)
def test_scripts_that_fetch_software_or_weights_do_not_bring_data(command: str) -> None:
    assert answer_of(data_of({"train.py": READS, "get.sh": command + "\n"})).availability is Availability.ABSENT


def test_a_link_in_the_readme() -> None:
    facts = script(READS, README_md="The data are at [Zenodo](https://zenodo.org/record/123).\n")
    assert answer_of(facts).availability is Availability.LINKED
    assert [link.kind for link in facts.links] == [LinkKind.ARCHIVE]


@pytest.mark.parametrize(
    "line",
    [
        "See our [paper](https://arxiv.org/abs/1234.5678) on the data.",
        "![badge](https://img.shields.io/badge/data-here-green)",
        "Pretrained weights: https://drive.google.com/file/d/1/view",
        "Install [PyTorch](https://pytorch.org).",
    ],
)
def test_links_to_papers_badges_weights_and_software_lead_to_no_data(line: str) -> None:
    facts = script(READS, README_md=line + "\n")
    assert facts.links == ()
    assert answer_of(facts).availability is Availability.ABSENT


def test_a_link_in_the_middle_of_a_paragraph_takes_its_meaning_from_the_lines_around() -> None:
    text = "Please follow the instructions\n[here](https://github.com/somebody/news)\nfor downloading the dataset.\n"
    assert answer_of(script(READS, README_md=text)).availability is Availability.LINKED


def test_instructions_without_a_link_mean_by_hand() -> None:
    facts = script(READS, README_md="Download the Cityscapes dataset and place it under data/.\n")
    assert answer_of(facts).availability is Availability.BY_HAND


def test_a_known_name_alone_is_only_a_name() -> None:
    facts = script(READS, README_md="We train on CIFAR-10.\n")
    assert answer_of(facts).availability is Availability.NAMED
    assert [m.name for m in facts.mentions] == ["CIFAR-10"]


def test_simulated_worlds_need_no_data() -> None:
    facts = script("import gymnasium as gym\nenv = gym.make('CartPole-v1')\nagent.learn()\n")
    assert answer_of(facts).availability is Availability.GENERATED


def test_a_library_needs_no_data() -> None:
    assert (
        answer_of(data_of({"layers.py": "def relu(x):\n    return max(x, 0)\n"})).availability
        is Availability.NOT_NEEDED
    )


def test_code_that_does_not_parse_is_not_said_to_need_no_data() -> None:
    text = "import torch\nx = x.cuda(async=True)\ndata = datasets.ImageFolder('x')\n"
    facts = data_of({"train.py": text, "README.md": "ImageNet data should be included under ./data.\n"})
    assert answer_of(facts).availability is Availability.BY_HAND


def test_lists_of_classes_are_not_the_data() -> None:
    text = "import json\nimport pandas as pd\nc = json.load(open('data/class_names.json'))\nmodel.fit(c)\n"
    facts = data_of(
        {
            "train.py": text,
            "data/class_names.json": '["cat"]',
            "README.md": "Download the data: https://zenodo.org/record/1\n",
        }
    )
    assert answer_of(facts).availability is Availability.LINKED


def test_a_file_of_unknown_kind_counts_when_code_names_it() -> None:
    facts = data_of(
        {"train.py": "d = open('rt-polarity.neg').read()\nmodel.fit(d)\n", "rt-polarity.neg": "bad film\n" * 3000}
    )
    assert answer_of(facts).availability is Availability.IN_REPOSITORY


def test_what_lies_here_is_only_a_part_when_the_readme_tells_to_get_more() -> None:
    readme = (
        "The traffic data are available at [Google Drive](https://drive.google.com/open?id=1), put them into data/.\n"
    )
    files = {
        "train.py": "import pickle\ng = pickle.load(open('data/adj.pkl', 'rb'))\nmodel.fit(g)\n",
        "data/adj.pkl": "x" * 90_000,
    }
    assert answer_of(data_of({**files, "README.md": readme})).availability is Availability.LINKED
    assert answer_of(data_of(dict(files))).availability is Availability.IN_REPOSITORY


def test_r_and_julia_projects_are_judged_too() -> None:
    r = data_of({"a.R": 'd <- read.csv("data/d.csv")\nfit <- lm(y ~ x, d)\n', "data/d.csv": TABLE})
    assert answer_of(r).availability is Availability.IN_REPOSITORY
    julia = data_of({"a.jl": "using MLDatasets\nx = MLDatasets.MNIST(:train)\nFlux.train!(m, x)\n"})
    assert answer_of(julia).availability is Availability.DOWNLOADED


def test_a_list_of_pictures_is_not_the_pictures() -> None:
    listed = "".join(f"leftImg8bit/train/{i}.png,gtFine/train/{i}.png\n" for i in range(900))
    facts = data_of({"train.py": "d = open('city/train.txt').read()\nmodel.fit(d)\n", "city/train.txt": listed})
    assert answer_of(facts).availability is not Availability.IN_REPOSITORY


def test_tables_of_some_kilobytes_count_beside_data_that_a_library_brings_with_it() -> None:
    code = "import pandas as pd\nfrom sklearn.datasets import load_iris\nd = load_iris()\nSVC().fit(d)\n"
    files = {"a.py": code + "e = pd.read_csv('data/pima.data')\n", "data/pima.data": "1,2,3,4\n" * 3000}
    assert answer_of(data_of(dict(files))).availability is Availability.IN_REPOSITORY


def test_a_module_of_made_up_data_tells_that_they_are_generated() -> None:
    files = {
        "train.py": "import numpy as np\nd = np.load('data/loc_train.npy')\nmodel.fit(d)\n",
        "data/synthetic_sim.py": "import numpy as np\ndef step(n):\n    return np.random.randn(2, n)\n",
    }
    assert answer_of(data_of(dict(files))).availability is Availability.GENERATED


def test_a_model_that_is_told_how_long_to_train_is_trained() -> None:
    shown = "import scanpy as sc\nd = sc.read('k.h5ad', backup_url='https://zenodo.org/record/1/files/k.h5ad')\n"
    told = data_of({"docs/tutorials/a.py": shown + "model.train(max_epochs=100)\n", "x/__init__.py": ""})
    assert answer_of(told).availability is Availability.DOWNLOADED


def test_julia_loads_what_lies_here() -> None:
    code = 'function get(dataset)\n    BSON.@load "../data/solar.bson" raw\nend\nFlux.train!(m, get(:solar))\n'
    facts = data_of({"data/loader.jl": code, "data/solar.bson": "x" * 40_000})
    assert answer_of(facts).availability is Availability.IN_REPOSITORY
    assert not facts.downloads


def test_graphs_drawn_at_random_are_generated() -> None:
    code = "import networkx as nx\ng = nx.planted_partition_graph(50, 10, 0.2, 0.05)\nopt.minimize(g)\n"
    assert answer_of(script(code)).availability is Availability.GENERATED


def test_logs_of_runs_and_lists_of_rows_are_no_data() -> None:
    plots = (
        "import gym\nimport pandas as pd\nenv = gym.make('CartPole-v1')\nd = pd.read_csv('PPO_logs/PPO_log_0.csv')\n"
    )
    facts = data_of({"train.py": plots + "loss.backward()\n", "PPO_logs/PPO_log_0.csv": TABLE * 90})
    assert answer_of(facts).availability is Availability.GENERATED
    rows = "import pandas as pd\nfrom sklearn.datasets import fetch_openml\nd = fetch_openml('adult')\nmodel.fit(d)\n"
    files = {"a.py": rows + "i = pd.read_csv('prep/train_idx.txt')\n", "prep/train_idx.txt": "12\n" * 900_000}
    assert answer_of(data_of(dict(files))).availability is Availability.DOWNLOADED


def test_a_model_that_is_only_applied_needs_no_data() -> None:
    code = (
        "import torch\nfrom PIL import Image\nnet.load_state_dict(torch.load('w.pth'))\nnet(Image.open(args.image))\n"
    )
    facts = script(code, README_md="| Model | trained on |\n|---|---|\n| A | MNIST |\n")
    assert answer_of(facts).availability is Availability.NOT_NEEDED


@pytest.mark.parametrize(
    "line", ["jax.value_and_grad(loss)(w)", "xgb.train(p, d)", "optimizer.step()", "est.train(input_fn=f)"]
)
def test_a_data_set_that_something_is_trained_on_is_named(line: str) -> None:
    facts = script(f"import jax\nd = open(args.data)\n{line}\n", README_md="We train on ImageNet.\n")
    assert answer_of(facts).availability is Availability.NAMED


def test_names_of_classes_are_no_data() -> None:
    code = "import urllib.request\nurllib.request.urlretrieve('https://example.org/data/imagenet_classes.txt', 'c')\n"
    assert not script(code).downloads


def test_a_command_for_kaggle_on_a_page_is_a_link() -> None:
    readme = "# Data\n```\nkaggle datasets download -d someone/patients && unzip patients.zip\n```\n"
    facts = script(READS, README_md=readme)
    assert answer_of(facts).availability is Availability.LINKED
    assert [(link.url, link.kind) for link in facts.links] == [
        ("https://www.kaggle.com/datasets/someone/patients", LinkKind.HUB)
    ]


def test_what_a_shell_script_fetches_is_data_by_the_name_of_its_split() -> None:
    setup = "wget http://example.org/models/vgg19.mat\nwget http://example.org/coco2014/train2014.zip\n"
    facts = data_of({"setup.sh": setup, "train.py": "loss.backward()\n"})
    assert answer_of(facts).availability is Availability.DOWNLOADED
    assert [d.name for d in facts.downloads] == ["http://example.org/coco2014/train2014.zip"]


def test_an_archive_of_the_very_file_that_code_reads_is_surely_used() -> None:
    code = "import pickle\nfrom keras.datasets import mnist\nd = mnist.load_data()\nopen('data/h/h.pkl', 'rb')\n"
    facts = data_of({"train.py": code + "model.fit(d)\n", "data/h/h.pkl.tar.gz": "x" * 2_000_000})
    assert answer_of(facts).availability is Availability.IN_REPOSITORY
