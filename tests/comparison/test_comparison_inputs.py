"""Tables and columns as people have them, and what is said when they cannot be used."""

import numpy as np
import polars as pl
import pytest

from assay.comparison import compare_models
from assay.comparison.coverage import measured_coverage
from assay.comparison.permutation import permutation_p
from assay.comparison.prediction_files import Columns, folds_of, read_predictions, read_table
from assay.comparison.predictions import outcomes, predictions_of
from assay.comparison.results import Method
from assay.errors import InputError
from made_workbook import workbook

Y = [1, 1, 1, 0, 0, 0]
A, B = [0.9, 0.8, 0.3, 0.4, 0.2, 0.1], [0.6, 0.7, 0.4, 0.5, 0.3, 0.2]


@pytest.fixture
def table(tmp_path):
    def write(text, name="predictions.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    "values",
    [
        [1, 0, 1],
        [1.0, 0.0, 1.0],
        [True, False, True],
        [1, -1, 1],
        ["1", "0", "1"],
        ["True", "False", "True"],
        np.array([1, 0, 1], dtype=np.uint8),
    ],
)
def test_usual_outcomes_speak_for_themselves(values):
    positive, known = outcomes(values)
    assert positive.tolist() == [True, False, True]
    assert known.all()


def test_other_outcomes_need_a_word_which_is_positive():
    assert outcomes(["war", "peace", None], "war")[0].tolist() == [True, False, False]
    assert outcomes(["war", "peace", None], "war")[1].tolist() == [True, True, False]
    assert outcomes([1, 2, 3, 2], 2)[0].tolist() == [False, True, False, True]
    assert outcomes([1.0, np.nan, 0.0])[1].tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("values", "positive", "said"),
    [
        ([0, 1, 2], None, r"not binary: it has 3 values \(0, 1, 2\)"),
        ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], None, "it has 7 values .*…"),
        (["yes", "no"], None, "not clear which outcome is positive: no, yes. Say so with --positive"),
        ([1, 2], None, "not clear which outcome"),
        ([0, 1], 7, 'no outcome is "7"'),
        ([[0, 1], [1, 0]], None, "not one column"),
        (np.array([[0], [1, 2]], dtype=object), None, "not single values"),
    ],
)
def test_unclear_outcomes_are_refused(values, positive, said):
    with pytest.raises(InputError, match=said):
        outcomes(values, positive)


@pytest.mark.parametrize(
    ("y", "scores", "said"),
    [
        ([1, 1, 1], {"a": [1, 2, 3]}, "all 3 outcomes are positive"),
        ([0, 0], {"a": [1, 2]}, "all 2 outcomes are negative"),
        ([], {"a": []}, "no row with both"),
        ([1, 0], {"a": [np.nan, np.nan]}, "no row with both"),
        ([1, 0], {"a": [1, 2, 3]}, "3 scores for 2 outcomes"),
        ([1, 0], {"a": ["x", "y"]}, "are not numbers"),
        ([1, 0], {}, "no model"),
        ([1, 0], {1: [1, 2], "1": [2, 1]}, "same name"),
        ([1, 0], {f"m{i}": [1, 2] for i in range(101)}, "101 models are more than 100"),
    ],
)
def test_unusable_predictions_are_refused(y, scores, said):
    with pytest.raises(InputError, match=said):
        compare_models(y, scores)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"resamples": 5}, "too few"),
        ({"resamples": -1}, "resamples"),
        ({"level": 1.0}, "level of 1.0"),
        ({"seed": -1}, "seed"),
        ({"claim": "aa"}, 'Did you mean "a"'),
        ({"measures": ("acu",)}, 'Did you mean "auc"'),
        ({"thresholds": {"c": 0.5}}, "which is no model"),
        ({"last_outcome": True}, "needs groups and times"),
        ({"groups": [1, 2]}, "2 values for 6"),
        ({"groups": [1, 2, None, 1, 1, 1]}, "has gaps"),
        ({"groups": np.array([1, "a", 2, 1, 1, 1], dtype=object)}, "mixes kinds"),
    ],
)
def test_unusable_settings_are_refused(words, said):
    with pytest.raises(InputError, match=said):
        compare_models(Y, {"a": A, "b": B}, **words)


def test_rows_with_gaps_are_left_out_and_counted():
    found = compare_models([*Y, None, 1], {"a": [*A, 0.5, None]}, resamples=0)
    assert found.source.y.size == 6
    assert found.left_out[0] == "2 of 8 rows: the outcome or a model's score is missing"


