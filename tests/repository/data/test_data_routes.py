"""Roads to the data that are easily overlooked, and signs that look like one."""

import pytest
from data_trees import data_of, script

from assay.findings import Confidence
from assay.repository.availability import answer_of
from assay.repository.data import Availability
from assay.repository.data.links import Topic, topic_of

FITS = "model.fit(d)\n"
READS = "import pandas as pd\nd = pd.read_csv('data/patients.csv')\nmodel.fit(d)\n"
MIT = "MIT License\n\nCopyright (c) 2019 {}\n\nPermission is hereby granted, free of charge, to any person\n"


@pytest.mark.parametrize(
    "command",
    [
        "import os\nos.system('wget https://example.org/data/images.zip -P raw')",
        "import os\nos.system('wget https://example.org/data/{}.zip -P {}'.format(split, raw))",
        "import subprocess\nsubprocess.call('curl -o data/x.csv https://example.org/data/x.csv', shell=True)",
        "import subprocess\nsubprocess.run(['wget', 'https://example.org/data/train.csv'])",
        "from six.moves import urllib\nd = urllib.request.urlopen('https://example.org/data/train.csv')",
        "from urllib.request import urlretrieve\nurlretrieve('https://example.org/files/2/', 'my_datasets.zip')",
    ],
)
def test_commands_given_to_the_shell_are_downloads(command: str) -> None:
    assert answer_of(script(f"{command}\n{FITS}")).availability is Availability.DOWNLOADED


def test_a_command_that_installs_software_is_no_download_of_data() -> None:
    facts = script("import os\nos.system('wget https://example.org/install/cuda.tar.gz')\n" + READS)
    assert not facts.downloads
    assert answer_of(facts).availability is Availability.ABSENT


def test_the_address_of_a_makefile_is_followed() -> None:
    facts = data_of(
        {
            "train.py": READS,
            "data/Makefile": "URL:=http://example.org/download/Speech-Corpus.tar.gz\nall:\n\twget $(URL)\n",
        }
    )
    assert answer_of(facts).availability is Availability.DOWNLOADED


def test_an_archive_in_a_script_that_downloads_needs_no_telling_words() -> None:
    facts = data_of({"train.py": READS, "download.sh": "wget -qO- https://example.org/texts/de-en.tgz | tar xz\n"})
    assert answer_of(facts).availability is Availability.DOWNLOADED
    assert answer_of(facts).confidence is Confidence.MEDIUM


def test_a_link_called_here_takes_its_topic_from_the_sentence_before() -> None:
    page = (
        "#### Public data\nDownload the sample datasets from\n[here](http://example.org/jodie/) and store their csv.\n"
    )
    assert answer_of(script(READS, README_md=page)).availability is Availability.LINKED


def test_word_vectors_in_the_readme_are_not_the_data() -> None:
    page = "Download GloVe from https://nlp.stanford.edu/data/glove.840B.300d.zip first.\n"
    facts = script(READS, README_md=page)
    assert not facts.links
    assert answer_of(facts).availability is not Availability.LINKED


@pytest.mark.parametrize(
    ("url", "topic"),
    [
        ("http://storage.googleapis.com/set/youtube_corpus/v1/segments.csv", Topic.DATA),
        ("https://www.youtube.com/watch?v=dataset", Topic.OTHER),
        ("https://example.org/docker/dataset.zip", Topic.DATA),
        ("https://hub.docker.com/r/some/image", Topic.OTHER),
    ],
)
def test_furniture_is_told_by_the_host_and_not_by_the_path(url: str, topic: Topic) -> None:
    assert topic_of(url, "", "the dataset", "") is topic


def test_encoders_of_a_data_library_bring_no_data() -> None:
    text = "from ogb.graphproppred.mol_encoder import BondEncoder\nencode = BondEncoder(emb_dim=8)\n"
    assert not script(text + READS).downloads


@pytest.mark.parametrize(
    "made",
    [
        "import numpy as np\nX = np.random.randn(100, 3)",
        "import numpy as np\nx_train = 2 * np.random.uniform(size=9) + 1",
        "import torch\ndata = torch.randn(8, 2).cuda()",
        "import numpy as np\nx = np.linspace(0, 1, 50).reshape(-1, 1)",
    ],
)
def test_samples_drawn_at_random_are_generated(made: str) -> None:
    facts = script(f"{made}\nsettings = open('run.cfg').read()\nmodel.fit(1)\n")
    assert answer_of(facts).availability is Availability.GENERATED
    assert answer_of(facts).confidence is Confidence.LOW


