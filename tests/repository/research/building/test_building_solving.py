"""What uv's answers mean. A stand-in plays uv, so that no test needs the network."""

import json
import stat
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.findings import Verdict
from assay.report import Format, render
from assay.repository.research.building import Asked, Buildability, attempts, report_of, resolver, try_building
from assay.repository.research.building.resolver import Outcome, solve
from assay.tree import Commit, Tree, tree_of


class StandIn:
    """A program in uv's place that notes how it was called and answers as told."""

    def __init__(self, folder: Path) -> None:
        self.path, self.log, self.said = folder / "uv", folder / "log", folder / "said.json"
        body = f"""#!{sys.executable}
import json, os, sys
wanted = open("wanted.in").read()
with open({str(self.log)!r}, "a") as log:
    log.write(json.dumps([sys.argv[1:], sorted(os.listdir()), wanted]) + "\\n")
said = json.load(open({str(self.said)!r}))
python = sys.argv[sys.argv.index("--python-version") + 1]
code, out, err = said.get(python, said["any"])
sys.stdout.write(out); sys.stderr.write(err); sys.exit(code)
"""
        self.path.write_text(body, encoding="utf-8")
        self.path.chmod(self.path.stat().st_mode | stat.S_IXUSR)
        self.answers(0, "six==1.16.0\nattrs==23.1.0\n    # via x\n")

    def answers(self, code: int, out: str = "", err: str = "") -> None:
        self.said.write_text(json.dumps({"any": [code, out, err]}), encoding="utf-8")

    def answers_for(self, python: str, code: int, out: str = "", err: str = "") -> None:
        said = json.loads(self.said.read_text(encoding="utf-8")) | {python: [code, out, err]}
        self.said.write_text(json.dumps(said), encoding="utf-8")

    @property
    def calls(self) -> list[tuple[list[str], list[str], str]]:
        return [tuple(json.loads(line)) for line in self.log.read_text().splitlines()]


@pytest.fixture
def uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    made = StandIn(tmp_path)
    monkeypatch.setattr(attempts, "find_uv", lambda: str(made.path))
    return made


def test_a_solution_counts_its_packages(uv: StandIn) -> None:
    found = solve(["six"], uv=str(uv.path), python="3.9")
    assert (found.outcome, found.packages) == (Outcome.SOLVABLE, 2)


@pytest.mark.parametrize(
    ("complaint", "outcome"),
    [
        (
            "error: No solution found when resolving dependencies\n  cause: Because a==1 depends on b",
            Outcome.UNSOLVABLE,
        ),
        (
            "error: No solution found\n cause: a has no usable wheels\n\nhint: building from source is disabled",
            Outcome.NEEDS_BUILD,
        ),
        ("warning: a is missing an upload date\nerror: No solution found\n", Outcome.NO_DATES),
        ("error: Request failed after 3 retries\n  cause: dns error", Outcome.UNREACHABLE),
        ("error: something else", Outcome.FAILED),
    ],
)
def test_complaints_are_told_apart(uv: StandIn, complaint: str, outcome: Outcome) -> None:
    uv.answers(1, err=complaint)
    assert solve(["six"], uv=str(uv.path), python="3.9").outcome is outcome


def test_the_reason_is_one_line_without_hints(uv: StandIn) -> None:
    uv.answers(1, err="warning: w\nerror: No solution found\n  cause: Because x.\n         And y.\n\nhint: try z")
    assert solve(["six"], uv=str(uv.path), python="3.9").said == "No solution found Because x. And y."


def test_nothing_is_ever_built_and_the_folder_holds_our_file_alone(uv: StandIn) -> None:
    solve(["six"], uv=str(uv.path), python="3.8", before=date(2021, 3, 4))
    [(arguments, files, wanted)] = uv.calls
    assert {"--no-build", "--no-sources", "--no-python-downloads"} <= set(arguments)
    assert arguments[arguments.index("--exclude-newer") + 1] == "2021-03-04T23:59:59Z"
    assert arguments[arguments.index("--python-version") + 1] == "3.8"
    assert (files, wanted) == (["wanted.in"], "six\n")


def test_silence_ends_in_time(tmp_path: Path) -> None:
    slow = tmp_path / "uv"
    slow.write_text(f"#!{sys.executable}\nimport time\ntime.sleep(60)\n")
    slow.chmod(0o755)
    assert solve(["six"], uv=str(slow), python="3.9", seconds=0.3).outcome is Outcome.TIMED_OUT


def test_a_program_that_cannot_start_is_no_traceback(tmp_path: Path) -> None:
    assert solve(["six"], uv=str(tmp_path / "none"), python="3.9").outcome is Outcome.FAILED


def test_no_requirements_need_no_solver(tmp_path: Path) -> None:
    assert solve([], uv=str(tmp_path / "none"), python="3.9").outcome is Outcome.EMPTY


