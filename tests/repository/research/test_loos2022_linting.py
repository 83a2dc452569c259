"""Pylint is started on copies, in an empty folder, with nothing of the audited tree to steer it."""

import json
import sys
from pathlib import Path

import pytest

from assay.code import Code, read_code
from assay.repository.research.loos2022 import pylint_rating, ratings
from assay.tree import tree_of

STAND_IN = """
import json, os, sys
text = open("audited.py", encoding="utf-8").read()
with open({log!r}, "a", encoding="utf-8") as log:
    log.write(json.dumps([sys.argv[1:], sorted(os.listdir()), sorted(os.environ), open("empty.ini").read()]) + "\\n")
if "silent" not in text:
    print("Your code has been rated at %s/10" % text.split()[2])
"""


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """A program that answers as pylint does and notes how it was called."""
    program = tmp_path / "stand_in.py"
    program.write_text(STAND_IN.format(log=str(tmp_path / "log")), encoding="utf-8")
    return [sys.executable, str(program)]


def code_of(files: dict[str, str]) -> Code:
    return read_code(tree_of(files))


def test_ratings_are_weighted_by_lines(command: list[str]) -> None:
    rating = pylint_rating(code_of({"a.py": "x = 10", "b.py": "x = -2.00\n#\n#\n"}), command=command)
    assert (rating.value, rating.files, rating.left_out) == (1.0, 2, ())


def test_nothing_of_the_tree_steers_it(command: list[str], tmp_path: Path) -> None:
    hostile = {"a.py": "x = 5", "pylintrc": "[MAIN]\ninit-hook=import os", "setup.cfg": "[pylint]\nload-plugins=evil"}
    pylint_rating(code_of(hostile), command=command)
    arguments, files, environment, settings = json.loads((tmp_path / "log").read_text())
    assert files == ["audited.py", "empty.ini"]
    assert settings == ""
    assert {"--rcfile=empty.ini", "--load-plugins=", "--init-hook=", "--unsafe-load-any-extension=n"} <= set(arguments)
    assert not {"PYTHONPATH", "PYLINTRC"} & set(environment)


def test_a_file_without_a_rating_is_named(command: list[str]) -> None:
    rating = pylint_rating(code_of({"a.py": "silent = 1"}), command=command)
    assert rating.value is None
    assert rating.left_out == ("a.py: pylint gave no rating",)


def test_a_program_that_hangs_or_is_missing_gives_no_rating(tmp_path: Path) -> None:
    slow = [sys.executable, "-c", "import time; time.sleep(60)"]
    assert pylint_rating(code_of({"a.py": "x = 1"}), command=slow, seconds=0.3).value is None
    assert pylint_rating(code_of({"a.py": "x = 1"}), command=[str(tmp_path / "none")]).value is None


def test_without_pylint_it_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "find_pylint", lambda: None)
    rating = pylint_rating(code_of({"a.py": "x = 1"}))
    assert rating.value is None
    assert rating.left_out == ("pylint is not installed, so its rating was not measured",)


def test_other_languages_are_not_rated(command: list[str]) -> None:
    assert pylint_rating(code_of({"a.R": "x <- 1", "b.jl": "x = 1"}), command=command).files == 0
