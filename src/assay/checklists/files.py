"""Checklist files (TOML) → checklists: those that ship with the package, and the user's own."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from assay.bounded import load_toml
from assay.checklists.definition import (
    Answers,
    Checklist,
    Condition,
    Contradiction,
    Grade,
    Item,
    Section,
)
from assay.errors import InputError, suggestion
from assay.files import read_text, validated

_Words = Annotated[str, StringConstraints(min_length=1, max_length=2_000, strip_whitespace=True)]
_Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][\w.-]{0,40}$")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Grade(_Table):
    name: _Words
    value: float = Field(ge=0, le=1)
    means: str = ""


class _Item(_Table):
    id: _Id
    title: _Words
    asks: _Words
    answer: Answers | None = None
    choices: tuple[_Words, ...] = ()
    evidence: str | None = None
    applies: str = ""
    hint: str = ""
    refers: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    step: str = ""
    addition: bool = False


class _Section(_Table):
    title: _Words
    item: tuple[_Item, ...] = Field(min_length=1)


class _Condition(_Table):
    item: _Id | None = None
    items: tuple[_Id, ...] = ()
    says: tuple[_Words, ...] = ()
    is_: tuple[_Words, ...] = Field((), alias="is")

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.item or self.items) or not (self.says or self.is_):
            raise ValueError("a condition names an item (or items) and what it says (or is)")
        return self


class _Contradiction(_Table):
    all: tuple[_Condition, ...] = Field(min_length=1)
    unless: tuple[_Condition, ...] = ()
    message: _Words
    asks: _Words
    refers: str = ""

    def named(self) -> list[str]:
        """The items that its conditions are about."""
        conditions = (*self.all, *self.unless)
        return [name for one in conditions for name in (*one.items, one.item) if name]


class ChecklistModel(_Table):
    """A checklist file. `answer` and `evidence` are what its items ask for unless they say otherwise."""

    title: _Words
    version: _Words
    source: _Words
    link: str = ""
    note: str = ""
    answer: Answers = Answers.TEXT
    evidence: str = ""
    scale: tuple[_Grade, ...] = ()
    section: tuple[_Section, ...] = Field(min_length=1)
    contradiction: tuple[_Contradiction, ...] = ()

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        items = [item for section in self.section for item in section.item]
        ids = [item.id for item in items]
        if twice := sorted({i for i in ids if ids.count(i) > 1}):
            raise ValueError(f"item {twice[0]} is there twice")
        for item in items:
            self._check_answers(item)
        named = (name for one in self.contradiction for name in one.named())
        if unknown := next((name for name in named if name not in ids), None):
            raise ValueError(f'a contradiction names item "{unknown}", which is not in the list')
        return self

    def _check_answers(self, item: _Item) -> None:
        kind = item.answer or self.answer
        if kind is Answers.CHOICE and len(item.choices) < 2:
            raise ValueError(f"item {item.id} is a choice, but has fewer than two choices")
        if kind is Answers.SCALE and len(self.scale) < 2:
            raise ValueError(f"item {item.id} is answered on a scale, but the checklist has none")


def shipped() -> list[str]:
    """The names of the checklists that come with the package."""
    folder = resources.files("assay.checklists") / "shipped"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def load(name: str, beside: Path | None = None) -> Checklist:
    """A checklist by its name, or by the path of a file; `beside` is a folder that paths may be relative to."""
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_absolute() and beside is not None and (beside / path).is_file():
            path = beside / path
        return checklist_of(read_text(path), name, str(path))
    if name not in shipped():
        fix = suggestion(name, shipped()) or f"There are: {', '.join(shipped())}; or give the path of a .toml file."
        raise InputError(f'there is no checklist "{name}"', fix=fix)
    text = (resources.files("assay.checklists") / "shipped" / f"{name}.toml").read_text(encoding="utf-8")
    return checklist_of(text, name, f"{name}.toml")


def checklist_of(text: str, name: str, where: str) -> Checklist:
    """The checklist that a TOML text describes."""
    try:
        data: Any = load_toml(text)
    except ValueError as error:
        raise InputError(f"not valid TOML: {error}", where=where, fix="Fix the file.") from None
    model = validated(ChecklistModel, data, where=where)
    return Checklist(
        name=name,
        title=model.title,
        version=model.version,
        source=model.source,
        link=model.link,
        note=" ".join(model.note.split()),
        scale=tuple(Grade(g.name, g.value, g.means) for g in model.scale),
        sections=tuple(Section(s.title, tuple(_item(i, model) for i in s.item)) for s in model.section),
        contradictions=tuple(
            Contradiction(tuple(map(_condition, c.all)), c.message, c.asks, tuple(map(_condition, c.unless)), c.refers)
            for c in model.contradiction
        ),
    )


def _item(item: _Item, model: ChecklistModel) -> Item:
    return Item(
        id=item.id,
        title=item.title,
        asks=item.asks,
        answer=item.answer or model.answer,
        choices=item.choices,
        evidence=model.evidence if item.evidence is None else item.evidence,
        applies=item.applies,
        hint=item.hint,
        refers=item.refers,
        codes=item.codes,
        step=item.step,
        addition=item.addition,
    )


def _condition(condition: _Condition) -> Condition:
    items = (*([condition.item] if condition.item else ()), *condition.items)
    return Condition(items, condition.says, condition.is_)
