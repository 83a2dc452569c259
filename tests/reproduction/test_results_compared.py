"""Two tables of results, joined by name and judged cell by cell."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.cli import main
from assay.errors import InputError
from assay.reproduction.comparison import Compared, Comparison, Presence, compare_results
from assay.reproduction.comparison_report import report_comparison
from assay.reproduction.intervals import of_areas, of_means, of_shares
from assay.reproduction.outcomes import Measured, Outcome
from assay.reproduction.result_tables import Gap, example_tables, read_pair, with_sizes
from made_workbook import workbook


def compared(tmp_path: Path, original: str, reproduced: str, **options: object) -> Comparison:
    (tmp_path / "o.csv").write_text(original, encoding="utf-8")
    (tmp_path / "r.csv").write_text(reproduced, encoding="utf-8")
    by = options.pop("by", ())
    return compare_results(*read_pair(tmp_path / "o.csv", tmp_path / "r.csv", by), **options)


def cell(found: Comparison, label: str, metric: str) -> Compared:
    [one] = [c for c in found.cells if " ".join(filter(None, c.row)) == label and c.metric == metric]
    return one


@pytest.fixture(scope="module")
def fell(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    return compare_results(*read_pair(*example_tables(tmp_path_factory.mktemp("fell"))))


# --- the bundled tables -----------------------------------------------------------------------------


def test_the_bundled_tables_are_those_of_fell_and_others(fell: Comparison):
    assert len(fell.original.rows) == len(fell.reproduced.rows) == 24
    assert fell.original.metrics == (
        *("accuracy", "recall", "specificity", "precision", "PR-AUC", "AUC", "kappa", "FROC"),
    )
    assert not fell.unmatched
    numbers = [c for row in (*fell.original.rows, *fell.reproduced.rows) for c in row.cells.values()]
    assert sum(isinstance(c, Measured) for c in numbers) == 51


def test_missing_and_not_applicable_are_kept_apart(fell: Comparison):
    presence = [c.presence for c in fell.cells]
    assert {kind: presence.count(kind) for kind in Presence if kind in presence} == {
        Presence.BOTH: 15,
        Presence.ORIGINAL: 3,
        Presence.REPRODUCED: 18,
        Presence.NEITHER: 30,
        Presence.NOT_APPLICABLE: 126,
    }
    assert cell(fell, "Lee patient Cam17 valid", "kappa").presence is Presence.REPRODUCED
    assert cell(fell, "Wang slide Cam16 test", "accuracy").presence is Presence.REPRODUCED


def test_every_comparable_cell_has_its_exact_difference(fell: Comparison):
    assert cell(fell, "Wang patch Cam16 valid", "accuracy").difference == Fraction("-0.179")
    assert cell(fell, "Wang lesion Cam16 valid", "FROC").difference == Fraction("-0.2491")
    assert cell(fell, "Lee slide Cam17 valid", "accuracy").difference == Fraction("-0.3726")


def test_areas_on_the_published_test_set_differ_beyond_chance(fell: Comparison):
    found = cell(fell, "Liu slide Cam16 test", "AUC")
    assert found.judged is not None
    assert found.judged.outcome is Outcome.DIFFERENT
    assert found.measured == of_areas(0.967, 0.718, 49, 80)
    wang = cell(fell, "Wang slide Cam16 test", "AUC")
    assert wang.p_holm is not None
    assert wang.measured is not None
    assert wang.p_holm == pytest.approx(2 * wang.measured.p)


def test_another_number_is_different_where_nothing_else_is_known(fell: Comparison):
    outcomes = [c.judged.outcome for c in fell.judged if c.judged]
    assert {o: outcomes.count(o) for o in set(outcomes)} == {
        Outcome.IDENTICAL: 1,
        Outcome.DIFFERENT: 14,
    }


def test_gaps_look_different_in_the_report(fell: Comparison):
    [table] = [t for t in report_comparison(fell).tables if t.title == "Original"]
    assert table.rows[0] == ("Wang", "patch", "Cam16", "valid", "0.984", "–", "–", "–", "–", "n/a", "n/a", "n/a")


# --- joining ----------------------------------------------------------------------------------------


def test_rows_and_columns_are_joined_by_name_never_by_place(tmp_path):
    one = "method,f1,accuracy\nours,0.8,0.9\ntheirs,0.7,0.85\n"
    other = "accuracy,method,f1\n0.85,theirs,0.7\n0.9,ours,0.8\n"
    found = compared(tmp_path, one, other)
    assert [c.judged.outcome for c in found.judged if c.judged] == [Outcome.IDENTICAL] * 4


@given(st.permutations(range(5)), st.permutations(range(3)))
def test_the_order_of_rows_and_columns_changes_nothing(rows: list[int], columns: list[int]):
    import tempfile

    metrics = ["a", "b", "c"]

    def text(order: list[int], across: list[int]) -> str:
        head = ",".join(["name", *(metrics[c] for c in across)])
        return "\n".join([head, *(",".join([f"row{r}", *(f"0.{r}{c}" for c in across)]) for r in order)]) + "\n"

    with tempfile.TemporaryDirectory() as folder:
        found = compared(Path(folder), text([0, 1, 2, 3, 4], [0, 1, 2]), text(rows, columns))
    assert all(c.judged and c.judged.outcome is Outcome.IDENTICAL for c in found.judged)
    assert len(found.judged) == 15


def test_what_only_one_table_has_is_named(tmp_path):
    found = compared(tmp_path, "m,f1,auc\nx,0.8,0.9\ny,0.7,0.8\n", "m,f1\nx,0.8\nz,0.1\n")
    assert found.unmatched == [
        'row "y": only in the original',
        'column "auc": only in the original',
        'row "z": only in the reproduction',
    ]
    assert report_comparison(found).left_out == tuple(found.unmatched)


def test_the_user_can_say_which_columns_name_rows(tmp_path):
    found = compared(tmp_path, "fold,f1\n1,0.8\n2,0.7\n", "fold,f1\n2,0.7\n1,0.8\n", by=("fold",))
    assert len(found.judged) == 2


def test_one_side_may_call_a_cell_not_applicable(tmp_path):
    found = compared(tmp_path, "m,f1\nx,n/a\n", "m,f1\nx,0.8\n")
    assert found.cells[0].presence is Presence.AT_ODDS


# --- verdicts ---------------------------------------------------------------------------------------


def test_spreads_give_welchs_interval_and_equivalence(tmp_path):
    one = "m,accuracy,accuracy_runs\nx,92.1 ± 0.2,5\n"
    other = "m,accuracy,accuracy_spread,runs\nx,91.9,0.2,5\n"
    found = compared(tmp_path, one, other, margin=0.6).cells[0]
    assert found.measured == of_means((92.1, 0.2, 5), (91.9, 0.2, 5))
    assert found.judged is not None
    assert found.judged.outcome is Outcome.EQUIVALENT


def test_a_spread_without_its_own_sign_is_in_per_cent_too(tmp_path):
    found = compared(tmp_path, "m,f1\nx,92.1% ± 0.2\n", "m,f1\nx,92.1%\n")
    assert isinstance(found.cells[0].original, Measured)
    assert found.cells[0].original.spread == pytest.approx(0.002)


def test_shares_use_the_part_of_the_test_set_they_are_shares_of(tmp_path):
    text = "m,accuracy,recall,specificity,precision,p,n\nx,{},100,50\n"
    found = compared(tmp_path, text.format("0.9,0.9,0.9,0.9"), text.format("0.8,0.8,0.8,0.8"))
    sizes = {c.metric: c.original.items for c in found.cells if isinstance(c.original, Measured)}
    assert sizes == {"accuracy": 150, "recall": 100, "specificity": 50, "precision": None}
    assert cell(found, "x", "recall").measured == of_shares(0.9, 100, 0.8, 100)


def test_shares_can_be_shown_equivalent(tmp_path):
    text = "m,accuracy,items\nx,{},20000\n"
    found = compared(tmp_path, text.format("0.900"), text.format("0.901"), margin=0.01).cells[0]
    assert found.judged is not None
    assert found.judged.outcome is Outcome.EQUIVALENT


def test_baselines_decide_what_is_consistent(tmp_path):
    one = "m,f1,f1_baselines\nx,0.83,0.80; 0.81\ny,0.83,0.825\n"
    found = compared(tmp_path, one, "m,f1\nx,0.82\ny,0.82\n")
    assert [c.judged.outcome for c in found.cells if c.judged] == [Outcome.CONSISTENT, Outcome.DIFFERENT]


def test_many_cells_need_stronger_evidence_than_one(tmp_path):
    """p = 0.03 is enough for a single cell, and not for the smallest of twenty."""

    def table(values: list[str]) -> str:
        return "m,accuracy,items\n" + "".join(f"r{i},{v},1000\n" for i, v in enumerate(values))

    alone = compared(tmp_path, table(["0.900"]), table(["0.869"])).cells[0]
    assert alone.judged is not None
    assert alone.judged.outcome is Outcome.DIFFERENT
    among = compared(tmp_path, table(["0.900"] * 20), table(["0.869"] + ["0.901"] * 19)).cells[0]
    assert among.judged is not None
    assert among.measured == alone.measured
    assert among.judged.outcome is Outcome.INDISTINGUISHABLE


def test_areas_on_sets_of_other_sizes_have_no_interval(tmp_path):
    found = compared(tmp_path, "m,auc,p,n\nx,0.9,10,10\n", "m,auc,p,n\nx,0.8,20,20\n")
    assert found.cells[0].measured is None


def test_given_sizes_stand_in_for_missing_ones_only(tmp_path):
    (tmp_path / "t.csv").write_text("m,acc,p,n\nx,0.9,,\ny,0.9,5,6\n")
    table, _ = read_pair(tmp_path / "t.csv", tmp_path / "t.csv")
    sizes = [row.sizes.total for row in with_sizes(table, 49, 80).rows]
    assert sizes == [129, 11]


# --- files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "method,f1,auc\nours,0.930,NA\n"),
        ("t.tsv", "method\tf1\tauc\nours\t0.930\tNA\n"),
        ("t.toml", '[[rows]]\nmethod = "ours"\nf1 = 0.930\nauc = "NA"\n'),
        ("t.json", '[{"method": "ours", "f1": 0.930, "auc": "NA"}]'),
        ("t.yaml", "- method: ours\n  f1: 0.930\n  auc: NA\n"),
    ],
)
def test_every_text_format_keeps_the_printed_digits(tmp_path, name: str, text: str):
    (tmp_path / name).write_text(text)
    table, _ = read_pair(tmp_path / name, tmp_path / name)
    assert table.rows[0].cells == {"f1": Measured("0.930"), "auc": Gap.NOT_APPLICABLE}


def test_a_data_frame_says_that_it_keeps_no_final_zeros(tmp_path):
    import polars as pl

    pl.DataFrame({"method": ["ours", "theirs"], "f1": [0.93, None]}).write_parquet(tmp_path / "t.parquet")
    table, _ = read_pair(tmp_path / "t.parquet", tmp_path / "t.parquet")
    assert [row.cells["f1"] for row in table.rows] == [Measured("0.93"), Gap.MISSING]
    assert "final zeros" in table.left_out[0]


def test_a_spreadsheet_gives_what_its_csv_gives(tmp_path):
    rows: list[list[str | int]] = [["method", "right", "f1"], ["ours", 93, "0.930"], ["theirs", "NA", "-"]]
    sheet = workbook(tmp_path / "t.xlsx", rows, sheets=2)
    table, _ = read_pair(sheet, sheet)
    assert table.names == ("method",)
    assert table.rows[0].cells == {"right": Measured("93"), "f1": Measured("0.930")}
    assert table.rows[1].cells == {"right": Gap.NOT_APPLICABLE, "f1": Gap.MISSING}
    assert "only the first sheet" in table.left_out[0]


def test_a_spreadsheet_that_unpacks_to_too_much_is_refused(tmp_path):
    import zipfile

    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (130 * 1024 * 1024))
    with pytest.raises(InputError, match="is too large"):
        read_pair(tmp_path / "bomb.xlsx", tmp_path / "bomb.xlsx")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has no rows"),
        ("m,f1\n", "has no rows"),
        ("m,f1\nx,good\ny,0.9\n", "is no number"),
        ("m,f1\nx,1e999\n", "too large a number"),
        ("m,f1\nx,0.9\nx,0.8\n", 'row "x" is there twice'),
        ("m,m,f1\nx,x,0.9\n", 'column "m" is there twice'),
        ("m,f1\nx,0.9,0.8\n", "3 cells for 2 columns"),
        ('m,f1\nx,"0.9\n', "broken CSV"),
        ("a,b\n1,2\n", "cannot be joined by name"),
        ("m,k\nx,y\n", "no column with results"),
        ("m,f1\n-,0.9\nx,0.8\n", "the row has no name"),
        ("m,f1,f1_runs\nx,0.9,-3\n", "is negative"),
        ("m,f1,p,n\nx,0.9,ten,3\n", "is not a number"),
    ],
)
def test_a_table_that_cannot_be_understood_is_told(tmp_path, text: str, told: str):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InputError, match=told) as caught:
        read_pair(tmp_path / "t.csv", tmp_path / "t.csv")
    assert "t.csv" in caught.value.where


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.toml", "a = ["),
        ("t.json", "[" * 100_000),
        ("t.json", '{"a": 1}'),
        ("t.json", "{"),
        ("t.yaml", "- a: &x [*x]"),
        ("t.xlsx", "no spreadsheet"),
        ("t.exe", "MZ"),
    ],
)
def test_a_broken_file_is_an_input_error(tmp_path, name: str, text: str):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError):
        read_pair(tmp_path / name, tmp_path / name)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([".csv", ".toml", ".json", ".yaml"]),
    st.one_of(st.text(max_size=60), st.text(alphabet='m,f1\n"0.9-[]{}:= x%±&*', max_size=60)),
)
def test_no_text_at_all_gives_more_than_an_input_error(suffix: str, text: str):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t{suffix}"
        path.write_text(text, encoding="utf-8", errors="replace")
        try:
            table, _ = read_pair(path, path)
        except InputError:
            return
    assert compare_results(table, table).unmatched == []


def test_a_vast_table_is_refused(tmp_path):
    (tmp_path / "t.csv").write_text("m,f1\n" + "".join(f"r{i},0.1\n" for i in range(150_000)))
    with pytest.raises(InputError, match="more than 200,000 cells"):
        read_pair(tmp_path / "t.csv", tmp_path / "t.csv")


def test_an_unknown_column_to_join_by_is_told_with_the_nearest(tmp_path):
    (tmp_path / "t.csv").write_text("method,f1\nx,0.9\n")
    with pytest.raises(InputError, match='Did you mean "method"'):
        read_pair(tmp_path / "t.csv", tmp_path / "t.csv", ("metod",))


# --- at the command line ----------------------------------------------------------------------------


def test_the_impossible_row_is_named_and_the_comparison_told(tmp_path, capsys):
    folder = tmp_path / "fell"
    assert main(["study", "example", str(folder), "--results"]) == 0
    tables = [str(folder / "original.csv"), str(folder / "reproduced.csv")]
    assert main(["study", "compare", *tables, "-o", str(tmp_path / "c.html"), "-o", str(tmp_path / "c.json")]) == 1
    told = json.loads((tmp_path / "c.json").read_text())
    [finding] = told["findings"]
    assert (finding["code"], finding["subject"]) == ("S101", "reproduced: Wang / slide / Cam16 / test")
    assert (tmp_path / "c.html").read_text().count("<figure") == 1


def test_sizes_can_be_given_for_tables_without_them(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("method,accuracy,recall,specificity\nx,0.90,0.80,0.80\n")
    table = str(tmp_path / "t.csv")
    assert main(["study", "compare", table, table]) == 0
    assert main(["study", "compare", table, table, "--sizes", "100,200"]) == 1
    assert "S101" in capsys.readouterr().out
    assert main(["study", "compare", table, table, "--sizes", "many"]) == 2


def test_a_row_that_cannot_be_tested_is_still_compared(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("method,accuracy,recall,p,n\nx,93.1,0.9,100,100\ny,93 %,0.9,100,100\n")
    table = str(tmp_path / "t.csv")
    assert main(["study", "compare", table, table]) == 0
    out = capsys.readouterr().out
    assert "original: x: whether its scores can be true" in " ".join(out.split())
    assert "identical" in out
