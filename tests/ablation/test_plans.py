"""A plan says what is run; what has no one meaning is refused before the first run."""

from collections import Counter
from pathlib import Path

import pytest
from made_plans import PLAN, made

from assay.ablation.design import BASE, joint_settings, pair_settings, runs_of
from assay.errors import InputError

HEAD, ITEMS = PLAN.split("\n[[item]]", 1)
ITEMS = "\n[[item]]" + ITEMS


def test_what_the_base_already_has_is_no_alternative(tmp_path: Path) -> None:
    depth, _ = made(tmp_path).items
    assert depth.stated == "model.depth = 3"
    assert [one.name for one in depth.alternatives] == ["2", "5"]


def test_one_at_a_time_changes_one_item_for_every_seed(tmp_path: Path) -> None:
    plan = made(tmp_path)
    runs = runs_of(plan)
    assert len(runs) == 3 * (1 + 2 + 1)
    assert {len(run.setting.choices) for run in runs} == {0, 1}
    assert [run.seed for run in runs if run.setting == BASE] == [0, 1, 2]


def test_a_pair_is_crossed_in_full(tmp_path: Path) -> None:
    plan = made(tmp_path, plan=HEAD + 'pairs = [["depth", "label rule"]]\n' + ITEMS)
    settings = pair_settings(plan, plan.pairs[0])
    assert [one.changes(plan) for one in settings] == [
        {"model.depth": 2, "data.label": "half"},
        {"model.depth": 5, "data.label": "half"},
    ]
    assert made(tmp_path, plan=HEAD + 'pairs = "all"\n' + ITEMS).pairs == plan.pairs


def test_random_fill_ins_use_every_level_equally_often_and_are_the_same_each_time(tmp_path: Path) -> None:
    plan = made(tmp_path, plan=HEAD + "joint = 12\n" + ITEMS)
    drawn = joint_settings(plan)
    assert drawn == joint_settings(plan)
    depths = Counter(one.changes(plan).get("model.depth", 3) for one in drawn)
    assert depths == {2: 4, 3: 4, 5: 4}


def test_fill_ins_never_set_a_key_twice(tmp_path: Path) -> None:
    both = """
[[item]]
label = "shape"
alternatives = [{ name = "deep", set = { "model.depth" = 9, "model.rate" = 0.5 } }]
"""
    plan = made(tmp_path, plan=HEAD + "joint = 12\n" + ITEMS + both)
    for setting in joint_settings(plan):
        keys = [key for i, a in setting.choices for key in plan.items[i].alternatives[a].changes]
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("model.depth", "model.dept"), 'Did you mean "model.depth"?'),
        (("seeds = 3", "seed = 3"), 'Did you mean "seeds"?'),
        (('label = "label rule"', 'label = "depth"'), 'two items are called "depth"'),
        (
            ('key = "data.label"\nvalues = ["half"]', 'key = "model.depth"\nvalues = [9]'),
            'two items vary "model.depth"',
        ),
        (("values = [2, 3, 5]", "values = [2, 2]"), '"depth" has "2" twice'),
        (("values = [2, 3, 5]", "values = [3]"), "no alternative to what the base has"),
        (('values = ["half"]', ""), 'give "key" with "values"'),
        (("seeds = 3", "seeds = [1, 1]"), "a seed is there twice"),
        (('"{config}", "{seed}"', '"{config}"'), "the command never gets one"),
        (('"{config}", "{seed}"', '"{seed}"'), "never names {config}"),
        (("seeds = 3", 'seeds = 3\nseed_key = "sed"'), 'Did you mean "seed"?'),
        (("seeds = 3", 'seeds = 3\npairs = [["depth", "lable rule"]]'), 'Did you mean "label rule"?'),
        (("seeds = 3", 'seeds = 3\npairs = [["depth", "depth"]]'), "no one meaning"),
        (("seeds = 3", 'seeds = 3\ndepends = ["gone.py"]'), "gone.py, which is no file"),
        (("config.toml", "gone.toml"), "cannot be read"),
        (("seeds = 3", "seeds = 3\nseeds = 4"), "not valid TOML"),
        (("seeds = 3", "seeds = 3\ntimeout = 0"), "Give more than 0."),
    ],
)
def test_a_faulty_plan_is_refused(tmp_path: Path, change: tuple[str, str], told: str) -> None:
    assert change[0] in PLAN
    with pytest.raises(InputError) as caught:
        made(tmp_path, plan=PLAN.replace(*change))
    assert told in str(caught.value)
