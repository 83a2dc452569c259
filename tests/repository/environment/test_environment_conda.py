"""conda environments in all their forms."""

import pytest
from environments import declared, environment, pins

from assay.code import Language
from assay.repository.environment import Pin
from assay.repository.environment.manifests.conda import conda_pin

ENVIRONMENT = """
name: work
channels:
  - pytorch
  - conda-forge
dependencies:
  - python=3.8
  - pytorch::pytorch=1.7.1
  - numpy>=1.19,<2
  - scikit-learn
  - opencv
  - r-base=4.1
  - r-ggplot2
  - pip
  - pip:
    - transformers==4.1
    - -r extra.txt
    - -e git+https://github.com/x/tool.git#egg=tool
    - --extra-index-url https://index.example.org/wheels
"""


@pytest.mark.parametrize(
    ("spec", "pin"),
    [
        ("cudatoolkit=11.3", Pin.EXACT),
        ("pytorch-cuda=12.1", Pin.EXACT),
        ("cudatoolkit=11", Pin.COMPATIBLE),
        ("cudatoolkit>=11.3", Pin.RANGE),
        ("scipy=1.7", Pin.COMPATIBLE),
    ],
)
def test_two_parts_are_the_whole_version_of_some_packages(spec: str, pin: Pin) -> None:
    assert list(pins({"environment.yml": f"name: x\ndependencies:\n- {spec}\n"}).values()) == [pin]


def test_packages_are_called_as_on_pypi_and_the_pip_part_is_read() -> None:
    assert pins({"environment.yml": ENVIRONMENT, "extra.txt": "tqdm"}) == {
        "torch": Pin.EXACT,
        "numpy": Pin.RANGE,
        "scikit-learn": Pin.NONE,
        "opencv": Pin.NONE,
        "ggplot2": Pin.NONE,
        "pip": Pin.NONE,
        "transformers": Pin.EXACT,
        "tqdm": Pin.NONE,
        "tool": Pin.VCS,
    }


def test_versions_of_languages_stand_apart() -> None:
    facts = environment({"environment.yml": ENVIRONMENT})
    assert [(d.name, d.specifier, d.location.line) for d in facts.languages] == [
        ("python", "=3.8", 7),
        ("r", "=4.1", 12),
    ]
    assert [d.specifier for d in facts.pythons] == ["=3.8"]


def test_packages_of_r_are_marked_so() -> None:
    assert declared({"environment.yml": ENVIRONMENT})["ggplot2"].language is Language.R


def test_channels_and_indexes_beyond_the_usual_are_noted() -> None:
    assert [i for i, _ in environment({"environment.yml": ENVIRONMENT}).indexes] == [
        "pytorch",
        "https://index.example.org/wheels",
    ]


@pytest.mark.parametrize(
    ("versions", "pin"),
    [
        ("", Pin.NONE),
        ("*", Pin.NONE),
        ("=1.19", Pin.COMPATIBLE),
        ("=1.19.*", Pin.COMPATIBLE),
        ("=1.19.5", Pin.EXACT),
        ("==1.19", Pin.EXACT),
        ("=1.0=mkl", Pin.EXACT),
        ("1.19", Pin.EXACT),
        (">=1.19", Pin.RANGE),
        ("1.19|1.20", Pin.RANGE),
        ("!=1.19", Pin.RANGE),
        ("==1!152.2018", Pin.EXACT),
        ("~=1.19", Pin.COMPATIBLE),
    ],
)
def test_one_equals_sign_leaves_the_last_part_free(versions: str, pin: Pin) -> None:
    assert conda_pin(versions) is pin


def test_in_a_dump_every_version_is_exact() -> None:
    packages = "".join(f"- pkg{i}={i}.1\n" for i in range(20))
    assert set(pins({"environment.yml": f"name: x\ndependencies:\n{packages}"}).values()) == {Pin.EXACT}
    assert set(pins({"env.yaml": "dependencies:\n- pytz=2021.3\nprefix: /opt/x\n"}).values()) == {Pin.EXACT}


EXPORT = (
    "# This file may be used to create an environment using:\n# platform: linux-64\n"
    "numpy=1.19.2=py38h_0\npytorch=1.7=x\n"
)
TABLE = (
    "# packages in environment at /opt/x:\n#\n# Name  Version  Build  Channel\n"
    "numpy   1.19.2   py38_0\ntqdm 4.1 pypi_0 pypi\n"
)
EXPLICIT = "@EXPLICIT\nhttps://channel.example.org/conda-forge/linux-64/numpy-1.19.2-py38_0.conda#0123456789abcdef\n"


@pytest.mark.parametrize("path", ["requirements.txt", "spec-file.txt", "conda_list.txt"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EXPORT, {"numpy": Pin.EXACT, "torch": Pin.EXACT}),
        (TABLE, {"numpy": Pin.EXACT, "tqdm": Pin.EXACT}),
        (EXPLICIT, {"numpy": Pin.HASHED}),
    ],
)
def test_output_of_conda_list_is_known_whatever_the_file_is_called(
    path: str, text: str, expected: dict[str, Pin]
) -> None:
    assert pins({path: text}) == expected


def test_environment_called_requirements_txt_is_read_as_one() -> None:
    assert pins({"requirements.txt": "name: a\ndependencies:\n  - numpy=1.2.3\n"}) == {"numpy": Pin.EXACT}


@pytest.mark.parametrize(
    "path", ["environment.yml", "environment-dev.yml", "conda/gpu.yaml", "my_env.yaml", "work.yml"]
)
def test_environments_are_found_by_name_and_content(path: str) -> None:
    assert pins({path: "name: a\ndependencies:\n- numpy\n"}) == {"numpy": Pin.NONE}


def test_other_yaml_is_no_environment() -> None:
    assert environment({"config_env.yml": "dependencies: 3\nlr: 0.1\n", "train.yml": "lr: 1"}).manifests == ()


def test_broken_environment_is_a_problem() -> None:
    facts = environment({"environment.yml": "name: a\ndependencies: [numpy\nchannels: x: y\n"})
    assert "is not valid YAML" in facts.problems[0].message


def test_an_environment_is_one_by_whatever_name_in_whatever_folder() -> None:
    text = "name: x\nchannels: [defaults]\ndependencies:\n  - python=3.8\n  - numpy=1.2\n"
    assert "numpy" in pins({"parts/segmentation/rgbd.yaml": text})


@pytest.mark.parametrize(
    "text",
    [
        "name: app\ndependencies:\n  flutter:\n    sdk: flutter\n  numpy: ^1.0\n",
        "name: chart\ndependencies:\n  - name: numpy\n    version: 1.0\n",
        "dependencies:\n  - numpy\n",
    ],
)
def test_other_files_with_dependencies_are_none(text: str) -> None:
    assert pins({"parts/app/settings.yaml": text}) == {}


def test_a_comment_on_how_to_make_an_environment_does_not_make_a_list_conda_s() -> None:
    text = "# conda create --name mine python=3.8\n# pip install -r requirements.txt\nnumpy==1.23.1\nscipy==1.9.0\n"
    assert set(pins({"requirements.txt": text})) == {"numpy", "scipy"}
    exported = "# $ conda create --name <env> --file <this file>\nnumpy=1.23.1=py38_0\nscipy=1.9.0=py38_1\n"
    assert set(pins({"requirements.txt": exported})) == {"numpy", "scipy"}
