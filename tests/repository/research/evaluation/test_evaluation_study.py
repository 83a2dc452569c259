"""The study of many repositories, on small made-up sets whose answers are known."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.findings import Report
from assay.report import Format, render
from assay.repository.research.evaluation import Collection, collect, read_sheet, report_of
from assay.repository.research.evaluation.clusters import cluster
from assay.repository.research.evaluation.differences import differences
from assay.statistics import holm


def written(folder: Path, name: str, header: str, rows: Sequence[str]) -> Path:
    path = folder / name
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def two_kinds(many: int = 20) -> Collection:
    """Repositories of "a" score about 0.9 in x and 0.1 in y, those of "b" the other way round; z is chance."""
    chance = np.random.default_rng(1)
    high, low = chance.normal(0.9, 0.02, many), chance.normal(0.1, 0.02, many)
    scores = np.column_stack([np.r_[high, low], np.r_[low, high], chance.random(2 * many)])
    artefacts = {"README": (True,) * 2 * many, "licence": (True,) * many + (False,) * many}
    return Collection(("x", "y", "z"), scores, ("a",) * many + ("b",) * many, artefacts)


# --- collecting ------------------------------------------------------------------------------------


def test_columns_that_end_in_score_are_factors_and_a_group_column_is_found(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", "SCAD_score,SE score,pylint score,from_set", ["1,0,9,a", "0,1,8,b", "1,1,7,a"])
    found = collect([read_sheet(path)])
    assert (found.factors, found.groups) == (("SCAD", "SE"), ("a", "b", "a"))


def test_several_files_are_groups_by_their_names(tmp_path: Path) -> None:
    first = written(tmp_path, "first.csv", "x_score", ["1", "0"])
    second = written(tmp_path, "second.csv", "y_score,x_score", ["1,0.5", "1,0.5"])
    found = collect([read_sheet(first), read_sheet(second)])
    assert (found.factors, found.names) == (("x",), ("first", "second"))


def test_rows_written_by_the_tool_itself_are_understood(tmp_path: Path) -> None:
    header = "repository,commit,files,profile,errors,rules_pass,rules_fail,seeds,models,buildable,R101,R102"
    rows = [f"r{i},abc,3,default,0,4,2,0.{i},0.5,,pass,fail" for i in range(5)]
    found = collect([read_sheet(written(tmp_path, "r.csv", header, rows))])
    assert (found.factors, found.artefacts) == (("seeds", "models"), {})


def test_scores_are_computed_when_there_are_only_indicators(tmp_path: Path) -> None:
    header = "readme_lines,licences,open_licences,comment_ratio,declared,strict,public,seed_lines,fixed_seeds,models"
    rows = ["82,1,1,5,100,100,100,1,100,1", "0,0,0,50,0,0,0,0,0,0", "82,1,1,5,50,50,50,2,50,0"]
    found = collect([read_sheet(written(tmp_path, "r.csv", header, rows))])
    assert found.factors == ("SCAD", "SE", "DSA", "RSC", "MS", "HPL")
    assert found.scores[:, 1].tolist() == [1.0, 0.0, 0.5]
    assert found.scores[:, 3].tolist() == [1.0, 0.0, 0.5]
    assert found.artefacts["licence"] == (True, False, True)
    assert "configuration file" not in found.artefacts
    assert "computed from indicators" in found.left_out[-1]


def test_a_factor_that_many_lack_is_left_out_and_then_rows_with_gaps(tmp_path: Path) -> None:
    rows = ["1,,1"] * 5 + ["0,1,0"] * 5 + [",1,1"]
    found = collect([read_sheet(written(tmp_path, "r.csv", "x_score,y_score,z_score", rows))])
    assert (found.factors, len(found.groups)) == (("x", "z"), 10)
    assert [note.partition(":")[0] for note in found.left_out] == [
        "y",
        "1 repositories that lack a score of the other factors",
    ]


@pytest.mark.parametrize(
    ("header", "rows", "told"),
    [
        ("a,b", ["x,1", "y,2", "z,3"], "has no factor scores"),
        ("x_score", ["1", "0"], "too few"),
        ("x_score,group", [f"1,g{i}" for i in range(20)], "20 groups"),
    ],
)
def test_unfit_files_are_refused(tmp_path: Path, header: str, rows: list[str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        collect([read_sheet(written(tmp_path, "r.csv", header, rows))])


def test_files_without_a_common_factor_are_refused(tmp_path: Path) -> None:
    paths = [written(tmp_path, f"{n}.csv", f"{n}_score", ["1", "0"]) for n in "xy"]
    with pytest.raises(InputError, match="no factor in common"):
        collect([read_sheet(path) for path in paths])


# --- testing ---------------------------------------------------------------------------------------


def test_a_plain_difference_is_significant_and_chance_is_not() -> None:
    x, y, z = differences(two_kinds()).factors
    assert (x.significant, y.significant, z.significant) == (True, True, False)
    assert (x.effect, y.effect) == (1.0, -1.0)
    assert x.values[0].interval[0] < x.values[0].value < x.values[0].interval[1]


def test_what_all_have_does_not_differ_and_what_one_group_has_does() -> None:
    readme, licence = differences(two_kinds()).artefacts
    assert (readme.p, readme.significant) == (1.0, False)
    assert (licence.test, licence.significant, licence.effect) == ("Fisher", True, 1.0)


def test_fisher_agrees_with_the_tea_tasting() -> None:
    scores = np.zeros((8, 1))
    tea = Collection(
        ("x",), scores, ("milk",) * 4 + ("tea",) * 4, {"said": (True, True, True, False) + (False,) * 3 + (True,)}
    )
    [said] = differences(tea).artefacts
    assert said.p == pytest.approx(34 / 70)


def test_one_group_is_described_and_not_tested() -> None:
    found = differences(Collection(("x",), np.array([[0.0], [1.0], [1.0]]), ("all",) * 3, {"README": (True,) * 3}))
    assert (found.factors[0].p, found.artefacts[0].p) == (None, None)
    assert found.factors[0].values[0].value == pytest.approx(2 / 3)


def test_three_groups_are_tested_together() -> None:
    scores = np.array([[0.1], [0.2], [0.15], [0.5], [0.55], [0.6], [0.9], [0.95], [0.99]])
    groups = ("a",) * 3 + ("b",) * 3 + ("c",) * 3
    found = differences(Collection(("x",), scores, groups, {"licence": (True,) * 3 + (False,) * 6}))
    assert (found.factors[0].test, found.factors[0].effect) == ("Kruskal-Wallis", None)
    assert found.artefacts[0].test == "chi-squared"


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_lowers_a_p_value_and_keeps_their_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    assert all(adjusted[i] <= adjusted[j] for i, j in pairwise(order))


# --- clustering ------------------------------------------------------------------------------------


def test_two_kinds_are_found_and_where_they_come_from() -> None:
    found = cluster(two_kinds())
    assert sorted(one.size for one in found.clusters) == [20, 20]
    assert {one.origins for one in found.clusters} == {(("a", 20), ("b", 0)), (("a", 0), ("b", 20))}
    assert (found.elbow, found.best_silhouette) == (2, 2)
    assert found.stability == pytest.approx(1.0)


def test_inertia_falls_and_the_best_cluster_comes_first() -> None:
    found = cluster(two_kinds(), 3)
    inertias = [choice.inertia for choice in found.choices]
    assert inertias == sorted(inertias, reverse=True)
    means = [sum(one.means) for one in found.clusters]
    assert means == sorted(means, reverse=True)
    assert sum(one.size for one in found.clusters) == len(found.labels) == 40


def test_more_clusters_than_different_rows_are_refused() -> None:
    same = Collection(("x",), np.array([[0.0], [0.0], [1.0]]), ("all",) * 3, {})
    assert cluster(same, 2).clusters[0].means == (1.0,)
    with pytest.raises(InputError, match="3 clusters cannot be made of 2"):
        cluster(same, 3)


def test_repositories_that_are_all_alike_have_no_kinds() -> None:
    with pytest.raises(InputError, match="2 clusters cannot be made of 1"):
        cluster(Collection(("x",), np.ones((5, 1)), ("all",) * 5, {}))


# --- reporting -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def report() -> Report:
    return report_of(two_kinds(6), figures=True)


def test_the_report_is_the_same_for_the_same_files(report: Report) -> None:
    assert report_of(two_kinds(6), figures=True) == report


def test_tables_come_in_the_order_of_chapter_7(report: Report) -> None:
    assert [table.title.partition(" (")[0] for table in report.tables] == [
        "Artefacts found",
        "Factor scores",
        "Differences between groups: factor scores",
        "Differences between groups: artefacts",
        "The number of clusters",
        "Clusters, highest scores first",
    ]


def test_labels_of_hostile_files_are_harmless_in_figures() -> None:
    found = two_kinds(4)
    hostile = Collection(("<script>", "$x^2$", "z"), found.scores, ("<b>&",) * 4 + ("\u202eb\n",) * 4, found.artefacts)
    told = report_of(hostile, figures=True)
    assert len(told.figures) == 5
    assert all(figure.alt and "<script" not in figure.svg for figure in told.figures)
    assert "<script>" not in render(told, Format.HTML)


@pytest.mark.parametrize("how", [how for how in Format if not how.is_binary])
def test_every_format_tells_it(report: Report, how: Format) -> None:
    assert render(report, how)