def test_without_uv_one_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(resolver.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(resolver.shutil, "which", lambda name: None)
    with pytest.raises(InputError, match="uv is needed"):
        try_building(tree_of({"requirements.txt": "six"}), Asked(online=True))


# --- the whole -------------------------------------------------------------------------------------


def at_commit(files: dict[str, str], day: str = "2021-03-04T10:00:00+01:00") -> Tree:
    return replace(tree_of(files), commit=Commit("a" * 40, day))


def tables(found: Buildability) -> dict[str, list[tuple[object, ...]]]:
    return {table.title: list(table.rows) for table in report_of(found).tables}


def test_offline_nothing_is_asked_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "find_uv", lambda: pytest.fail("uv was looked for"))
    found = try_building(at_commit({"requirements.txt": "six\nattrs==1\n"}), Asked())
    assert tables(found)["Requirements that could be tried"] == [("requirements.txt", 2)]
    assert any("not tried: that needs the network" in sentence for sentence in found.left_out)
    assert not found.fails


def test_online_now_and_then_are_asked(uv: StandIn) -> None:
    found = try_building(at_commit({"requirements.txt": "six\n"}), Asked(online=True), today=date(2026, 1, 1))
    rows = tables(found)["Are the requirements solvable?"]
    assert rows == [
        ("requirements.txt", "now", "3.13", 1, "solvable", 2),
        ("requirements.txt", "2021-03-04", "3.8", 1, "solvable", 2),
    ]
    dated = ["--exclude-newer" in arguments for arguments, _, _ in uv.calls]
    assert dated == [False, True]


def test_what_is_unsolvable_now_fails(uv: StandIn) -> None:
    uv.answers(1, err="error: No solution found\n cause: Because six is not there")
    found = try_building(tree_of({"requirements.txt": "six\n"}), Asked(online=True))
    assert found.fails
    assert "the past was not tried: there is no commit with a date (--date gives one)" in found.left_out
    [judgement] = report_of(found).judgements
    assert (judgement.subject, judgement.verdict) == ("requirements.txt, now", Verdict.INCONSISTENT)
    assert "Because six is not there" in judgement.evidence[-1].text


def test_an_older_python_is_tried_when_the_newest_has_no_solution(uv: StandIn) -> None:
    uv.answers(1, err="error: No solution found\n cause: no wheels for cp313")
    uv.answers_for("3.11", 0, "six==1\n")
    found = try_building(tree_of({"requirements.txt": "six\n"}), Asked(online=True), today=date(2026, 1, 1))
    [attempt] = found.attempts
    assert (attempt.python, attempt.solution.outcome) == ("3.11", Outcome.SOLVABLE)
    assert attempt.because == "none is stated; tried 3.13, 3.12, 3.11"


def test_one_python_that_needs_a_build_leaves_it_undecided(uv: StandIn) -> None:
    uv.answers(1, err="error: No solution found\n cause: no wheels")
    uv.answers_for("3.9", 1, err="error: No solution found\nhint: building from source is disabled")
    found = try_building(tree_of({"requirements.txt": "six\n"}), Asked(online=True), today=date(2026, 1, 1))
    assert [(a.python, a.solution.outcome) for a in found.attempts] == [("3.9", Outcome.NEEDS_BUILD)]
    assert not found.fails
    assert [j.verdict for j in report_of(found).judgements] == [Verdict.UNDECIDED]


def test_what_is_undecided_does_not_fail(uv: StandIn) -> None:
    uv.answers(2, err="error: Request failed")
    assert not try_building(tree_of({"requirements.txt": "six\n"}), Asked(online=True)).fails


def test_a_day_can_be_named(uv: StandIn) -> None:
    found = try_building(tree_of({"requirements.txt": "six\n"}), Asked(online=True, day=date(2020, 2, 2)))
    assert [attempt.day for attempt in found.attempts] == [None, date(2020, 2, 2)]


def test_conda_is_named_as_not_tried(uv: StandIn) -> None:
    found = try_building(
        tree_of({"environment.yml": "name: x\nchannels: [a]\ndependencies:\n- numpy=1.18\n"}), Asked(online=True)
    )
    assert "environment.yml: conda's own solver was not asked" in found.left_out
    assert ("environment", "conda") in tables(found)["What repo2docker, and so Binder, would do"]


def test_many_manifests_are_bounded(uv: StandIn) -> None:
    files = {f"p{i}/requirements.txt": "six\n" for i in range(8)}
    found = try_building(tree_of(files), Asked(online=True))
    assert len(found.attempts) == 5
    assert sum("others come first" in sentence for sentence in found.left_out) == 3


def test_both_binder_folders_are_a_fault() -> None:
    found = try_building(tree_of({"binder/environment.yml": "a: 1", ".binder/environment.yml": "a: 1"}), Asked())
    assert found.fails
    assert [j.verdict for j in report_of(found).judgements] == [Verdict.INCONSISTENT]


@pytest.mark.parametrize("how", [how for how in Format if not how.is_binary])
def test_every_format_tells_it(uv: StandIn, how: Format) -> None:
    found = try_building(at_commit({"requirements.txt": "six\n"}), Asked(online=True))
    assert render(report_of(found), how)
