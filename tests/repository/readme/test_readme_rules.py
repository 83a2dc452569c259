"""The rules about READMEs and commands: what fires, what does not apply, and which remedy is given."""

import pytest

from assay.findings import Finding, Severity
from assay.repository.facts import read_repository
from assay.repository.rules.instrument import repository
from assay.tree import tree_of

TRAIN = "import torch\nm = torch.nn.Linear(1, 1)\nm(torch.randn(1, 1)).backward()\n"


def findings(files: dict[str, str]) -> dict[str, Finding]:
    facts = read_repository(tree_of(files))
    return {finding.code: finding for finding in repository.run(facts) if finding.code.startswith("R2")}


def test_a_repository_without_code_needs_no_readme() -> None:
    assert findings({"data.csv": "a\n"}) == {}


def test_an_empty_readme_lacks_everything() -> None:
    assert set(findings({"README.md": "# Model\n", "train.py": TRAIN})) == {
        "R202", "R204", "R205", "R206",
    }  # fmt: skip
    assert "R203" in findings({"README.md": "# Model\n", "train.py": f"{TRAIN}table = open('a.csv')\n"})


def test_a_library_that_trains_nothing_owes_no_results() -> None:
    assert set(findings({"README.md": "# Model\n", "lib.py": "def f(x):\n    return x\n"})) == {"R202"}


def test_a_command_that_trains_is_a_training_command_whatever_its_name() -> None:
    found = findings({"README.md": "# M\n```\npython go.py\n```\n", "go.py": TRAIN})
    assert "R204" not in found


def test_the_remedies_are_concrete() -> None:
    parser = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--batch-size')\np.parse_args()\n"
    readme = "# M\n[a](docs/guid.md) [b](#instal)\n## Install\n```\npython tain.py\npython train.py --bach 1\n```\n"
    files = {"README.md": readme, "docs/guide.md": "x", "train.py": parser + TRAIN, "requirements.txt": "torch==2.0\n"}
    found = findings(files)
    assert found["R207"].advice == "Did you mean docs/guide.md?"
    assert found["R208"].advice == "Did you mean #install?"
    assert found["R211"].advice == "Did you mean train.py?"
    assert "R212" in found
    assert found["R211"].location is not None
    assert found["R211"].location.line == 5
    assert found["R212"].evidence[0].text == "python train.py --bach 1"


def test_a_missing_image_weighs_less_than_a_missing_document() -> None:
    found = findings({"README.md": "# M\n![a](fig/a.png)\npip install x\n", "a.py": "x = 1\n"})
    assert found["R207"].severity is Severity.NOTE


@pytest.mark.parametrize(
    ("readme", "files", "fires"),
    [
        ("Tested with Python 3.6.", {"pyproject.toml": "[project]\nname='x'\nrequires-python='>=3.9'\n"}, True),
        ("Tested with Python 3.10.", {"pyproject.toml": "[project]\nname='x'\nrequires-python='>=3.9'\n"}, False),
        ("Tested with PyTorch 1.7.", {"requirements.txt": "torch>=1.8\n"}, False),
        ("Tested with PyTorch 1.7.", {"requirements.txt": "torch==1.7.1\n"}, False),
        ("Tested with PyTorch 1.7.", {"requirements.txt": "torch==1.8.0\n"}, True),
        ("We use stratified splits.", {"a.py": "x = 1\n"}, True),
        ("We use stratified splits.", {"a.py": "StratifiedKFold(5)\n"}, False),
    ],
)
def test_claims_are_held_against_the_files(readme: str, files: dict[str, str], fires: bool) -> None:
    assert ("R210" in findings({"README.md": f"# M\n\n{readme}\n", **files})) is fires


@pytest.mark.parametrize(
    ("readme", "fires"),
    [
        ("Official implementation of our paper.", True),
        ("Code for the ICML paper.\n```\n@inproceedings{a,\n doi={10.1/x}\n}\n```", False),
        ("A small tool.", False),
    ],
)
def test_a_paper_that_is_spoken_of_is_to_be_linked(readme: str, fires: bool) -> None:
    assert ("R209" in findings({"README.md": f"# M\n\n{readme}\n", "a.py": "x = 1\n"})) is fires


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"Dockerfile": "FROM python:3.9\nRUN pip install torch\n"}, "docker build -f Dockerfile ."),
        ({"envs/environment.yml": "name: a\ndependencies: [numpy]\n"}, "conda env create -f envs/environment.yml"),
        ({"pyproject.toml": '[project]\nname = "a"\ndependencies = ["torch"]\n'}, "pip install ."),
        ({"Dockerfile": "FROM python:3.9\nRUN pip install torch\n", "requirements.txt": "torch\n"},
         "pip install -r requirements.txt"),
        ({"Project.toml": '[deps]\nFlux = "0"\n'}, "julia --project=. -e 'using Pkg; Pkg.instantiate()'"),
    ],
)  # fmt: skip
def test_each_kind_of_manifest_is_installed_in_its_own_way(files: dict[str, str], command: str) -> None:
    found = findings({"README.md": "# Model\n", "train.py": TRAIN, **files})
    assert found["R202"].advice == f"Add a section `## Installation`: `{command}`."


def test_who_learns_in_an_environment_has_no_data_to_tell_of() -> None:
    played = "import gym\nenv = gym.make('CartPole-v1')\nenv.reset()\n" + TRAIN
    assert "R203" not in findings({"README.md": "# Agent\n", "train.py": played})
    fetched = played + "import torchvision\ntorchvision.datasets.MNIST('.', download=True)\n"
    assert "R203" in findings({"README.md": "# Agent\n", "train.py": fetched})


@pytest.mark.parametrize(
    ("readme", "severities"),
    [
        ("All random seeds are fixed.", ["warning"]),
        ("The images are split with a fixed seed.", []),
        ("This design is fully reproducible.", ["note"]),
    ],
)
def test_only_a_promise_of_seeds_is_broken_by_a_run_without(readme: str, severities: list[str]) -> None:
    code = "import torch\nmodel = torch.nn.Linear(3, 1)\nmodel(torch.randn(8, 3)).sum().backward()\n"
    facts = read_repository(tree_of({"README.md": f"# M\n\n{readme}\n", "train.py": code}))
    assert [f.severity.value for f in repository.run(facts) if f.code == "R904"] == severities


def test_an_empty_readme_is_named() -> None:
    assert findings({"Readme.md": "", "train.py": TRAIN})["R201"].message.startswith("Readme.md is empty")
