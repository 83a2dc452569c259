"""Which settings are run: the base, each alternative alone, pairs in full, and all gaps filled at once.

Interactions are measured with the full two-way table of named pairs rather than with a screening design such as
Plackett and Burman's: a screening design of n runs mixes every main effect with interactions of other items, takes
two levels where menus have several, and answers "which matter on average over all others", not "what would the
paper's own setting have given". The random fill-ins say how far readers land who must guess everything at once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from assay.ablation.plan import Plan
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """Which alternative of which item; what is not named stays as the base has it."""

    choices: tuple[tuple[int, int], ...] = ()

    def changes(self, plan: Plan) -> dict[str, Any]:
        """The values that this setting changes."""
        return {key: v for i, a in self.choices for key, v in plan.items[i].alternatives[a].changes.items()}

    def described(self, plan: Plan) -> str:
        """The setting in words."""
        parts = [f"{plan.items[i].label}: {plan.items[i].alternatives[a].name}" for i, a in self.choices]
        return "; ".join(parts) or "as stated"


BASE = Setting()


@dataclass(frozen=True, slots=True)
class Run:
    """A setting with a seed."""

    setting: Setting
    seed: int


def singles(plan: Plan) -> list[Setting]:
    """Each alternative alone."""
    return [Setting(((i, a),)) for i, item in enumerate(plan.items) for a in range(len(item.alternatives))]


def pair_settings(plan: Plan, pair: tuple[int, int]) -> list[Setting]:
    """Every alternative of one item with every alternative of another."""
    one, other = (range(len(plan.items[i].alternatives)) for i in pair)
    return [Setting(((pair[0], a), (pair[1], b))) for a in one for b in other]


def joint_settings(plan: Plan) -> list[Setting]:
    """All items filled in at once: each level of an item equally often, in an order shuffled for each item.

    An alternative that would set a key which an item before it has set stays as stated.
    """
    rng = random.Random(0)  # noqa: S311 - a design, not a secret
    columns = []
    for item in plan.items:
        levels = len(item.alternatives) + 1
        column = [draw % levels for draw in range(plan.joint)]
        rng.shuffle(column)
        columns.append(column)
    return [_compatible(plan, [column[draw] for column in columns]) for draw in range(plan.joint)]


def _compatible(plan: Plan, levels: list[int]) -> Setting:
    taken: set[str] = set()
    choices = []
    for place, level in enumerate(levels):
        if level and not taken & plan.items[place].alternatives[level - 1].changes.keys():
            choices.append((place, level - 1))
            taken |= plan.items[place].alternatives[level - 1].changes.keys()
    return Setting(tuple(choices))


def runs_of(plan: Plan) -> list[Run]:
    """Every run once, seed by seed, so that a series that is cut short still has whole seeds."""
    paired = [setting for pair in plan.pairs for setting in pair_settings(plan, pair)]
    crossed = [Run(setting, seed) for seed in plan.seeds for setting in (BASE, *singles(plan), *paired)]
    return list(dict.fromkeys([*crossed, *joint_runs(plan)]))


def joint_runs(plan: Plan) -> Iterator[Run]:
    """The random fill-ins, each with one seed, taken in turn."""
    for draw, setting in enumerate(joint_settings(plan)):
        yield Run(setting, plan.seeds[draw % len(plan.seeds)])
