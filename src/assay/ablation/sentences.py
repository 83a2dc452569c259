"""What an item does, in one sentence."""

from __future__ import annotations

from assay.ablation.effects import ItemEffect, MeasureEffects, Noise

SURE = 0.05


def sentence(effect: ItemEffect, of: MeasureEffects) -> str:
    """Such as: Not reporting X moves Y by −0.11…+0.04; seeds alone move it by ±0.02."""
    if effect.spread.value == 0:
        moved = f"Not reporting {effect.label} does not move {of.measure} at all"
    else:
        moved = f"Not reporting {effect.label} moves {of.measure} by {moves(effect, of.decimals)}"
    return f"{moved}; {_by_noise(of)}.{_verdict(effect, of)}"


def moves(effect: ItemEffect, decimals: int) -> str:
    """From the lowest to the highest change."""
    return f"{signed(effect.lowest, decimals)}…{signed(effect.highest, decimals)}"


def signed(value: float, decimals: int) -> str:
    """A change with its sign; what rounds to nothing has none."""
    text = f"{abs(value):.{decimals}f}"
    return "0" if float(text) == 0 else f"{'+' if value > 0 else '−'}{text}"


def _by_noise(of: MeasureEffects) -> str:
    test = "" if of.test_sd is None else f", {Noise.TEST_SET} by ±{of.test_sd:.{of.decimals}f}"
    if of.seed_sd is None:
        return f"with one seed, the effect of seeds alone is unknown{test}"
    return f"seeds alone move it by ±{of.seed_sd:.{of.decimals}f}{test}"


def _verdict(effect: ItemEffect, of: MeasureEffects) -> str:
    if effect.spread.value == 0:
        return ""
    noise = of.noise(effect)
    within = f" It is within noise: no larger than the effect of {' and of '.join(noise)} alone." if noise else ""
    if effect.p is None or effect.adjusted is None:
        return f" One seed cannot show whether this is chance.{within}"
    if effect.adjusted < SURE:
        return within
    if effect.p < SURE:
        return f" Alone, this is more than chance; among so many comparisons it may be chance.{within}"
    return f" It cannot be distinguished from chance.{within}"
