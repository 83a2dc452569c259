"""What a checklist is: sections of items, what counts as an answer, and which answers cannot stand together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import StrEnum

from assay.records import dataclass

NOT_APPLICABLE = "not applicable"
YES_NO = ("yes", "no")


class Answers(StrEnum):
    """What an item asks for. "not applicable", with a reason, is an answer to all of them."""

    TEXT = "text"
    YES_NO = "yes-no"
    CHOICE = "choice"
    NUMBER = "number"
    SCALE = "scale"


@dataclass(frozen=True, slots=True)
class Grade:
    """A step of a checklist's scale, and what it is worth when assessments are averaged."""

    name: str
    value: float
    means: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One question. `codes` are rules of other instruments whose findings speak against a good answer."""

    id: str
    title: str
    asks: str
    answer: Answers = Answers.TEXT
    choices: tuple[str, ...] = ()
    evidence: str = ""
    """What counts as evidence; empty when none is asked for."""
    applies: str = ""
    """When the item applies, in words; empty for always."""
    hint: str = ""
    refers: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    step: str = ""
    addition: bool = False
    """Whether the item is ours, not the source's."""


@dataclass(frozen=True, slots=True)
class Section:
    """Items that belong together."""

    title: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that one of the `items` may say: any of the phrases, as whole words, or one of the values exactly."""

    items: tuple[str, ...]
    says: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Answers that together call for a question: `all` hold, and none of `unless`."""

    all: tuple[Condition, ...]
    message: str
    asks: str
    unless: tuple[Condition, ...] = ()
    refers: str = ""


@dataclass(frozen=True)
class Checklist:
    """A checklist as its file describes it."""

    name: str
    title: str
    version: str
    source: str
    sections: tuple[Section, ...]
    link: str = ""
    note: str = ""
    scale: tuple[Grade, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    _by_id: dict[str, Item] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._by_id.update({item.id: item for item in self})

    def __iter__(self) -> Iterator[Item]:
        return (item for section in self.sections for item in section.items)

    def __len__(self) -> int:
        return len(self._by_id)

    def item(self, key: str) -> Item | None:
        """The item with this id."""
        return self._by_id.get(key)

    def accepted(self, item: Item) -> tuple[str, ...]:
        """The words that an answer is chosen from; empty when it is free text or a number."""
        match item.answer:
            case Answers.YES_NO:
                return (*YES_NO, NOT_APPLICABLE)
            case Answers.CHOICE:
                return (*item.choices, NOT_APPLICABLE)
            case Answers.SCALE:
                return (*(grade.name for grade in self.scale), NOT_APPLICABLE)
            case _:
                return ()

    def worth(self, answer: str) -> float | None:
        """What an answer counts: a grade's value, 1 for yes and 0 for no; None for all that does not count."""
        values = {"yes": 1.0, "no": 0.0} | {grade.name: grade.value for grade in self.scale}
        return values.get(answer)
