"""Patterns that are compiled at their first use behave like compiled ones."""

from __future__ import annotations

import gc
import pkgutil
import re
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.patterns import regex

TEXTS = st.text("ab \n", max_size=12)


@given(TEXTS)
def test_every_use_gives_what_the_compiled_pattern_gives(text: str) -> None:
    late, compiled = regex(r"^(?P<first>a+)b?", re.MULTILINE), re.compile(r"^(?P<first>a+)b?", re.MULTILINE)
    assert late.findall(text) == compiled.findall(text)
    assert late.sub("-", text) == compiled.sub("-", text)
    assert late.split(text) == compiled.split(text)
    assert [m.span("first") for m in late.finditer(text)] == [m.span("first") for m in compiled.finditer(text)]
    assert (late.search(text) is None) == (compiled.search(text) is None)
    assert (late.fullmatch(text) is None) == (compiled.fullmatch(text) is None)


def test_every_pattern_of_the_rooms_compiles() -> None:
    for module in pkgutil.walk_packages(assay.__path__, "assay."):
        if not module.name.endswith(("__main__", ".env")) and "migrations" not in module.name:
            import_module(module.name)
    kind = type(regex(""))
    late = [found for found in gc.get_objects() if type(found) is kind]
    assert len(late) > 400
    for pattern in late:
        assert pattern.pattern is not None, pattern


def test_a_pattern_that_is_never_used_is_never_compiled() -> None:
    broken = regex("(")
    with pytest.raises(re.error):
        broken.search("x")


def test_the_second_use_finds_the_compiled_method_in_the_object_itself() -> None:
    pattern = regex("a")
    assert "search" not in vars(pattern)
    assert pattern.search("a")
    assert vars(pattern)["search"] == re.compile("a").search


def test_what_a_pattern_does_not_offer_is_missing() -> None:
    pattern = regex("a")
    assert not hasattr(pattern, "nothing")
    assert pattern.pattern == "a"
    assert repr(pattern) == "regex('a')"