def test_scores_beyond_probabilities_have_no_brier_score_and_no_threshold():
    found = compare_models(Y, {"logit": [2.0, -1, 1, 0, -2, 1.5], "b": B}, resamples=0)
    measures = {e.measure.name for e in found.estimates if e.model == "logit"}
    assert measures == {"auc", "auc_smooth", "ap"}
    assert any("logit: no Brier score and no log-loss, for scores from -2 to 2" in s for s in found.left_out)
    at_zero = compare_models(Y, {"logit": [2.0, 1, -1, 0, -2, -3]}, resamples=0, threshold=0.0)
    assert at_zero.estimate("logit", "acc").value == pytest.approx(4 / 6)
    with pytest.raises(InputError, match="none of these scores has a value: brier"):
        compare_models(Y, {"logit": [2.0, 1, -1, 0, -2, -3]}, measures=("brier",))


def test_a_certain_and_wrong_probability_makes_the_log_loss_infinite_and_is_told():
    found = compare_models(Y, {"a": [0.0, *A[1:]]}, resamples=0)
    assert "logloss" not in {e.measure.name for e in found.estimates}
    assert any("infinite: 1 outcomes had the probability 0" in s for s in found.left_out)


def test_one_positive_gives_scores_but_no_certainty():
    found = compare_models([1, 0, 0, 0], {"a": [4, 1, 2, 3], "b": [1, 2, 3, 4]})
    assert found.estimate("a", "auc").value == 1.0
    assert all(e.interval is None for e in found.estimates)
    assert [d for d in found.differences if d.measure.name.startswith("auc")] == []
    assert any("a class has one row only" in s for s in found.left_out)
    assert "No interval could be given." in repr(found)


def test_perfect_and_constant_scores_are_not_called_certain():
    found = compare_models(Y, {"perfect": [6, 5, 4, 3, 2, 1], "constant": [0.5] * 6}, resamples=200)
    assert found.estimate("perfect", "auc").value == 1.0
    assert found.estimate("constant", "auc").value == 0.5
    perfect = found.estimate("perfect", "auc")
    assert perfect.method is Method.SEPARATED
    assert perfect.interval.low == pytest.approx(0.025 ** (1 / 3))  # three of three positives
    assert perfect.interval.high == 1.0
    assert found.estimate("constant", "auc").interval is None
    assert found.between("auc", Method.DELONG) == ()
    [difference] = found.between("auc", Method.PERMUTATION)
    assert difference.statistic is None
    assert 0.02 < difference.p < 0.05  # 2 of the 64 ways to exchange six rows
    assert any("constant: no interval of the AUC" in s for s in found.left_out)
    assert any("constant: smoothed AUC has no value" in s for s in found.left_out)


def test_a_share_of_none_has_an_interval_that_is_not_nothing():
    found = compare_models(Y, {"a": A}, resamples=200, threshold=0.95, measures=("sens", "ppv"))
    assert found.estimate("a", "sens").interval.high > 0.5
    assert any("precision has no value" in s for s in found.left_out)


def test_last_outcome_looks_back_only_within_the_group_and_over_gaps():
    table = {
        "unit": ["A", "A", "A", "A", "B", "B", "B"],
        "year": [2003, 2001, 2002, 2004, 2001, 2002, 2003],
        "y": [1, 0, None, 0, 1, 1, 0],
    }
    found = predictions_of(table["y"], {"a": range(7)}, groups=table["unit"], times=table["year"], last_outcome=True)
    # Rows without a past (A 2001, B 2001) get the commoner outcome; A 2003 looks back over the unknown 2002.
    assert found.scores["last outcome"].tolist() == [0, 0, 1, 0, 1, 1]
    assert "2 rows have no earlier outcome" in found.left_out[0]


def test_infinite_scores_rank_as_the_highest_and_the_lowest():
    found = compare_models(Y, {"a": [np.inf, 2.0, -1.0, 0.0, 1.0, -np.inf]}, resamples=100)
    assert found.estimate("a", "auc").value == pytest.approx(7 / 9)
    assert "brier" not in {e.measure.name for e in found.estimates}


def test_a_column_of_true_and_false_may_be_a_model(table):
    path = table("y,rule\n1,true\n0,false\n0,true\n")
    assert read_predictions([path], Columns(scores=("rule",))).scores["rule"].tolist() == [1, 0, 1]


def test_last_outcome_refuses_two_rows_for_one_time():
    with pytest.raises(InputError, match=r"2 rows share their group and time.*year,month"):
        predictions_of([1, 0, 1, 0], {}, groups=[1, 1, 1, 1], times=[1, 1, 2, 2], last_outcome=True)


# --- files -----------------------------------------------------------------------------------------


