"""Rules pass, fail or do not apply; what they say names the place and the line to add."""

import json

import pytest

from assay.findings import Severity
from assay.repository.check import Result, judge
from assay.repository.profiles.default.material import declared
from assay.repository.rules import files_of, read_example, repository
from assay.rules import all_rules, get_rule

RULES = [rule for rule in all_rules() if rule.instrument.name == repository.name]
TRAINING = """\
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()
model = torch.nn.Linear(3, 1)
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 3)).sum().backward()
optimiser.step()
"""


def facts_of(**files):
    """Facts of a repository; `train_py` is train.py, `a__b_txt` is a/b.txt."""
    return read_example("".join(f"==> {name_of(name)} <==\n{text}\n" for name, text in files.items()))


def name_of(key):
    stem, _, ending = key.replace("__", "/").rpartition("_")
    return f"{stem}.{ending}"


def results(facts):
    return {outcome.code: outcome.result for outcome in judge(facts)}


def findings(code, facts):
    return list(get_rule(code).check(facts))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_examples_fail_and_pass_in_earnest_and_never_by_not_applying(rule):
    assert results(read_example(rule.failing))[rule.code] is Result.FAIL
    assert results(read_example(rule.passing))[rule.code] is Result.PASS


def test_codes_follow_the_numbering_of_the_room():
    assert all(rule.code[0] == "R" and rule.code[1:].isdigit() and len(rule.code) == 4 for rule in RULES)
    assert 40 <= len(RULES) <= 70


def test_in_an_empty_repository_no_rule_passes_and_none_fails():
    assert set(results(read_example("")).values()) == {Result.NOT_APPLICABLE}


def test_what_does_not_apply_says_why():
    outcomes = {o.code: o for o in judge(facts_of(train_py="print(1)"))}
    assert outcomes["R701"].result is Result.NOT_APPLICABLE
    assert outcomes["R701"].reason == "no notebook shows a run"
    assert all(bool(o.reason) is (o.result is Result.NOT_APPLICABLE) for o in outcomes.values())
    assert all(bool(o.findings) is (o.result is Result.FAIL) for o in outcomes.values())


def test_files_of_an_example_begin_with_their_paths():
    assert files_of("==> a.py <==\nx = 1\n==> b/c.txt <==\n") == {"a.py": "x = 1\n", "b/c.txt": ""}
    assert files_of("") == {}
    with pytest.raises(ValueError, match="begin with"):
        files_of("x = 1")


def test_the_remedy_for_a_missing_seed_names_file_and_line():
    [finding] = findings("R401", facts_of(train_py=TRAINING))
    assert finding.advice == "Add `torch.manual_seed(args.seed)` in train.py before line 6."
    assert finding.location.path == "train.py"


def test_an_unseeded_run_that_the_readme_does_not_name_is_only_a_note():
    demo = TRAINING.replace('parser.add_argument("--seed", type=int, default=1)\n', "")
    found = findings("R401", facts_of(train_py=demo, demo_py=demo, README_md="Run `python train.py`."))
    assert {f.subject: f.severity for f in found} == {"train.py": Severity.ERROR, "demo.py": Severity.NOTE}


@pytest.mark.parametrize(
    ("seed", "code"),
    [
        ("", "R401"),
        ("torch.manual_seed(int(time.time()))", "R402"),
        ("torch.manual_seed(3)", ""),
    ],
)
def test_each_way_of_seeding_meets_its_own_rule(seed, code):
    text = "import time\nimport torch\n" + seed + "\n" + TRAINING.split("args = parser.parse_args()\n")[1]
    failed = {c for c, r in results(facts_of(train_py=text)).items() if c.startswith("R40") and r is Result.FAIL}
    assert failed == ({code} if code else set())


def test_an_undeclared_import_is_to_be_added_to_the_manifest_that_speaks_for_it():
    [finding] = findings("R302", facts_of(requirements_txt="numpy==1.26.4", train_py="import cv2\nimport numpy"))
    assert finding.subject == "cv2"
    assert finding.advice == "Add `opencv-python` to requirements.txt, with the version you used."


def test_what_only_tests_import_is_only_a_note():
    facts = read_example(
        "==> requirements.txt <==\nnumpy==1.26.4\n==> train.py <==\nimport numpy\n"
        "==> tests/test_train.py <==\nimport hypothesis\nimport train\n"
    )
    [finding] = findings("R302", facts)
    assert (finding.subject, finding.severity) == ("hypothesis", Severity.NOTE)
    assert finding.message.endswith(", for tests")
    assert declared(facts).score == 1.0


