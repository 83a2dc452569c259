"""Declarations of what nothing uses: better silent than wrong."""

import pytest
from environments import environment


def unused(files: dict[str, str]) -> list[str]:
    return [d.name for d in environment({"main.py": "import numpy\n", **files}).unused]


def test_distribution_that_nothing_imports_is_unused() -> None:
    assert unused({"requirements.txt": "numpy\nkeras\nopencv-python\n"}) == ["keras", "opencv-python"]


@pytest.mark.parametrize(
    "name",
    [
        "pytest",
        "jupyter",
        "black",
        "types-PyYAML",
        "pandas-stubs",
        "tensorboard",
        "sphinx-rtd-theme",
        "nvidia-cublas-cu12",
    ],
)
def test_tools_and_plug_ins_are_not_expected_to_be_imported(name: str) -> None:
    assert unused({"requirements.txt": name}) == []


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": "from keras.models import Model"},
        {"a.py": "import importlib\nimportlib.import_module('keras')"},
        {"a.py": "backend = 'keras'"},
        {"configs/model.yaml": "_target_: keras.Model\n"},
        {"third_party/x/a.py": "import keras"},
        {"a.py": "def broken(:\nimport keras\n"},
    ],
)
def test_any_sign_of_use_is_enough(files: dict[str, str]) -> None:
    assert unused({"requirements.txt": "keras", **files}) == []


def test_groups_for_special_purposes_are_not_judged() -> None:
    assert unused({"requirements-dev.txt": "keras", "setup.py": "setup(extras_require={'gpu': ['cupy']})"}) == []


def test_distribution_whose_modules_are_not_known_is_not_judged() -> None:
    assert unused({"requirements.txt": "qzxwv-private-thing"}) == []


def test_dump_of_an_environment_is_not_judged() -> None:
    dump = "".join(f"{name}==1.0\n" for name in ["keras", *(f"pkg{i}" for i in range(30))])
    facts = environment({"requirements.txt": dump})
    assert facts.unused == ()
    assert [m.frozen for m in facts.manifests] == [True]


def test_own_name_is_not_unused() -> None:
    assert unused({"setup.py": "setup(name='keras', install_requires=['keras[extra]'])"}) == []
