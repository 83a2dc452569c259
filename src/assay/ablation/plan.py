"""The plan of an ablation: what is held, what is varied over which menu, with which seeds, by which command.

The plan is fixed before the first run and stands in the report, so that no choice follows from a result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import chain, combinations
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from assay.ablation.configuration import Configuration, read_configuration
from assay.bounded import load_toml
from assay.errors import InputError, suggestion
from assay.files import read_text, validated
from assay.records import dataclass

_Words = Annotated[str, StringConstraints(min_length=1, max_length=500, strip_whitespace=True)]
_Value = str | int | float | bool | list[Any] | dict[str, Any]


@dataclass(frozen=True)
class Alternative:
    """One way to fill a gap: what it is called, and the values it sets."""

    name: str
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class Item:
    """Something that was not reported: what the base configuration assumes, and what it might have been."""

    label: str
    stated: str
    alternatives: tuple[Alternative, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """Every dotted key that one of the alternatives sets."""
        return tuple(dict.fromkeys(key for one in self.alternatives for key in one.changes))


@dataclass(frozen=True)
class Plan:
    """All that decides which runs are made and how they are read."""

    title: str
    base: Configuration
    command: tuple[str, ...]
    items: tuple[Item, ...]
    seeds: tuple[int, ...]
    folder: Path
    """Where the command runs."""
    seed_key: str = ""
    metrics_file: str = ""
    """Where the command leaves its metrics; empty: on standard output."""
    measures: tuple[str, ...] = ()
    """Which metrics to report; empty: all."""
    depends: tuple[Path, ...] = ()
    """Further files whose content the results depend on, besides those that the command names."""
    timeout: float = 3_600.0
    pairs: tuple[tuple[int, int], ...] = ()
    """Places of the items that are varied together, every alternative with every other."""
    joint: int = 0
    """How many times all items are filled in at once, at random."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Further words in braces that the command may use, for folders that decide nothing."""
    first_alone: bool = False
    """Make the first run before all others, because it fills a cache that they share."""
    salt: str = ""
    """What else decides a result, such as the version of the program."""
    cases: Mapping[str, int] = field(default_factory=dict)
    """For measures that are shares: of how many test cases."""
    enough: float | None = None
    """Stop adding seeds once the 95 % interval of every change reaches no further than this."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Alternative(_Table):
    name: _Words
    set: dict[str, _Value] = Field(min_length=1)


class ItemModel(_Table):
    """An item of a plan or of a menu: one key with values, or named alternatives that set several keys."""

    label: _Words
    key: str = ""
    values: tuple[_Value, ...] = ()
    alternatives: tuple[_Alternative, ...] = ()

    @model_validator(mode="after")
    def _has_one_menu(self) -> Self:
        if bool(self.key) is not bool(self.values) or bool(self.key) is bool(self.alternatives):
            raise ValueError('give "key" with "values", or "alternatives"')
        return self


class PlanModel(_Table):
    """A plan file."""

    title: _Words = "Ablation"
    base: _Words
    command: tuple[_Words, ...] = Field((), max_length=200)
    seeds: tuple[Annotated[int, Field(ge=0)], ...] | Annotated[int, Field(ge=1, le=10_000)] = 5
    seed_key: str = ""
    metrics_file: str = ""
    measures: tuple[_Words, ...] = ()
    depends: tuple[_Words, ...] = ()
    timeout: float = Field(3_600.0, gt=0)
    pairs: tuple[tuple[_Words, _Words], ...] | Literal["all"] = ()
    joint: int = Field(0, ge=0, le=100_000)
    cases: dict[_Words, Annotated[int, Field(ge=1)]] = Field({})
    enough: float | None = Field(None, gt=0)
    item: tuple[ItemModel, ...] = Field(min_length=1, max_length=1_000)


def read_plan(path: Path) -> Plan:
    """The plan in a TOML file, with its base configuration; paths in it start from the plan's folder."""
    text = read_text(path)
    try:
        data: Any = load_toml(text)
    except ValueError as error:
        raise InputError(f"not valid TOML: {error}", where=str(path), fix="Correct the file.") from None
    model = validated(PlanModel, data, where=str(path))
    folder = path.resolve().parent
    base = read_configuration(folder / model.base)
    items = tuple(item_of(one, base, where=str(path)) for one in model.item)
    return checked(
        Plan(
            model.title,
            Configuration(model.base, base.format, base.values),
            model.command,
            items,
            tuple(range(model.seeds)) if isinstance(model.seeds, int) else model.seeds,
            folder,
            model.seed_key,
            model.metrics_file,
            model.measures,
            tuple(Path(name) for name in model.depends),
            model.timeout,
            pairs_of(model.pairs, items, where=str(path)),
            model.joint,
            cases=model.cases,
            enough=model.enough,
        ),
        where=str(path),
    )


