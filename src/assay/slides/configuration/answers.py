"""A configuration as the answers to the checklist: each item's grade follows from what is stated and what is assumed.

Plain data: the checklist itself lives in another room, and the command line brings the two together.
"""

from __future__ import annotations

from assay.records import dataclass
from assay.slides.configuration.steps import Basis, Pipeline, Step

CHECKLIST = "whole-slide"


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """The answer to one item: a grade of the checklist's scale, and the choices with what is assumed of them."""

    item: str
    answer: str
    evidence: str
    reason: str = ""


def answers(configuration: Pipeline, name: str) -> list[ItemAnswer]:
    """One answer for each item of the checklist, and one item for each step."""
    return [_answer(step, name) for step in configuration.steps()]


def filled_checklist(configuration: Pipeline, name: str, version: str) -> str:
    """The filled checklist as YAML."""
    import yaml

    told = {
        a.item: {
            key: value for key, value in (("answer", a.answer), ("evidence", a.evidence), ("reason", a.reason)) if value
        }
        for a in answers(configuration, name)
    }
    head = {"checklist": CHECKLIST, "version": version, "subject": configuration.title or name}
    comment = (
        f"# From the slide configuration {name}: complete is stated, partial partly assumed, missing all assumed.\n"
    )
    return comment + yaml.safe_dump(head | {"answers": told}, sort_keys=False, allow_unicode=True, width=100)


def _answer(step: Step, name: str) -> ItemAnswer:
    if not step.done:
        return ItemAnswer(step.item, Basis.NOT_DONE.value, "", step.reason or "this step was not done")
    return ItemAnswer(step.item, step.basis.value, f"{name}; {described(step)}")


def described(step: Step) -> str:
    """A step in words: every choice, then what of it is assumed and why."""
    if not step.done:
        return f"{step.step}: not done" + (f" ({step.reason})" if step.reason else "")
    told = ", ".join(f"{name} = {_shown(getattr(step, name))}" for name in step.choices() if name != "world")
    why = "; ".join(f"{name}: {reason}" for name, reason in step.assumed.items())
    other = "; ".join(f"{name}: {reason}" for name, reason in step.departs.items())
    return f"{step.step}: {told}" + (f". ASSUMED {why}" if why else "") + (f". DEPARTS {other}" if other else "")


def _shown(value: object) -> str:
    told = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return "none" if told in {"", "None"} else told
