"""Requirements files as people write them."""

import pytest
from environments import declared, environment, pins

from assay.repository.environment import Kind, Pin


def test_comments_options_and_continuations_are_not_packages() -> None:
    text = (
        "# comment\n--index-url https://index.example.org/wheels\n-f https://download.pytorch.org/whl/torch_stable.html\n"
        "numpy==1.19.5  # why\n\n  scipy \\\n   >=1.0\n--no-binary :all:\nurl @ https://host/a#b\n"
    )
    facts = environment({"requirements.txt": text})
    assert [(d.name, d.location.line) for d in facts.declared] == [("numpy", 4), ("scipy", 6), ("url", 9)]
    assert [url for url, _ in facts.indexes] == [
        "https://index.example.org/wheels",
        "https://download.pytorch.org/whl/torch_stable.html",
    ]


def test_hashes_make_a_pin_hashed() -> None:
    text = "numpy==1.19.5 \\\n    --hash=sha256:aaa \\\n    --hash=sha256:bbb\nscipy==1.0\n"
    assert pins({"requirements.txt": text}) == {"numpy": Pin.HASHED, "scipy": Pin.EXACT}


def test_editable_installs_keep_their_name() -> None:
    text = "-e .\n-e git+https://github.com/openai/baselines.git#egg=baselines\n--editable=./tools/viewer\n"
    assert pins({"requirements.txt": text, "tools/viewer/setup.py": ""}) == {
        ".": Pin.PATH,
        "baselines": Pin.VCS,
        "viewer": Pin.PATH,
    }


def test_utf_16_file_is_read() -> None:
    assert pins({"requirements.txt": "numpy==1.19.5\r\ntorch\r\n".encode("utf-16")}) == {
        "numpy": Pin.EXACT,
        "torch": Pin.NONE,
    }


def test_included_files_are_read_once_even_in_a_circle() -> None:
    files = {
        "requirements.txt": "-r deps/base.list\n-c limits.txt\ntorch",
        "deps/base.list": "-r ../requirements.txt\nnumpy",
        "limits.txt": "numpy==1.2",
    }
    facts = environment(files)
    assert sorted((d.name, d.kind) for d in facts.declared) == [
        ("numpy", Kind.CONSTRAINTS),
        ("numpy", Kind.REQUIREMENTS),
        ("torch", Kind.REQUIREMENTS),
    ]


def test_constraints_narrow_but_do_not_declare() -> None:
    facts = environment({"requirements.txt": "numpy\n-c constraints.txt", "constraints.txt": "numpy==1.2\nscipy==1.0"})
    assert [(d.name, d.pin) for d in facts.dependencies] == [("numpy", Pin.EXACT)]


def test_missing_included_file_is_a_problem() -> None:
    facts = environment({"requirements.txt": "-r base.txt\n-r https://example.org/r.txt\n"})
    assert [(p.location.line, p.message) for p in facts.problems] == [
        (1, "draws in base.txt, which does not exist"),
        (2, "draws in https://example.org/r.txt, which is not in the repository"),
    ]


def test_markers_that_hold_nowhere_disable_their_lines() -> None:
    facts = environment({"requirements.txt": "numpy; python_version<'3'\nenum34; python_version<'3.4'\n"})
    assert [d.applies for d in facts.declared] == [False, False]


def test_empty_manifest_is_a_manifest_without_declarations() -> None:
    facts = environment({"requirements.txt": "\n# nothing\n"})
    assert [(m.path, m.count) for m in facts.manifests] == [("requirements.txt", 0)]


@pytest.mark.parametrize(
    "path",
    [
        "requirements.txt",
        "requirements-dev.txt",
        "dev-requirements.txt",
        "requirements/base.txt",
        "docker/requirements.txt",
        "requirements.in",
        "Requirements.txt",
        "requirement.txt",
        "requirments.txt",
        "requirements_cpu.txt",
        "requirements",
    ],
)
def test_requirements_are_found_under_usual_names(path: str) -> None:
    assert pins({path: "numpy==1.0\n"}) == {"numpy": Pin.EXACT}


def test_text_files_with_doubtful_names_are_judged_by_content() -> None:
    assert pins({"pip_freeze.txt": "numpy==1.0\nscipy==1.0\n"}) == {"numpy": Pin.EXACT, "scipy": Pin.EXACT}
    assert pins({"environment.txt": "We used a GPU\nwith much memory\n"}) == {}


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("requirements.txt", ""),
        ("requirements-dev.txt", "dev"),
        ("test_requirements.txt", "test"),
        ("docs/requirements.txt", "docs"),
        ("requirements/test.txt", "test"),
        ("requirements-gpu.txt", ""),
        ("latest/requirements.txt", ""),
    ],
)
def test_the_name_of_a_file_tells_its_purpose(path: str, group: str) -> None:
    assert declared({path: "numpy"})["numpy"].group == group


def test_output_of_pip_list_is_exact_but_a_problem() -> None:
    facts = environment(
        {"requirements.txt": "Package    Version\n---------- -------\nnumpy      1.19.5\nPillow     8.0\n"}
    )
    assert {d.name: d.pin for d in facts.declared} == {"numpy": Pin.EXACT, "pillow": Pin.EXACT}
    assert "pip list" in facts.problems[0].message


def test_merge_conflict_in_a_file_is_a_problem_at_its_line() -> None:
    facts = environment({"requirements.txt": "numpy\n<<<<<<< HEAD\nscipy\n"})
    assert [str(p.location) for p in facts.problems] == ["requirements.txt:2"]
    assert [d.name for d in facts.declared] == ["numpy", "scipy"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (
            "pandas==2.2.3 scikit-learn tensorflow==2.17",
            {"pandas": Pin.EXACT, "scikit-learn": Pin.NONE, "tensorflow": Pin.EXACT},
        ),
        ("numpy, scipy", {"numpy": Pin.NONE, "scipy": Pin.NONE}),
        ("numpy scipy", {"numpy": Pin.NONE, "scipy": Pin.NONE}),
        ("- numpy>=1.2", {"numpy": Pin.RANGE}),
        ("1. numpy", {"numpy": Pin.NONE}),
        ("'numpy==1.2',", {"numpy": Pin.EXACT}),
        ("numpy 1.19.2", {"numpy": Pin.EXACT}),
        ("numpy: 1.19", {"numpy": Pin.EXACT}),
        ("numpy (1.19)", {"numpy": Pin.EXACT}),
        ("pip install numpy scipy==1.2 -f https://example.org/whl", {"numpy": Pin.NONE, "scipy": Pin.EXACT}),
        ("python -m pip install numpy", {"numpy": Pin.NONE}),
        ("!conda install numpy", {"numpy": Pin.NONE}),
    ],
)
def test_what_people_write_is_understood_and_told(line: str, wanted: dict[str, Pin]) -> None:
    files = {"requirements.txt": f"tqdm\n{line}\n"}
    assert pins(files) == {"tqdm": Pin.NONE, **wanted}
    assert [problem.location.line for problem in environment(files).problems] == [2]


@pytest.mark.parametrize("line", ["The rooms must be bright", "please see the README", "numpy or something like it"])
def test_mere_words_are_no_requirements(line: str) -> None:
    assert pins({"requirements.txt": f"tqdm\n{line}\n"}) == {"tqdm": Pin.NONE}


@pytest.mark.parametrize("name", ["requirement.txt", "Requirements.txt", "requirments.txt", "reqs.txt"])
def test_a_list_of_bare_names_is_read_under_every_usual_name(name: str) -> None:
    assert set(pins({name: "numpy\nscipy\nscikit-learn"})) == {"numpy", "scipy", "scikit-learn"}
