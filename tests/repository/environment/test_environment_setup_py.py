"""setup.py, whose lists are put together in many ways, read without running it."""

import pytest
from environments import declared, environment, pins

from assay.repository.environment import Pin


@pytest.mark.parametrize(
    "text",
    [
        "setup(install_requires=['numpy==1.0', 'torch'])",
        "import setuptools\nsetuptools.setup(install_requires=('numpy==1.0', 'torch'))",
        "needs = ['numpy==1.0']\nneeds.append('torch')\nsetup(install_requires=needs)",
        "needs = ['numpy==1.0']\nneeds += ['torch']\nsetup(install_requires=needs)",
        "a = ['numpy==1.0']\nb = ['torch']\nsetup(install_requires=a + b)",
        "setup(install_requires='numpy==1.0 torch'.split())",
        "setup(install_requires='''\nnumpy==1.0\ntorch  # why\n''')",
        "def needs():\n    return ['numpy==1.0', 'torch']\nsetup(install_requires=needs())",
        "options = dict(install_requires=['numpy==1.0', 'torch'])\nsetup(**options)",
        "options = {'install_requires': ['numpy==1.0', 'torch']}\nsetup(name='x', **options)",
        "v = '1.0'\nsetup(install_requires=[f'numpy=={v}', 'torch'])",
        "setup(install_requires=[r for r in ['numpy==1.0', 'torch']])",
        "setup(install_requires=sorted(set(['numpy==1.0', 'torch'])))",
        "d = {'base': ['numpy==1.0', 'torch']}\nsetup(install_requires=d['base'])",
        "setup(install_requires=['numpy==1.0'] if GPU else ['numpy==1.0', 'torch'])",
    ],
)
def test_lists_are_followed_however_they_are_made(text: str) -> None:
    assert pins({"setup.py": text}) == {"numpy": Pin.EXACT, "torch": Pin.NONE}


def test_versions_that_only_running_would_tell_are_left_open() -> None:
    assert pins({"setup.py": "setup(install_requires=['numpy==' + get(), 'torch>=%s' % v])"}) == {
        "numpy": Pin.COMPATIBLE,
        "torch": Pin.NONE,
    }


@pytest.mark.parametrize(
    "text",
    [
        "setup(install_requires=open('deps.txt').read().splitlines())",
        "with open('deps.txt') as f:\n    needs = f.read()\nsetup(install_requires=read('deps.txt'))",
        "def needs(path):\n    return [l for l in open(path)]\nsetup(install_requires=needs('deps.txt'))",
        "import os\nsetup(install_requires=parse_requirements(os.path.join(here, 'deps.txt'), session='x'))",
        "def needs():\n    return open('deps.txt').readlines()\nsetup(install_requires=needs())",
    ],
)
def test_files_that_the_list_is_read_from_are_read_too(text: str) -> None:
    assert pins({"setup.py": text, "deps.txt": "numpy==1.0\n"}) == {"numpy": Pin.EXACT}


def test_extras_tests_and_build_requirements_have_their_groups() -> None:
    text = (
        "extras = {'gpu': ['cupy']}\nextras['all'] = ['numba']\n"
        "setup(install_requires=['numpy'], extras_require=extras, tests_require=['pytest'],\n"
        "      setup_requires=['cython'], python_requires='>=3.6', name='My_Package')"
    )
    found = declared({"setup.py": text})
    assert {name: d.group for name, d in found.items()} == {
        "numpy": "",
        "cupy": "gpu",
        "numba": "all",
        "pytest": "test",
        "cython": "build",
    }
    assert [d.specifier for d in environment({"setup.py": text}).pythons] == [">=3.6"]


def test_lines_are_those_of_the_strings() -> None:
    assert (
        declared({"setup.py": "setup(\n  install_requires=[\n    'numpy',\n    'torch',\n])"})["torch"].location.line
        == 4
    )


def test_file_that_does_not_parse_is_a_problem() -> None:
    facts = environment({"setup.py": "setup(install_requires=["})
    assert [p.location.path for p in facts.problems] == ["setup.py"]


@pytest.mark.parametrize("needs", ["f('numpy', 'torch')", "[deps['numpy'], deps['torch']]"])
def test_of_a_table_of_versions_the_names_are_read(needs: str) -> None:
    text = "_deps = ['numpy==1.0', 'torch']\ndeps = table(_deps)\ndef f(*n):\n    return g(n)\n"
    text += f"setup(install_requires={needs})"
    assert set(pins({"setup.py": text})) == {"numpy", "torch"}


def test_a_name_and_a_version_that_are_joined_are_one_requirement() -> None:
    text = "least = '2.0'\nneeds = ['>='.join(['torch', least])] + ['numpy']\nsetup(install_requires=needs)"
    facts = environment({"setup.py": text})
    assert [(one.name, one.specifier) for one in facts.declared] == [("torch", ">=2.0"), ("numpy", "")]
    assert facts.problems == ()
