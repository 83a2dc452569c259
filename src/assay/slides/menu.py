"""What might have been done where a paper is silent: alternatives for each checklist item, fixed before any run."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from assay.bounded import load_toml
from assay.errors import InputError, suggestion
from assay.files import read_text, validated
from assay.records import dataclass
from assay.slides.configuration.bag_steps import BagConfiguration
from assay.slides.configuration.steps import Basis, Pipeline, Step

SHIPPED, SHIPPED_FOR_BAGS = "menus.toml", "menus-bags.toml"
_Words = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Alternative(_Table):
    name: _Words
    scale: dict[str, float] = Field(default_factory=dict)
    shift: dict[str, int] = Field(default_factory=dict)
    set: dict[str, str | int | float | bool | list[Any]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not (self.scale or self.shift or self.set):
            raise ValueError("an alternative sets, scales or shifts something")
        return self


class _Item(_Table):
    id: _Words
    title: _Words
    alternative: tuple[_Alternative, ...] = Field(min_length=1)


class Menu(_Table):
    """A menu file."""

    item: tuple[_Item, ...] = Field(min_length=1)

    @property
    def ids(self) -> tuple[str, ...]:
        """The checklist items that have alternatives."""
        return tuple(one.id for one in self.item)


@dataclass(frozen=True)
class Gap:
    """A checklist item that was not reported, and how it may be filled."""

    item: str
    label: str
    alternatives: tuple[tuple[str, dict[str, Any]], ...]
    held: tuple[str, ...] = ()
    """Alternatives that would change what the configuration marks as stated."""


def read_menu(path: Path | None = None, configuration: Pipeline | None = None) -> Menu:
    """The menu in a file, or the one that comes with the package for this kind of pipeline."""
    name = SHIPPED_FOR_BAGS if isinstance(configuration, BagConfiguration) else SHIPPED
    shipped = resources.files("assay.slides") / name
    text, where = (shipped.read_text(encoding="utf-8"), name) if path is None else (read_text(path), str(path))
    try:
        data = load_toml(text)
    except ValueError as error:
        raise InputError(f"not valid TOML: {error}", where=where, fix="Fix the file.") from None
    menu = validated(Menu, data, where=where)
    if twice := next((one for one in menu.ids if menu.ids.count(one) > 1), None):
        raise InputError(f'item "{twice}" is there twice', where=where, fix="Merge the two.")
    return menu


def open_items(configuration: Pipeline) -> tuple[str, ...]:
    """The checklist items that the configuration itself marks as assumed, in part or as a whole."""
    marked = [one.item for one in configuration.steps() if one.step.basis in (Basis.PARTLY, Basis.ASSUMED)]
    return tuple(dict.fromkeys(marked))


def gaps(menu: Menu, items: Sequence[str], configuration: Pipeline) -> list[Gap]:
    """The gaps of the named items, in the menu's order."""
    for name in items:
        if name not in menu.ids:
            fix = suggestion(name, menu.ids) or f"The menu has {', '.join(menu.ids)}."
            raise InputError(f'there are no alternatives for item "{name}"', fix=fix)
    return [_gap(one, configuration) for one in menu.item if one.id in items]


def _gap(item: _Item, configuration: Pipeline) -> Gap:
    """The alternatives for one item; those that would change a stated choice are held.

    A choice is stated when the steps of the item mark some of their choices as assumed and this is not among them.
    """
    marked = any(one.step.assumed for one in configuration.steps() if one.item == item.id)
    told = [(one.name, _changes(one, configuration)) for one in item.alternative]
    stated = [name for name, changes in told if marked and not _assumed(next(iter(changes)), configuration)]
    return Gap(
        item.id,
        f"{item.title} ({item.id})",
        tuple((name, _with_step_done(changes, configuration)) for name, changes in told if name not in stated),
        tuple(stated),
    )


def _step(key: str, configuration: Pipeline) -> tuple[Step, str]:
    table, _, choice = key.partition(".")
    step = getattr(configuration, table, None)
    if not isinstance(step, Step) or choice not in step.choices():
        fix = suggestion(choice, step.choices()) if isinstance(step, Step) else ""
        raise InputError(f'the menu changes "{key}", which no step has', fix=fix or "Check the menu.")
    return step, choice


def _assumed(key: str, configuration: Pipeline) -> bool:
    step, choice = _step(key, configuration)
    return "all" in step.assumed or choice in step.assumed


def _changes(alternative: _Alternative, configuration: Pipeline) -> dict[str, Any]:
    """The values that an alternative comes to in this configuration, the choice that it is about first."""
    changes: dict[str, Any] = {}
    for key, factor in alternative.scale.items():
        step, choice = _step(key, configuration)
        value = getattr(step, choice)
        whole = isinstance(value, int)
        changes[key] = max(min(value, 1), round(value * factor)) if whole else value * factor
    for key, steps in alternative.shift.items():
        step, choice = _step(key, configuration)
        changes[key] = getattr(step, choice) + steps
    for key, value in alternative.set.items():
        _step(key, configuration)
        changes[key] = value
    return changes


def _with_step_done(changes: dict[str, Any], configuration: Pipeline) -> dict[str, Any]:
    """A step that the configuration leaves out has to be done for its choices to matter."""
    tables = dict.fromkeys(key.partition(".")[0] for key in changes)
    return changes | {f"{table}.done": True for table in tables if not getattr(configuration, table).done}