def test_what_a_declared_package_brings_along_is_only_a_note():
    facts = facts_of(requirements_txt="hydra-core==1.3.2", train_py="import hydra\nimport omegaconf")
    [finding] = findings("R302", facts)
    assert finding.severity is Severity.NOTE
    assert "hydra-core happens to bring it" in finding.message


def test_what_only_a_lock_has_is_a_note():
    lock = 'version = 1\n[[package]]\nname = "numpy"\nversion = "1.26.4"\n'
    facts = read_example(
        f"==> pyproject.toml <==\n[project]\nname='a'\ndependencies=['scipy==1.11']\n==> uv.lock <==\n{lock}"
        "==> a.py <==\nimport numpy, scipy\n"
    )
    [finding] = findings("R302", facts)
    assert finding.severity is Severity.NOTE
    assert finding.message.startswith("only uv.lock, for the sake of other packages, has `numpy`")


def test_ipython_is_there_in_notebooks_but_not_for_the_scripts_beside_them():
    cell = '{"cells": [{"cell_type": "code", "source": "import IPython"}], "nbformat": 4}'
    script = "==> requirements.txt <==\nnumpy==1.26.4\n==> a.py <==\nimport IPython, numpy\n"
    assert [f.subject for f in findings("R302", read_example(script))] == ["IPython"]
    assert [f.subject for f in findings("R302", read_example(f"{script}==> b.ipynb <==\n{cell}\n"))] == ["IPython"]
    alone = script.replace("IPython, ", "")
    assert findings("R302", read_example(f"{alone}==> b.ipynb <==\n{cell}\n")) == []


def test_what_a_container_installs_is_declared_where_nothing_else_is():
    recipe = "==> Dockerfile <==\nFROM python:3.9\nRUN pip install numpy==1.26.4 torch\n==> a.py <==\nimport numpy\n"
    [finding] = findings("R304", read_example(recipe))
    assert finding.message == "1 of 2 dependencies have no exact version: torch"
    [finding] = findings("R304", read_example(f"{recipe}==> requirements.txt <==\nnumpy\n"))
    assert finding.message == "1 of 1 dependencies have no exact version: numpy"


def test_what_automation_installs_is_no_declaration():
    steps = "==> .github/workflows/main.yml <==\njobs:\n  a:\n    steps:\n    - run: pip install flake8\n"
    assert results(read_example(f"{steps}==> a.py <==\nimport numpy\n"))["R304"] is not Result.FAIL


def test_a_readme_for_a_part_of_the_code_is_named_where_there_is_none():
    [finding] = findings("R201", read_example("==> web/README.md <==\n# Page\n==> train.py <==\nimport numpy\n"))
    assert "only parts of the repository have one: web/README.md" in str(finding.evidence[0])
    assert finding.message.startswith("there is no README in the root")
    assert finding.severity is Severity.WARNING


def test_a_service_that_runs_beside_the_code_is_only_a_note():
    compose = "==> compose.yaml <==\nservices:\n  monitor:\n    image: prom/prometheus:latest\n"
    [finding] = findings("R801", read_example(f"{compose}==> train.py <==\nimport numpy\n"))
    assert (finding.severity, finding.message.split()[1]) == (Severity.NOTE, "image")


def test_a_library_may_declare_ranges_if_it_records_what_it_ran_with():
    project = '[project]\nname = "x"\nversion = "1"\ndependencies = ["numpy>=1.20", "scipy"]'
    [finding] = findings("R304", facts_of(pyproject_toml=project, x_py="import numpy, scipy"))
    assert finding.severity is Severity.NOTE
    assert "lock file" in finding.advice


def test_an_empty_manifest_is_told():
    [finding] = findings("R305", facts_of(requirements_txt="# to do", train_py="import numpy"))
    assert finding.message == "requirements.txt declares no package"


def test_r_projects_need_their_own_manifests():
    script = "library(glmnet)\nset.seed(1)\nx <- rnorm(10)"
    [finding] = findings("R301", facts_of(analysis_R=script))
    assert "renv" in finding.advice
    assert finding.message == "the code loads 1 package (glmnet), and no file declares them"
    declared = "Package: x\nImports: glmnet (>= 4.1)"
    assert results(read_example(f"==> a.R <==\n{script}\n==> DESCRIPTION <==\n{declared}\n"))["R301"] is Result.PASS