def item_of(model: ItemModel, base: Configuration, where: str) -> Item:
    """The item with its alternatives; what the base configuration already has is no alternative to it."""
    menu = [Alternative(one.name, dict(one.set)) for one in model.alternatives]
    menu = menu or [Alternative(shown(value), {model.key: value}) for value in model.values]
    if twice := _twice([one.name for one in menu]):
        raise InputError(f'"{model.label}" has "{twice}" twice', where=where, fix="Name each alternative once.")
    now = {key: base.get(key) for one in menu for key in one.changes}
    others = tuple(one for one in menu if not now.items() >= one.changes.items())
    values = ", ".join(f"{key} = {shown(value)}" for key, value in now.items())
    named = [one.name for one in model.alternatives if one.set == now]
    return Item(model.label, f"{named[0]} ({values})" if named else values, others)


def _twice(words: Sequence[str]) -> str | None:
    """The first word that is there more than once."""
    return next((word for word in words if words.count(word) > 1), None)


def pairs_of(
    named: tuple[tuple[str, str], ...] | str, items: tuple[Item, ...], where: str
) -> tuple[tuple[int, int], ...]:
    """Pairs of labels as pairs of places; "all" for every two items that set different keys."""
    if isinstance(named, str):
        places = combinations(range(len(items)), 2)
        return tuple((a, b) for a, b in places if not _shared_keys(items[a], items[b]))
    labels = [item.label for item in items]
    if unknown := [name for name in chain.from_iterable(named) if name not in labels]:
        fix = suggestion(unknown[0], labels) or f"The items are {', '.join(labels)}."
        raise InputError(f'a pair names "{unknown[0]}", which is no item', where=where, fix=fix)
    return tuple(dict.fromkeys((labels.index(a), labels.index(b)) for a, b in named))


def _shared_keys(one: Item, other: Item) -> list[str]:
    return sorted({*one.keys} & {*other.keys})


def checked(plan: Plan, where: str) -> Plan:
    """The plan, unless something in it has no one meaning."""
    if lonely := [item.label for item in plan.items if not item.alternatives]:
        what = f'"{lonely[0]}" has no alternative to what the base has'
        raise InputError(what, where=where, fix="Add values to its menu.")
    labels = [item.label for item in plan.items]
    single = [item.keys[0] for item in plan.items if len(item.keys) == 1]
    for words, what in ((labels, "items are called"), (single, "items vary")):
        if twice := _twice(words):
            raise InputError(f'two {what} "{twice}"', where=where, fix="Merge them into one item.")
    for a, b in plan.pairs:
        _check_pair(plan.items[a], plan.items[b], where)
    if len(set(plan.seeds)) < len(plan.seeds) or not plan.seeds:
        raise InputError("a seed is there twice, or there is none", where=where, fix="Write seeds = 5, or list them.")
    _check_command(plan, where)
    return plan


def _check_pair(one: Item, other: Item, where: str) -> None:
    if both := _shared_keys(one, other):
        what = f'"{one.label}" and "{other.label}" both set {", ".join(both)}'
        raise InputError(what, where=where, fix="Leave the pair out: together they have no one meaning.")


def _check_command(plan: Plan, where: str) -> None:
    if not plan.command:  # the runs are made elsewhere and imported
        return
    words = " ".join((*plan.command, plan.metrics_file))
    if "{config}" not in words:
        raise InputError("the command never names {config}", where=where, fix="Pass the configuration file to it.")
    if plan.seed_key:
        plan.base.get(plan.seed_key)
    elif "{seed}" not in words and len(plan.seeds) > 1:
        fix = 'Put {seed} into the command, or name the configuration\'s own key: seed_key = "seed".'
        raise InputError("several seeds, but the command never gets one", where=where, fix=fix)
    for path in plan.depends:
        if not (plan.folder / path).is_file():
            raise InputError(f'"depends" names {path}, which is no file', where=where, fix="Check the path.")


def shown(value: Any) -> str:
    """A value of a configuration for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} = {shown(inner)}" for key, inner in value.items())
    return "unset" if value is None else str(value)
