"""Files to fill in, filled files, and what is wrong with them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.checklists.definition import NOT_APPLICABLE
from assay.checklists.files import load, shipped
from assay.checklists.filled import Filled, filled_of, read_filled
from assay.checklists.proposals import propose
from assay.checklists.rules import Assessment, Known, checklists
from assay.checklists.template import Proposal, markdown_form, missing_items, yaml_form
from assay.errors import InputError

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=60).map(
    lambda t: " ".join(t.split())
)


def codes(filled: Filled, *known: Known) -> list[str]:
    return [finding.code for finding in checklists.run(Assessment(filled, known))]


def sheet(**answers: str) -> Filled:
    lines = "".join(f"  {key}: {text}\n" for key, text in answers.items())
    return filled_of(f"checklist: model-info-sheet\nanswers:\n{lines}", "sheet.yaml")


@pytest.mark.parametrize("name", shipped())
@pytest.mark.parametrize("form", [yaml_form, markdown_form])
def test_a_new_form_reads_back_as_unanswered(name: str, form):
    path = "form.md" if form is markdown_form else "form.yaml"
    filled = filled_of(form(load(name)), path)
    assert len(filled.answers) == len(load(name))
    assert set(codes(filled)) == {"K101"}
    assert not filled.outdated


@given(st.dictionaries(st.sampled_from(["A1", "B3", "D4"]), WORDS.filter(bool)), WORDS)
def test_what_is_proposed_reads_back_as_it_was(told: dict[str, str], evidence: str):
    proposals = {key: Proposal(text, evidence, "assay") for key, text in told.items()}
    filled = filled_of(yaml_form(load("model-info-sheet"), proposals), "form.yaml")
    for answer in filled.answers:
        expected = told.get(answer.item.id, "")
        same = answer.text == expected or (answer.text == NOT_APPLICABLE and len(expected) <= 15)
        assert same
        assert answer.evidence == (evidence if expected else "")


def test_markdown_answers_may_run_over_lines():
    text = "checklist: model-info-sheet\n\n### A1. Who\n\nguidance\n\n**Answer:** Ada\nand Grace\n\n**Evidence:**\n"
    answer = filled_of(text, "form.md").answer("A1")
    assert answer is not None
    assert (answer.text, answer.evidence) == ("Ada and Grace", "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not a filled checklist"),
        ("- a\n- b", "is not a filled checklist"),
        ("answers: {}", "does not say which checklist"),
        ("checklist: reform", 'Did you mean "reforms"'),
        ("checklist: reforms\nanswer: {}", 'unknown key "answer". Did you mean "answers"'),
        ("checklist: reforms\nanswers: [1]", "not a list of items"),
        ("checklist: reforms\nanswers:\n  9z: x", 'f.yaml:3: "9z" is no item'),
        ("checklist: reforms\nanswers:\n  1a: [x]", ""),
        ("checklist: reforms\nanswers:\n  1a: {anser: x}", 'Did you mean "answer"'),
        ("checklist: reforms\nanswers:\n  1a: x\n  1a: y", 'f.yaml:4:3: not valid YAML: "1a" is given twice'),
        ("checklist: reforms\nanswers:\n  1a: 'x", "f.yaml:3:9: not valid YAML"),
        ("checklist: reforms\nanswers:\n\t1a: x", "f.yaml:3:1: not valid YAML"),
        ("checklist: reforms\nanswers: &a\n  1a: *a", "aliases are not used here"),
        ("checklist: code-completeness\nanswers:\n  1: maybe", 'f.yaml:3: item 1: "maybe" is no answer to it'),
        ("checklist: reforms\nanswers: " + "[" * 5000, "nested too deeply"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(text: str, said: str):
    if not said:
        with pytest.raises(InputError, match="item 1a is a list"):
            filled_of(text, "f.yaml")
        return
    with pytest.raises(InputError) as caught:
        filled_of(text, "f.yaml")
    assert said in str(caught.value)


def test_words_for_yes_and_no_are_understood():
    text = "checklist: code-completeness\nanswers:\n  1: Yes\n  2: NO.\n  3: n/a\n  4: false\n  5: true"
    assert [a.text for a in filled_of(text, "f.yaml").answers] == ["yes", "no", NOT_APPLICABLE, "no", "yes"]


def test_numbers_must_be_numbers(tmp_path: Path):
    own = 'title = "O"\nversion = "1"\nsource = "s"\nanswer = "number"\n[[section]]\ntitle = "S"\n'
    (tmp_path / "own.toml").write_text(own + '[[section.item]]\nid = "1"\ntitle = "t"\nasks = "How many?"\n')
    (tmp_path / "good.yaml").write_text("checklist: own.toml\nanswers:\n  1: 12.5 %\n")
    (tmp_path / "bad.yaml").write_text("checklist: own.toml\nanswers:\n  1: many\n")
    assert read_filled(tmp_path / "good.yaml").answers[0].text == "12.5 %"
    with pytest.raises(InputError, match='"many" is no number'):
        read_filled(tmp_path / "bad.yaml")


@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        ({"A5": "onsets in the future", "B1": "5-fold cross-validation"}, "L3.1"),
        ({"A5": "temporal data", "B1": "k-fold"}, "L3.1"),
        ({"A4": "we forecast onsets", "D2": "not applicable"}, "L3.1"),
        ({"A5": "patients of one clinic", "D3": "not applicable"}, "L3.2"),
        ({"B7": "the threshold was chosen on the test set"}, "LX1"),
        ({"B5": "SMOTE before the split"}, "L1.2"),
        ({"B4": "median of the whole data"}, "L1.2"),
    ],
)
def test_answers_that_betray_leakage_are_questioned(answers: dict[str, str], asked: str):
    found = [f for f in checklists.run(Assessment(sheet(**answers))) if f.code == "K104"]
    assert [asked in f.message for f in found] == [True]
    assert found[0].evidence


@pytest.mark.parametrize(
    "answers",
    [
        {"A5": "onsets in the future", "B1": "trained to 1990, tested later, forward in time"},
        {"A5": "a random sample of adults", "B1": "5-fold cross-validation"},
        {"B7": "inner cross-validation; the test set was never used"},
        {"B5": "SMOTE inside the training folds, not before the split"},
        {"A5": "temporal data", "B1": "we did not use k-fold; by year"},
        {"A5": "not applicable", "B1": "k-fold"},
    ],
)
def test_honest_answers_are_not_questioned(answers: dict[str, str]):
    assert "K104" not in codes(sheet(**answers))


def test_a_good_answer_is_held_against_other_instruments():
    filled = sheet(B3="a scaler, fitted on training rows")
    known = Known("L1.2", "scaler fitted on all rows")
    assert "K105" in codes(filled, known)
    assert "K105" not in codes(filled, Known("L3.2", "same patient on both sides"))
    answered = sheet(B3="a scaler, fitted on training rows; L1.2 is about a plot only")
    assert "K105" not in codes(answered, known)


def test_an_admitted_lack_is_not_contradicted():
    text = "checklist: code-completeness\nanswers:\n  1: no\n"
    assert "K105" not in codes(filled_of(text, "f.yaml"), Known("R301", "no dependencies"))


def test_findings_propose_answers_that_await_a_person():
    checklist = load("code-completeness")
    proposed = propose(checklist, [Known("R301", "no file names the dependencies")])
    filled = filled_of(yaml_form(checklist, proposed), "f.yaml")
    assert [a.item.id for a in filled.answers if a.proposed] == ["1"]
    assert codes(filled).count("K106") == 1


@pytest.mark.parametrize("form", [yaml_form, markdown_form])
def test_an_update_adds_what_is_missing_and_touches_nothing(form, tmp_path: Path):
    path = tmp_path / ("f.md" if form is markdown_form else "f.yaml")
    whole = form(load("code-completeness"))
    begun = whole[: whole.index("# 4. ")].rstrip(" #\n") + "\n" + ("" if form is markdown_form else "  # mine\n")
    path.write_text(begun)
    after = missing_items(read_filled(path), begun, path)
    assert after.startswith(begun.rstrip("\n"))
    assert [a.location.line is not None for a in filled_of(after, str(path)).answers if a.location] == [True] * 5
    assert missing_items(filled_of(after, str(path)), after, path) == after
