"""What results add up to: counted right, tested with corrections, and open to questions but to nothing else."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from scipy import stats

from assay.cli import main
from assay.corpus import open_results, study
from assay.corpus.answers import as_csv, as_json, as_text
from assay.corpus.guard import part_of
from assay.corpus.notebook import notebook_of
from assay.corpus.store import Store
from assay.corpus.study import study_of
from assay.corpus.subject import Examined, Outcome, Record, Task
from assay.corpus.subject_list import read_listing
from assay.errors import InputError
from assay.findings import Report, Table, Value

LEAK, OTHER = "L1.1", "L2"
FIELDS = ("art", "law")


def finding(code: str) -> tuple[Value, ...]:
    return (code, f"title of {code}", "error", "high", "m", "", "a.py", 1, None, None, "", "f")


def made(tmp_path: Path, task: str = "repo", many: int = 40) -> Path:
    """A run in which LEAK hits every second subject of art and none of law; the last subject failed."""
    (tmp_path / "list.csv").write_text(
        "path,field,year\n" + "".join(f"s{i},{FIELDS[i % 2]},{2020 + i % 3}\n" for i in range(many))
    )
    listing = read_listing(tmp_path / "list.csv")
    store = Store(tmp_path / "out")
    with store.locked():
        store.begin(listing, Task(task), 0)
    records = []
    for subject in listing.subjects():
        row = subject.row
        codes = [LEAK] * 2 * (row % 4 == 0) + [OTHER] * (row % 5 == 0)
        facts: dict[str, Value] = {"files": row}
        if task == "repo":
            facts |= {"software": (row % 2) * 0.5 + (row % 3) * 0.1, "seeds": row % 10 / 10}
        if row == many - 1:
            records.append(Record(subject, Outcome.TIME, "took more than 1 s"))
        else:
            records.append(Record(subject, Outcome.DONE, "", 0.5, 0.4, examined=_examined(facts, codes)))
    for number in range(0, many, 15):
        store.append(part_of(Task(task), listing.groups, records[number : number + 15]), number)
    return tmp_path / "out"


def _examined(facts: dict[str, Value], codes: list[str]) -> Examined:
    return Examined(facts, tuple(map(finding, codes)), (("", "consistent" if not codes else "inconsistent", "s", ""),))


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def report(out: Path) -> Report:
    return open_results(out).report(clusters=3, figures=False)


def table(report: Report, title: str) -> Table:
    return next(t for t in report.tables if t.title.startswith(title))


def test_prevalence_counts_subjects_and_not_findings(report: Report) -> None:
    assert table(report, "Survey").rows == (("art", 20, 12, 10, 4), ("law", 19, 4, None, 4))
    low, high = stats.binomtest(10, 20).proportion_ci(method="wilson")
    leak = table(report, "Prevalence").rows[0]
    assert leak[:3] == (LEAK, 0.5, f"{low:.3f}–{high:.3f}")
    assert table(report, "Subjects").rows[1][:4] == ("law", 19, 1, 4)
    assert table(report, "Failures").rows == (("time", 1, "took longer than the limit"),)
    assert table(report, "Verdicts").rows[0][:4] == ("art", 8, 12, 0)


def test_counting_in_blocks_changes_nothing(out: Path, report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.corpus.study._COUNTED_ROWS", 7)
    again = open_results(out).report(clusters=3, figures=False)
    assert table(again, "Prevalence of findings") == table(report, "Prevalence of findings")


def test_differences_are_corrected_for_their_number(report: Report) -> None:
    tests = table(report, "Differences between groups: findings")
    assert tests.columns == ("", "Test", "p", "p, Holm", "p, BH", "Effect", "Differ")
    p = [stats.fisher_exact([[10, 10], [0, 19]]).pvalue, stats.fisher_exact([[4, 16], [4, 15]]).pvalue]
    q = stats.false_discovery_control(p)
    for row, one, holm, discovery in zip(tests.rows, p, (2 * p[0], max(2 * p[0], p[1])), q, strict=True):
        assert row[2:5] == pytest.approx((one, min(1, holm), discovery), rel=0.01)
    assert [row[-1] for row in tests.rows] == ["yes", "not shown"]


def test_factors_are_averaged_compared_and_clustered(report: Report) -> None:
    means = {row[0]: row[1] for row in table(report, "Factor scores").rows}
    assert means["software"] == pytest.approx(sum(i % 3 for i in range(0, 40, 2)) / 200, abs=0.01)
    assert "files" not in means
    assert table(report, "Differences between groups: factor scores").rows[0][-1] == "yes"
    assert sum(int(row[1] or 0) for row in table(report, "Clusters").rows) == 39


def test_without_factors_the_findings_themselves_are_clustered(tmp_path: Path) -> None:
    report = open_results(made(tmp_path, "leakage")).report(figures=False)
    assert table(report, "Clusters").columns[2:4] == (LEAK, OTHER)
    assert not any(t.title.startswith("Factor scores") for t in report.tables)


def test_groups_can_be_chosen(out: Path) -> None:
    assert [group.name for group in study_of(open_results(out), "year").groups] == ["2020", "2021", "2022"]
    with pytest.raises(InputError, match='Did you mean "field"'):
        study_of(open_results(out), "feild")


def test_many_groups_are_put_together(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("path,g\n" + "".join(f"s{i},g{i % 20}\n" for i in range(100)))
    listing = read_listing(tmp_path / "list.csv")
    store = Store(tmp_path / "out")
    with store.locked():
        store.begin(listing, Task("leakage"), 0)
    records = [Record(s, Outcome.DONE, examined=Examined({}, (finding(LEAK),))) for s in listing.subjects()]
    store.append(part_of(Task("leakage"), listing.groups, records), 0)
    groups = study_of(open_results(tmp_path / "out")).groups
    assert len(groups) == 12
    assert (groups[0].name, groups[-1].name, groups[-1].examined) == ("g0", "(others)", 45)


def test_a_study_says_what_it_does_not_cover(tmp_path: Path) -> None:
    out = made(tmp_path)
    max((out / "subjects").iterdir()).unlink()
    assert "10 subjects of the list are not examined yet" in study_of(open_results(out)).left_out[0]


def test_a_run_without_results_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no corpus"):
        open_results(tmp_path)
    (tmp_path / "list.csv").write_text("path\na\n")
    store = Store(tmp_path / "out")
    with store.locked():
        store.begin(read_listing(tmp_path / "list.csv"), Task("repo"), 0)
    with pytest.raises(InputError, match="no subject has been examined"):
        open_results(tmp_path / "out").report()
    assert list(open_results(tmp_path / "out").query("select code from findings").rows) == []


# --- queries ---------------------------------------------------------------------------------------


def test_the_tables_answer_queries(out: Path) -> None:
    results = open_results(out)
    answer = results.query(
        "select field, count(distinct row) as hit from findings join subjects using (row, subject) "
        f"where code = '{LEAK}' group by field"
    )
    assert (answer.columns, list(answer.rows)) == (("field", "hit"), [("art", 10)])
    assert list(results.query("select subject from failures").rows) == [("s39",)]
    counted = "select code, count(distinct row), count(*) from findings group by code order by code"
    prevalence = list(results.query("select code, subjects, findings from prevalence order by code").rows)
    assert prevalence == list(results.query(counted).rows) != []
    assert list(results.query("select round(sum(cpu_seconds), 1) from timings").rows) == [(15.6,)]


@pytest.mark.parametrize(
    "sql",
    [
        "copy findings to 'stolen.csv'",
        "drop view findings",
        "create table t as select 1",
        "select 1; select 2",
        "attach 'other.db'",
        "set enable_external_access = true",
        "install httpfs",
        "select * from read_csv('/etc/passwd')",
        "select * from read_text('{outside}')",
        "select * from '{outside}'",
        "select * from read_parquet('https://example.org/x.parquet')",
        "select * from glob('/etc/*')",
        "select getenv('HOME')",
        "select * from results",
        "selec",
        "",
    ],
)
def test_a_query_reads_the_results_and_nothing_else(sql: str, out: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.csv"
    outside.write_text("a\n1\n")
    results = open_results(out)
    with pytest.raises(InputError):
        list(results.query(sql.replace("{outside}", str(outside))).rows)


def test_answers_come_as_text_csv_and_json(out: Path) -> None:
    results = open_results(out)
    sql = "select row, subject, 0.25 as share, null as nothing, '=1+1' as formula from subjects order by row"
    text = as_text(results.query(sql), limit=2)
    assert text.splitlines()[2].split() == ["0", "s0", "0.25", "=1+1"]
    assert text.endswith("(the first 2 rows; --limit shows more)\n")
    wide = as_text(results.query("select repeat('x', 200) as long, '' as empty, 1 as one"), limit=5)
    assert wide == f"long   {'x' * 72}…\none    1\n"
    rows = list(csv.reader(io.StringIO(as_csv(results.query(sql)))))
    assert rows[1] == ["0", "s0", "0.25", "", "'=1+1"]
    assert json.loads(as_json(results.query(sql)))[0]["nothing"] is None


def test_the_commands_write_a_page_a_notebook_and_an_answer(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["corpus", "report", str(out), "-o", "r.html", "--notebook", "n.ipynb"]) == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 5
    for words in ("Survey: subjects affected", "Matrix. art: L1.1 50%, L2 20%", "Bars. L1.1: art 0.50"):
        assert words in page
    assert main(["corpus", "query", str(out), "select count(*) as many from subjects", "-f", "csv"]) == 0
    assert capsys.readouterr().out == "many\n40\n"


def test_a_query_leaves_nothing_but_its_answer(out: Path) -> None:
    """The database counts its objects when the process ends, and complains of what was not collected."""
    asked = [sys.executable, "-m", "assay", "corpus", "query", str(out), "select count(*) as many from subjects"]
    ended = subprocess.run([*asked, "-f", "csv"], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("many\n40\n", "")


def test_the_notebook_runs(tmp_path: Path) -> None:
    import matplotlib as mpl

    mpl.use("agg")
    notebook = json.loads(notebook_of(open_results(made(tmp_path, "leakage"))))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(cell["source"], names)
    found = names["found"]
    assert isinstance(found, pl.DataFrame)
    assert found.row(0) == ("art: L1.1", "title of L1.1", 10, 20, 0.5)


@pytest.mark.parametrize("table", ["subjects", "facts", "findings"])
@pytest.mark.parametrize("spoil", [lambda data: data[:50], lambda data: b"PAR1" + b"\xff" * (len(data) - 8) + b"PAR1"])
def test_damaged_tables_are_told_in_one_line(
    tmp_path: Path, table: str, spoil: Callable[[bytes], bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = made(tmp_path)
    part = folder / table / "part-0000000.parquet"
    part.write_bytes(spoil(part.read_bytes()))
    assert main(["corpus", "report", str(folder)]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert f"{folder}: its tables cannot be read" in told.err


def test_a_folder_whose_name_is_not_utf_8_is_told(tmp_path: Path) -> None:
    folder = made(tmp_path)
    there = folder.rename(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    with pytest.raises(InputError, match="its path is not UTF-8"):
        open_results(Path(there)).report(figures=False)


def test_the_report_does_not_depend_on_the_order_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are numbered in the order in which they end; which subjects are sampled must not hang on that."""
    monkeypatch.setattr(study, "_MOST_ROWS", 20)
    folder = made(tmp_path, many=60)

    def report() -> object:
        made_of = open_results(folder).report(clusters=2, figures=False).to_dict()
        return {key: value for key, value in made_of.items() if key in {"tables", "findings", "facts", "sections"}}

    before = report()
    for table in folder.iterdir():
        if table.is_dir():
            first, second = sorted(table.glob("*.parquet"))[:2]
            first.rename(table / "aside")
            second.rename(first)
            (table / "aside").rename(second)
    assert report() == before
    Store(folder).compact()
    assert report() == before
