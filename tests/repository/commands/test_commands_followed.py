"""Commands are followed to the end: into folders, shell scripts, programs, arguments and configurations."""

from __future__ import annotations

import pytest

from assay.code import read_code
from assay.findings import Finding
from assay.repository.check import Result, judge
from assay.repository.commands import CommandFacts, Fault, Outcome, read_commands
from assay.repository.facts import read_repository
from assay.repository.readme import read_readme
from assay.tree import tree_of

PARSER = """
import argparse
p = argparse.ArgumentParser()
p.add_argument("--data", default="x")
p.add_argument("--config")
p.add_argument("--fast", action="store_true")
a = p.parse_args()
"""


BROKEN = """
import argparse
def get():
    p = argparse.ArgumentParser()
    p.add_argument("--lr")
    p.add_argument("--data" "x" help=)
    return p.parse_args()
"""


def facts_of(block: str, files: dict[str, str], name: str = "model") -> CommandFacts:
    tree = tree_of({"README.md": f"# Study\n```bash\n{block}\n```\n", **files}, name=name)
    code = read_code(tree)
    return read_commands(tree, code, read_readme(tree, code))


def problems(facts: CommandFacts) -> list[tuple[Fault, str]]:
    return [(p.fault, p.missing) for _, p in facts.problems(*Fault)]


def findings(files: dict[str, str], *codes: str) -> list[Finding]:
    outcomes = judge(read_repository(tree_of(files, name="model")))
    return [f for o in outcomes for f in o.findings if o.code in codes]


def test_a_shell_script_is_followed_to_the_program_that_it_starts() -> None:
    files = {"scripts/run.sh": "#!/bin/bash\npython train.py --speed 3\npython eval.py\n", "train.py": PARSER}
    facts = facts_of("bash scripts/run.sh", files)
    assert problems(facts) == [(Fault.OPTION, "--speed"), (Fault.FILE, "eval.py")]
    assert [(str(c.location), c.within) for c in facts.broken] == [
        ("scripts/run.sh:2", "scripts/run.sh"),
        ("scripts/run.sh:3", "scripts/run.sh"),
    ]


@pytest.mark.parametrize(
    ("block", "script"),
    [
        ("bash scripts/run.sh", "cd src\npython train.py --data x"),
        ("cd scripts\nbash run.sh", "python ../src/train.py"),
        ("bash scripts/run.sh", 'cd "$(dirname "$0")"/..\npython src/train.py'),
        ("bash scripts/run.sh", 'DIR="$( cd "$( dirname "${BASH_SOURCE[0]}" )" && pwd )"\npython $DIR/../src/train.py'),
        ("bash scripts/run.sh", "python $1 --data x"),
        ("bash scripts/run.sh", "cat > new.py <<EOF\npython gone.py\nEOF\n"),
        ("bash scripts/run.sh", "bash scripts/run.sh"),
    ],
)
def test_where_a_script_works_it_is_not_accused(block: str, script: str) -> None:
    assert problems(facts_of(block, {"scripts/run.sh": script, "src/train.py": PARSER})) == []


def test_a_script_that_only_the_text_names_is_read_too() -> None:
    files = {
        "README.md": "# Study\nThe experiments are in `scripts/run.sh`.\n",
        "scripts/run.sh": "python tools/train.py\n",
        "tools/test.py": PARSER,
    }
    tree = tree_of(files)
    code = read_code(tree)
    assert problems(read_commands(tree, code, read_readme(tree, code))) == [(Fault.FILE, "tools/train.py")]


def test_a_folder_that_is_not_there_is_a_problem_and_the_next_command_is_still_followed() -> None:
    facts = facts_of("cd trainer\npython train.py --speed 3", {"train.py": PARSER, "training/a.py": ""})
    assert problems(facts) == [(Fault.FOLDER, "trainer"), (Fault.OPTION, "--speed")]


