"""Judgements that maintainers rejected, each with the smallest repository that shows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.repository.check import assess
from assay.repository.facts import Repository, read_repository
from assay.tree import tree_of

TRAINING = (
    "import torch\ntorch.manual_seed(0)\nm = torch.nn.Linear(2, 2)\no = torch.optim.SGD(m.parameters(), lr=0.1)\n"
    "m(torch.randn(2, 2)).sum().backward()\no.step()\ntorch.save(m, 'm.pt')\n"
)


def facts_of(files: dict[str, str]) -> Repository:
    return read_repository(tree_of(files))


def found(files: dict[str, str], *codes: str) -> list[tuple[str, str, str]]:
    findings = assess(facts_of(files)).findings
    return [(f.code, f.severity.value, f.message) for f in findings if f.code in codes]


def notebook(*cells: str) -> str:
    written = [{"cell_type": "code", "source": c, "execution_count": None, "outputs": []} for c in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": written})


def test_a_module_that_the_notebook_itself_installs_is_no_module_that_nobody_has() -> None:
    cell = "! pip install git+https://github.com/x/ImageNetV2_pytorch\nfrom imagenetv2_pytorch import Data\n"
    assert found({"a.ipynb": notebook(cell)}, "R303") == []
    assert [code for code, _, _ in found({"a.ipynb": notebook(cell.partition("\n")[2])}, "R303")] == ["R303"]


def test_a_module_that_a_setup_script_of_any_name_builds_is_not_missing() -> None:
    setup = (
        "from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\n"
        "setup(ext_modules=[CUDAExtension('ops_cuda', ['a.cpp'])])\n"
    )
    files = {"ops_setup.py": setup, "a.cpp": "", "train.py": "import ops_cuda\n"}
    assert found(files, "R303", "R216") == []


PAGE = "# TF\n## Install\n    pip install tensorflow\n## Train\n    python train.py\n## Evaluate\n    python eval.py\n"


@pytest.mark.parametrize("pointer", ["See `tf/README.md`.", "See [the page](tf/README.md).", "See [tf](tf)."])
def test_a_page_that_the_readme_points_to_counts(pointer: str) -> None:
    files = {
        "README.md": f"# M\n{pointer}\n",
        "tf/README.md": PAGE,
        "tf/train.py": TRAINING,
        "tf/eval.py": "print(1)\n",
    }
    assert found(files, "R202", "R204", "R205") == []


def test_a_sentence_that_names_the_program_counts() -> None:
    files = {"README.md": "# M\nTrain and evaluate our models through `main.py`.\n", "main.py": TRAINING}
    assert found(files, "R204", "R205") == []


@pytest.mark.parametrize("said", ["TBD", "TODO", "Coming soon.", "To be added..."])
def test_a_section_that_only_announces_itself_says_nothing(said: str) -> None:
    files = {"README.md": f"# M\n## Training\n{said}\n## Evaluation\n{said}\n", "train.py": TRAINING}
    assert [code for code, _, _ in found(files, "R204", "R205")] == ["R204", "R205"]


def test_an_entry_of_a_list_of_options_is_no_claim() -> None:
    code = TRAINING.replace("torch.manual_seed(0)\n", "")
    listed = {"README.md": "# M\n## Options\n- **seed**: fixed random seed\n- **lr**: rate\n", "train.py": code}
    assert found(listed, "R904") == []
    claimed = {"README.md": "# M\nAll experiments use a fixed random seed.\n", "train.py": code}
    assert [severity for _, severity, _ in found(claimed, "R904")] == ["warning"]


def test_what_conda_list_prints_is_no_requirements_file() -> None:
    dump = "# platform: linux-64\nnumpy=1.19.2=py38h54aff64_0\npytorch=1.7.1=py3.8_cuda10\nscipy=1.5=py38_0\n"
    files = {"README.md": "# M\n", "requirements.txt": dump, "train.py": "import torch, numpy, scipy\n"}
    assert [code for code, _, _ in found(files, "R305")] == ["R305"]
    build = next(f for f in assess(facts_of(files)).factors if f.key == "build")
    assert build.score is not None
    assert build.score < 0.2
    named = {**files, "conda-list.txt": dump}
    del named["requirements.txt"]
    assert found(named, "R305") == []


def test_paths_of_a_build_server_are_one_finding() -> None:
    lines = "\n".join(f"pkg{i} @ file:///tmp/build/feedstock_root/pkg{i}/work" for i in range(30))
    [(_, severity, message)] = found({"requirements.txt": lines + "\n", "train.py": "import pkg1\n"}, "R307")
    assert severity == "error"
    assert message.startswith("pip cannot install requirements.txt: 30 packages (pkg0,")


def test_an_empty_program_is_no_program() -> None:
    files = {"README.md": "# M\n```bash\npython train.py\n```\n", "train.py": ""}
    assert found(files, "R211") == [("R211", "error", "train.py is empty")]


def test_feedback_and_rules_agree_about_training() -> None:
    files = {"README.md": "# M\n## Usage\n    python train.py\n", "train.py": TRAINING}
    documentation = next(f for f in assess(facts_of(files)).factors if f.key == "documentation")
    told = next(p.said for p in documentation.parts if "tells how to" in p.said)
    assert ("train" in told.partition("; not:")[0]) == (not found(files, "R204"))


def test_no_sign_that_test_data_choose_is_no_proof() -> None:
    overfitting = next(f for f in assess(facts_of({"train.py": TRAINING})).factors if f.key == "overfitting")
    assert [p.score for p in overfitting.parts if "assay leakage code" in p.said] == [None]


def test_a_licence_that_calls_itself_modified_is_not_the_original() -> None:
    apache = (Path(__file__).parents[3] / "LICENSE").read_text(encoding="utf-8")
    assert facts_of({"LICENSE": apache}).licence.main == ("Apache-2.0",)
    modified = "Modified Apache License\n\nWe only ask that you use it responsibly.\n\n" + apache
    assert facts_of({"LICENSE": modified}).licence.main == ("LicenseRef-Modified-Apache-2.0",)


PARSED = (
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--file')\n"
    "p.add_argument('--set', choices=['a', 'b'])\np.parse_args()\n"
)


@pytest.mark.parametrize(
    "command",
    [
        "python run.py --file [the checkpoint file]",
        "python run.py --file=[ResNet110 or ResNet164]",
        "python run.py --file {reference data file}",
        "python run.py --set name",
        "for i in 0 1 ; do \\\n  python run.py --file $i \\\ndone",
    ],
)
def test_what_a_reader_fills_in_is_no_wrong_option(command: str) -> None:
    files = {"README.md": f"# M\n```\n{command}\n```\n", "run.py": PARSED}
    assert found(files, "R211", "R212") == []


def test_the_first_folder_of_a_path_may_be_the_repository_under_its_own_name() -> None:
    files = {"README.md": "# M\n```\ncd model/egs/one\npython run.py\n```\n", "egs/one/run.py": "print(1)\n"}
    assert found(files, "R211") == []
    missing = {**files, "README.md": "# M\n```\ncd model/egs/two\npython run.py\n```\n"}
    assert found(missing, "R211") != []


def test_a_missing_script_in_a_sentence_is_a_question() -> None:
    files = {"README.md": "# M\nPut it there and run `python lists.py` in that folder.\n", "run.py": "print(1)\n"}
    assert {severity for _, severity, _ in found(files, "R211")} <= {"warning"}


def test_a_folder_without_python_files_is_no_package() -> None:
    files = {
        "scripts/run.py": "from detectron2.engine import DefaultPredictor\n",
        "scripts/detectron2/projects/point/head.py": "x = 1\n",
    }
    assert found(files, "R216") == []
    below = {"airflow/requirements.txt": "pandas", "airflow/dags/tweets.py": "from airflow import DAG\n"}
    assert found(below, "R216") == []


def test_weights_of_a_model_that_is_only_applied_need_no_seed() -> None:
    files = {"README.md": "# M\n    python craft.py\n", "craft.py": "import torch\nm = torch.nn.Linear(2, 2)\n"}
    assert {severity for _, severity, _ in found(files, "R401")} <= {"note"}


def test_a_readme_that_names_the_packages_leaves_a_question() -> None:
    code = {"train.py": "import numpy\nimport torch\n"}
    assert [s for _, s, _ in found({"README.md": "# M\n", **code}, "R301")] == ["error"]
    [(_, severity, message)] = found({"README.md": "# M\nNeeds PyTorch 1.4.\n", **code}, "R301")
    assert severity == "warning"
    assert message.endswith("README.md names 1 of them")


def test_code_for_an_older_python_is_one_finding_and_a_note_where_the_readme_says_so() -> None:
    code = {"a.py": "print 'a'\n", "b.py": "print 'b'\n"}
    [(_, severity, message)] = found({"README.md": "# M\n", **code}, "R901")
    assert severity == "warning"
    assert message.endswith("1 more file of the same kind")
    assert [s for _, s, _ in found({"README.md": "# M\nWritten in Python 2.7.\n", **code}, "R901")] == ["note"]


def test_a_condition_that_is_not_about_the_seed_leaves_a_note() -> None:
    start = "import argparse, torch\np = argparse.ArgumentParser()\np.add_argument('--seed', type=int)\n"
    start += "p.add_argument('--data')\na = p.parse_args()\n"
    body = TRAINING.replace("import torch\ntorch.manual_seed(0)\n", "")
    asked = f"{start}if a.seed is not None:\n    torch.manual_seed(a.seed)\n{body}"
    other = f"{start}if a.data == 'mnist':\n    torch.manual_seed(547)\n{body}"
    assert [s for _, s, _ in found({"train.py": asked}, "R403")] == ["warning"]
    assert [s for _, s, _ in found({"train.py": other}, "R403")] == ["note"]


@pytest.mark.parametrize(
    "code", ["import os\nx = os.getcwd() + '/data/images/'\n", "root = 'x'\nx = f'{root}/data/images/'\n"]
)
def test_the_end_of_a_path_is_no_path_of_one_machine(code: str) -> None:
    assert found({"a.py": code}, "R502") == []
    assert found({"a.py": "x = '/data/alice/images/a.png'\nopen(x)\n"}, "R502") != []


def test_a_command_beside_a_link_to_another_project_may_be_its() -> None:
    said = "We follow https://github.com/other/slides for the patches.\n\n```\npython patches_fp.py --seg\n```\n"
    files = {"README.md": f"# M\n## Data\n{said}", "train.py": TRAINING}
    assert {severity for _, severity, _ in found(files, "R211")} == {"note"}


def test_a_run_that_evaluates_is_no_error_without_a_seed() -> None:
    draws = "import numpy as np\nimport torch\nm = torch.nn.Linear(2, 2)\nprint(np.random.rand(3))\n"
    fits = draws + "o = torch.optim.SGD(m.parameters(), lr=0.1)\nm(torch.randn(2, 2)).sum().backward()\no.step()\n"
    files = {"README.md": "# M\n    python train.py\n    python evaluate.py\n", "train.py": fits, "evaluate.py": fits}
    by_run = {f.subject: f.severity.value for f in assess(facts_of(files)).findings if f.code == "R401"}
    assert by_run["train.py"] == "error"
    assert by_run["evaluate.py"] != "error"


def test_a_space_that_does_not_break_begins_a_comment_too() -> None:
    command = "python run.py --file a\u00a0 # the file"
    assert found({"README.md": f"# M\n```\n{command}\n```\n", "run.py": PARSED}, "R212") == []


SEEDED_IF = (
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--seed', type=int)\na = p.parse_args()\n"
    + (
        "import torch\nif a.seed is not None:\n    torch.manual_seed(a.seed)\n"
        + TRAINING.partition("torch.manual_seed(0)\n")[2]
    )
)


def test_one_condition_on_the_seed_of_many_programs_is_one_finding() -> None:
    files = {f"train_{i}.py": SEEDED_IF for i in range(6)}
    [(_, severity, message)] = found(files, "R403")
    assert severity == "warning"
    assert "train_0.py, train_1.py, train_2.py and 3 more" in message


def test_a_deterministic_split_is_no_claim_about_training() -> None:
    unseeded = {"train.py": TRAINING.replace("torch.manual_seed(0)\n", "")}
    assert found({**unseeded, "README.md": "# M\nThe split is deterministic.\n"}, "R904") == []
    assert len(found({**unseeded, "README.md": "# M\nTraining is deterministic.\n"}, "R904")) == 1


def test_a_header_that_most_files_share_states_the_licence() -> None:
    header = "# Copyright 2018 A. Person\n# Licensed under the MIT License.\n"
    files = {f"m{i}.py": header + "x = 1\n" for i in range(3)}
    assert found({**files, "train.py": "x = 1\n"}, "R101") == []
    assert len(found({"m0.py": header, **{f"n{i}.py": "x = 1\n" for i in range(3)}}, "R101")) == 1


def test_one_manifest_contradicts_the_licence_once() -> None:
    classifier = "License :: OSI Approved :: BSD License"
    setup = f"from setuptools import setup\nsetup(license='GPL-3.0', classifiers=['{classifier}'])\n"
    licence = (Path(__file__).parents[3] / "LICENSE").read_text(encoding="utf-8")
    assert len(found({"setup.py": setup, "LICENSE": licence}, "R104")) == 1


def test_a_name_whose_error_the_notebook_shows_is_reported_once() -> None:
    error = {"output_type": "error", "ename": "NameError", "evalue": "name 'y' is not defined", "traceback": []}
    cells = [{"cell_type": "code", "source": "print(y)", "execution_count": 1, "outputs": [error]}]
    page = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})
    assert [code for code, _, _ in found({"a.ipynb": page}, "R702", "R703")] == ["R702"]


WEIGHTS = (
    "import torch\ndef run(model, path):\n    torch.save(model.state_dict(), path)\n"
    "m = torch.load('weights/{}')\nrun(m, input())\n"
)


def test_weights_that_are_published_somewhere_are_no_output_of_a_run() -> None:
    assert [row[1] for row in found({"test.py": WEIGHTS.format("vit_small-6ef0ae4f.pth")}, "R602")] == ["warning"]
    assert [row[1] for row in found({"test.py": WEIGHTS.format("best.pth")}, "R602")] == ["note"]


FOLDS = """\
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import KFold
for number, (train, test) in enumerate(KFold(5, shuffle=True).split(X), 1):
    model = SGDClassifier(random_state=number)
    model.fit(X[train], y[train])
