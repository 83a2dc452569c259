"""The command line as a person meets it: outputs, exit codes, messages."""

import io
import json
import math
import os
import pickle
import subprocess
import sys

import pytest
import typer

from assay import __version__
from assay.cli import main
from assay.cli.app import build, outline
from assay.cli.progress import tracked
from assay.errors import InputError
from assay.rules import all_rules

IMPOSSIBLE = ["scores", "check", "p=10", "n=10", "acc=0.99"]
POSSIBLE = ["scores", "check", "p=100", "n=200", "acc=0.8", "sens=0.8", "spec=0.8"]


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run a command in an empty folder; gives exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def go(*arguments):
        code = main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return go


def test_impossible_scores_exit_with_1_and_say_why(run):
    code, out, err = run(*IMPOSSIBLE)
    assert code == 1
    assert "S101" in out
    assert "INCONSISTENT" in out.upper()
    assert not err


def test_the_help_of_the_root_needs_no_command_and_is_the_same(capsys):
    shown = []
    for app in (build(), outline()):
        app(args=["--help"], prog_name="assay", standalone_mode=False)
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert "Did the test set leak into training?" in shown[0]


def test_possible_scores_exit_with_0_and_show_a_matrix(run):
    code, out, _ = run(*POSSIBLE)
    assert code == 0
    assert "tp" in out
    assert "S101" not in out


@pytest.mark.parametrize("format_", ["text", "md", "html", "json", "csv", "sarif"])
def test_every_format_comes_from_the_same_result(run, format_):
    code, out, _ = run(*IMPOSSIBLE, "--format", format_)
    assert code == 1
    assert "S101" in out
    assert "\x1b" not in out, "no colour where there is no terminal"


def test_bad_input_is_one_helpful_line_and_exit_2(run):
    code, out, err = run("scores", "check", "p=ten")
    assert code == 2
    assert not out
    assert err.count("\n") == 1
    assert '"p"' in err
    assert "ten" in err


def test_unknown_option_and_command_are_one_line_and_exit_2(run):
    for wrong in (["scores", "check", "p=1", "--formt", "json"], ["score"], ["scores", "check"]):
        code, out, err = run(*wrong)
        assert code == 2, wrong
        assert not out
        assert err.count("\n") == 1, err
        assert "Traceback" not in err


def test_debug_lets_the_traceback_through(run):
    with pytest.raises(Exception, match="ten"):
        run("scores", "check", "p=ten", "--debug")


def test_a_fault_of_our_own_is_told_as_such(run, monkeypatch):
    monkeypatch.setattr("assay.scores.batch.check", lambda _: 1 / 0)
    code, _, err = run(*IMPOSSIBLE)
    assert code == 3
    assert "internal error" in err
    assert "Traceback" not in err


