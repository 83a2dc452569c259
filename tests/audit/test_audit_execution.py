"""Instruments side by side: what fails is told and harms nobody, and the result is the same every time."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.audit import execution
from assay.audit.audit_report import report_of
from assay.audit.execution import State, Step, run_audit
from assay.audit.instruments import Job, Outcome
from assay.audit.recognition import recognise
from assay.audit.submission import Kind, Piece, Submission
from assay.audit.worker import performed
from assay.findings import Report
from assay.report import Format, render

SCORES = "[[experiment]]\nname = 'a row'\np = 10\nn = 10\nscores = { acc = '0.99' }\n"


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    """A scores file that can be read, and a table of scores that cannot."""
    (tmp_path / "good.toml").write_text(SCORES)
    (tmp_path / "bad.toml").write_text("[[experiment]]\nscores = 3\n")
    (tmp_path / "a.py").write_text("print(1)\n")
    return recognise([tmp_path / name for name in ("good.toml", "bad.toml", "a.py")])


@pytest.mark.parametrize("workers", [0, 2])
def test_an_instrument_that_fails_does_not_stop_the_others(submission: Submission, workers: int) -> None:
    heard: list[Step] = []
    audit = run_audit(submission, told=heard.append, workers=workers)
    [failed] = audit.failed
    assert failed.name.endswith("bad.toml")
    report = report_of(audit)
    assert [f.code for f in report.findings] == ["S101"]
    assert report.left_out[0].startswith(f"{failed.name} could not be judged: ")
    assert {(s.name, s.state) for s in heard if s.state in {State.DONE, State.FAILED}} == {
        *((name, State.DONE) for name, _ in audit.outcomes),
        (failed.name, State.FAILED),
    }
    assert [s.state for s in heard[:3]] == [State.WAITING] * 3


def test_the_same_audit_gives_the_same_report_in_one_process_and_in_several(submission: Submission) -> None:
    one, other = (report_of(run_audit(submission, workers=workers)) for workers in (0, 3))
    for how in (one for one in Format if not one.is_binary):
        assert render(one, how) == render(other, how)


BEGIN = """
import pickle, sys, os, time
from assay.audit.instruments import Outcome
from assay.findings import Report
job = pickle.load(sys.stdin.buffer)
def answer(*what):
    pickle.dump(what, sys.stdout.buffer)
    sys.stdout.flush()
"""


class Clock:
    """The time, which can be put ahead: no test waits for a limit that leaves a slow machine time enough."""

    ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead


def job(*parts: str) -> Job:
    return Job(Kind.SCORES, (Piece(Kind.SCORES, Path("x"), "x"),), tuple((part, "?") for part in parts))


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("answer(Outcome(Report('quick')), '')\ntime.sleep(600)", "stopped after 300 seconds"),
        ("answer(Outcome(Report('quick')), '')\nos._exit(7)", "exit code 7"),
        ("answer(Outcome(Report('quick')), '')\nsys.stdout.buffer.write(b'not an answer')", "unreadable answer"),
        ("answer(Outcome(Report('quick')), '')\nanswer(None, 'it is broken')", "it is broken"),
    ],
)
def test_finished_parts_are_kept_when_a_process_fails(monkeypatch: pytest.MonkeyPatch, act: str, reason: str) -> None:
    monkeypatch.setattr(execution, "_WORKER", [sys.executable, "-c", BEGIN + act])
    heard: list[Step] = []
    clock = Clock()
    monkeypatch.setattr(execution, "time", clock)

    def hear(step: Step) -> None:
        heard.append(step)
        if step.state is State.DONE and "stopped" in reason:
            clock.ahead = 1000.0

    first, second = execution._run_apart([job("first", "second")], hear, workers=1, limit=300)
    assert first[1] == Outcome(Report("quick"))
    assert second[1] is None
    assert second[0].state is State.FAILED
    assert reason in second[0].message
    assert [step.state for step in heard] == [State.RUNNING, State.DONE, State.RUNNING, State.FAILED]


def test_a_fault_of_our_own_is_told_in_words() -> None:
    assert performed(lambda: 1 / 0) == (None, "internal error (ZeroDivisionError: division by zero)")  # type: ignore[arg-type, return-value]


def test_nothing_is_left_running_when_the_user_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "_WORKER", [sys.executable, "-c", "import time; time.sleep(60)"])
    begin = execution._start
    workers: list[execution._Worker] = []

    def start(*given: object) -> execution._Worker:
        workers.append(begin(*given))  # type: ignore[arg-type]
        return workers[-1]

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(execution, "_start", start)
    monkeypatch.setattr(execution, "_attend", interrupt)
    with pytest.raises(KeyboardInterrupt):
        execution._run_apart([job("first")], lambda _: None, workers=1, limit=30)
    assert workers[0].process.poll() is not None


def test_a_script_that_audits_is_not_run_again(submission: Submission, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    good = next(piece.path for piece in submission.pieces if piece.name == "good.toml")
    script.write_text(
        "from pathlib import Path\nfrom assay.audit.recognition import recognise\n"
        "from assay.audit.execution import run_audit\nprint('begin')\n"
        f"print(len(run_audit(recognise([Path({str(good)!r})])).outcomes))\n"
    )
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["begin", "1"]


def test_the_audited_folder_is_not_on_the_path_of_a_process(
    submission: Submission, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tomllib.py").write_text("raise SystemExit('imported from the audited folder')")
    monkeypatch.chdir(tmp_path)
    assert [step.name for step in run_audit(submission, workers=1).failed] == ["scores bad.toml"]


PAPER = "\\documentclass{article}\\begin{document}\\section{Method} We tried it on data.\\end{document}"


def test_nobody_asks_where_the_code_is_that_is_being_audited(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(PAPER)
    alone = report_of(run_audit(recognise([tmp_path / "paper.tex"]), workers=0))
    (tmp_path / "train.py").write_text("print(1)\n")
    together = report_of(run_audit(recognise([tmp_path]), workers=0))
    assert any("experiment-code" in f.message for f in alone.findings)
    assert not any("experiment-code" in f.message or "method-code" in f.message for f in together.findings)