def test_a_lone_test_py_is_no_test():
    script = "def test(model):\n    return model\n"
    assert results(facts_of(test_py=script))["R804"] is Result.FAIL
    assert results(facts_of(test_py=script))["R805"] is Result.NOT_APPLICABLE


def test_a_test_set_under_the_name_of_validation_data_is_noticed():
    text = 'from torchvision import datasets\nval_set = datasets.CIFAR10("data", train=False)\n'
    [finding] = findings("R109", facts_of(train_py=text))
    assert "under the name of validation data" in finding.message


def test_hostile_files_end_in_outcomes_and_not_in_exceptions():
    deep = "(" * 3000 + ")" * 3000
    facts = facts_of(
        train_py=deep,
        LICENSE_txt="\x00\ufeff" * 500,
        README_md="[" * 5000 + "](" * 500,
        requirements_txt="-r requirements.txt\n" + "a" * 100_000,
        environment_yml="&a [*a, *a]\n",
        note_ipynb='{"cells": [{"cell_type": "code", "source": 5, "execution_count": "x", "outputs": 7}]}',
        Dockerfile_="FROM " + "$" * 1000,
    )
    assert len(judge(facts)) == len(RULES)


def test_the_best_epoch_told_inside_a_function_called_test_is_noticed():
    text = "best_acc = 0\ndef test(epoch):\n    acc = 100 * correct / total\n    if acc > best_acc:\n        save()\n"
    [finding] = findings("R109", facts_of(main_py=text))
    assert "score on test data" in finding.message
    assert not findings("R109", facts_of(main_py=text.replace("def test", "def validate")))


def test_a_dump_of_an_environment_is_not_blamed_for_what_others_need():
    names = ["click", "flask", "idna", "jinja2", "joblib", "numpy", "scipy", "six", "urllib3", "werkzeug"]
    dump = "\n".join(f"{name}==1.0" for name in names)
    assert not findings("R309", facts_of(requirements_txt=dump, app_py="import flask"))


def test_manifests_for_documentation_and_tests_need_no_pins():
    facts = facts_of(requirements_txt="numpy==1.26.4", docs__requirements_txt="sphinx", a_py="import numpy")
    assert results(facts)["R304"] is Result.PASS


def test_a_licence_file_that_only_completes_a_named_licence_is_open():
    completed = "==> LICENSE <==\nYEAR: 2019\nCOPYRIGHT HOLDER: x\n"
    named = "==> DESCRIPTION <==\nPackage: x\nLicense: MIT + file LICENSE\n"
    assert results(read_example(completed + named))["R103"] is Result.PASS


def test_a_notebook_that_the_readme_links_is_one_of_the_main_runs():
    cell = {"cell_type": "code", "source": TRAINING, "execution_count": None, "outputs": []}
    facts = facts_of(
        README_md="Run `python train.py`, then [this](https://github.com/somebody/it/blob/main/eval/probe.ipynb).",
        train_py=TRAINING,
        eval__probe_ipynb=json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}),
        other_py=TRAINING,
    )
    assert [run.path for run in facts.main_runs] == ["eval/probe.ipynb", "train.py"]


def test_very_many_missing_modules_are_told_together() -> None:
    code = "".join(f"import nobody_has_module_{number}\n" for number in range(150))
    found = list(get_rule("R303").check(facts_of(a_py=code)))
    assert len(found) == 101
    assert " more modules are neither in the repository nor available: nobody_has_module_" in found[-1].message


@pytest.mark.parametrize(
    ("terms", "said"), [("For academic use only.", "withhold freedoms"), ("Free to use.", "names no licence")]
)
def test_terms_in_words_of_their_own_are_told_as_no_known_licence(terms: str, said: str) -> None:
    facts = read_example(f"==> README.md <==\n# Work\n## Licence\n{terms}\n")
    (found,) = findings("R103", facts)
    assert (found.severity, found.location and found.location.line) == (Severity.NOTE, 2)
    assert said in found.message
    assert findings("R101", facts) == []
    assert results(facts)["R102"] is Result.NOT_APPLICABLE
