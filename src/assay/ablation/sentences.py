"""What an item does, in one sentence."""

from __future__ import annotations

from assay.ablation.effects import ItemEffect, MeasureEffects

SURE = 0.05


def sentence(effect: ItemEffect, of: MeasureEffects) -> str:
    """Such as: Not reporting X moves Y by −0.11…+0.04; seeds alone move it by ±0.02."""
    if effect.spread.value == 0:
        moved = f"Not reporting {effect.label} does not move {of.measure} at all"
    else:
        moved = f"Not reporting {effect.label} moves {of.measure} by {moves(effect, of.decimals)}"
    return f"{moved}; {_by_seeds(of)}.{_judged(effect)}"


def moves(effect: ItemEffect, decimals: int) -> str:
    """From the lowest to the highest change."""
    return f"{signed(effect.lowest, decimals)}…{signed(effect.highest, decimals)}"


def signed(value: float, decimals: int) -> str:
    """A change with its sign; what rounds to nothing has none."""
    text = f"{abs(value):.{decimals}f}"
    return "0" if float(text) == 0 else f"{'+' if value > 0 else '−'}{text}"


def _by_seeds(of: MeasureEffects) -> str:
    if of.seed_sd is None:
        return "with one seed, what seeds alone do is unknown"
    return f"seeds alone move it by ±{of.seed_sd:.{of.decimals}f}"


def _judged(effect: ItemEffect) -> str:
    if effect.p is None or effect.adjusted is None:
        return " Whether that is chance cannot be told."
    if effect.spread.value == 0:
        return ""
    if effect.adjusted < SURE:
        return ""
    if effect.p < SURE:
        return " Taken alone that is more than chance; among so many comparisons it may be chance."
    return " That is not told apart from chance."
