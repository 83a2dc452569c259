"""Factors are weighted means of what could be judged; what could not has no score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.repository.check import assess, judge
from assay.repository.factors import Band, PartScore, Thresholds, weighted
from assay.repository.facts import with_answers
from assay.repository.profiles import Profile
from assay.repository.profiles.default import FACTORS, QUESTIONS
from assay.repository.readme import Checked
from assay.repository.rules import read_example, repository
from assay.rules import all_rules

PARTS = st.builds(PartScore, st.just("x"), st.floats(0.01, 1), st.none() | st.floats(0, 1), st.just(""))
GOOD = """\
==> train.py <==
import torch
torch.manual_seed(0)
model = torch.nn.Linear(3, 1)
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 3)).sum().backward()
optimiser.step()
==> requirements.txt <==
torch==2.2.0
"""


def scores(text, profile=Profile.DEFAULT):
    return {f.key: f for f in assess(read_example(text), profile).factors}


@given(st.lists(PARTS, max_size=5).map(tuple))
def test_a_factor_lies_between_its_worst_and_its_best_part(parts):
    judged = [p for p in parts if p.score is not None]
    score = weighted(parts)
    if score is None:
        assert sum(p.weight for p in judged) * 2 <= sum(p.weight for p in parts)
    else:
        assert min(p.score for p in judged) - 1e-9 <= score <= max(p.score for p in judged) + 1e-9


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_better_score_is_never_in_a_worse_band(one, other):
    limits = Thresholds(top=0.8, average=0.5, lower=0.2)
    order = [Band.POOR, Band.WEAK, Band.FAIR, Band.GOOD]
    low, high = sorted([one, other])
    assert order.index(limits.band(low)) <= order.index(limits.band(high))


def test_thresholds_belong_to_the_bands_that_the_thesis_gives_them():
    limits = Thresholds(top=0.8, average=0.5, lower=0.2)
    assert [limits.band(s) for s in (0.8, 0.5, 0.2, None)] == [Band.GOOD, Band.WEAK, Band.POOR, Band.NOT_JUDGED]
    assert Thresholds(top=1, lower=0).band(0.5) is Band.FAIR


def test_there_are_ten_factors_to_judge_and_three_to_ask_about():
    assert len(FACTORS) == 10
    assert [f.section for f in FACTORS] == [f"section 4.{n}" for n in range(1, 11)]
    assert [q.section for q in QUESTIONS] == ["section 4.11", "section 4.12", "section 4.13"]


@pytest.mark.parametrize("factor", FACTORS, ids=lambda f: f.key)
def test_weights_add_up_and_every_part_says_why(factor):
    assert sum(part.weight for part in factor.parts) == pytest.approx(1)
    assert all(part.why and part.advice.endswith(".") for part in factor.parts)


def test_every_rule_that_the_table_names_exists():
    known = {rule.code for rule in all_rules() if rule.instrument.name == repository.name}
    named = {code for factor in FACTORS for part in factor.parts for code in part.rules}
    assert named <= known


def test_nothing_is_judged_where_there_is_nothing():
    assert {f.band for f in scores("").values()} == {Band.NOT_JUDGED}


def test_a_minor_part_alone_does_not_make_a_score():
    parts = (PartScore("main", 0.9, None, "cannot be told"), PartScore("minor", 0.1, 0.0, "off"))
    assert weighted(parts) is None


def test_what_was_not_judged_is_not_zero():
    found = scores("==> convert.py <==\nprint(1)\n")
    assert found["seeds"].score is None
    assert found["models"].score is None
    assert found["documentation"].score is not None


def test_seeds_and_pins_decide_their_factors():
    good, bad = scores(GOOD), scores(GOOD.replace("torch.manual_seed(0)\n", "").replace("==2.2.0", ""))
    assert good["seeds"].score > 0.9
    assert bad["seeds"].score < 0.1
    assert good["software"].score - bad["software"].score == pytest.approx(0.3)
    assert bad["seeds"].rules == ("R401",)
    assert good["seeds"].rules == ()


def test_a_longer_readme_is_not_a_better_one():
    short = "==> README.md <==\n# Model\n\n## Install\n\n    pip install -r requirements.txt\n"
    long = short + "\nLorem ipsum dolor sit amet.\n" * 400
    assert scores(GOOD + short)["documentation"].score == scores(GOOD + long)["documentation"].score


def test_the_profile_of_the_thesis_scores_its_seven_factors():
    assert len(scores(GOOD, Profile.LOOS2022)) == 7


def test_what_servers_say_about_links_reaches_rules_and_profile():
    facts = read_example("==> README.md <==\n# Model\n\n[a](https://example.org/a) [b](https://example.org/b)\n")
    answers = [Checked("https://example.org/a", 200), Checked("https://example.org/b", 404)]
    told = with_answers(facts, answers)
    assert {o.code: len(o.findings) for o in judge(facts)}["R207"] == 0
    assert {o.code: len(o.findings) for o in judge(told)}["R207"] == 1
    before, after = (assess(f, Profile.LOOS2022).factors[0] for f in (facts, told))
    assert before.parts != after.parts
