"""What readers look up instead of walking over the tree gives what a walk would give."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.code.index import index_calls
from assay.code.names import first_name, last_name, spelt
from assay.code.scanning import children, scan
from assay.tree.text import uncased

TEXT = """
import numpy as np
np.random.seed(0)
model.fit(x, y, epochs=3).save("a.h5", **more)
steps["train"](download=True)
[f(a)(b) for a in c]
(lambda: 1)()
"""
CALLS = [node for node in ast.walk(ast.parse(TEXT)) if isinstance(node, ast.Call)]
NAMES = st.sets(
    st.sampled_from(["np", "seed", "model", "fit", "save", "train", "steps", "f", "epochs", "download", "z"])
)


@given(NAMES, NAMES, NAMES)
def test_calls_are_those_that_a_walk_finds_in_their_order(
    lasts: set[str], firsts: set[str], keywords: set[str]
) -> None:
    found = index_calls(CALLS).of(lasts, firsts, keywords)
    assert found == [
        call
        for call in CALLS
        if last_name(call.func) in lasts
        or first_name(call.func) in firsts
        or keywords.intersection(k.arg for k in call.keywords if k.arg)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a.b.c",
        "'it\\'s'",
        "u'x'",
        "1",
        "-1",
        "1.5",
        "1e999",
        "None",
        "True",
        "b'x'",
        "...",
        "a().b",
        "a[0].b",
        "1 .real",
    ],
)
def test_an_expression_is_spelt_as_python_does(text: str) -> None:
    node = ast.parse(text, mode="eval").body
    assert spelt(node) == ast.unparse(node)


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("aAiIkKsSzZ\u0130\u0131\u017f\u212a"))))
def test_a_text_without_case_keeps_every_letter_in_its_place(text: str) -> None:
    plain = uncased(text)
    assert len(plain) == len(text)
    assert [m.start() for m in re.finditer("[a-z]", text, re.IGNORECASE)] == [
        m.start() for m in re.finditer("[a-z]", plain)
    ]


def test_a_scan_gathers_names_and_texts_on_its_way() -> None:
    found = scan(ast.parse("x = f('a', b'b', y.z)\n"))
    assert found.words == {"x", "f", "y"}
    assert [text.value for text in found.strings] == ["a"]


def test_children_are_the_nodes_inside_without_signs() -> None:
    node = ast.parse("a + f(b, *c, d=1)", mode="eval").body
    signs = (ast.expr_context, ast.operator)
    for inner in ast.walk(node):
        if not isinstance(inner, signs):
            assert children(inner) == [c for c in ast.iter_child_nodes(inner) if not isinstance(c, signs)]
