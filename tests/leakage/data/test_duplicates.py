"""Copies across the split are found, and coincidences are left alone."""

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st
from made_splits import cut, honest, split_from, table_from

from assay.findings import Confidence, Severity
from assay.leakage.data.duplicates import exact_copies, near_copies
from assay.leakage.data.neighbours import Neighbours


def copied(number=10, **changes):
    """An honest split in which some test rows are training rows again."""
    train, test = cut(honest())
    for name in train:
        test[name][:number] = train[name][:number]
    return train, {**test, **changes}


def test_an_honest_split_has_no_copies():
    split = split_from(*cut(honest()))
    assert not exact_copies(split).findings
    assert not near_copies(split).findings


def test_copied_rows_are_counted_and_named_with_their_partners():
    outcome = exact_copies(split_from(*copied()))
    [finding] = outcome.findings
    assert finding.code == "L1.4"
    assert finding.severity is Severity.ERROR
    assert finding.confidence is Confidence.HIGH
    assert "10 of 100 test rows (10.0 %)" in finding.message
    assert "label included" in finding.message
    [rows] = [r for r in outcome.rows if len(r.numbers)]
    assert rows.numbers.tolist() == list(range(1, 11))
    assert rows.partners.tolist() == list(range(1, 11))


def test_an_identifier_does_not_hide_the_copies():
    train, test = copied()
    train["row_id"], test["row_id"] = np.arange(300), np.arange(300, 400)
    [finding] = exact_copies(split_from(train, test)).findings
    assert "10 of 100" in finding.message


def test_copies_with_another_label_are_told_apart():
    train, test = copied()
    test["y"][:4] = 1 - train["y"][:4]
    outcome = exact_copies(split_from(train, test))
    assert "4 of them with another label" in outcome.findings[0].message
    assert [len(r.numbers) for r in outcome.rows] == [6, 4]


def test_equal_rows_of_coarse_columns_are_coincidence():
    draw = np.random.default_rng(0)
    coarse = {f"q{i}": draw.integers(0, 2, 400) for i in range(5)} | {"y": draw.integers(0, 2, 400)}
    split = split_from(*cut(coarse))
    assert not exact_copies(split).findings
    assert "chance" in exact_copies(split).line.result
    assert not near_copies(split).findings


def test_coarse_rows_with_dummies_of_their_categories_are_coincidence():
    """No two rows of such a table miss each other by one column, for dummies change with their category."""
    draw = np.random.default_rng(0)
    place, sort = draw.integers(0, 3, 160), draw.integers(0, 2, 160)
    dummies = {f"place{i}": (place == i).astype(int) for i in range(3)} | {"letter": sort, "card": 1 - sort}
    split = split_from(*cut({"place": place, "sort": sort, **dummies, "y": draw.integers(0, 2, 160)}))
    assert not exact_copies(split).findings
    assert "chance" in exact_copies(split).line.result


def test_copies_beside_dummies_are_found():
    train, test = copied()
    for part in (train, test):
        part["is_red"] = (part["colour"] == "red").astype(int)
    [finding] = exact_copies(split_from(train, test)).findings
    assert finding.severity is Severity.ERROR


def test_repeats_with_another_label_are_no_error_where_training_rows_repeat_as_often():
    """A product changes with both of its factors, so no row misses another by one column; yet these are other rows."""
    draw = np.random.default_rng(0)
    height, side = draw.integers(1, 8, 460), draw.integers(1, 12, 460)
    outcome = ((height + side > 9) ^ (draw.random(460) < 0.05)).astype(int)
    split = split_from(*cut({"height": height, "side": side, "both": height * side, "y": outcome}))
    assert all(f.severity is not Severity.ERROR for f in exact_copies(split).findings)


def test_round_wages_of_many_alike_workers_are_coincidence():
    """Each test row has some fifty training rows with its features: one of them earning the same proves nothing."""
    draw = np.random.default_rng(0)
    workers = {
        "age": draw.integers(25, 35, 4000),
        "degree": draw.integers(0, 2, 4000),
        "man": draw.integers(0, 2, 4000),
    }
    wages = draw.normal(20, 8, 4000).round(1)
    assert not exact_copies(split_from(*cut({**workers, "y": wages}))).findings


def test_rows_repeated_before_the_split_are_found_and_explained():
    whole = {k: np.concatenate([v, v]) for k, v in honest(200).items()}
    order = np.random.default_rng(0).permutation(400)
    split = split_from(*cut({k: v[order] for k, v in whole.items()}))
    [finding] = exact_copies(split).findings
    assert any("repeated before the split" in e.text for e in finding.evidence)


def test_a_table_that_is_not_split_is_searched_for_repeats():
    whole = {k: np.concatenate([v, v[:7]]) for k, v in honest(200).items()}
    [finding] = exact_copies(table_from(whole)).findings
    assert "7 of 207 rows" in finding.message
    assert not exact_copies(table_from(honest())).findings


