"""Column types that give back exactly what was put in, with either database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, TypeVar

from sqlalchemy import JSON, DateTime, Dialect, Enum, String, Text, TypeDecorator

from assay.errors import InputError

E = TypeVar("E", bound=StrEnum)


def storable(text: str) -> str:
    """The text, unless it holds what no database takes: a null character, or half of one."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"{text[:40]!r} is not text", fix="Write it in UTF-8.") from None
    if "\0" in text:
        raise InputError(f"{text[:40]!r} holds a null character", fix="Take it out.")
    return text


class Prose(TypeDecorator[str]):
    """Text of any length."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, _: Dialect) -> str | None:
        """Refused before either database does it in its own words."""
        return None if value is None else storable(value)


class Words(TypeDecorator[tuple[Any, ...]]):
    """A tuple of texts, or of pairs, as a JSON list."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: tuple[Any, ...] | None, _: Dialect) -> list[Any]:
        """A tuple becomes a list."""
        return list(_checked(value or ()))

    def process_result_value(self, value: Any, _: Dialect) -> tuple[Any, ...]:
        """A list, and every list in it, becomes a tuple again."""
        return _tuples(value or ())


def _checked(values: Sequence[Any]) -> Sequence[Any]:
    for value in values:
        storable(value) if isinstance(value, str) else _checked(value)
    return values


def _tuples(values: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(_tuples(value) if isinstance(value, list) else value for value in values)


class Exact(TypeDecorator[Decimal]):
    """A decimal number with all its digits: 2.50 stays 2.50. As text, because SQLite knows only binary fractions."""

    impl = String(80)
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, _: Dialect) -> str | None:
        """Its digits."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, _: Dialect) -> Decimal | None:
        """The number."""
        return None if value is None else Decimal(value)


class Instant(TypeDecorator[datetime]):
    """A moment, kept as UTC."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _: Dialect) -> datetime | None:
        """Without its zone, which SQLite does not keep."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, _: Dialect) -> datetime | None:
        """With its zone again."""
        return None if value is None else value.replace(tzinfo=UTC)


def choice(kind: type[E]) -> Enum:
    """A word of a closed list, written out, so that a list that grows needs no change of tables."""
    return Enum(kind, values_callable=_values, native_enum=False, create_constraint=False, length=32)


def _values(kind: type[StrEnum]) -> list[str]:
    return [member.value for member in kind]