@pytest.mark.parametrize(
    "block",
    [
        "mkdir build\ncd build\npython train.py",
        "git clone https://github.com/other/thing\ncd thing\npython train.py",
        "git clone https://github.com/me/study.git here\ncd here\npython train.py",
        "git clone <repository-url>\ncd any-name\npython train.py",
        "wget https://example.org/a.zip && unzip a.zip\ncd a\nls",
        "cd /opt\nls",
        "cd $HOME/x\nls",
        "cd ..\ncd study\npython train.py",
        "cd path/to/study\npython train.py",
    ],
)
def test_a_folder_that_another_step_makes_is_not_missing(block: str) -> None:
    assert problems(facts_of(block, {"train.py": PARSER}, name="study")) == []


def test_a_missing_folder_without_anything_alike_is_a_question() -> None:
    files = {"README.md": "# M\n```bash\ncd elsewhere\npython train.py\n```\n", "train.py": PARSER}
    [found] = findings(files, "R211")
    assert (found.severity.value, found.message) == ("warning", "there is no folder elsewhere")
    assert found.advice.startswith("Is it the repository itself")


@pytest.mark.parametrize("name", ["b", "x", "a/b"])
def test_the_name_of_the_folder_does_not_change_the_answer(name: str) -> None:
    block = "git clone https://github.com/a/b.git; cd b\npython missing.py"
    assert problems(facts_of(block, {"train.py": PARSER}, name=name)) == [(Fault.FILE, "missing.py")]


def test_a_library_that_is_cloned_is_not_taken_for_the_repository() -> None:
    block = "git clone https://github.com/NVIDIA/apex\ncd apex\npip install -v .\npython setup.py install"
    assert problems(facts_of(block, {"train.py": "import apex\n" + PARSER}, name="b")) == []


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python train.py --config configs/b.yaml", [(Fault.CONFIGURATION, "configs/b.yaml")]),
        ("python train.py --config=configs/b.yaml", [(Fault.CONFIGURATION, "configs/b.yaml")]),
        ("python train.py --config settings/b.yaml", [(Fault.CONFIGURATION, "settings/b.yaml")]),
        ("python train.py --config configs/a.yaml", []),
        ("python train.py --config a.yaml", []),
        ("cp configs/a.yaml configs/b.yaml\npython train.py --config configs/b.yaml", []),
        ("python train.py surplus", [(Fault.SURPLUS, "surplus")]),
        ("python train.py --fast True", [(Fault.SURPLUS, "True")]),
        ("python train.py --data x --fast", []),
        ("for c in a b; do python train.py --config configs/$c.yaml; done", [(Fault.CONFIGURATION, "configs/b.yaml")]),
    ],
)
def test_arguments_are_followed(command: str, expected: list[tuple[Fault, str]]) -> None:
    assert problems(facts_of(command, {"train.py": PARSER, "configs/a.yaml": ""})) == expected


def test_options_of_a_function_that_the_program_does_not_call_are_not_its_own() -> None:
    files = {
        "helpers.py": "def common(p):\n    p.add_argument('--backend', choices=['a', 'b'])\n    return p\n"
        "def select(p):\n    p.add_argument('--backend', choices=['gpt4'])\n    p.add_argument('--k')\n    return p\n",
        "bench.py": "import argparse\nfrom helpers import select\nselect(argparse.ArgumentParser()).parse_args()\n",
        "other.py": "import argparse\nfrom helpers import common\ncommon(argparse.ArgumentParser()).parse_args()\n",
    }
    assert problems(facts_of("python bench.py --backend gpt4 --k 3", files)) == []
    [(_, problem)] = facts_of("python other.py --k 3", files).problems(*Fault)
    assert (problem.fault, problem.missing) == (Fault.OPTION, "--k")
    assert problem.doubt.startswith("Is it read by another program?")


def test_a_parser_in_a_file_that_does_not_parse_leaves_the_options_open() -> None:
    files = {"train.py": "from config import get\na = get()\n", "config.py": BROKEN}
    [command] = facts_of("python train.py --epochs 3", files).commands
    assert (command.outcome, command.reason) == (Outcome.UNKNOWN, "a file that it imports does not parse")


