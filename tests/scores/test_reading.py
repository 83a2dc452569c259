"""Files and words → experiments: what is understood, and how bad input is refused."""

import contextlib
import json
from fractions import Fraction

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.scores.conventions import Undefined
from assay.scores.exact import Interval
from assay.scores.experiment import Aggregation, FoldModel
from assay.scores.reading import read_file, read_words
from assay.scores.study import study_schema

TOML = """
rounding = "down"

[[experiment]]
name = "first"
p = 100
n = 200
scores = { acc = 0.940, sens = "93.0%" }

[[experiment]]
p = 10
n = 20
folds = 5
fold_model = "stratified"
[experiment.scores]
recall = { mean = 0.90, sd = 0.05, min = 0.5, max = 1.0 }
"""


def write(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refusal(call):
    with pytest.raises(InputError) as caught:
        call()
    return str(caught.value)


def test_words_give_sizes_scores_and_settings():
    words = "p=100 n=200 folds=5 aggregation=mean acc=0.94 acc_sd=0.02 F1-score=90%"
    experiment = read_words(words.split())
    dataset = experiment.datasets[0]
    assert (dataset.whole.p, dataset.whole.n, dataset.folding.k) == (100, 200, 5)
    assert dataset.aggregation is Aggregation.MEAN
    acc, f1 = experiment.reported
    assert (acc.score.name, acc.printed, acc.sd) == ("acc", "0.94", Interval(Fraction("0.015"), Fraction("0.025")))
    assert (f1.name, f1.score.name) == ("F1-score", "f1")


def test_a_complement_becomes_its_score():
    (fpr,) = read_words(["p=1", "n=20", "fpr=0.1"]).reported
    assert fpr.score.name == "spec"
    assert fpr.interval == Interval(Fraction("0.85"), Fraction("0.95"))


def test_extremes_of_a_complement_change_places():
    words = ["p=10", "n=20", "folds=2", "err=0.2", "err_min=0.1", "err_max=0.3"]
    (err,) = read_words(words).reported
    assert err.minimum == Interval(Fraction("0.65"), Fraction("0.75"))
    assert err.maximum == Interval(Fraction("0.85"), Fraction("0.95"))


def test_synonyms_are_kept_side_by_side_not_overwritten():
    experiment = read_words(["p=10", "n=20", "sens=0.9", "recall=0.8", "fnr=0.3"])
    assert [r.score.name for r in experiment.reported] == ["sens"] * 3


def test_toml_keeps_printed_digits_defaults_and_lines(tmp_path):
    first, second = read_file(write(tmp_path, "study.toml", TOML))
    assert first.reported[0].interval == Interval(Fraction("0.940"), Fraction("0.941"), hi_open=True)
    assert first.location.line == 4
    assert first.location.end_line == 9
    assert second.name == "experiment 2"
    assert second.datasets[0].folding.model is FoldModel.STRATIFIED
    assert second.reported[0].minimum.lo == Fraction("0.5")


def test_json_and_yaml_say_the_same_as_toml(tmp_path):
    text = '{"experiment": [{"name": "a", "p": 10, "n": 20, "scores": {"acc": 0.940}}]}'
    yaml = "experiment:\n  - name: a\n    p: 10\n    n: 20\n    scores:\n      acc: 0.940\n"
    (from_json,) = read_file(write(tmp_path, "s.json", text))
    (from_yaml,) = read_file(write(tmp_path, "s.yaml", yaml))
    assert from_json.reported == from_yaml.reported
    assert from_json.reported[0].interval == Interval(Fraction("0.9395"), Fraction("0.9405"))
    assert from_yaml.location.line == 2


def test_a_file_may_hold_one_experiment_without_ceremony(tmp_path):
    (only,) = read_file(write(tmp_path, "s.toml", "p = 1\nn = 2\nscores = {acc = 0.67}\n"))
    assert only.datasets[0].whole.n == 2


def test_csv_has_one_experiment_a_row_and_empty_cells_are_not_reported(tmp_path):
    rows = "name,p,n,undefined,acc,sens,acc_sd,folds\nA,10,20,zero,0.90,,,\nB,10,20,,,0.5,,\nC,10,20,,0.9,,0.1,5\n"
    a, b, c = read_file(write(tmp_path, "s.csv", rows))
    assert [r.name for r in a.reported] == ["acc"]
    assert a.undefined is Undefined.ZERO
    assert [r.name for r in b.reported] == ["sens"]
    assert c.reported[0].sd is not None
    assert c.location.line == 4


def test_one_fold_is_the_test_set_itself():
    for words in ("folds=1", ""):
        assert read_words(f"p=10 n=20 acc=0.9 {words}".split()).one_test_set


def test_listed_folds_and_several_sets(tmp_path):
    text = """
    [[experiment]]
    folds = [{p = 1, n = 2}, {p = 2, n = 1}]
    scores = {acc = 0.5}
    [[experiment]]
    sets = [{p = 1, n = 2}, {p = 2, n = 1}]
    aggregation = "mean"
    scores = {acc = 0.5}
    [[experiment]]
    datasets = [{p = 10, n = 20, folds = 5}, {p = 3, n = 3}]
    scores = {acc = 0.5}
    """
    folds, sets, datasets = read_file(write(tmp_path, "s.toml", text))
    assert (folds.datasets[0].whole.p, folds.datasets[0].whole.n) == (3, 3)
    assert len(folds.datasets[0].folding.listed) == 2
    assert [d.whole.p for d in sets.datasets] == [1, 2]
    assert sets.aggregation is Aggregation.MEAN
    assert datasets.datasets[0].folding.k == 5


@pytest.mark.parametrize(
    ("words", "needles"),
    [
        ("p=ten n=20 acc=0.9", ['"p"', "ten", "not a whole number", "Write digits"]),
        ("p=-1 n=20 acc=0.9", ['"p"', "is too small", "Give 0 or more"]),
        ("p=1.5 n=20 acc=0.9", ['"p"', "not a whole number"]),
        ("p=10 n=20", ["no score is given"]),
        ("p=0 n=0 acc=0.9", ["empty"]),
        ("p=10 n=20 acuracy=0.9", ["acuracy", "accuracy"]),
        ("p=10 n=20 acc=0.9 acc=0.8", ["twice"]),
        ("p=10 n=20 p=11 acc=0.9", ["twice"]),
        ("p=10 n=20 acc=95.3", ["95.3%?"]),
        ("p=10 n=20 acc=nan", ["nan", "not a number"]),
        ("p=10 n=20 acc=0.9 eps=0", ["eps", "between 0 and 1"]),
        ("p=10 n=20 acc=0.9 eps=-0.1", ["eps"]),
        ("p=10 n=20 acc=0.9 folds=0", ["at least 1 fold"]),
        ("p=10 n=20 acc=0.9 folds=five", ['"folds" =', "is not a whole number"]),
        ("p=10 n=20 acc=0.9 folds=31", ["more folds than items"]),
        ("p=10 n=20 acc=0.9 repeats=3", ["repeats without folds"]),
        ("p=10 n=20 acc=0.9±0.1", ["spread needs several folds"]),
        ("p=10 n=20 setup=tpehg acc=0.9", ["given together"]),
        ("p=10 n=20 rounding=sideways acc=0.9", ["rounding", "nearest"]),
        ("p=10 n=20 acc_sd=0.1 folds=5", ["acc", "no value"]),
        ("p=10 n=20 =0.9", ["name=value"]),
        ("p=9999999999999999999 n=20 acc=0.9", ['"p"']),
    ],
)
def test_bad_words_are_refused_with_what_is_wrong_and_a_guess(words, needles):
    message = refusal(lambda: read_words(words.split()))
    for needle in needles:
        assert needle in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "text", "needle"),
    [
        ("s.toml", "", "is empty"),
        ("s.toml", "p = ", "not valid TOML"),
        ("s.toml", "[[experiment]]\np=1\nn=1\nscore={acc=0.5}", 'Did you mean "scores"?'),
        ("s.toml", "[[experiment]]\np=1\nn=1\nscores={acc=0.5}\n[[experiments]]\n", 'Did you mean "experiment"?'),
        ("s.json", "{", "not valid JSON"),
        ("s.json", '{"p": 1, "p": 2}', "twice"),
        ("s.json", "[" * 100_000, "nested too deeply"),
        ("s.toml", "[[experiment]]\np=1\nn=1\nacc=0.5\n", 'Put it among the scores: scores = { acc = "0.5" }.'),
        ("s.json", "[]", "table of keys and values"),
        ("s.json", '{"experiment": []}', "at least 1"),
        ("s.yaml", "a: [", "not valid YAML"),
        ("s.yaml", "p: 1\np: 2", "twice"),
        ("s.yaml", "a: &x [1]\nb: *x", "aliases"),
        ("s.yaml", "[" * 5_000, "nested too deeply"),
        ("s.yaml", "a: !!python/object:os.system x", "not valid YAML"),
        ("s.yaml", "\x00", "not valid YAML"),
        ("s.csv", "p,n,acc\n1,2\n", "2 cells for 3 columns"),
        ("s.csv", 'p,n,acc\n1,"2', "not valid CSV"),
        ("s.csv", "p,n,acuracy\n1,2,0.5\n", "no column holds a score"),
        ("s.csv", "p,n,acc\n1,2,abc\n", "s.csv:2"),
        ("s.xlsx", "x", "cannot be read as Excel"),
        ("s.doc", "x", "unknown file ending"),
    ],
)
def test_bad_files_are_refused_with_the_place(tmp_path, name, text, needle):
    path = write(tmp_path, name, text)
    assert needle in refusal(lambda: list(read_file(path)))