def test_csv_parquet_and_feather_read_alike(tmp_path):
    frame = pl.DataFrame({"y": Y, "a": A, "b": B, "name": list("uvwxyz")})
    frame.write_csv(tmp_path / "p.csv")
    frame.write_csv(tmp_path / "p.tsv", separator="\t")
    frame.write_parquet(tmp_path / "p.parquet")
    frame.write_ipc(tmp_path / "p.feather")
    for ending in ("csv", "tsv", "parquet", "feather"):
        found = read_predictions([tmp_path / f"p.{ending}"], Columns())
        assert found.models == ("a", "b")
        assert found.scores["a"].tolist() == A


def test_times_of_several_columns_are_ordered_as_numbers(table):
    path = table("y,a,g,year,month\n1,1,u,2001,10\n0,1,u,2001,9\n0,1,u,2000,12\n")
    found = read_predictions([path], Columns(group=("g",), time=("year", "month")))
    assert found.times.tolist() == [2, 1, 0]
    assert found.models == ("a",)


def test_files_about_the_same_rows_are_put_side_by_side(table):
    first = table("id,y,p\n1,1,0.9\n2,0,0.3\n3,0,0.2\n", "one.csv")
    same_order = table("id,y,p\n1,1,0.8\n2,0,0.4\n3,0,0.1\n", "two.csv")
    found = read_predictions([first, same_order], Columns(scores=("p",)))
    assert found.models == ("p", "two: p")
    other_order = table("id,y,q\n3,0,0.1\n1,1,0.8\n2,0,0.4\n", "three.csv")
    paired = read_predictions([first, other_order], Columns(key=("id",)))
    assert paired.scores["q"].tolist() == [0.8, 0.4, 0.1]
    with pytest.raises(InputError, match=r"not those of the first file.*--key"):
        read_predictions([first, other_order], Columns(scores=("p", "q")))
    contradicts = table("id,y,q\n3,1,0.1\n1,1,0.8\n2,0,0.4\n", "four.csv")
    with pytest.raises(InputError, match="not those of the first file"):
        read_predictions([first, contradicts], Columns(key=("id",)))


@pytest.mark.parametrize(
    ("text", "columns", "said"),
    [
        ("", Columns(), "is empty"),
        ("y,a\n", Columns(), "no rows"),
        ("y,a,a\n1,1,2\n", Columns(), 'two columns are called "a"'),
        ("Y,a\n1,1\n", Columns(), r'no column "y".*Did you mean "Y"'),
        ("y,a\n1,1\n0,2\n", Columns(scores=("b",)), 'no column "b"'),
        ("y,a\n1,x\n0,2\n", Columns(scores=("a",)), "not of numbers .it holds 'x'"),
        ("y,a\n1,x\n0,z\n", Columns(), "no column of scores"),
        ("y,a,g\n1,1,\n0,2,u\n", Columns(group=("g",)), 'column "g" has gaps'),
        ("y,a\n1,1\n0,2,3,4\n", Columns(), "4 cells for 2 columns"),
    ],
)
def test_tables_that_cannot_be_used_are_refused_with_a_reason(table, text, columns, said):
    with pytest.raises(InputError, match=said):
        read_predictions([table(text)], columns)


def test_what_is_no_table_is_refused(tmp_path, table):
    for path in (tmp_path, tmp_path / "none.csv", table("PAR1 not really", "x.parquet"), table("no", "x.feather")):
        with pytest.raises(InputError, match=r"is a folder|cannot be read"):
            read_table(path)
    binary = tmp_path / "binary.csv"
    binary.write_bytes(bytes(range(256)) * 20)
    with pytest.raises(InputError):
        read_predictions([binary], Columns())


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("fold,a\n1,0.5\n1,0.6\n", {}, "another row names.*--repeat"),
        ("fold,a\n1,x\n", {}, "no column of scores"),
        ("rep,fold,a\n1,1,0.5\n1,2,0.5\n2,1,0.5\n", {"repeat": "rep"}, "same number of folds"),
        ("rep,fold,a\n1,1,0.5\n2,1,0.5\n", {"repeat": "rep"}, "--test-share"),
        ("k,a\n1,0.5\n", {}, 'no column "fold"'),
    ],
)
def test_tables_of_folds_that_cannot_be_used_are_refused(table, text, words, said):
    with pytest.raises(InputError, match=said):
        folds_of(read_table(table(text)), where="folds.csv", fold="fold", **words)


def test_folds_are_read_in_the_order_of_their_names(table):
    path = table("rep,fold,a,b\n2,1,5,0\n1,2,3,0\n1,1,2,0\n2,2,7,0\n")
    found = folds_of(read_table(path), where="", fold="fold", repeat="rep", measure="auc")
    assert found.scores[:, :, 0].tolist() == [[2, 3], [5, 7]]
    assert found.measure.label == "AUC"
    assert found.test_share == 0.5


