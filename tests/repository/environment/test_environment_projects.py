"""Declarative project files: setup.cfg, pyproject.toml in its dialects, Pipfile, pixi, MLproject, cog, R and Julia."""

import pytest
from environments import declared, environment, pins

from assay.code import Language
from assay.repository.environment import Kind, Pin

COMMIT = "d50d76daa670286dd6cacf3bcd80b5e4823fc8e1"


def test_setup_cfg() -> None:
    text = (
        "[metadata]\nname = thing\n[options]\npython_requires = >=3.7\ninstall_requires =\n    numpy>=1.0\n"
        "    torch==1.7; sys_platform == 'linux'\n[options.extras_require]\ndev =\n    pytest\n"
    )
    found = declared({"setup.cfg": text})
    assert {n: (d.pin, d.group, d.location.line) for n, d in found.items()} == {
        "numpy": (Pin.RANGE, "", 6),
        "torch": (Pin.EXACT, "", 7),
        "pytest": (Pin.NONE, "dev", 10),
    }
    assert [d.specifier for d in environment({"setup.cfg": text}).pythons] == [">=3.7"]


def test_setup_cfg_can_name_a_file() -> None:
    text = "[options]\ninstall_requires = file: deps.txt\n"
    assert pins({"setup.cfg": text, "deps.txt": "numpy\n"}) == {"numpy": Pin.NONE}


def test_setup_cfg_without_dependencies_is_no_manifest() -> None:
    assert environment({"setup.cfg": "[flake8]\nmax-line-length = 100\n"}).manifests == ()


def test_broken_setup_cfg_is_a_problem() -> None:
    assert "cannot be read" in environment({"setup.cfg": "no section\n"}).problems[0].message


STANDARD = f"""
[build-system]
requires = ["hatchling>=1"]
[project]
name = "thing"
requires-python = ">=3.9"
dependencies = [
    "numpy~=1.2",
    "clip @ git+https://github.com/openai/CLIP.git@{COMMIT}",
]
[project.optional-dependencies]
gpu = ["cupy-cuda11x"]
[dependency-groups]
test = ["pytest", {{ include-group = "lint" }}]
lint = ["ruff==0.1"]
"""


def test_standard_tables_of_pyproject() -> None:
    found = declared({"pyproject.toml": STANDARD})
    assert {n: (d.pin, d.group, d.location.line) for n, d in found.items()} == {
        "hatchling": (Pin.RANGE, "build", 3),
        "numpy": (Pin.COMPATIBLE, "", 8),
        "clip": (Pin.COMMIT, "", 9),
        "cupy-cuda11x": (Pin.NONE, "gpu", 12),
        "pytest": (Pin.NONE, "test", 14),
        "ruff": (Pin.EXACT, "lint", 15),
    }
    assert [(d.specifier, d.location.line) for d in environment({"pyproject.toml": STANDARD}).pythons] == [(">=3.9", 6)]


def test_dependencies_that_setuptools_takes_from_a_file() -> None:
    dynamic = '[tool.setuptools.dynamic]\ndependencies = {file = ["deps.txt"]}\n'
    text = f'[project]\nname="x"\ndynamic=["dependencies"]\n{dynamic}'
    assert pins({"pyproject.toml": text, "deps.txt": "numpy==1.0"}) == {"numpy": Pin.EXACT}


POETRY = f"""
[tool.poetry]
name = "thing"
[tool.poetry.dependencies]
python = "^3.8"
numpy = "^1.2"
scipy = "1.5.4"
pandas = "*"
torch = {{ version = ">=1.7,<2", optional = true }}
clip = {{ git = "https://github.com/openai/CLIP.git", rev = "{COMMIT}" }}
tool = {{ git = "https://github.com/x/tool.git", branch = "main" }}
mine = {{ path = "../mine" }}
multi = [{{ version = "1.0", markers = "python_version < '3'" }}, {{ version = "2.*" }}]
[tool.poetry.dev-dependencies]
pytest = "~6.0"
[tool.poetry.group.docs.dependencies]
mkdocs = {{ version = "==1.4.0", extras = ["i18n"] }}
"""


def test_poetry() -> None:
    found = declared({"pyproject.toml": POETRY})
    assert {n: (d.pin, d.group) for n, d in found.items()} == {
        "numpy": (Pin.COMPATIBLE, ""),
        "scipy": (Pin.EXACT, ""),
        "pandas": (Pin.NONE, ""),
        "torch": (Pin.RANGE, "optional"),
        "clip": (Pin.COMMIT, ""),
        "tool": (Pin.VCS, ""),
        "mine": (Pin.PATH, ""),
        "multi": (Pin.COMPATIBLE, ""),
        "pytest": (Pin.COMPATIBLE, "dev"),
        "mkdocs": (Pin.EXACT, "docs"),
    }
    assert found["scipy"].location.line == 7
    assert [d.applies for d in environment({"pyproject.toml": POETRY}).declared if d.name == "multi"] == [False, True]
    assert [(d.specifier, d.pin) for d in environment({"pyproject.toml": POETRY}).pythons] == [("^3.8", Pin.COMPATIBLE)]


