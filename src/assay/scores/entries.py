"""One reported score as a file or a command line gives it, with the settings that apply to it."""

from __future__ import annotations

from assay.errors import InputError
from assay.patterns import regex
from assay.scores.conventions import Rounding
from assay.scores.exact import Interval
from assay.scores.experiment import Wording
from assay.scores.printed import Printed, Ranged, read_eps, read_figure, read_spread
from assay.scores.printed_scores import read_extreme
from assay.scores.study import ExperimentModel, ScoreModel
from assay.scores.tasks import Said


def wording_of(name: str, entry: str | ScoreModel, model: ExperimentModel) -> Wording:
    """The figures as text, with the settings that apply to them."""
    detail = entry if isinstance(entry, ScoreModel) else ScoreModel(value=entry)
    eps_text = detail.eps if detail.eps is not None else model.eps
    eps = None if eps_text is None else read_eps(eps_text, name=f"{name} eps" if detail.eps else "eps")
    rounding = detail.rounding or model.rounding or Rounding.NEAREST
    low = _extreme(name, detail.minimum, detail.at_least, "min and at_least", "≥")
    high = _extreme(name, detail.maximum, detail.at_most, "max and at_most", "≤")
    parts = detail.value, detail.sd, low, high, detail.median
    return Wording(*parts, rounding, eps, model.percent)


def _extreme(name: str, attained: str | None, bound: str | None, names: str, sign: str) -> str | None:
    """The smallest or largest value, or a bound on it, as text."""
    if attained is not None and bound is not None:
        raise InputError(f"{names} are given together", where=name, fix="Keep the first, which says more.")
    return attained if bound is None else f"{sign}{bound}"


_WITH_INTERVAL = regex(r"(?P<value>[^()\[\]]+?)\s*[(\[]\s*(?:95\s*%\s*CI:?\s*)?(?P<ci>[^()\[\]]+)[)\]]")
_ENDS = regex(r"(?P<low>[\d.]+\s*%?)\s*(?:-|–|,|;|to)\s*(?P<high>[\d.]+\s*%?)")


def with_interval(entry: str | ScoreModel) -> ScoreModel:
    """``0.93 (0.88-0.97)`` and ``93% (95% CI 88%-97%)`` as a value and its confidence interval."""
    detail = entry if isinstance(entry, ScoreModel) else ScoreModel(value=entry)
    found = _WITH_INTERVAL.fullmatch(detail.value.strip()) if detail.value else None
    if found is None or detail.ci is not None or not _ENDS.fullmatch(found["ci"].strip()):
        return detail
    return detail.model_copy(update={"value": found["value"], "ci": found["ci"]})


def interval_ends(
    name: str, entry: ScoreModel, model: ExperimentModel, range_: Ranged
) -> tuple[Interval, Interval] | None:
    """What the printed ends of a confidence interval leave open."""
    if entry.ci is None:
        return None
    found = _ENDS.fullmatch(entry.ci.strip().strip("[]()").strip())
    if found is None:
        raise InputError(f'"{entry.ci}" is no interval', where=f"{name} ci", fix="Write it like 0.88-0.97.")
    percent = model.percent or "%" in entry.ci
    low, high = (
        read_figure(found[g], range_, name=f"{name} ci", percent=percent, bounded=False) for g in ("low", "high")
    )
    return low.interval, high.interval


def said(name: str, entry: str | ScoreModel, model: ExperimentModel, range_: Ranged) -> Said:
    """A plain figure of a test set: without a spread."""
    found = said_of_folds(name, entry, model, range_)
    if found.spread_out:
        raise InputError("one plain figure is wanted here", where=name, fix="Leave the spread and the extremes out.")
    return found


def said_of_folds(name: str, entry: str | ScoreModel, model: ExperimentModel, range_: Ranged) -> Said:
    """A figure that may be a mean over folds, with its spread and extremes."""
    wording = wording_of(name, entry, model)

    def read(text: str) -> Printed:
        how = {"rounding": wording.rounding, "eps": wording.eps, "percent": wording.percent}
        return read_figure(text, range_, name=name, bounded=False, **how)  # type: ignore[arg-type]

    texts = wording.minimum, wording.maximum, wording.median
    low, high = (read_extreme(text, read) if text else None for text in texts[:2])
    median = read(wording.median).interval if wording.median else None
    value = Printed("", Interval(None, None)) if wording.value is None and any(texts) else read(wording.value or "")
    sd = value.sd
    if wording.sd is not None:
        sd = read_spread(
            wording.sd, name=f"{name} sd", rounding=wording.rounding, eps=wording.eps, percent=wording.percent
        )
    possible = Interval(range_.low, range_.high)
    return Said(name, value.text, value.interval, sd, low, high, median, possible=possible)
