"""A configuration as the answers to the checklist: each item's grade follows from what is stated and what is assumed.

Plain data: the checklist itself lives in another room, and the command line brings the two together.
"""

from __future__ import annotations

from assay.records import dataclass
from assay.slides.configuration.steps import Basis, ItemStep, Pipeline

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


def _answer(found: ItemStep, name: str) -> ItemAnswer:
    step = found.step
    if not step.done:
        return ItemAnswer(found.item, Basis.NOT_DONE.value, "", step.reason or "this step was not done")
    return ItemAnswer(found.item, step.basis.value, f"{name}; {described(found)}")


def described(found: ItemStep) -> str:
    """A step in words: every choice, then what of it is assumed and why."""
    step = found.step
    if not step.done:
        return f"{found.title}: not done" + (f" ({step.reason})" if step.reason else "")
    choices = ", ".join(f"{name} = {_setting_text(getattr(step, name))}" for name in step.choices() if name != "world")
    marked = (("ASSUMED", step.assumed), ("DEPARTS", step.departs))
    marks = (f". {mark} {'; '.join(f'{name}: {why}' for name, why in of.items())}" for mark, of in marked if of)
    return f"{found.title}: {choices}{''.join(marks)}"


def _setting_text(value: object) -> str:
    told = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return "none" if told in {"", "None"} else told