def test_a_file_that_the_system_refuses_is_named(run, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied", "closed/\x1b[31mmodel.pt")

    monkeypatch.setattr("assay.scores.batch.check", refuse)
    code, _, err = run(*IMPOSSIBLE)
    assert code == 2
    assert err == "assay: closed/\\x1b[31mmodel.pt: permission denied. Check that it exists and that you may use it.\n"


def test_version_and_help(run):
    assert run("--version") == (0, f"assay {__version__}\n", "")
    code, out, _ = run("--help")
    assert code == 0
    assert len(out.splitlines()) <= 30, "fits one screen"
    assert "Can these numbers be true?" in out


def test_output_goes_to_a_file_in_the_format_of_its_ending(run, tmp_path):
    code, out, err = run(*IMPOSSIBLE, "-o", "report.json")
    assert (code, out) == (1, "")
    assert "report.json" in err
    assert json.loads((tmp_path / "report.json").read_text())["findings"][0]["code"] == "S101"


def test_an_existing_file_is_kept_unless_forced(run, tmp_path):
    target = tmp_path / "report.md"
    target.write_text("mine")
    code, _, err = run(*IMPOSSIBLE, "-o", target)
    assert code == 2
    assert "--force" in err
    assert target.read_text() == "mine"
    assert run(*IMPOSSIBLE, "-o", target, "--force")[0] == 1
    assert "S101" in target.read_text()


@pytest.mark.parametrize("target", ["mine.md", "folder", "pipe.md"])
def test_a_report_that_could_not_be_written_is_told_before_the_work(run, tmp_path, monkeypatch, target):
    (tmp_path / "mine.md").write_text("mine")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    monkeypatch.setattr("assay.scores.batch.check", lambda *_, **__: pytest.fail("worked in vain"))
    code, out, err = run(*IMPOSSIBLE, "-o", target)
    assert (code, out) == (2, "")
    assert err.startswith(f"assay: {target}: ")


def test_bad_input_leaves_the_output_file_alone(run, tmp_path):
    target = tmp_path / "report.md"
    target.write_text("mine")
    assert run("scores", "check", "p=ten", "-o", target, "--force")[0] == 2
    assert target.read_text() == "mine"


def test_select_and_ignore_choose_findings_and_decide_the_exit_code(run):
    assert run(*IMPOSSIBLE, "--ignore", "S1")[0] == 0
    assert run(*IMPOSSIBLE, "--select", "X")[0] == 0
    assert run(*IMPOSSIBLE, "--select", "S101,X")[0] == 1
    code, _, err = run(*IMPOSSIBLE, "--ignore", "S1011")
    assert code == 2
    assert "S101" in err


def test_pyproject_sets_defaults_that_options_override(run, tmp_path):
    project = tmp_path / "pyproject.toml"
    project.write_text('[tool.assay]\nignore = ["S101"]\nformat = "json"\n')
    code, out, _ = run(*IMPOSSIBLE)
    assert code == 0
    assert json.loads(out)["findings"] == []
    assert run(*IMPOSSIBLE, "--ignore", "X", "--format", "text")[0] == 1


@pytest.mark.parametrize(
    ("table", "needle"),
    [
        ("[tool.assay]\nselct = []\n", 'Did you mean "select"?'),
        ("[tool.assay]\nformat = 'rtf'\n", '"format"'),
        ("[tool.assay.scores]\nrounding = 3\n", "scores.rounding"),
        ("[tool.assay\n", "not valid TOML"),
        ("tool = 3\n", ""),
    ],
)
def test_a_wrong_configuration_is_an_error_with_a_suggestion(run, tmp_path, table, needle):
    (tmp_path / "pyproject.toml").write_text(table)
    code, _, err = run(*POSSIBLE)
    assert code == (2 if needle else 0)
    assert needle in err


def test_configuration_of_the_scores_room_reaches_the_check(run, tmp_path):
    truncated = ["scores", "check", "p=100", "n=200", "acc=0.66"]  # 199/300 = .6633
    assert "confusion matrices" in run(*truncated)[1]
    (tmp_path / "pyproject.toml").write_text('[tool.assay.scores]\nrounding = "down"\n')
    assert run("scores", "check", "p=1", "n=2", "acc=0.67")[0] == 1, "2/3 is cut off to 0.66"


def test_suppressions_in_a_study_file_need_a_reason(run, tmp_path):
    scores = "scores = {{acc = 0.99}}  # assay: ignore[S101]{}"
    study = f"[[experiment]]\np = 10\nn = 10\n{scores}\n"
    path = tmp_path / "study.toml"
    path.write_text(study.format(""))
    code, out, _ = run("scores", "check", "study.toml")
    assert code == 1
    assert "X101" in out
    path.write_text(study.format(" misprint, see erratum"))
    code, out, _ = run("scores", "check", "study.toml")
    assert code == 0
    assert "misprint, see erratum" in out


def test_explain_and_rules_show_what_is_checked(run):
    code, out, _ = run("explain", "S101")
    assert code == 0
    assert "p=100 n=200 acc=0.90 sens=0.80 spec=0.80" in out
    assert max(map(len, out.splitlines())) <= 80
    assert "S101" in run("rules")[1]
    assert run("explain", "S1O1")[0] == 2


@pytest.mark.parametrize("name", ["report", "scores"])
def test_schemas_are_published(run, name):
    code, out, _ = run("schema", name)
    assert code == 0
    assert json.loads(out)["$schema"].startswith("https://json-schema.org/")


@pytest.mark.parametrize(
    "group",
    ["", "scores", "leakage", "repo", "checklist", "study", "study add", "study timer", "metadata", "slides", "corpus"],
)
def test_help_tells_each_command_in_a_whole_line(run, monkeypatch, group):
    monkeypatch.setenv("COLUMNS", "80")
    usage, *lines = run(*group.split(), "--help")[1].splitlines()
    assert usage.startswith("Usage:")
    assert [line for line in lines if line.endswith("...")] == []


def test_rules_stand_in_columns(run):
    titles = [rule.title for rule in all_rules()]
    lines = run("rules")[1].splitlines()
    assert len({line.index(title) for line, title in zip(lines, titles, strict=True)}) == 1


def test_hostile_words_cannot_write_to_the_terminal(run):
    code, _, err = run("scores", "check", "p=1", "n=1", "\x1b[31macc=0.5")
    assert code == 2
    assert "\x1b" not in err


@pytest.mark.parametrize("ending", ["html", "csv"])
def test_names_of_written_files_cannot_write_to_the_terminal(run, ending):
    code, out, err = run(*IMPOSSIBLE, "-o", f"\x1b[31mred\n\x1b]0;title\x07.{ending}")
    assert (code, out) == (1, "")
    assert err == f"assay: report written to \\x1b[31mred \\x1b]0;title\\x07.{ending}\n"


@pytest.mark.parametrize(
    "words", [["repo", ""], ["audit", "--paper", ""], ["leakage", "code", "a.py", ""], ["scores", "check", ""]]
)
def test_an_empty_word_does_not_mean_this_folder(run, tmp_path, words):
    (tmp_path / "a.py").write_text("")
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert f"word {len(words)} of the command line is empty" in err


ODD_PATHS = [
    ["paper", "{}.md"], ["paper", "--check", "{}.toml"], ["scores", "check", "{}.toml"], ["scores", "check", "{}.csv"],
    ["ablate", "{}.toml"], ["leakage", "sheet", "{}.yaml"], ["checklist", "check", "{}.yaml"], ["study", "check", "{}"],
    ["study", "list", "--store", "{}.db"], ["study", "example", "{}"], ["slides", "checklist", "{}"],
    ["slides", "counts", "{}", "{}"], ["metadata", "read", "{}.json"], ["repo", "{}"], ["repo", "study", "{}.csv"],
    ["corpus", "report", "{}"], ["compare", "{}.csv"], ["audit", "{}"],
]  # fmt: skip


@pytest.mark.parametrize("words", ODD_PATHS, ids=" ".join)
def test_a_path_that_cannot_be_looked_at_is_told_in_one_line(run, words):
    code, out, err = run(*(word.format("x" * 300) for word in words))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "x" * 60 in err


TOO_MUCH = [
    ["compare", "p.csv", "--y", "y", "--detect", "nan"], ["compare", "p.csv", "--y", "y", "--detect", "1e-300"],
    ["compare", "p.csv", "--y", "y", "--resamples", "9" * 30],
    ["scores", "sizes", "acc=0.98", "--limit", "9" * 30], ["scores", "sizes", "acc=0.98", "--up-to", "9" * 30],
    ["serve", "--keep-days", "1e30"], ["serve", "--keep-days", "nan"],
    ["corpus", "query", ".", "select 1", "--limit", "9" * 30],
]  # fmt: skip


@pytest.mark.parametrize("words", TOO_MUCH, ids=" ".join)
def test_a_number_beyond_all_use_is_told_in_one_line(run, tmp_path, words):
    (tmp_path / "p.csv").write_text("y,m1\n" + "".join(f"{i % 2},0.{i + 1}\n" for i in range(8)))
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


def commands(command):
    yield command
    for inner in getattr(command, "commands", {}).values():
        yield from commands(inner)


def test_every_option_that_takes_a_fraction_refuses_what_is_no_number():
    root = typer.main.get_command(build())
    takers = [o for command in commands(root) for o in command.params if "float" in str(o.type).lower()]
    assert len(takers) >= 13
    for option in takers:
        with pytest.raises(typer.BadParameter):
            option.callback(typer.Context(root), option, [math.nan] if option.multiple else math.nan)


PIPES = [
    ["paper", "pipe.md"], ["paper", "pipe"], ["scores", "check", "pipe.toml"], ["checklist", "check", "pipe.yaml"],
    ["metadata", "convert", "codemeta.json", "--to", "ro-crate", "--report", "pipe"],
    ["repo", ".", "--baseline", "pipe"],
]  # fmt: skip


@pytest.mark.parametrize("words", PIPES, ids=" ".join)
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(run, tmp_path, words):
    for name in words:
        if name.startswith("pipe"):
            os.mkfifo(tmp_path / name)
    (tmp_path / "codemeta.json").write_text('{"@type": "SoftwareSourceCode", "name": "a"}')
    assert run(*words)[0] == 2


def test_a_reader_that_goes_away_is_no_error():
    command = [sys.executable, "-m", "assay", "rules"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.wait(timeout=60) in (0, 1)
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()


def test_a_full_disk_is_said_in_one_line(run, capsys, monkeypatch):
    full = open("/dev/full", "w")  # noqa: SIM115, PTH123 - closed below, where it fails
    monkeypatch.setattr("sys.stdout", full)
    assert main(["rules"]) == 2
    full.close()
    assert capsys.readouterr().err == "assay: there is no space left on the device. Free some, or write elsewhere.\n"


TALKATIVE = """
import ctypes, os, sys
from assay.cli import main
from assay.scores import batch

def check(*arguments, quiet=batch.check, **options):
    ctypes.CDLL(None).puts(b"the solver has something to say")  # as C does: into a buffer, written when it ends
    os.write(1, b"and writes it too")
    return quiet(*arguments, **options)

batch.check = check
sys.exit(main())
"""


def test_what_a_library_prints_by_itself_is_not_in_the_report():
    command = [sys.executable, "-c", TALKATIVE, *POSSIBLE, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert json.loads(done.stdout)["findings"] == []
    assert "the solver has something to say" in done.stderr
    assert "and writes it too" in done.stderr


@pytest.mark.parametrize("closed", ["1>&-", "2>&-"])
def test_a_closed_stream_is_no_fault(closed):
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" "$@" {closed}', sys.executable, "-m", "assay", *POSSIBLE],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_completion_scripts_are_offered(run):
    assert "--install-completion" in run("--help")[1]


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (MemoryError(), 2)])
def test_interrupts_and_exhaustion_end_in_one_line(run, monkeypatch, error, code):
    def fail(_):
        raise error

    monkeypatch.setattr("assay.scores.batch.check", fail)
    got, out, err = run(*POSSIBLE)
    assert (got, out) == (code, "")
    assert err.count("\n") == 1


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal_when_it_takes_a_while(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("assay.cli.progress._PATIENCE", -1.0)
    assert list(tracked(iter("abc"), 3, "checking")) == ["a", "b", "c"]
    assert "checking" in screen.getvalue()


@pytest.mark.parametrize("screen", [Terminal(), io.StringIO()], ids=["quick", "no terminal"])
def test_progress_is_silent_when_quick_or_without_a_terminal(monkeypatch, screen):
    monkeypatch.setattr("sys.stderr", screen)
    assert list(tracked(iter("abc"), 3, "checking")) == ["a", "b", "c"]
    assert not screen.getvalue()


def test_a_terminal_that_cannot_show_a_sign_gets_a_stand_in():
    command = [sys.executable, "-m", "assay", *POSSIBLE]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_errors_survive_the_way_back_from_a_worker_process():
    error = InputError("wrong", where="here", fix="Fix it.")
    assert str(pickle.loads(pickle.dumps(error))) == "here: wrong. Fix it."


def test_one_run_may_show_the_report_and_write_it_in_several_formats(run, tmp_path):
    code, out, err = run(*IMPOSSIBLE, "-o", "-", "-o", "report.json", "-o", "report.html")
    assert code == 1
    assert "S101" in out
    assert err.count("report written") == 2
    assert json.loads((tmp_path / "report.json").read_text())["figures"] == []
    assert "<svg" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize(
    ("given", "full"),
    [
        (["scores", "p=1", "n=2", "acc=0.5"], "assay scores check p=1 n=2 acc=0.5?"),
        (["leakage", "train.py"], "assay leakage code train.py?"),
        (["leakage", "train.csv"], "assay leakage data --train train.csv --test ...?"),
    ],
)
def test_a_missing_word_is_answered_with_the_full_command(run, tmp_path, monkeypatch, given, full):
    monkeypatch.chdir(tmp_path)
    for name in ("train.py", "train.csv"):
        (tmp_path / name).write_text("x = 1\n")
    code, out, err = run(*given)
    assert (code, out) == (2, "")
    assert f"Did you mean: {full}" in err


def test_a_report_that_is_no_text_needs_a_file(run):
    code, out, err = run(*IMPOSSIBLE, "--format", "pdf")
    assert (code, out) == (2, "")
    assert "Add -o report.pdf." in err
