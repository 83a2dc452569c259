"""Manifests made to do harm end in a reading, and what was left out is said."""

import json

import pytest
from environments import environment
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.repository.environment.yaml_nodes import read_yaml


def test_a_million_lines_are_cut_off() -> None:
    text = "numpy==1.0\n" * 90_000
    facts = environment({"requirements.txt": text})
    assert len(facts.declared) == 5000
    assert "only the lines before this were read" in facts.problems[-1].message


def test_file_larger_than_any_manifest_is_left_out() -> None:
    facts = environment({"requirements.txt": "numpy==1.0\n" * 1_000_000})
    assert facts.declared == ()
    assert facts.left_out == ("requirements.txt: is too large for a manifest",)


def test_a_line_of_signs_is_read_as_fast_as_it_is_long() -> None:
    facts = environment({"requirements.txt": "numpy==1.0\n" + "-" * 900_000})  # squared, it would take an hour
    assert [one.name for one in facts.declared] == ["numpy"]


def test_long_chain_of_inclusions_ends() -> None:
    files = {f"requirements{i}.txt": f"-r requirements{(i + 1) % 300}.txt\npkg{i}\n" for i in range(300)}
    assert len(environment(files).declared) == 300


def test_thousands_of_manifests_are_cut_off() -> None:
    facts = environment({f"a{i}/requirements.txt": "numpy\n" for i in range(1200)})
    assert len(facts.manifests) == 800
    assert facts.left_out == ("only the first 800 manifests were read",)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 50_000,
        "{" * 50_000,
        "- " * 50_000,
        "? " * 50_000,
        "a: &a [x]\n" + "".join(f"b{i}: [*a, *a]\n" for i in range(20_000)),
    ],
)
def test_deep_or_endless_yaml_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="too large or nested too deeply"):
        read_yaml(text)


def test_aliases_are_not_followed() -> None:
    bomb = "a: &a [numpy, numpy]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20)
    )
    facts = environment({"environment.yml": f"name: x\n{bomb}dependencies: *u\n"})
    assert facts.declared == ()


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "Pipfile", "pixi.toml", "Project.toml", "environment.yml", "cog.yaml", "MLproject"]
)
@pytest.mark.parametrize("text", ["x = " + "[" * 20_000, "\0\1\2", "name: x\ndependencies:" + " [" * 20_000])
def test_junk_is_a_problem_or_nothing(name: str, text: str) -> None:
    assert environment({name: text}).declared == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "Pipfile",
            "[packages]\nnumpy = 3\nscipy = [1, {a = 2}]\ntorch = {git = 4, version = []}\n[requires]\nx = 3\n",
        ),
        (
            "pyproject.toml",
            "[project]\ndependencies = 3\noptional-dependencies = [1]\n[tool]\npoetry = 'x'\nuv = {index = 3}\n",
        ),
        ("pyproject.toml", "tool = 3\nproject = []\ndependency-groups = {a = 3, b = [1, {}]}\n"),
        ("pyproject.toml", "[tool.setuptools.dynamic]\ndependencies = {file = 3}\n[tool.poetry.group]\na = 1\n"),
        ("pixi.toml", "dependencies = {numpy = 3, python = []}\nfeature = {a = 1}\ntarget = 3\n"),
        ("Project.toml", "deps = 3\ncompat = []\n"),
        ("Pipfile.lock", json.dumps({"default": [1], "develop": {"a": 1, "b": {"version": 2}}})),
        ("renv.lock", json.dumps({"R": 3, "Packages": {"a": 1, "b": {"Version": 2}}})),
        ("renv.lock", "[" * 100_000),
        ("Pipfile.lock", '{"a": ' + "9" * 10_000 + "}"),
        ("environment.yml", "name: x\ndependencies:\n  numpy: 1\n  - x\n"),
        ("environment.yml", "name: x\ndependencies:\n- {a: b}\n- [c]\n- pip: 3\n- pip: [[x]]\n-\n"),
        ("cog.yaml", "build: 3\n"),
        ("MLproject", "conda_env: [1]\n"),
        ("python_env.yaml", "python: [3]\ndependencies: {a: b}\n"),
        ("setup.cfg", "[options]\ninstall_requires = %(x)s\npython_requires = ???\n"),
    ],
)
def test_values_of_the_wrong_kind_are_passed_over(name: str, text: str) -> None:
    facts = environment({name: text})
    assert all(d.name for d in facts.declared)


def test_huge_expressions_in_setup_py_are_given_up() -> None:
    wide = "x = [" + ", ".join(f"'p{i}'" for i in range(15_000)) + "]\n"
    calls = "y = " + "f(" * 60 + "x" + ")" * 60 + "\n"
    circle = "a = b\nb = a + a + a\n"
    facts = environment(
        {"setup.py": f"{wide}{calls}{circle}setup(install_requires=x + y + a, extras_require={{'e': x}})"}
    )
    assert 0 < len(facts.declared) <= 20_000


def test_setup_py_with_functions_that_call_each_other_ends() -> None:
    text = "def f():\n    return g() + g()\ndef g():\n    return f() + f()\nsetup(install_requires=f())"
    assert environment({"setup.py": text}).declared == ()


def test_long_lines_do_not_stall_the_readers() -> None:
    line = (
        "pip install " + "a" * 200_000 + "\n" + "`pip install" * 10_000 + "\n" + "FROM " * 20_000 + "\n" + "$" * 50_000
    )
    files = {"README.md": line, "Dockerfile": line, "install.sh": line, "requirements.txt": line[:900_000]}
    assert environment(files).declared == ()


def test_names_with_strange_characters_are_harmless() -> None:
    facts = environment({"requirements.txt": "numpy\u202e==1.0\n\x1b[31mtorch\n" + "é" * 100 + "\n"})
    assert len(facts.problems) == 3


NAMES = [
    *["requirements.txt", "setup.py", "setup.cfg", "pyproject.toml", "Pipfile", "pixi.toml", "environment.yml"],
    *["poetry.lock", "Pipfile.lock", "conda-lock.yml", "pixi.lock", "renv.lock", "Manifest.toml", "DESCRIPTION"],
    *["Project.toml", "MLproject", "python_env.yaml", "cog.yaml", "Dockerfile", "README.md", "install.sh"],
    *["install.R", "runtime.txt", ".tool-versions"],
]
PIECES = st.sampled_from(
    [
        *[
            "dependencies:",
            "name: x\n",
            "- pip:\n",
            "  - ",
            "numpy",
            "==1.0",
            ">=",
            "=1.2=b",
            "[project]\n",
            "[tool.poetry",
        ],
        *[
            ".dependencies]\n",
            "[[package]]\n",
            'name = "x"\n',
            'version = "1"\n',
            "setup(",
            "install_requires=[",
            "'a'",
            "]",
        ],
        *[
            "FROM python:3\n",
            "RUN pip install ",
            "conda install -c x ",
            "-r ",
            "-e ",
            "git+https://h/r@",
            "\\\n",
            "#",
            ";",
        ],
        *[
            "{",
            "}",
            "(",
            ")",
            '"',
            "`",
            "$X",
            " = ",
            "\n",
            "Depends: ",
            "R (>= 3)",
            "[deps]\n",
            "julia_version = ",
            "@ ",
        ],
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(NAMES), st.lists(PIECES | st.text(max_size=8), max_size=25).map("".join))
def test_no_manifest_is_too_broken_to_read(name: str, text: str) -> None:
    assert all(one.name for one in environment({name: text}).declared)
