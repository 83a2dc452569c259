"""Test-set noise beside seed noise: an effect no larger than either is within noise."""

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest
from made_plans import PLAN, made

from assay.ablation.design import BASE, Run, Setting
from assay.ablation.effects import MeasureEffects, Noise, effects, measures_in
from assay.ablation.plan import Plan
from assay.ablation.sentences import sentence
from assay.ablation.store import Outcome, Status
from assay.statistics import normal_quantile

HALF = Setting(((1, 0),))


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return made(tmp_path_factory.mktemp("plan"), plan=PLAN.replace("seeds = 3", "seeds = 4"))


def found(plan: Plan, change: float, ends: Mapping[str, float] = {}) -> MeasureEffects:
    """The base at four seeds that differ by little, and one alternative that changes it."""
    results = {
        Run(setting, seed): Outcome(Status.DONE, {"auc": 0.8 + by + 0.001 * seed, **ends}, 1.0)
        for setting, by in ((BASE, 0.0), (HALF, change))
        for seed in plan.seeds
    }
    assert measures_in(results) == ["auc"]
    [one] = effects(plan, results, ["auc"])
    return one


def test_the_interval_that_a_run_prints_is_the_noise_of_its_test_set(plan: Plan) -> None:
    one = found(plan, 0.02, {"auc_low": 0.7, "auc_high": 0.9})
    assert one.test_sd == pytest.approx(0.1 / normal_quantile(0.95))
    assert one.noise(one.items[0]) == (Noise.TEST_SET,)
    said = sentence(one.items[0], one)
    assert "the choice of test cases by ±0.051" in said
    assert "It is within noise: no larger than the effect of the choice of test cases alone." in said


def test_an_effect_beyond_both_is_not_within_noise(plan: Plan) -> None:
    one = found(plan, 0.2, {"auc_low": 0.75, "auc_high": 0.85})
    assert one.noise(one.items[0]) == ()
    assert "within noise" not in sentence(one.items[0], one)


def test_an_effect_smaller_than_what_seeds_do_is_within_noise(plan: Plan) -> None:
    one = found(plan, 0.0005)
    assert one.test_sd is None
    assert one.noise(one.items[0]) == (Noise.SEEDS,)


def test_the_noise_of_a_share_follows_from_its_number_of_cases(plan: Plan) -> None:
    one = found(replace(plan, cases={"auc": 100}), 0.02)
    assert one.test_sd == pytest.approx(sqrt(0.8015 * (1 - 0.8015) / 100), rel=1e-4)


def test_the_plan_gives_the_number_of_cases(tmp_path: Path) -> None:
    plan = made(tmp_path, plan=PLAN.replace("seeds = 3", "seeds = 3\ncases = { auc = 50 }"))
    assert plan.cases == {"auc": 50}
