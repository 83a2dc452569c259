"""Modules that only their company shows to be the authors' own."""

import pytest
from environments import environment, undeclared

from assay.repository.environment.distributions import table
from assay.repository.environment.public_names import is_public

UNLISTED, LISTED = "back", "performance"
"""Modules of distributions that hardly anybody installs: one that no table knows, and one that conda-forge has."""
LOST = "import qzxwv_first_lost_part\n"
LOST_TOO = "import qzxwv_second_lost_part\n"


def missing(files: dict[str, str]) -> list[str]:
    return [one.module for one in environment(files).missing]


def test_the_examples_are_what_they_stand_for() -> None:
    assert is_public(UNLISTED)
    assert not table().providing(UNLISTED)
    assert is_public(LISTED)
    assert not any(map(table().is_downloaded, table().providing(LISTED)))


def test_a_name_alone_does_not_tell_that_a_file_is_missing() -> None:
    assert undeclared({"a.py": f"import {UNLISTED}, {LISTED}\n"}) == [UNLISTED, LISTED]


def test_a_module_that_nobody_knows_is_missing_beside_another() -> None:
    files = {"a.py": LOST + f"from {UNLISTED}.net import Net\n"}
    assert undeclared(files) == []
    assert missing(files) == [UNLISTED]


def test_what_some_install_takes_two_missing_modules() -> None:
    assert undeclared({"a.py": LOST + f"import {LISTED}\n"}) == [LISTED]
    assert undeclared({"a.py": LOST + LOST_TOO + f"import {LISTED}\n"}) == []


def test_what_people_install_is_never_missing_for_its_company() -> None:
    assert undeclared({"a.py": LOST + LOST_TOO + "import numpy, whisperx\n"}) == ["numpy", "whisperx"]


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": LOST + f"import {UNLISTED}\n", "b.py": f"import {UNLISTED}\n"},  # another file has no such company
        {"a.py": f"try:\n    {LOST}except ImportError:\n    x = 1\nimport {UNLISTED}\n"},
        {"a.py": LOST + f"import {UNLISTED}\n", "requirements.txt": "qzxwv_first_lost_part\n"},
    ],
)
def test_company_that_does_not_lack_or_is_not_everywhere_tells_nothing(files: dict[str, str]) -> None:
    assert undeclared(files) == [UNLISTED]


def test_what_is_required_in_words_is_not_missing() -> None:
    readme = f"# Thing\n## Requirements\n- {UNLISTED}\n"
    assert missing({"README.md": readme, "a.py": LOST + f"import {UNLISTED}\n"}) == []


def test_the_transforms_of_robots_come_with_them() -> None:
    facts = environment({"a.py": "from tf.transformations import euler_from_quaternion\n"})
    assert [(one.module, one.platform) for one in facts.outside] == [("tf", "ROS")]
    assert facts.undeclared == ()