def test_random_noise_does_not_make_missing_data_generated() -> None:
    facts = script("import numpy as np\nnoise = np.random.randn(100, 3)\n" + READS)
    assert answer_of(facts).availability is Availability.ABSENT


def test_known_data_that_are_read_stay_named_beside_random_samples() -> None:
    facts = script("import numpy as np\nx = np.random.randn(9)\n" + READS, README_md="We train on ImageNet.\n")
    assert answer_of(facts).availability is Availability.NAMED


def test_an_address_whose_bucket_is_filled_in_later_is_no_link() -> None:
    facts = script("a = 's3://{}/datasets/celeba/train'.format(bucket)\n" + READS)
    assert answer_of(facts).availability is Availability.ABSENT


def test_pages_count_where_the_code_is_in_a_language_that_is_not_read() -> None:
    page = "Download the dataset from https://zenodo.org/record/1234567\n"
    facts = data_of({"main.lua": "require 'torch'\n", "README.md": page})
    assert answer_of(facts).availability is Availability.LINKED


def test_a_package_of_functions_needs_no_data() -> None:
    facts = data_of(
        {"DESCRIPTION": "Package: forest\n", "NAMESPACE": "export(f)\n", "R/f.R": "f <- function(x) ranger(y ~ ., x)\n"}
    )
    assert answer_of(facts).availability is Availability.NOT_NEEDED


def test_experiments_in_a_folder_with_a_licence_of_its_own_are_looked_at_when_nothing_else_learns() -> None:
    inner = "import torchvision\nd = torchvision.datasets.MNIST('x', download=True)\nmodel.fit(d)\n"
    facts = data_of(
        {
            "LICENSE": MIT.format("Alice Archer"),
            "plot.py": "print('figure')\n",
            "study/LICENSE": MIT.format("Bob Baker"),
            "study/README.md": "# Study\n",
            "study/train.py": inner,
        }
    )
    assert answer_of(facts).availability is Availability.DOWNLOADED


def test_samples_in_the_repository_do_not_hide_the_simulator() -> None:
    text = "import gym\nimport numpy as np\nenv = gym.make('Hopper-v2')\nd = np.load('sample_data/run.npy')\n" + FITS
    facts = data_of({"train.py": text, "sample_data/run.npy": b"\x93NUMPY" + b"0" * 90_000})
    assert answer_of(facts).availability is Availability.GENERATED


def test_addresses_in_a_list_of_a_script_that_fetches_are_downloads() -> None:
    shell = 'URLS=(\n    "https://example.org/dataset/train.json"\n)\nfor url in ${URLS[@]}; do\n  wget $url\ndone\n'
    facts = data_of({"train.py": READS, "download.sh": shell})
    assert answer_of(facts).availability is Availability.DOWNLOADED


def test_urlretrieve_is_known_under_another_name_of_its_module() -> None:
    text = "import urllib.request\nget = urllib.request\nget.urlretrieve('https://example.org/data/a.zip', 'a.zip')\n"
    assert answer_of(script(text + FITS)).availability is Availability.DOWNLOADED


def test_lists_of_splits_are_not_the_data_however_large() -> None:
    text = "import json\nd = json.load(open('data/video_splits/all.json'))\nmodel.fit(d)\n"
    page = "Videos: https://zenodo.org/record/1234567\n"
    facts = data_of({"train.py": text, "data/video_splits/all.json": '["a"]' * 400_000, "README.md": page})
    assert answer_of(facts).availability is Availability.LINKED


def test_the_repository_s_own_address_leads_to_its_files() -> None:
    url = "https://raw.githubusercontent.com/me/study/master/data/patients.csv"
    facts = data_of(
        {"train.py": f"import pandas as pd\nd = pd.read_csv('{url}')\n{FITS}", "data/patients.csv": "a\n1\n"}
    )
    assert answer_of(facts).availability is Availability.IN_REPOSITORY
    assert not facts.downloads


def test_an_address_that_searches_is_no_address_of_data() -> None:
    text = (
        "import urllib.request\nPAGES = 'https://example.org/search/data/?page=%s'\nurllib.request.urlopen(found)\n"
        + READS
    )
    assert answer_of(script(text)).availability is Availability.ABSENT