def test_a_missing_file_a_folder_and_binary_junk_are_refused(tmp_path):
    assert "cannot be read" in refusal(lambda: read_file(tmp_path / "none.toml"))
    assert "is a folder" in refusal(lambda: read_file(tmp_path))
    junk = tmp_path / "junk.toml"
    junk.write_bytes(b"\x80\x81\xff")
    assert "UTF-8" in refusal(lambda: read_file(junk))


def test_utf16_and_byte_order_marks_are_read(tmp_path):
    for encoding in ("utf-16", "utf-8-sig"):
        path = tmp_path / "s.toml"
        path.write_text("p = 1\nn = 2\nscores = {acc = 0.67}\n", encoding=encoding)
        assert len(list(read_file(path))) == 1


def test_an_error_inside_an_experiment_names_file_line_and_experiment(tmp_path):
    path = write(tmp_path, "s.toml", TOML.replace('sens = "93.0%"', 'snes = "93.0%"'))
    message = refusal(lambda: list(read_file(path)))
    assert "s.toml:4" in message
    assert "first" in message
    assert 'Did you mean "sens"?' in message


def test_the_published_schema_accepts_what_we_read(tmp_path):
    document = {"experiment": [{"p": 10, "n": 20, "folds": 5, "scores": {"acc": "0.94", "sens": {"mean": "0.9"}}}]}
    jsonschema.validate(document, study_schema())
    assert len(list(read_file(write(tmp_path, "s.json", json.dumps(document))))) == 1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"experiment": [{"scores": {}, "folds": "many"}]}, study_schema())


@given(st.text(max_size=200), st.sampled_from(["s.toml", "s.yaml", "s.json", "s.csv"]))
def test_arbitrary_text_is_read_or_refused_never_a_crash(tmp_path_factory, text, name):
    path = tmp_path_factory.mktemp("fuzz") / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with contextlib.suppress(InputError):
        list(read_file(path))


@pytest.mark.parametrize(
    "word", ["acc=0.8 eps=0.{}", "acc=0.{}", "acc=0.8 acc_sd=0.{}", "acc=0.8±0.{}", "acc=[0.1,0.{}]"]
)
def test_numbers_longer_than_python_converts_are_refused_in_words(word):
    with pytest.raises(InputError, match="characters are no score"):
        read_words(f"p=100 n=200 {word}".format("9" * 5000).split())
