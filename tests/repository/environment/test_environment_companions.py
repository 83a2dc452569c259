"""Modules that only their company shows to be the authors' own."""

from environments import environment, undeclared

UNLISTED, LISTED = "back", "performance"
"""Modules of distributions that hardly anybody installs: one that no table knows, and one that conda-forge has."""
LOST = "import qzxwv_first_lost_part\n"
LOST_TOO = "import qzxwv_second_lost_part\n"


def missing(files: dict[str, str]) -> list[str]:
    return [one.module for one in environment(files).missing]


def test_a_name_alone_does_not_tell_that_a_file_is_missing() -> None:
    assert undeclared({"a.py": f"import {UNLISTED}, {LISTED}\n"}) == [UNLISTED, LISTED]


def test_what_people_install_is_never_missing_for_its_company() -> None:
    assert undeclared({"a.py": LOST + LOST_TOO + "import numpy, whisperx\n"}) == ["numpy", "whisperx"]


def test_what_is_required_in_words_is_not_missing() -> None:
    readme = f"# Thing\n## Requirements\n- {UNLISTED}\n"
    assert missing({"README.md": readme, "a.py": LOST + f"import {UNLISTED}\n"}) == []


def test_the_transforms_of_robots_come_with_them() -> None:
    facts = environment({"a.py": "from tf.transformations import euler_from_quaternion\n"})
    assert [(one.module, one.platform) for one in facts.outside] == [("tf", "ROS")]
    assert facts.undeclared == ()
