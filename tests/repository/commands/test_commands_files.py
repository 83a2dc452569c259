"""Commands of the documentation against the files of the repository."""

import pytest

from assay.code import read_code
from assay.repository.commands import Command, CommandFacts, Fault, Outcome, read_commands
from assay.repository.readme import read_readme
from assay.tree import tree_of


def facts_of(block: str, files: dict[str, str] | None = None, before: str = "", language: str = "bash") -> CommandFacts:
    readme = f"# Model\n{before}\n```{language}\n{block}\n```\n"
    return facts_of_files({"README.md": readme, **(files or {})})


def facts_of_files(files: dict[str, str]) -> CommandFacts:
    written = {path: text or ("x = 1\n" if path.endswith(".py") else "") for path, text in files.items()}
    tree = tree_of(written, name="model")
    code = read_code(tree)
    return read_commands(tree, code, read_readme(tree, code))


def one(block: str, files: dict[str, str] | None = None, before: str = "") -> Command:
    return facts_of(block, files, before).commands[-1]


A = {"a.py": "x = 1\n"}


@pytest.mark.parametrize(
    ("block", "files"),
    [
        ("python a.py", {"a.py": ""}),
        ("cd src\npython a.py", {"src/a.py": ""}),
        ("cd src && cd .. && python src/a.py", {"src/a.py": ""}),
        ("git clone https://github.com/me/model.git\ncd model\npython a.py", {"a.py": ""}),
        ("pip install -r model/requirements.txt", {"requirements.txt": ""}),
        ("python -m pkg.train", {"pkg/__init__.py": "", "pkg/train.py": ""}),
        ("python -m pkg", {"pkg/__init__.py": "", "pkg/__main__.py": ""}),
        ("python pkg", {"pkg/__main__.py": ""}),
        ("bash run.sh", {"run.sh": "", "a.py": ""}),
        ("make train", {"Makefile": "data:\n\ttrue\ntrain: data\n\ttrue\n"}),
        ("make anything", {"Makefile": "%:\n\ttrue\n"}),
        ("make html", {"Makefile": "include other.mk\n"}),
        ("train-model", {"setup.py": "setup(entry_points={'console_scripts': ['train-model=pkg.cli:main']})",
        "pkg/cli.py": ""}),
        ("run-it", {"pyproject.toml": "[project.scripts]\nrun-it = 'pkg.cli:main'\n", "pkg/cli.py": ""}),
        ("pip install -e .", {"pyproject.toml": "[project]\nname='x'\n"}),
        ("pip install -r requirements.txt", {"requirements.txt": "numpy\n"}),
        ("jupyter notebook nb/a.ipynb", {"nb/a.ipynb": '{"cells": []}'}),
    ],
)  # fmt: skip
def test_what_exists_is_fine(block: str, files: dict[str, str]) -> None:
    assert [c.outcome for c in facts_of(block, files).commands] == [Outcome.OK]


@pytest.mark.parametrize(
    ("block", "files", "fault", "missing", "nearest"),
    [
        ("python trian.py", {"train.py": ""}, Fault.FILE, "trian.py", "train.py"),
        ("python train.py", {"src/train.py": ""}, Fault.FILE, "train.py", "src/train.py"),
        ("cd src\npython b.py", {"src/a.py": "", "other/b.py": ""}, Fault.FILE, "b.py", "other/b.py"),
        ("python -m pkg.trian", {"pkg/__init__.py": "", "pkg/train.py": ""}, Fault.MODULE, "pkg.trian", "pkg/train.py"),
        ("bash run.sh", {"a.py": ""}, Fault.FILE, "run.sh", ""),
        ("make tran", {"Makefile": "train:\n\ttrue\n"}, Fault.TARGET, "tran", "train"),
        ("pip install -r requirements.txt", {"a.py": ""}, Fault.FILE, "requirements.txt", ""),
        ("pip install -e .", {"a.py": ""}, Fault.FILE, "setup.py", ""),
        ("conda env create -f environment.yml", {"env.yml": ""}, Fault.FILE, "environment.yml", ""),
        ("python a.py --config configs/b.yaml", {**A, "configs/a.yaml": ""}, Fault.CONFIGURATION, "configs/b.yaml",
        "configs/a.yaml"),
        ("jupyter notebook b.ipynb", {"a.ipynb": '{"cells": []}'}, Fault.FILE, "b.ipynb", "a.ipynb"),
    ],
)  # fmt: skip
def test_what_is_missing_is_named_with_what_is_near(
    block: str, files: dict[str, str], fault: Fault, missing: str, nearest: str
) -> None:
    command = one(block, files)
    assert command.outcome is Outcome.BROKEN
    [problem] = command.problems
    assert (problem.fault, problem.missing, problem.nearest) == (fault, missing, nearest)