def test_tables_of_an_experiment_among_tests_are_in_the_repository() -> None:
    files = {"tests/examples_from_paper/s.R": "y <- read.csv('smok.csv')\nlm(y)\n"}
    table = {"tests/examples_from_paper/smok.csv": "a,b\n1,2\n"}
    assert answer_of(data_of(files | table)).availability is Availability.IN_REPOSITORY


def test_functions_that_make_samples_generate_the_data() -> None:
    text = "def create_blobs(rng):\n    X = []\n    X.append(rng.multivariate_normal(m, c, 9))\n    return X\n"
    facts = script("from sklearn.manifold import TSNE\nimport numpy as np\n" + text + "np.load('faces.npy')\n")
    assert answer_of(facts).availability is Availability.GENERATED


def test_a_tiny_sample_is_not_the_data() -> None:
    page = "## Data\nThe code requires a directory containing the following files:\n- `aus.pkl`: a dictionary\n"
    files = {"train.py": "import pickle\nd = pickle.load(open('sample_dataset/aus.pkl', 'rb'))\n" + FITS}
    facts = data_of(files | {"README.md": page, "sample_dataset/aus.pkl": "x" * 900})
    assert answer_of(facts).availability is Availability.BY_HAND


@pytest.mark.parametrize("size", [1000, 2_000_000])
def test_tables_that_code_reads_are_the_data_though_a_library_brings_others(size: int) -> None:
    text = "import pandas as pd\nfrom keras.datasets import mnist\nmnist.load_data()\n" + READS
    facts = script(text, data__patients_csv="a\n" + "1\n" * (size // 2))
    answers = {Availability.IN_REPOSITORY, Availability.DOWNLOADED}
    assert answer_of(facts).availability is (Availability.IN_REPOSITORY if size > 10_000 else Availability.DOWNLOADED)
    assert {way.availability for way in answer_of(facts).ways} == answers
    assert answer_of(facts).ways[0].availability is answer_of(facts).availability
    assert all(way.places for way in answer_of(facts).ways)


def test_graphs_of_a_network_beside_its_evaluation_are_no_data() -> None:
    files = {
        "train.py": "import glob\nx = open('eval/infer.pbtxt').read()\n" + FITS,
        "eval/infer.pbtxt": "n\n" * 50_000,
    }
    assert answer_of(data_of(files)).availability is not Availability.IN_REPOSITORY


def test_a_download_in_python_that_does_not_parse_counts() -> None:
    text = "import urllib\norigin = 'http://a.org/x.mat'\nurllib.urlretrieve(origin, 'data/x.mat')\n"
    assert (
        answer_of(script(f"<<<<<<< HEAD\n{text}d = loadmat('data/x.mat')\n{FITS}")).availability
        is Availability.DOWNLOADED
    )


def test_files_that_the_commands_of_a_page_are_given_are_used() -> None:
    page = "# Run\n```\npython train.py --source data/src-train.txt\n```\n"
    files = {"train.py": "import sys\nd = open(sys.argv[2]).read()\n" + FITS, "data/src-train.txt": "a b\n" * 9000}
    facts = data_of(files | {"README.md": page})
    assert answer_of(facts).availability is Availability.IN_REPOSITORY
    assert facts.files[0].used is not None


@pytest.mark.parametrize(
    ("url", "around", "topic"),
    [
        ("http://example.edu/data/papers/attention.pdf", "download the data", Topic.OTHER),
        ("http://data.example.edu/net/net_models_public.zip", "We provide pre-trained models", Topic.WEIGHTS),
    ],
)
def test_papers_and_models_on_a_host_of_data_are_no_data(url: str, around: str, topic: Topic) -> None:
    assert topic_of(url, "here", around, "") is topic


@pytest.mark.parametrize(("name", "here"), [("FacesValid.npz", True), ("vgg16_weights.npz", False)])
def test_a_large_array_that_code_reads_is_data_unless_it_is_called_like_a_model(name: str, here: bool) -> None:
    text = f"import numpy as np\nd = np.load('{name}')\n"
    facts = data_of({"edit.py": text + FITS, name: b"x" * 5_000_000})
    assert (answer_of(facts).availability is Availability.IN_REPOSITORY) is here
