"""Our frozen classes are those of the standard library, made faster."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import records

Decorator = Callable[..., Any]


def _classes(decorator: Decorator, **options: bool) -> tuple[Any, Any]:
    """One class and one derived from it, made by either decorator."""

    @decorator(frozen=True, **options)
    class Point:
        """A point."""

        x: int
        y: float = 0.5
        tags: list[str] = field(default_factory=list, compare=False)
        seen: dict[str, int] = field(default_factory=dict, init=False, repr=False, compare=False)
        weight: int = field(default=7, init=False)

    @decorator(frozen=True, **options)
    class Named(Point):
        """A point with a name."""

        name: str = "p"

        def __post_init__(self) -> None:
            object.__setattr__(self, "weight", len(self.name))

    return Point, Named


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    a: int
    b: tuple[int, ...] = ()


@records.dataclass(frozen=True, slots=True)
class Ours:
    a: int
    b: tuple[int, ...] = ()


@records.dataclass(frozen=True)
class Remark:
    """Says something of another class."""

    point: Ours


@records.dataclass(frozen=True)
class Lasting:
    """Keeps what it has worked out."""

    a: int

    @cached_property
    def double(self) -> int:
        return 2 * self.a


@records.dataclass(frozen=True, slots=True)
class Looping:
    inner: list[object]


@records.dataclass(frozen=True, slots=True)
class Nothing:
    pass


BOTH = [{"slots": True}, {"slots": False}]


@pytest.mark.parametrize("options", BOTH)
@given(x=st.integers(-3, 3), y=st.floats(-1, 1), name=st.text(max_size=2), other=st.integers(-3, 3))
def test_an_instance_shows_compares_and_hashes_as_in_the_standard_library(
    options: dict[str, bool], x: int, y: float, name: str, other: int
) -> None:
    results = []
    for decorator in (dataclasses.dataclass, records.dataclass):
        point, named = _classes(decorator, **options)
        one, two, three = point(x, y), point(other), named(x, y=y, name=name)
        results.append(
            (
                *map(repr, (one, two, three)),
                one == two,
                one == three,
                hash(one) == hash(two),
                hash(three),
                one == point(x, y, ["other"]),
                dataclasses.astuple(three),
                dataclasses.asdict(dataclasses.replace(three, x=other)),
                three.weight,
                point.__match_args__,
                str(inspect.signature(named)).replace("<factory>", "…").count(","),
            )
        )
    assert results[0] == results[1]


@pytest.mark.parametrize("options", BOTH)
def test_what_is_frozen_cannot_be_changed(options: dict[str, bool]) -> None:
    point, _ = _classes(records.dataclass, **options)
    made = point(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="'x'"):
        made.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="'x'"):
        del made.x
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.new = 2
    assert made.x == 1


def test_a_class_derived_without_the_decorator_may_have_attributes_of_its_own() -> None:
    class Derived(Lasting):
        pass

    derived = Derived(1)
    derived.more = 2  # type: ignore[attr-defined]
    assert derived.more == 2  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError):
        derived.a = 2  # type: ignore[misc]


@given(st.integers(), st.tuples(st.integers(), st.integers()))
def test_an_instance_survives_pickling_and_copying(a: int, b: tuple[int, int]) -> None:
    made = Ours(a, b)
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == copy.copy(made) == made
    assert repr(made) == repr(Standard(a, b)).replace("Standard", "Ours")


def test_defaults_that_are_made_are_made_anew() -> None:
    point, _ = _classes(records.dataclass, slots=True)
    assert point(1).tags == []
    assert point(1).tags is not point(1).tags


def test_what_was_worked_out_is_kept() -> None:
    lasting = Lasting(4)
    assert (lasting.double, vars(lasting)) == (8, {"a": 4, "double": 8})
    assert lasting == Lasting(4)


def test_an_instance_that_holds_itself_can_be_shown() -> None:
    inner: list[object] = []
    looping = Looping(inner)
    inner.append(looping)
    assert repr(looping) == "Looping(inner=[...])"


def test_a_class_without_fields_has_equal_instances() -> None:
    assert Nothing() == Nothing()
    assert len({Nothing(), Nothing()}) == 1
    assert Nothing() != Lasting(1)


def test_wrong_arguments_are_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"Ours.__init__\(\) missing 1 required positional argument: 'a'"):
        Ours()  # type: ignore[call-arg]


def test_annotations_can_be_made_out_where_the_class_stands() -> None:
    assert inspect.signature(Ours, eval_str=True).parameters["b"].annotation == tuple[int, ...]
    assert inspect.signature(Remark, eval_str=True).parameters["point"].annotation is Ours


def test_methods_that_the_class_has_are_kept() -> None:
    @records.dataclass(frozen=True)
    class Own:  # noqa: PLW1641 - the decorator adds it
        a: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own)

        def __repr__(self) -> str:
            return "own"

    assert Own(1) == Own(2)
    assert repr(Own(1)) == "own"
    assert hash(Own(1)) == hash(Own(1))


def test_by_identity_where_equality_is_not_asked_for() -> None:
    @records.dataclass(frozen=True, eq=False, slots=True)
    class Single:
        a: int

    one = Single(1)
    assert one == one  # noqa: PLR0124 - that is the claim
    assert one != Single(1)
    assert len({one, Single(1)}) == 2


def test_a_record_with_another_value_is_the_one_that_the_standard_library_makes() -> None:
    one = Ours(1, (2,))
    assert records.replace(one, a=3) == dataclasses.replace(one, a=3) == Ours(3, (2,))
    assert records.replace(one) == one
    with pytest.raises(TypeError, match="'z'"):
        records.replace(one, z=1)
