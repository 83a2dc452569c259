"""Claims that a manuscript's own sentences make about its study."""

from dataclasses import replace
from pathlib import Path

import pytest

from assay.cli import main
from assay.reported.shares import ShareKind, find_shares
from assay.reproduction.claim_proposals import propose_claims
from assay.reproduction.claims import Standing
from assay.reproduction.folder import example_study
from assay.reproduction.store.studies import load_study, new_store, open_store

STUDY = example_study()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Half of the studies failed.", (ShareKind.PERCENT, "50", None, "studies failed")),
        ("11 of 22 attempts failed", (ShareKind.COUNT, "11", 22, "attempts failed")),
        ("Seven out of the 22 attempts", (ShareKind.COUNT, "7", 22, "attempts")),
        ("45.5 % of the papers", (ShareKind.PERCENT, "45.5", None, "papers")),
        ("two thirds of all papers", (ShareKind.PERCENT, "67", None, "papers")),
        ("1,020 experiments", (ShareKind.COUNT, "1020", None, "experiments")),
    ],
)
def test_counts_and_shares_are_read_with_what_they_count(sentence: str, expected: tuple[object, ...]):
    [share] = find_shares(sentence)
    assert (share.kind, share.value, share.whole, share.noun) == expected


def test_a_number_with_a_unit_of_measurement_is_no_count():
    assert not list(find_shares("It took 3.5 hours on version 1.2 of the code, see Table 4.2."))


@pytest.mark.parametrize(
    ("sentence", "measure", "of", "records"),
    [
        ("Half of the reproductions ended in Partial Success.", "percent", {"outcome": "Partial Success"}, "45.5"),
        ("23 % of the reproductions were R1 and 50 % were R2-D.", "percent of attempts", {"level": "R1"}, "31.8"),
        ("73 % of the papers were R1 or R2 reproducible.", "percent of papers", {"level": "R1,R2-D,R2-M"}, "73.3"),
        ("14 out of 22 reproductions used all of the allocated time.", "attempts", {"hours": "all"}, "14"),
        ("12 of the 22 papers met P10.", "attempts", {"has": "P10"}, "12"),
        ("In total 30 papers were chosen.", "papers", {}, "30"),
        (
            "10 attempts ended with Success or Partial Success.",
            "attempts",
            {"outcome": "Success,Partial Success"},
            "11",
        ),
    ],
)
def test_a_sentence_is_bound_to_the_records(sentence: str, measure: str, of: dict[str, str], records: str):
    [proposal] = propose_claims(STUDY, [("p. 1", sentence)]).proposals
    claim = proposal.found.claim
    assert (claim.measure, dict(claim.of), proposal.found.by_rule) == (measure, of, records)


def test_a_count_before_a_verb_counts_what_the_number_before_it_counts():
    sentence = "From the 30 papers, 22 reproduction attempts were performed, where 10 were partially successful."
    found = [(one.found.claim.measure, one.found.claim.value, dict(one.found.claim.of))
             for one in propose_claims(STUDY, [("p. 1", sentence)]).proposals]  # fmt: skip
    assert found == [("papers", "30", {}), ("attempts", "22", {}), ("attempts", "10", {"outcome": "Partial Success"})]
    assert not propose_claims(STUDY, [("p. 1", "5 attempts ended early, and all of these were R2-D.")]).proposals


def test_words_with_two_readings_give_two_proposals():
    found = propose_claims(STUDY, [("p. 1", "Half of the studies could be reproduced.")]).proposals
    assert [dict(one.found.claim.of)["outcome"] for one in found] == ["Success", "Success,Partial Success"]
    assert [one.found.standing for one in found] == [Standing.FAILS, Standing.BY_RULE]


@pytest.mark.parametrize(
    "sentence",
    [
        "Kjensmo surveyed 400 papers.",
        "In one of the experiments the subset was not shared.",
        "Smith et al. found that 5 reproductions were failures.",
        "12 of 50 reproductions were failures.",
        "A study is R1 if one of its experiments is R1.",
        "19 of the 30 papers failed to mention the language.",
        "About half of the reproductions were failures.",
        "Nine experiments were reproducible.",
    ],
)
def test_what_is_about_something_else_is_listed_and_not_bound(sentence: str):
    found = propose_claims(STUDY, [("p. 1", sentence)])
    assert found.proposals == ()
    assert found.unbound == (f"p. 1: {sentence}",)


def test_proposals_become_claims_only_when_a_person_adds_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    store, text = str(tmp_path / "study.db"), tmp_path / "report.md"
    new_store(store, replace(STUDY, claims=())).dispose()
    text.write_text(
        "# Results\n\nSix of the reproduction attempts were failures. Half of the studies could be reproduced.\n"
    )
    assert main(["study", "propose", str(text), "--store", store]) == 0
    assert main(["study", "propose", str(text), "--store", store, "--add", "9"]) == 2
    assert 'there is no proposal "9"' in capsys.readouterr().err
    assert main(["study", "propose", str(text), "--store", store, "--add", "1,4"]) == 0
    engine = open_store(store)
    claims = load_study(engine).claims
    engine.dispose()
    assert [(claim.measure, claim.value) for claim in claims] == [("attempts", "6"), ("percent", "50")]