def test_pdm_hatch_uv_and_flit() -> None:
    text = """
    [tool.pdm.dev-dependencies]
    test = ["pytest>=6", "-e file:///x#egg=mine"]
    [tool.hatch.envs.train]
    dependencies = ["torch==1.0"]
    [tool.uv]
    dev-dependencies = ["ruff"]
    [tool.uv.sources]
    torch = { git = "https://github.com/pytorch/pytorch", rev = "v2.0" }
    [tool.flit.metadata]
    module = "thing"
    requires = ["numpy"]
    requires-python = ">=3.7"
    """
    found = declared({"pyproject.toml": text})
    assert {n: (d.pin, d.group) for n, d in found.items()} == {
        "pytest": (Pin.RANGE, "test"),
        "mine": (Pin.PATH, "test"),
        "torch": (Pin.VCS, "train"),
        "ruff": (Pin.NONE, "dev"),
        "numpy": (Pin.NONE, ""),
    }


PIXI = """
[workspace]
channels = ["conda-forge"]
[dependencies]
python = "3.10.*"
pytorch = ">=2.0,<3"
numpy = { version = "1.26.4", channel = "conda-forge" }
[pypi-dependencies]
einops = "==0.7.0"
[feature.test.dependencies]
pytest = "*"
[target.linux-64.dependencies]
ninja = "*"
"""


def test_pixi_alone_and_inside_pyproject() -> None:
    expected = {
        "torch": (Pin.RANGE, ""),
        "numpy": (Pin.EXACT, ""),
        "einops": (Pin.EXACT, ""),
        "pytest": (Pin.NONE, "test"),
        "ninja": (Pin.NONE, ""),
    }
    inside = PIXI.replace("[", "[tool.pixi.").replace('[tool.pixi."conda-forge"]', '["conda-forge"]')
    for files in ({"pixi.toml": PIXI}, {"pyproject.toml": inside}):
        assert {n: (d.pin, d.group) for n, d in declared(files).items()} == expected
        assert [d.pin for d in environment(files).pythons] == [Pin.COMPATIBLE]


def test_pipfile() -> None:
    text = (
        '[[source]]\nurl = "https://index.example.org/wheels"\nname = "own"\n[packages]\nnumpy = "*"\ntorch = "==1.7"\n'
        f'clip = {{git = "https://github.com/openai/CLIP.git", ref = "{COMMIT}"}}\n[dev-packages]\npytest = ">=6"\n'
        '[requires]\npython_version = "3.8"\n'
    )
    facts = environment({"Pipfile": text})
    assert {d.name: (d.pin, d.group, d.location.line) for d in facts.declared} == {
        "numpy": (Pin.NONE, "", 5),
        "torch": (Pin.EXACT, "", 6),
        "clip": (Pin.COMMIT, "", 7),
        "pytest": (Pin.RANGE, "dev", 9),
    }
    assert [(d.specifier, d.location.line) for d in facts.pythons] == [("3.8", 11)]
    assert [url for url, _ in facts.indexes] == ["https://index.example.org/wheels"]


def test_mlproject_leads_to_its_environment() -> None:
    files = {
        "MLproject": "name: x\nconda_env: files/work.yaml\n",
        "files/work.yaml": "dependencies:\n- numpy=1.2.3\n",
    }
    facts = environment(files)
    assert [(m.path, m.kind) for m in facts.manifests] == [
        ("MLproject", Kind.MLPROJECT),
        ("files/work.yaml", Kind.CONDA),
    ]
    assert [(d.name, d.pin) for d in facts.declared] == [("numpy", Pin.EXACT)]


def test_python_env_of_mlflow() -> None:
    files = {
        "MLproject": "name: x\npython_env: python_env.yaml\n",
        "python_env.yaml": "python: 3.8.15\nbuild_dependencies:\n- pip\ndependencies:\n- mlflow==2.0\n- -r deps.txt\n",
        "deps.txt": "numpy",
    }
    assert pins(files) == {"pip": Pin.NONE, "mlflow": Pin.EXACT, "numpy": Pin.NONE}
    assert [(d.specifier, d.pin) for d in environment(files).pythons] == [("3.8.15", Pin.EXACT)]


