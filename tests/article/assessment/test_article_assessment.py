"""The file in which a person assesses a paper, and what is amiss in it."""

import csv
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.article import rules
from assay.article.assessment import Assessment, assessment_form, assessment_of
from assay.article.crosswalk import Scheme, discrepancy_names, seen_through
from assay.article.model import all_parts, article_model, attainable
from assay.article.proposals import Passage, Proposal
from assay.article.report import crosswalk_of, report_of
from assay.article.rules import article, questions
from assay.errors import InputError
from assay.findings import Confidence, Location
from assay.rules import Rule

TABLE_A3 = Path(__file__).with_name("cappelen2018_table_a3.csv")
"""Component and article metrics of 30 papers: Cappelen & Mølnå, master thesis, NTNU 2018, table A.3."""


def codes(text: str, paper: str = "") -> list[str]:
    facts = assessment_of(text, "a.yaml")
    found = article.run(Assessment(facts.record, facts.components, facts.metric, paper))
    return [finding.code for finding in found]


def proposal(part: str, value: str, *quotes: str) -> Proposal:
    passages = tuple(Passage(text, Location("p.tex", at), Fraction(value), 2) for at, text in enumerate(quotes, 1))
    return Proposal(all_parts()[part], Fraction(value), Confidence.MEDIUM, passages)


# --- writing and reading ---------------------------------------------------------------------------


def test_what_is_written_reads_back_with_its_lines():
    text = assessment_form(
        "On frogs", [proposal("goal", "1", 'We aim: "count" \\ listen', "also said"), proposal("format", "0")]
    )
    record = assessment_of(text, "a.yaml").record
    assert record.paper == "On frogs"
    goal = record.grades["goal"]
    assert (goal.value, goal.quote, goal.where) == (1, 'We aim: "count" \\ listen', "p.tex:1")
    assert goal.proposed == "assay, medium confidence"
    assert goal.line is not None
    assert text.splitlines()[goal.line - 1] == "  goal:"
    assert record.grades["format"].value == 0
    assert len(record.missing) == len(all_parts()) - 2


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_title_and_quote_survive_the_file(title: str, quote: str):
    record = assessment_of(assessment_form(title, [proposal("goal", "1", quote)]), "a.yaml").record
    flat = "".join(sign for sign in " ".join(quote.split()) if sign.isprintable()).strip()
    assert record.grades["goal"].quote == flat


@pytest.mark.parametrize(
    ("part", "text", "value"),
    [
        ("goal", "1", Fraction(1)),
        ("goal", "1.0", Fraction(1)),
        ("pseudocode", "0.5", Fraction(1, 2)),
        ("pseudocode", "1/2", Fraction(1, 2)),
        ("raw-data", "3/4", Fraction(3, 4)),
        ("raw-data", "0.67", Fraction(2, 3)),
        ("raw-data", "0.33", Fraction(1, 3)),
        ("subset", "-", None),
        ("subset", "N/A", None),
    ],
)
def test_values_are_read_as_people_write_them(part: str, text: str, value: Fraction | None):
    assert (
        assessment_of(f"parts:\n  {part}: {{value: '{text}', quote: q}}\n", "a.yaml").record.grades[part].value == value
    )


def test_a_value_alone_may_stand_beside_its_name():
    assert assessment_of("parts:\n  goal: 0\n", "a.yaml").record.grades["goal"].value == 0


def test_an_empty_value_is_not_assessed():
    assert not assessment_of("parts:\n  goal: {value: , quote: q}\n  format:\n", "a.yaml").record.grades