def test_a_group_of_hydra_without_the_file_is_named() -> None:
    files = {
        "train.py": "import hydra\n@hydra.main(config_path='conf', config_name='main')\ndef f(c):\n    pass\nf()\n",
        "conf/main.yaml": "lr: 1\n",
        "conf/experiment/big.yaml": "lr: 2\n",
    }
    assert problems(facts_of("python train.py +experiment=small", files)) == [(Fault.CHOICE, "experiment=small")]
    assert problems(facts_of("python train.py +experiment=big +new=3", files)) == []


def test_a_configuration_that_hydra_is_told_to_look_for_is_missing_once() -> None:
    program = "import hydra\n@hydra.main(version_base=None)\ndef f(c):\n    pass\nf()\n"
    script = 'P="conf/bio"\nN="rank1"\nfor ((r=0;r<=3;r++)); do\n'
    script += "  python a.py --config-path $P --config-name $N\n  python b.py --config-path $P --config-name $N\ndone\n"
    files = {"a.py": program, "b.py": program, "conf/bio/eps1.yaml": "lr: 1\n"}
    assert problems(facts_of("sh run.sh", {**files, "run.sh": script})) == [(Fault.FILE, "conf/bio/rank1.yaml")]
    assert problems(facts_of("python a.py --config-path conf/bio --config-name eps1", files)) == []


def test_the_configuration_of_a_launcher_is_looked_for() -> None:
    files = {"train.py": PARSER}
    block = "accelerate launch --config-file fsdp.yml train.py --speed 1"
    assert (Fault.CONFIGURATION, "fsdp.yml") in problems(facts_of(block, files))
    assert (Fault.CONFIGURATION, "fsdp.yml") not in problems(facts_of(block, {**files, "fsdp.yml": "a: 1\n"}))


def test_a_script_may_count_on_a_folder_that_another_one_fetches() -> None:
    files = {"tok.sh": "T=tools/moses\npython $T/clean.py\n", "train.py": PARSER}
    [(_, problem)] = facts_of("bash tok.sh", files).problems(Fault.FILE)
    assert problem.doubt == "Does another step fetch or make the folder tools/moses?"


def test_a_list_of_values_in_brackets_stands_for_one_of_them() -> None:
    assert problems(facts_of("python train.py --speed [10, 20, 50]", {"train.py": PARSER})) == problems(
        facts_of("python train.py --speed 10", {"train.py": PARSER})
    )


def test_a_folder_called_almost_like_the_repository_is_the_repository() -> None:
    facts = facts_of("cd SGDNet.Pytorch\npython train.py", {"train.py": PARSER}, name="SGNet.pytorch")
    assert not facts.broken


def test_a_project_that_a_link_of_the_section_names_may_be_meant() -> None:
    page = "# M\n## Patches\nWe use [CLAM](https://github.com/others/CLAM).\n```\npython patches_fp.py\n```\n"
    (found,) = findings({"README.md": page, "train.py": PARSER}, "R211")
    assert found.severity.value == "note"


def test_no_rule_passes_on_commands_that_were_not_followed() -> None:
    files = {"README.md": "# M\n```bash\npython /opt/tool.py --x\n```\n", "train.py": PARSER}
    [outcome] = [o for o in judge(read_repository(tree_of(files))) if o.code == "R211"]
    assert outcome.result is Result.NOT_APPLICABLE
    assert outcome.reason == "no command of the documentation could be followed"


@pytest.mark.parametrize(
    ("sentence", "missing"),
    [
        ("First run `prepare.py` to get the data.", ["prepare.py"]),
        ("Run the script `scripts/prepare.sh`.", ["scripts/prepare.sh"]),
        ("Run `train.py`.", []),
        ("Create your own script and run `prepare.py`.", []),
        ("Use `convert.py` from the official repository.", []),
        ("Run `your_script.py`.", []),
    ],
)
def test_a_script_that_a_sentence_tells_to_run_is_looked_for(sentence: str, missing: list[str]) -> None:
    files = {"README.md": f"# M\n{sentence}\n", "train.py": PARSER}
    assert [f.subject for f in findings(files, "R214")] == missing