def test_cog() -> None:
    text = 'build:\n  python_version: "3.8"\n  python_packages:\n    - "torch==1.7.1"\npredict: x\n'
    assert pins({"cog.yaml": text}) == {"torch": Pin.EXACT}
    assert [d.specifier for d in environment({"cog.yaml": text}).pythons] == ["3.8"]


def test_description_of_an_r_package() -> None:
    imports = "Imports:\n    ggplot2 (== 3.3.0),\n    tidyr (>= 1.0)\n"
    text = f"Package: thing\nDepends: R (>= 3.5),\n    dplyr\n{imports}Suggests: knitr\n"
    facts = environment({"DESCRIPTION": text})
    assert {d.name: (d.pin, d.group, d.location.line) for d in facts.declared} == {
        "dplyr": (Pin.NONE, "", 3),
        "ggplot2": (Pin.EXACT, "", 5),
        "tidyr": (Pin.RANGE, "", 6),
        "knitr": (Pin.NONE, "optional", 7),
    }
    assert [(d.name, d.specifier) for d in facts.languages] == [("r", ">=3.5")]
    assert {d.language for d in facts.declared} == {Language.R}


def test_some_text_called_description_is_no_manifest() -> None:
    assert environment({"description": "Our method: it is good\n"}).manifests == ()


def test_install_script_of_r() -> None:
    assert pins({"install.R": 'install.packages("dplyr")\ninstall.packages(c("tidyr", \'ggplot2\'))\n'}) == {
        "dplyr": Pin.NONE,
        "tidyr": Pin.NONE,
        "ggplot2": Pin.NONE,
    }


def test_julia_project() -> None:
    text = (
        'name = "Thing"\n[deps]\nFlux = "587475ba"\nCSV = "336ed68f"\nZygote = "e88e6eb3"\n'
        '[compat]\nFlux = "0.12"\nCSV = "=0.9.1"\njulia = "1.6"\n'
    )
    facts = environment({"Project.toml": text})
    assert {d.name: (d.pin, d.location.line) for d in facts.declared} == {
        "Flux": (Pin.COMPATIBLE, 3),
        "CSV": (Pin.EXACT, 4),
        "Zygote": (Pin.NONE, 5),
    }
    assert [(d.name, d.specifier) for d in facts.languages] == [("julia", "1.6")]


def test_the_standard_library_of_julia_is_no_dependency() -> None:
    facts = environment({"Project.toml": '[deps]\nFlux = "5"\nRandom = "9"\nStatistics = "1"\n'})
    assert [d.name for d in facts.dependencies] == ["Flux"]
    assert [m.count for m in facts.manifests] == [3]


@pytest.mark.parametrize(
    ("text", "stated"),
    [("r-4.1-2022-01-01\n", [("r", "4.1", Pin.COMPATIBLE)]), ("r-3.6.3", [("r", "3.6.3", Pin.EXACT)]),
     ("r-2022-01-01\n", [])],
)  # fmt: skip
def test_the_runtime_of_binder_states_the_version_of_r(text: str, stated: list[tuple[str, str, Pin]]) -> None:
    facts = environment({"runtime.txt": text})
    assert [(d.name, d.specifier, d.pin) for d in facts.languages] == stated
    assert facts.pythons == ()


def test_version_files_state_python() -> None:
    files = {
        ".python-version": "3.8.10\n",
        "runtime.txt": "python-3.7\n",
        ".tool-versions": "nodejs 16\npython 3.9.1\n",
    }
    assert {d.location.path: (d.specifier, d.pin) for d in environment(files).pythons} == {
        ".python-version": ("3.8.10", Pin.EXACT),
        "runtime.txt": ("3.7", Pin.COMPATIBLE),
        ".tool-versions": ("3.9.1", Pin.EXACT),
    }


def test_broken_toml_is_a_problem() -> None:
    files = {"pyproject.toml": "[project\n", "Pipfile": "a = = 1", "pixi.toml": "x", "Project.toml": "[deps"}
    assert [p.location.path for p in environment(files).problems] == sorted(files)


def test_julia_before_version_1_had_a_line_for_each_package() -> None:
    facts = environment({"REQUIRE": "julia 0.4\n# for tests\nJSON\n@osx Homebrew\nDataFrames 0.8.0 0.9-\n\n"})
    assert {(d.name, d.pin) for d in facts.declared} == {
        ("JSON", Pin.NONE),
        ("Homebrew", Pin.NONE),
        ("DataFrames", Pin.RANGE),
    }
    assert [(d.name, d.specifier) for d in facts.languages] == [("julia", ">=0.4")]
