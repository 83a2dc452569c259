"""Shell commands as READMEs write them come apart into simple commands."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.repository.commands.programs import Program, Runs, find_program
from assay.repository.commands.shell import is_placeholder, read_commands_of


def words(text: str) -> list[tuple[str, ...]]:
    return [written.words for written in read_commands_of(text, 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$ python a.py", [("python", "a.py")]),
        ("(base) me@host:~/x$ python a.py", [("python", "a.py")]),
        ("> python a.py", [("python", "a.py")]),
        ("!python a.py", [("python", "a.py")]),
        ("CUDA_VISIBLE_DEVICES=0,1 X='a b' python a.py", [("python", "a.py")]),
        ("git clone https://x/y && cd y; make", [("git", "clone", "https://x/y"), ("cd", "y"), ("make",)]),
        ("python a.py --x 'b c' --y=\"d e\"", [("python", "a.py", "--x", "b c", "--y=d e")]),
        ("python a.py > log.txt 2>&1 &", [("python", "a.py")]),
        ("python a.py | tee log", [("python", "a.py"), ("tee", "log")]),
        ("python a.py # train", [("python", "a.py")]),
        ("# a comment", []),
        ("(cd a && python b.py)", [("cd", "a"), ("python", "b.py")]),
        ("python a.py \\\n  --x 1 \\\n  # note\n  --y 2\nls", [("python", "a.py", "--x", "1", "--y", "2"), ("ls",)]),
        ("python a.py\n    --x 1\n    --y 2", [("python", "a.py", "--x", "1", "--y", "2")]),
        (
            "for i in 1 2; do python a.py $i; done",
            [("for", "i", "in", "1", "2"), ("python", "a.py", "1"), ("python", "a.py", "2"), ("done",)],
        ),
        ("D=data/x\npython a.py ${D}/b", [("python", "a.py", "data/x/b")]),
        ("O='--x 1 --y 2'\npython a.py $O", [("python", "a.py", "--x", "1", "--y", "2")]),
        ("D=$1\npython a.py $D", [("python", "a.py", "$D")]),
        ("python a.py ${N:-3}", [("python", "a.py", "3")]),
        ("cat > a.txt <<EOF\npython missing.py\nEOF\nls", [("cat",), ("ls",)]),
        ("python a.py 'unclosed", [("python", "a.py", "unclosed")]),
    ],
)
def test_lines_come_apart(text: str, expected: list[tuple[str, ...]]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize("empty", ["X=\n$X", 'X=""\n$X', 'for x in ""; do\n$x\ndone'])
def test_an_empty_variable_alone_is_no_command(empty: str) -> None:
    found = [one.words for one in read_commands_of(f"{empty}\npython a.py", 1)]
    assert found[-1] == ("python", "a.py")
    assert () not in found


def test_each_command_knows_its_line_and_whether_something_is_left_out() -> None:
    found = list(read_commands_of("# first\n\npython a.py \\\n --x 1\npython b.py ...\npython c.py [--y 1]", 10))
    assert [(w.line, w.sketch) for w in found] == [(12, False), (14, True), (15, True)]
    assert found[2].words == ("python", "c.py", "--y", "1")


@pytest.mark.parametrize(
    "word",
    ["<path>", "$DATA", "${X}/a", "...", "path/to/x", "your_file", "DATA_DIR", "[x]", "a/*", "xxx.py", "env_name"],
)
def test_what_a_reader_fills_in_is_a_placeholder(word: str) -> None:
    [written] = read_commands_of(f"python a.py {word}", 1)
    assert is_placeholder(written.words[2])


@pytest.mark.parametrize("word", ["data", "a/b.yaml", "0.1", "cifar10", "resnet50", "train"])
def test_what_is_meant_as_it_stands_is_none(word: str) -> None:
    assert not is_placeholder(word)


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("python -u a.py --x 1", Program(Runs.SCRIPT, "a.py", ("--x", "1"))),
        ("python3.8 -W ignore -m pkg.train -x", Program(Runs.MODULE, "pkg.train", ("-x",))),
        (
            "python -m torch.distributed.launch --nproc_per_node=8 a.py --x",
            Program(Runs.SCRIPT, "a.py", ("--x",), launcher=("--nproc_per_node=8",)),
        ),
        (
            "torchrun --nproc_per_node 8 a.py --x",
            Program(Runs.SCRIPT, "a.py", ("--x",), launcher=("--nproc_per_node", "8")),
        ),
        ("torchrun --nproc_per_node 8 -m pkg.train --x", Program(Runs.MODULE, "pkg.train", ("--x",))),
        (
            "accelerate launch --config_file c.yaml a.py",
            Program(Runs.SCRIPT, "a.py", launcher=("launch", "--config_file", "c.yaml")),
        ),
        ("mpirun -np 4 python a.py --x", Program(Runs.SCRIPT, "a.py", ("--x",))),
        ("nohup sudo -u me python a.py", Program(Runs.SCRIPT, "a.py")),
        ("poetry run python a.py", Program(Runs.SCRIPT, "a.py")),
        ("uv run train --x", Program(Runs.COMMAND, "train", ("--x",))),
        ("bash scripts/a.sh 1", Program(Runs.SHELL, "scripts/a.sh", ("1",))),
        ("./a.sh", Program(Runs.SHELL, "./a.sh")),
        ("make -j 4 train X=1", Program(Runs.MAKE, "train")),
        ("make -C sub", Program(Runs.MAKE, "", (), "sub")),
        ("pip install -r req.txt", Program(Runs.READS, "req.txt")),
        ("python -m pip install -e .[dev]", Program(Runs.INSTALLS, ".")),
        ("conda env create -f env.yml", Program(Runs.READS, "env.yml")),
        ("jupyter notebook a.ipynb", Program(Runs.READS, "a.ipynb")),
        ("Rscript a.R", Program(Runs.READS, "a.R")),
        ("pip install numpy", None),
        ("python -c 'print(1)'", None),
        ("source venv/bin/activate", None),
        ("docker build .", None),
        ("python", None),
    ],
)
def test_the_program_is_found_behind_launchers_and_wrappers(command: str, program: Program | None) -> None:
    [written] = read_commands_of(command, 1)
    assert find_program(written.words) == program


def test_the_output_of_another_command_is_one_argument() -> None:
    [written] = read_commands_of("./a.py --vocab <(cut -d' ' -f1 dict.txt) --out x", 1)
    assert len(written.words) == 5
    assert is_placeholder(written.words[2])


@pytest.mark.parametrize(
    "text", ["python '" * 3000, "\\\n" * 5000, "&&" * 5000, "<" * 5000, "$(" * 3000, "python a.py --x 1 " * 3000]
)
def test_hostile_lines_end(text: str) -> None:
    for written in read_commands_of(text, 1):
        find_program(written.words)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="pythonbash-m.py/ \n\\'\"&|;<>()$#[]{}=,", max_size=200))
def test_every_text_comes_apart(text: str) -> None:
    for written in read_commands_of(text, 5):
        assert written.words
        assert 5 <= written.line <= 5 + text.count("\n")
        find_program(written.words)