def test_a_changed_cell_and_jittered_numbers_make_near_copies():
    train, test = copied(20)
    test["x3"][:10] = 99.0
    for name in ("x0", "x1", "x2", "x3", "x4", "x5"):
        test[name][10:20] += 1e-6
    split = split_from(train, test)
    assert not exact_copies(split).findings
    outcome = near_copies(split)
    [finding] = outcome.findings
    assert finding.confidence is Confidence.HIGH
    [rows] = outcome.rows
    assert rows.numbers.tolist() == list(range(1, 21))
    assert rows.partners.tolist() == list(range(1, 21))


def test_near_copies_throughout_the_table_are_less_certain():
    base = honest(200)
    again = {k: v.copy() for k, v in base.items()}
    again["x0"] = np.random.default_rng(5).normal(size=200)
    order = np.random.default_rng(0).permutation(400)
    split = split_from(*cut({k: np.concatenate([base[k], again[k]])[order] for k in base}))
    [finding] = near_copies(split).findings
    assert finding.confidence is Confidence.MEDIUM
    assert any("throughout the table" in e.text for e in finding.evidence)


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(0, 2))
def test_every_row_that_differs_in_at_most_k_cells_is_found(seed, differing):
    draw = np.random.default_rng(seed)
    train = draw.integers(0, 4, (30, 6))
    rows = draw.integers(0, 4, (12, 6))
    names = [f"c{i}" for i in range(6)]
    near = Neighbours(pl.DataFrame(train, names, orient="row"), 0.0, differing).near(
        pl.DataFrame(rows, names, orient="row")
    )
    truth = ((rows[:, None, :] != train[None, :, :]).sum(axis=2) <= differing).any(axis=1)
    assert near.within(differing).tolist() == truth.tolist()


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_a_near_row_is_never_invented(seed):
    draw = np.random.default_rng(seed)
    train, rows = draw.normal(size=(50, 5)), draw.normal(size=(20, 5))
    names = [f"c{i}" for i in range(5)]
    neighbours = Neighbours(pl.DataFrame(train, names, orient="row"), 0.3, 1)
    near = neighbours.near(pl.DataFrame(rows, names, orient="row"))
    allowed = np.array([neighbours.allowed[n] for n in names])
    found = near.within(1)
    for row, partner in zip(near.examined[found], near.nearest(1)[found], strict=True):
        assert (np.abs(rows[row] - train[partner]) > allowed).sum() <= 1


def test_copies_are_found_among_few_columns_too():
    draw = np.random.default_rng(0)
    train, test = cut({"a": draw.normal(size=400), "b": draw.normal(size=400), "y": draw.integers(0, 2, 400)})
    for name in train:
        test[name][:5] = train[name][:5]
    [finding] = exact_copies(split_from(train, test)).findings
    assert "5 of 100" in finding.message


def priced(rows=800, seed=0):
    """Houses described by five coarse columns, of which many are alike, with a price of their own each."""
    draw = np.random.default_rng(seed)
    rooms = draw.integers(1, 6, rows)
    house = {
        "lot": draw.integers(20, 60, rows) * 100,
        "rooms": rooms,
        "baths": np.clip(rooms // 2 + draw.integers(0, 2, rows), 1, 4),
        "storeys": draw.integers(1, 4, rows),
        "garage": draw.integers(0, 3, rows),
    }
    return house | {"y": (50_000 + 10_000 * rooms + draw.normal(0, 5_000, rows)).round(-2)}


def test_coarse_rows_with_other_outcomes_are_no_copies():
    split = split_from(*cut(priced()))
    assert "chance" in exact_copies(split).line.result
    assert not exact_copies(split).findings
    assert not near_copies(split).findings


def test_rows_that_agree_in_their_features_alone_are_a_note():
    train, test = copied(20)
    train["y"], test["y"] = np.arange(300) * 1.5, np.arange(300, 400) * 1.5
    [finding] = exact_copies(split_from(train, test)).findings
    assert finding.severity is Severity.NOTE


def test_one_row_among_a_thousand_is_a_note():
    train, test = cut(honest(4000))
    for name in train:
        test[name][:1] = train[name][:1]
    [finding] = exact_copies(split_from(train, test)).findings
    assert finding.severity is Severity.NOTE


def test_copies_into_the_test_part_of_a_coarse_table_are_found_by_their_number():
    draw = np.random.default_rng(0)
    coarse = {f"q{i}": draw.integers(0, 5, 4000) for i in range(6)} | {"y": draw.integers(0, 2, 4000)}
    train, test = cut(coarse)
    for name in train:
        test[name][:300] = train[name][:300]
    [finding] = exact_copies(split_from(train, test)).findings
    assert any("copied across the split" in e.text for e in finding.evidence)


def test_copies_among_coarse_rows_are_known_by_their_outcomes():
    train, test = cut(priced())
    for name in train:
        test[name][:10] = train[name][:10]
    [finding] = exact_copies(split_from(train, test)).findings
    assert finding.severity is Severity.WARNING
    assert "label included" in finding.message


def test_a_measurement_that_never_repeats_proves_copies_beside_a_coarse_column():
    draw = np.random.default_rng(0)
    train, test = cut({"a": draw.normal(size=400), "b": draw.integers(0, 9, 400), "y": draw.integers(0, 2, 400)})
    for name in train:
        test[name][:5] = train[name][:5]
    [finding] = exact_copies(split_from(train, test)).findings
    assert "5 of 100" in finding.message