def test_a_spreadsheet_gives_what_its_csv_gives(table, tmp_path):
    rows = [["y", "a", "b"], [1, 9, 4], [0, 2, 6], [1, 7, 8], [0, 1, 3]]
    sheet = read_predictions([workbook(tmp_path / "x.xlsx", rows)], Columns())
    plain = read_predictions([table("".join(",".join(map(str, row)) + "\n" for row in rows))], Columns())
    assert sheet.y.tolist() == plain.y.tolist() == [True, False, True, False]
    assert {k: v.tolist() for k, v in sheet.scores.items()} == {"a": [9, 2, 7, 1], "b": [4, 6, 8, 3]}


def test_a_perfect_model_is_compared_without_a_standard_error():
    """DeLong's formula gave Z = 4.83 here, with no interval of the perfect model beside it."""
    draw = np.random.default_rng(0)
    y = np.repeat([1, 0], [12, 60])
    found = compare_models(
        y, {"perfect": y + 0.1 * draw.random(72), "weak": y + 2 * draw.normal(size=72)}, resamples=200
    )
    [difference] = found.decisive()
    assert difference.method is Method.PERMUTATION
    assert difference.statistic is None
    assert difference.p < 0.05
    assert difference.interval.low < difference.value < difference.interval.high


def test_eleven_positives_come_with_the_measured_coverage():
    assert measured_coverage(11, 0.85) == (0.832, 11, 0.9)
    assert measured_coverage(2, 0.99) == (0.659, 5, 0.95)
    assert measured_coverage(12, 0.15)[1:] == (11, 0.9)


@pytest.mark.parametrize("seed", range(5))
def test_exchanging_equal_models_sees_no_difference(seed):
    draw = np.random.default_rng(seed)
    y = np.arange(30) % 3 == 0
    scores = draw.normal(size=30)
    assert permutation_p(y, scores, scores.copy(), one_sided=False) == 1.0


def test_a_column_of_text_is_named_as_no_model(tmp_path):
    (tmp_path / "p.csv").write_text("y,a,site\n" + "".join(f"{i % 2},0.{i},north\n" for i in range(1, 30)))
    found = read_predictions([tmp_path / "p.csv"], Columns())
    assert list(found.scores) == ["a"]
    assert 'column "site" is not of numbers, so it is no model' in found.left_out


def test_a_slip_among_scores_is_refused_with_its_row(tmp_path):
    (tmp_path / "p.csv").write_text(
        "y,a,b\n" + "".join(f"{i % 2},0.{i},{'n/a?' if i == 20 else i}\n" for i in range(30))
    )
    with pytest.raises(InputError, match="'n/a\\?' in row 21 among numbers"):
        read_predictions([tmp_path / "p.csv"], Columns())


def with_beside(path, beside, seed=2, rows=300):
    """Outcomes, the scores of one model, and columns of whole numbers beside them."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 2, rows)
    frame = {"y": y, "model": (0.2 + 0.6 * y + 0.2 * draw.random(rows)).round(3)}
    pl.DataFrame(frame | beside(y, draw)).write_csv(path)
    return read_predictions([path], Columns())


@pytest.mark.parametrize(
    ("beside", "why"),
    [
        (lambda y, draw: {"country": draw.integers(1, 12, y.size)}, "order the outcome as any other order would"),
        (lambda y, draw: {"q7": np.where(y, 3, 5) * 100 + draw.integers(0, 3, y.size) % 2 * 400}, "as any other order"),
        (lambda y, draw: {"zeile": np.arange(y.size) + 40}, "only count the rows"),
        (lambda y, draw: {"release": np.full(y.size, 3)}, "only count the rows"),
    ],
)
def test_numbers_that_are_names_are_no_models_whatever_they_are_called(tmp_path, beside, why):
    found = with_beside(tmp_path / "p.csv", beside)
    assert found.models == ("model",)
    [said] = found.left_out
    assert why in said
    assert "--scores takes it for one" in said


def test_whole_numbers_that_rise_with_the_outcome_stay_models(tmp_path):
    def beside(y, draw):
        points = np.clip(np.round(5 + 2 * y + 2 * draw.normal(size=y.size)), 0, 10).astype(int)
        return {"heart": points, "reversed": 10 - points, "hard": np.where(draw.random(y.size) < 0.8, y, 1 - y)}

    found = with_beside(tmp_path / "p.csv", beside)
    assert found.models == ("model", "heart", "reversed", "hard")
    assert not found.left_out


def test_a_table_of_whole_numbers_alone_keeps_its_models(table):
    path = table("y,points\n1,3\n0,2\n1,2\n0,3\n1,1\n0,1\n")
    assert read_predictions([path], Columns()).models == ("points",)
