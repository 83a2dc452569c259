"""What a manifest asks for, put such that nothing but names and versions reaches the resolver."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.requirements import Requirement

from assay.code import read_code
from assay.findings import Location
from assay.repository.environment import Declared, Kind, Pin, read_environment
from assay.repository.research.building.pythons import candidates
from assay.repository.research.building.requirements import Wanted, requirement_of, wanted_by
from assay.tree import tree_of


def wanted(files: dict[str, str], path: str = "requirements.txt") -> Wanted:
    tree = tree_of(files)
    return wanted_by(path, read_environment(tree, read_code(tree)), tree)


def declared(specifier: str, **more: str) -> Declared:
    return Declared("thing", Pin.RANGE, Kind.PYPROJECT, Location("pyproject.toml"), specifier, **more)


def test_included_files_are_asked_for_together() -> None:
    files = {
        "requirements.txt": "-r sub/base.txt\nsix>=1\n",
        "sub/base.txt": "-r ../more.txt\nattrs\n",
        "more.txt": "idna",
    }
    assert set(wanted(files).requirements) == {"six>=1", "attrs", "idna"}


def test_includes_in_circles_end() -> None:
    assert wanted({"requirements.txt": "-r a.txt\nsix", "a.txt": "-r requirements.txt\n"}).requirements == ("six",)


def test_what_would_have_to_be_fetched_and_built_is_named_not_tried() -> None:
    found = wanted({"requirements.txt": "six\ngit+https://github.com/a/b\n./local\nx @ https://a.org/x.zip\n-e .\n"})
    assert found.requirements == ("six",)
    assert len(found.untried) == 4
    assert "requirements.txt:2: git+https://github.com/a/b is not on a package index" in found.untried


def test_options_never_reach_the_resolver() -> None:
    text = "--index-url https://evil.example/index\n--find-links .\n-f x\nsix --hash=sha256:00\n"
    assert wanted({"requirements.txt": text}).requirements == ("six",)


def test_extras_and_markers_are_kept() -> None:
    found = wanted({"requirements.txt": 'requests[socks]>=2 ; python_version < "3.9"\n'})
    assert found.requirements == ('requests[socks]>=2; python_version < "3.9"',)


def test_groups_for_development_are_left_aside() -> None:
    text = "[project]\nname='z'\nversion='1'\ndependencies=['attrs']\n[project.optional-dependencies]\ndev=['pytest']\n"
    assert wanted({"pyproject.toml": text}, "pyproject.toml").requirements == ("attrs",)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("^1.2.3", "thing<2,>=1.2.3"),
        ("^0.2.3", "thing<0.3,>=0.2.3"),
        ("^0.0.3", "thing<0.0.4,>=0.0.3"),
        ("~1.2.3", "thing<1.3,>=1.2.3"),
        ("~1", "thing<2,>=1"),
        ("~=1.4", "thing~=1.4"),
        ("*", "thing"),
        ("", "thing"),
        ("1.4", "thing==1.4"),
        (">=1,<2", "thing<2,>=1"),
    ],
)
def test_poetry_and_pipenv_are_translated(written: str, meant: str) -> None:
    assert requirement_of(declared(written)) == meant


@pytest.mark.parametrize("specifier", ["^banana", "git+https://a.org/b", ">=1\n-r evil", "@ https://a.org/x.whl"])
def test_what_is_no_version_is_refused(specifier: str) -> None:
    assert requirement_of(declared(specifier)) is None


@given(st.text(max_size=30), st.text(max_size=30))
def test_whatever_is_written_gives_one_requirement_without_an_address_or_none(specifier: str, marker: str) -> None:
    line = requirement_of(declared(specifier, marker=marker))
    if line is not None:
        assert "\n" not in line
        assert Requirement(line).name == "thing"
        assert Requirement(line).url is None


def python(*specifiers: str, day: date) -> tuple[str, str]:
    stated = [Declared("python", Pin.RANGE, Kind.CONDA, Location("env.yml", 3), s) for s in specifiers]
    found = candidates(stated, day)
    return found.versions[0], found.because


@pytest.mark.parametrize(
    ("specifiers", "day", "version"),
    [
        ((), date(2021, 6, 1), "3.8"),
        ((), date(2015, 1, 1), "3.6"),
        (("=3.7",), date(2024, 1, 1), "3.7"),
        (("3.7.4",), date(2024, 1, 1), "3.7"),
        (("==3.7.4=h1",), date(2024, 1, 1), "3.7"),
        ((">=3.8",), date(2020, 1, 1), "3.8"),
        ((">=3.6,<3.9",), date(2024, 1, 1), "3.8"),
        (("^3.8", "<3.11"), date(2026, 1, 1), "3.10"),
        (("=2.7",), date(2019, 12, 1), "3.7"),
        (("whatever",), date(2021, 6, 1), "3.8"),
    ],
)
def test_python_is_the_one_stated_or_usual_at_the_time(specifiers: tuple[str, ...], day: date, version: str) -> None:
    assert python(*specifiers, day=day)[0] == version


def test_the_reason_for_a_python_names_the_place() -> None:
    assert python("=3.9", day=date(2024, 1, 1)) == ("3.9", "stated in env.yml:3")
    assert python("=2.7", day=date(2024, 1, 1))[1] == "what is stated cannot be met"


def test_older_pythons_follow_within_what_is_stated() -> None:
    stated = [Declared("python", Pin.RANGE, Kind.CONDA, Location("env.yml", 3), ">=3.7,<3.10")]
    assert candidates(stated, date(2024, 1, 1)).versions == ("3.9", "3.8", "3.7")
