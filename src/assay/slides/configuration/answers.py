"""A configuration as the answers to the checklist: each item's grade follows from what is stated and what is assumed.

Plain data: the checklist itself lives in another room, and the command line brings the two together.
"""

from __future__ import annotations

from assay.records import dataclass
from assay.slides.configuration.steps import Basis, Configuration, Step

CHECKLIST = "whole-slide"


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """The answer to one item: a grade of the checklist's scale, and the choices with what is assumed of them."""

    item: str
    answer: str
    evidence: str
    reason: str = ""


def answers(configuration: Configuration, name: str) -> list[ItemAnswer]:
    """One answer for each item of the checklist. An item that two steps share gets the lower grade of the two."""
    items: dict[str, list[Step]] = {}
    for step in configuration.steps():
        items.setdefault(step.item, []).append(step)
    return [_answer(item, steps, name) for item, steps in items.items()]


def filled_checklist(configuration: Configuration, name: str, version: str) -> str:
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


def _answer(item: str, steps: list[Step], name: str) -> ItemAnswer:
    done = [step for step in steps if step.done]
    if not done:
        return ItemAnswer(
            item, Basis.NOT_DONE.value, "", "; ".join(s.reason or "this step was not done" for s in steps)
        )
    grades = list(Basis)
    grade = max((step.basis for step in done), key=grades.index)
    if {step.basis for step in done} == {Basis.STATED, Basis.ASSUMED}:
        grade = Basis.PARTLY
    return ItemAnswer(item, grade.value, "; ".join([name, *map(described, steps)]))


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