@pytest.mark.parametrize(
    ("text", "says", "where"),
    [
        ("", "is not an assessment", "a.yaml"),
        ("- a\n- b\n", "is not an assessment", "a.yaml"),
        ("parts:\n  goal: 2\n", '"2" is not on its scale', "a.yaml:2"),
        ("parts:\n  goal: 0.5\n", '"0.5" is not on its scale', "a.yaml:2"),
        ("parts:\n  goal: yes\n", '"yes" is not on its scale', "a.yaml:2"),
        ("parts:\n  goal: -1\n", '"-1" is not on its scale', "a.yaml:2"),
        ("parts:\n  raw-data: 1.5\n", "is not on its scale", "a.yaml:2"),
        ("parts:\n  raw-data: 1/0\n", "is not on its scale", "a.yaml:2"),
        ("parts:\n  raw-data: 0.123456\n", "is not on its scale", "a.yaml:2"),
        ("parts:\n\n  goals: 1\n", '"goals" is no sub-component', "a.yaml:3"),
        ("parts:\n  goal: {valeu: 1}\n", 'unknown key "valeu"', "a.yaml:2"),
        ("parts:\n  goal: [1]\n", "goal is a list", "a.yaml:2"),
        ("parts: 3\n", '"parts" does not hold named entries', "a.yaml:1"),
        ("part:\n  goal: 1\n", 'unknown key "part"', "a.yaml:1"),
        ("components: {methods: 1}\n", '"methods" is no component', "a.yaml:1"),
        ("components: {method: high}\n", '"high" is no figure', "a.yaml:1"),
        ("metric: about half\n", '"about half" is no figure', "a.yaml:1"),
        ("parts:\n  goal: 1\n  goal: 0\n", '"goal" is given twice', "a.yaml:3:3"),
        ("parts: {goal: 1\n", "not valid YAML", "a.yaml"),
        ("parts: &a {goal: 1}\nby: *a\n", "aliases are not used", "a.yaml"),
        ("[" * 5_000, "nested too deeply", "a.yaml"),
    ],
)
def test_a_bad_file_gets_one_clear_message_with_its_place(text: str, says: str, where: str):
    with pytest.raises(InputError) as error:
        assessment_of(text, "a.yaml")
    assert says in error.value.what
    assert error.value.where.startswith(where)


@given(st.text(max_size=300))
def test_any_text_is_an_assessment_or_an_input_error(text: str):
    try:
        assessment_of(text, "a.yaml")
    except InputError:
        return


# --- rules -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule", [rule for rule in vars(rules).values() if isinstance(rule, Rule)], ids=lambda r: r.code
)
def test_each_rule_fires_on_its_failing_example_alone(rule: Rule[Assessment]):
    fired = list(rule.check(article.read_example(rule.failing)))
    assert fired
    assert all(finding.location for finding in fired)
    assert not list(rule.check(article.read_example(rule.passing)))


def printed_rows() -> list[dict[str, str]]:
    with TABLE_A3.open() as stream:
        return list(csv.DictReader(stream))


def as_assessment(row: dict[str, str]) -> str:
    printed = {key.replace("_", "-"): value for key, value in row.items() if key not in {"id", "article_model_metric"}}
    lines = "".join(f"  {key}: '{value or '-'}'\n" for key, value in printed.items())
    return f"metric: {row['article_model_metric']}\ncomponents:\n{lines}"


def test_of_the_thesis_table_only_paper_29_is_impossible():
    assert len(printed_rows()) == 30
    found = {row["id"]: codes(as_assessment(row)) for row in printed_rows()}
    assert {key: value for key, value in found.items() if value} == {"29": ["A101"]}


def test_a_metric_that_counts_absent_components_as_nothing_is_found():
    row = next(row for row in printed_rows() if row["id"] == "2")
    assert codes(as_assessment(row | {"article_model_metric": "0.24"})) == ["A104"]


@given(st.data())
def test_every_attainable_value_passes_and_is_told_from_its_neighbours(data: st.DataObject):
    component = data.draw(st.sampled_from(article_model()))
    value = data.draw(st.sampled_from(sorted(attainable(component))))
    assert codes(f"components: {{{component.id}: {float(value):.2f}}}\n") == []


def test_a_value_between_the_attainable_ones_is_found():
    assert codes("components: {pseudocode: 0.70}\n") == ["A102"]
    assert codes("components: {pseudocode: 0.5}\n") == []


def test_rounded_and_cut_digits_are_both_accepted():
    # method: the mean of 1, 1 and 0.5 is 0.8333…; of 1, 0.5 and 0.5 it is 0.6666…
    for printed in ("0.83", "0.66", "0.67"):
        assert codes(f"components: {{method: {printed}}}\n") == []


