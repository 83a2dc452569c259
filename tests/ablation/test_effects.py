"""Effects are differences at the same seed, held against what chance does."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_plans import PLAN, made
from scipy.stats import ttest_rel

from assay.ablation.design import BASE, Run, Setting, joint_runs, pair_settings, runs_of
from assay.ablation.effects import MeasureEffects, effects
from assay.ablation.plan import Plan
from assay.ablation.sentences import sentence, signed
from assay.ablation.store import Outcome, Status
from assay.statistics import holm

DEPTH_2, DEPTH_5, HALF = Setting(((0, 0),)), Setting(((0, 1),)), Setting(((1, 0),))


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return made(tmp_path_factory.mktemp("plan"), plan=PLAN.replace("seeds = 3", "seeds = 6"))


def measured(plan: Plan, values: dict[Setting, list[float | None]]) -> MeasureEffects:
    results = {
        Run(setting, seed): Outcome(Status.DONE, {} if value is None else {"auc": value}, 1.0)
        for setting, column in values.items()
        for seed, value in zip(plan.seeds, column, strict=True)
    }
    [found] = effects(plan, results, ["auc"])
    return found


SEEDS = [0.70, 0.90, 0.80, 0.85, 0.75, 0.80]
NOISE = [0.01, -0.01, 0.02, -0.02, 0.0, 0.0]


def shifted(by: float, noise: list[float] = NOISE) -> list[float | None]:
    return [seed + by + luck for seed, luck in zip(SEEDS, noise, strict=True)]


def test_differences_are_taken_at_the_same_seed(plan: Plan) -> None:
    other = shifted(0.03, NOISE[::-1])
    found = measured(plan, {BASE: list(SEEDS), DEPTH_2: shifted(-0.05), DEPTH_5: other, HALF: shifted(0.001)})
    depth, label = found.items
    assert (depth.label, depth.lowest, depth.highest) == ("depth", pytest.approx(-0.05), pytest.approx(0.03))
    assert depth.spread.value == pytest.approx(0.08)
    assert found.seed_sd == pytest.approx(np.std(SEEDS, ddof=1))
    assert depth.spread.low < 0.08 < depth.spread.high
    assert depth.spread.high - depth.spread.low < found.seed_sd, "pairing takes the seeds out"
    assert (depth.rank, label.rank) == ((1, 1, 1), (2, 2, 2))


def covered(plan: Plan, trials: int) -> tuple[float, float]:
    """How often the intervals of a change and of a spread contain the truth, under normal noise."""
    generator = np.random.default_rng(plan.seeds)
    true = {BASE: 0.0, DEPTH_2: -0.03, DEPTH_5: 0.02}
    changes = spreads = 0
    for _ in range(trials):
        luck = generator.normal(0, 0.05, len(plan.seeds))
        noise = generator.normal(0, 0.02, (3, len(plan.seeds)))
        rows = zip(true.items(), noise, strict=True)
        [depth] = measured(plan, {setting: list(0.8 + by + luck + row) for (setting, by), row in rows}).items
        change = depth.alternatives[0][1]
        changes += change.low <= -0.03 <= change.high
        spreads += depth.spread.low <= 0.05 <= depth.spread.high
    return changes / trials, spreads / trials


@pytest.mark.parametrize("seeds", [3, 5, 10])
def test_intervals_contain_the_truth_as_often_as_they_say(tmp_path: Path, seeds: int) -> None:
    plan = made(tmp_path, plan=PLAN.replace("seeds = 3", f"seeds = {seeds}"))
    change, spread = covered(plan, 300)
    assert 0.92 < change < 0.98
    assert spread > 0.92


def test_the_interval_of_a_spread_does_not_start_at_its_estimate(plan: Plan) -> None:
    up, down = shifted(0.1, NOISE), shifted(0.1, [-luck for luck in NOISE])  # resampling can only widen their range
    [depth] = measured(plan, {BASE: list(SEEDS), DEPTH_2: up, DEPTH_5: down}).items
    assert depth.spread.value == pytest.approx(0.1)
    assert depth.spread.low < 0.095
    assert depth.spread.high > 0.105


def test_places_follow_from_the_intervals_of_the_spreads(plan: Plan) -> None:
    apart = measured(plan, {BASE: list(SEEDS), DEPTH_2: shifted(-0.3), HALF: shifted(0.001)})
    close = measured(plan, {BASE: list(SEEDS), DEPTH_2: shifted(-0.012), HALF: shifted(0.011)})
    assert [item.rank for item in apart.items] == [(1, 1, 1), (2, 2, 2)]
    assert [item.rank for item in close.items] == [(1, 1, 2), (2, 1, 2)]


def test_two_settings_are_compared_as_by_the_paired_t_test(plan: Plan) -> None:
    found = measured(plan, {BASE: list(SEEDS), HALF: shifted(0.01)})
    [label] = found.items
    assert label.p == pytest.approx(ttest_rel(SEEDS, shifted(0.01)).pvalue, rel=1e-6)


def test_an_item_that_changes_nothing_is_said_to_change_nothing(plan: Plan) -> None:
    found = measured(plan, {BASE: list(SEEDS), HALF: list(SEEDS)})
    [label] = found.items
    assert (label.spread.value, label.p) == (0, 1)
    assert "does not move auc at all" in sentence(label, found)


def test_an_effect_without_any_noise_is_no_chance(plan: Plan) -> None:
    [label] = measured(plan, {BASE: [0.5] * 6, HALF: [0.75] * 6}).items
    assert (label.p, label.by_chance) == (0, 0)


def test_a_seed_without_a_value_is_left_out_of_that_item_alone(plan: Plan) -> None:
    gap: list[float | None] = [None, *shifted(0.03)[1:]]
    found = measured(plan, {BASE: list(SEEDS), DEPTH_2: gap, DEPTH_5: shifted(0.0), HALF: shifted(0.01)})
    seeds = {item.label: item.spread.seeds for item in found.items}
    assert seeds == {"depth": 5, "label rule": 6}


def test_an_alternative_that_rarely_worked_does_not_take_the_others_with_it(plan: Plan) -> None:
    for gaps in (6, 4):
        rarely = [None] * gaps + shifted(0.5)[gaps:]
        [depth] = measured(plan, {BASE: list(SEEDS), DEPTH_2: rarely, DEPTH_5: shifted(0.03)}).items
        assert [name for name, _ in depth.alternatives] == ["5"]
        assert depth.spread.seeds == 6


def test_without_a_base_there_is_nothing_to_hold_against(plan: Plan) -> None:
    results = {Run(HALF, 0): Outcome(Status.DONE, {"auc": 0.5}, 1.0)}
    assert effects(plan, results, ["auc"]) == []


def test_one_seed_gives_numbers_without_intervals(tmp_path: Path) -> None:
    plan = made(tmp_path, plan=PLAN.replace("seeds = 3", "seeds = 1"))
    found = measured(plan, {BASE: [0.5], HALF: [0.6]})
    [label] = found.items
    assert (label.spread.low, label.p, found.seed_sd) == (None, None, None)
    assert "One seed cannot show whether this is chance" in sentence(label, found)


def test_an_interaction_is_what_the_single_changes_do_not_add_up_to(tmp_path: Path) -> None:
    plan = made(tmp_path, plan=PLAN.replace("seeds = 3", 'seeds = 6\npairs = [["depth", "label rule"]]'))
    values = {BASE: list(SEEDS), DEPTH_2: shifted(-0.05), DEPTH_5: shifted(0.0), HALF: shifted(-0.02)}
    both = pair_settings(plan, plan.pairs[0])
    found = measured(plan, values | {both[0]: shifted(-0.20), both[1]: shifted(-0.02)})
    first, second = found.interactions
    assert (first.together, first.apart) == (pytest.approx(-0.20), pytest.approx(-0.07))
    assert first.excess.value == pytest.approx(-0.13)
    assert second.excess.value == pytest.approx(0.0)


def test_fill_ins_are_held_against_the_base_at_their_seed(tmp_path: Path) -> None:
    plan = made(tmp_path, plan=PLAN.replace("seeds = 3", "seeds = 6\njoint = 6"))
    results = {Run(BASE, seed): Outcome(Status.DONE, {"auc": SEEDS[seed]}, 1.0) for seed in plan.seeds}
    for run in joint_runs(plan):
        if run.setting != BASE:
            results[run] = Outcome(Status.DONE, {"auc": SEEDS[run.seed] - 0.1}, 1.0)
    [found] = effects(plan, results, ["auc"])
    expected = [0.0 if run.setting == BASE else -0.1 for run in joint_runs(plan)]
    assert found.joint == pytest.approx(tuple(expected))
    assert set(joint_runs(plan)) <= set(runs_of(plan))


@settings(max_examples=20)
@given(st.lists(st.floats(-1, 1), min_size=6, max_size=6), st.floats(-5, 5), st.floats(0.1, 10))
def test_a_shift_of_every_run_changes_nothing_and_a_factor_scales(plan: Plan, noise, by, factor) -> None:
    values = {BASE: list(SEEDS), HALF: [a + b for a, b in zip(SEEDS, noise, strict=True)]}
    moved = {setting: [factor * v + by for v in column] for setting, column in values.items()}
    [one], [other] = measured(plan, values).items, measured(plan, moved).items
    assert other.spread.value == pytest.approx(factor * one.spread.value, abs=1e-9)
    assert other.p == pytest.approx(one.p, abs=1e-6)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_and_keeps_the_order(values) -> None:
    adjusted = holm(values)
    assert all(value <= after <= 1 for value, after in zip(values, adjusted, strict=True))
    order = sorted(range(len(values)), key=values.__getitem__)
    assert [adjusted[place] for place in order] == sorted(adjusted)


@pytest.mark.parametrize(("value", "told"), [(0.1234, "+0.123"), (-0.1, "−0.100"), (0.0001, "0"), (-0.0001, "0")])
def test_a_change_has_a_sign_unless_it_rounds_to_nothing(value: float, told: str) -> None:
    assert signed(value, 3) == told


def test_the_sentence_names_item_measure_range_and_seeds(plan: Plan) -> None:
    found = measured(plan, {BASE: list(SEEDS), DEPTH_2: shifted(-0.11), DEPTH_5: shifted(0.04)})
    assert sentence(found.items[0], found) == (
        "Not reporting depth moves auc by −0.110…+0.040; seeds alone move it by ±0.071."
    )