@pytest.mark.parametrize(
    ("block", "before"),
    [
        ("python <script>", ""), ("python path/to/script.py", ""), ("python your_script.py", ""), ("python $SCRIPT",
        ""),
        ("python /workspace/b.py", ""), ("python ~/b.py", ""), ("python ../b.py", ""), ("python script.py", ""),
        ("git clone https://github.com/NVIDIA/apex\ncd apex\npython setup.py install", ""),
        ("git clone https://github.com/other/tool\npip install -r requirements.txt", ""),
        ("python checkout/a.py", ""), ("cd ~/elsewhere\npython b.py", ""), ("wget https://a.org/b.sh\nbash b.sh", ""),
        ("python b.py", "Go to the folder `deep`."), ("python b.py", "Create a new file `b.py`."),
        ("python import.py", "Download [import.py](https://drive.google.com/x)."),
        ("python Extractor.py", "We use https://github.com/x/extractor."),
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_not_called_broken(block: str, before: str) -> None:
    command = facts_of(block, {"deep/b.py": "", "a.py": ""}, before).commands[0]
    assert command.outcome is Outcome.UNKNOWN
    assert command.reason


def test_commands_that_have_nothing_to_do_with_the_repository_are_left_aside() -> None:
    facts = facts_of("pip install numpy\nls\ngit pull\npython -m json.tool a\npytest\ntensorboard --logdir x", A)
    assert facts.commands == ()


def test_cd_is_followed_from_block_to_block_but_the_root_is_tried_as_well() -> None:
    readme = "# M\n```\ncd src\npython a.py\n```\nthen\n```\npython b.py\n```\nand\n```\npython src/a.py\n```\n"
    facts = facts_of_files({"README.md": readme, "src/a.py": "", "src/b.py": ""})
    assert [(c.path, c.outcome) for c in facts.commands] == [
        ("src/a.py", Outcome.OK), ("src/b.py", Outcome.OK), ("src/a.py", Outcome.OK),
    ]  # fmt: skip


def test_commands_within_sentences_and_on_plain_lines_are_read() -> None:
    readme = "# M\nRun `python a.py` first.\n\nThen:\n\npython b.py --x 1\n\n$ bash c.sh\n\nUse python for it.\n"
    facts = facts_of_files({"README.md": readme, "a.py": "", "b.py": "", "c.sh": ""})
    assert [(c.path, c.location.line, c.inline) for c in facts.commands] == [
        ("a.py", 2, True), ("b.py", 6, False), ("c.sh", 8, False),
    ]  # fmt: skip


def test_code_on_a_line_of_its_own_is_one_command() -> None:
    facts = facts_of_files({"README.md": "# M\n\n`python a.py`\n\n- `python b.py`\n", "a.py": "", "b.py": ""})
    assert [(c.path, c.location.line, c.inline) for c in facts.commands] == [("a.py", 3, True), ("b.py", 5, True)]


def test_python_code_is_no_shell() -> None:
    assert facts_of("make = 1\npython = make\nsource(x)", A, language="python").commands == ()


def test_other_documents_are_read_from_their_own_folder_and_from_the_root() -> None:
    facts = facts_of_files(
        {
            "README.md": "# M\n",
            "sub/README.md": "```\npython a.py\npython sub/a.py\npython b.py\n```\n",
            "docs/guide.rst": "Guide\n=====\n\n.. code-block:: bash\n\n    python trainn.py\n",
            "CHANGELOG.md": "`python gone.py`\n",
            "sub/a.py": "", "b.py": "", "train.py": "",
        }
    )  # fmt: skip
    assert [(c.location.path, c.target, c.outcome) for c in facts.commands] == [
        ("docs/guide.rst", "trainn.py", Outcome.BROKEN),
        ("sub/README.md", "a.py", Outcome.OK),
        ("sub/README.md", "sub/a.py", Outcome.OK),
        ("sub/README.md", "b.py", Outcome.OK),
    ]
    assert facts.broken[0].location.line == 6


def test_a_repository_without_documents_has_no_commands() -> None:
    assert facts_of_files({"a.py": ""}) == CommandFacts(())


def test_too_many_documents_are_said_to_be_left_out() -> None:
    files = {f"docs/d{i:03}.md": "```\npython a.py\n```\n" for i in range(60)}
    facts = facts_of_files({"a.py": "", **files, "long.md": "python a.py " * 20_000})
    assert len(facts.commands) == 40
    assert any("40 of 60" in reason for reason in facts.left_out)
    assert any("long.md" in reason for reason in facts.left_out)


def test_a_document_with_thousands_of_commands_is_cut_and_that_is_said() -> None:
    facts = facts_of("\n".join(["python a.py"] * 3000), A)
    assert len(facts.commands) == 2000
    assert any("first 2,000 commands" in reason for reason in facts.left_out)