"""


def test_the_number_of_a_fold_is_a_fixed_seed() -> None:
    assert [f for f in found({"train.py": FOLDS}, "R402") if "SGD" in f[2]] == []
    assert len(found({"train.py": "import time\n" + FOLDS.replace("=number", "=int(time.time())")}, "R402")) == 1


def test_terms_of_the_data_do_not_contradict_the_licence_of_the_code() -> None:
    licence = (Path(__file__).parents[3] / "LICENSE").read_text(encoding="utf-8")
    page = "# M\n\nThe data is available from the city.\nLicensed under the MIT License.\n"
    assert found({"README.md": page, "LICENSE": licence}, "R104") == []
    assert len(found({"README.md": page.replace("data", "code"), "LICENSE": licence}, "R104")) == 1


def test_a_module_that_the_readme_says_to_download_is_a_question() -> None:
    files = {"train.py": "import evaluation\nevaluation.run()\n", "requirements.txt": "numpy==1.26.4\n"}
    page = "# M\n## Train\n    python train.py\n"
    [(_, severity, _)] = found({**files, "README.md": page}, "R303")
    assert severity == "error"
    [(_, severity, _)] = found(
        {**files, "README.md": page + "\nDownload the evaluation tools and unzip them.\n"}, "R303"
    )
    assert severity == "warning"


def test_a_folder_deep_in_the_tree_is_not_the_public_package_of_its_name() -> None:
    files = {"modules/data/ffcv/pipe.py": "from ffcv.fields import A\n", "requirements.txt": "ffcv\n"}
    assert found(files, "R303", "R216") == []