def test_a_folder_that_is_a_submodule_is_not_missing() -> None:
    modules = '[submodule "coco"]\n\tpath = coco-caption\n\turl = https://example.org/coco.git\n'
    block = "cd coco-caption\nbash ./get_models.sh\ncd ..\npython train.py"
    facts = facts_of(block, {".gitmodules": modules, "train.py": PARSER})
    assert not facts.broken


def test_a_file_in_another_folder_is_a_note_and_its_options_are_still_checked() -> None:
    files = {"README.md": "# M\n```\npython train.py --speed 3\n```\n", "code/train.py": PARSER}
    found = [f for o in judge(read_repository(tree_of(files))) for f in o.findings if f.code in {"R211", "R212"}]
    assert [(f.severity.value, f.message) for f in found] == [
        ("note", "train.py is code/train.py; the text does not say in which folder to type the command"),
        ("warning", "train.py has no option --speed"),
    ]


def test_the_same_unknown_option_in_two_documents_is_one_problem() -> None:
    command = "# M\n```\npython train.py --speed 3\n```\n"
    tree = tree_of({"README.md": command, "docs/usage.md": command, "train.py": PARSER})
    code = read_code(tree)
    (problem,) = read_commands(tree, code, read_readme(tree, code)).problems(Fault.OPTION)
    assert problem[1].missing == "--speed"


def findings_in(page: str, files: dict[str, str]) -> list[tuple[str, str, str]]:
    outcomes = judge(read_repository(tree_of({"README.md": page, **files}, name="model")))
    return [(f.code, f.severity.value, f.message) for o in outcomes for f in o.findings if f.code.startswith("R21")]


def test_a_command_in_a_sentence_may_go_over_several_lines() -> None:
    page = "# Study\n`CUDA=1  python3 train.py --data x \\\n      --slow`\n"
    assert findings_in(page, {"train.py": PARSER}) == [("R212", "error", "train.py has no option --slow")]


def test_all_options_that_one_command_has_in_vain_are_one_finding() -> None:
    page = "# Study\n```bash\npython train.py --slow --quiet\n```\n"
    assert findings_in(page, {"train.py": PARSER}) == [("R212", "error", "train.py has no option --slow, --quiet")]


def test_a_script_in_the_folder_that_the_text_names_is_followed() -> None:
    page = "# Study\n## Training\n```bash\nbash run.sh\n```\n"
    files = {"Training/run.sh": "python train.py --slow\n", "Training/train.py": PARSER, "main.py": "x = 1\n"}
    assert [message for _, _, message in findings_in(page, files)] == ["Training/train.py has no option --slow"]


def test_a_program_that_only_a_page_of_a_folder_names_is_a_note() -> None:
    files = {"data/README.md": "# Data\n```bash\npython make_sets.py\n```\n", "train.py": PARSER}
    assert findings_in("# Study\n", files) == [("R211", "note", "there is no file make_sets.py")]


@pytest.mark.parametrize(
    "entry", ["- prepare.py does it in one go", "* `prepare.py`: makes the sets", "1. prepare.py - sets"]
)
def test_a_program_in_a_list_is_named_though_it_is_not_there(entry: str) -> None:
    found = findings_in(f"# Study\n\n{entry}\n", {"train.py": PARSER})
    assert found == [("R214", "warning", "the README names prepare.py, and no file is called so")]


def test_a_link_with_the_name_of_a_file_is_no_command() -> None:
    assert (
        findings_in("# Study\n[`./scripts/run.sh`](scripts/go.sh)\n", {"scripts/go.sh": "", "train.py": PARSER}) == []
    )


def test_what_follows_two_dashes_may_be_another_command() -> None:
    page = "# Study\n```bash\npython train.py --data x -- python solver.py\n```\n"
    assert findings_in(page, {"train.py": PARSER}) == []


def test_what_a_refused_command_leaves_out_is_not_reported_beside_it() -> None:
    page = "# Study\n```bash\npython train.py --dats x\n```\n"
    parser = PARSER.replace('"--data", default="x"', '"--data", required=True')
    assert [code for code, _, _ in findings_in(page, {"train.py": parser})] == ["R212"]
    assert [code for code, _, _ in findings_in(page.replace(" --dats x", ""), {"train.py": parser})] == ["R213"]