def test_a_component_that_went_stale_is_found():
    parts = "parts:\n  language: 0\n  libraries: 0\n  method-code: {value: 1, quote: q}\n  code-version: 0\n"
    assert "A103" not in codes("components: {implementation: 0.17}\n" + parts)
    assert "A103" in codes("components: {implementation: 0.25}\n" + parts), "the two code grades are averaged first"


def test_a_quote_must_be_in_the_paper_when_it_is_given():
    text = "parts:\n  goal: {value: 1, quote: 'We aim to … frogs [cite].'}\n"
    assert "A106" not in codes(text, "We aim to\ncount frogs (Miller, 2001).")
    assert "A106" in codes(text, "We aim to count toads.")
    assert "A106" not in codes(text), "without the paper nothing can be said"


def test_a_confirmed_proposal_is_no_longer_marked():
    assert "A107" in codes("parts:\n  goal: {value: 0, proposed: assay}\n")
    assert "A107" not in codes("parts:\n  goal: {value: 0}\n")


def test_what_does_not_apply_is_no_gap():
    text = "parts:\n" + "".join(f"  {part}: '-'\n" for part in all_parts())
    assert codes(text) == []
    assert assessment_of(text, "a.yaml").record.metric is None


def test_a_gap_comes_with_the_question_to_the_authors():
    (finding,) = [f for f in article.run(assessment_of("parts:\n  platform: 0\n", "a.yaml")) if f.code == "A109"]
    assert finding.advice == "Ask the authors: Under which operating system, and which version of it?"
    assert finding.confidence is Confidence.HIGH
    assert sorted(questions()) == sorted(all_parts())


# --- report and crosswalk --------------------------------------------------------------------------


def test_the_report_tells_components_degrees_and_what_a_reproducer_meets():
    facts = assessment_of(
        "paper: Frogs\nparts:\n  pseudocode: {value: 1, quote: q}\n  hardware: 0\n  subset: '-'\n", "a.yaml"
    )
    tables = {table.title: table.rows for table in report_of([facts]).tables}
    components = {row[0]: row[1] for row in tables["Components"]}
    assert components["Pseudocode"] == 1.0
    assert components["Experiment"] == 0.0
    assert components["Partitioned data"] is None
    assert components["Article Model Metric"] == 0.5
    assert ("P20", discrepancy_names()["P20"], "hardware") in tables["What a reproducer will meet"]
    assert "Degrees of Gundersen & Kjensmo" in tables


def test_several_papers_are_put_side_by_side():
    facts = [assessment_of(f"paper: {name}\nparts:\n  goal: 0\n", "a.yaml") for name in ("One", "Two")]
    overview = report_of(facts).tables[0]
    assert [row[0] for row in overview.rows] == ["One", "Two"]


def test_the_crosswalk_answers_the_items_of_each_scheme():
    text = (
        "parts:\n  language: {value: 1, quote: in Python, where: 'p:1'}\n  libraries: 0\n  hardware: 0\n  subset: '-'\n"
    )
    record = assessment_of(text, "a.yaml").record
    rows = {row[0]: row for row in seen_through(Scheme.GUNDERSEN_KJENSMO, record).rows}
    assert len(rows) == 16
    assert rows["experiment: software"][1:] == ("yes", "language, libraries", "in Python", "p:1")
    assert rows["experiment: hardware"][1] == "no"
    assert rows["data: results"][1] == "not assessed"
    checklist = {row[0]: row[1] for row in seen_through(Scheme.ML_CHECKLIST, record).rows}
    assert checklist["code-1"] == "partly"
    assert {row[0]: row[1] for row in seen_through(Scheme.REFORMS, record).rows}["3b"] == "not applicable"
    assert ("A9", discrepancy_names()["A9"], "libraries") in seen_through(Scheme.DISCREPANCIES, record).rows
    report = crosswalk_of([record, record], Scheme.REFORMS)
    assert len(report.tables) == 2


def test_every_discrepancy_of_the_model_has_a_name():
    used = {code for part in all_parts().values() for code in (*part.problems, *part.assumptions, *part.errors)}
    assert used <= discrepancy_names().keys()
