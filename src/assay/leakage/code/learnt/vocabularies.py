"""Vocabularies that the code counts itself: which words there are, how often, and which of them are kept or weighted.

Counts alone only tell which words exist, like an encoder. Once words are dropped by how often they occur, or weighted
by it, the vocabulary has learnt from the rows, as that of a vectoriser has.
"""

from __future__ import annotations

import ast

from assay.leakage.code.language.call import Call
from assay.leakage.code.learnt import tallies
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import UNKNOWN, Const, Data, Kind, Mapping, Mark, Marks, Seq, Shape, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.patterns import regex
from assay.records import replace

_BY_HAND = "counts"
_COUNTERS = frozenset({"Counter", "FreqDist", _BY_HAND})
_OUTCOMES = regex(r"(?:^|[^a-z])(?:y|labels?|targets?|outcomes?|classe?s?|tags?|categor(?:y|ies))(?![a-z])")
"""What the names of outcomes are like: how often each occurs is no vocabulary."""
_INNER_WORD = regex(r"(?<=[a-z])(?=[A-Z])")


def counts(name: str) -> bool:
    """Whether a call counts how often each of many things occurs."""
    return name.rpartition(".")[2] in _COUNTERS


def _counted(mark: Mark) -> bool:
    return mark.kind is Kind.ENCODE and counts(mark.name)


def by_count(data: Data) -> Data:
    """What remains when words are dropped, or weighted, by how often they occur."""
    if data.rows or not any(map(_counted, data.marks)):
        return data
    return replace(data, marks=frozenset(replace(k, kind=Kind.VECTORISE) if _counted(k) else k for k in data.marks))


def of_outcomes(c: Call) -> bool:
    """Whether outcomes are counted, by what the code calls them."""
    return any(_OUTCOMES.search(text_of(value).lower()) is not None for value in c.node.args[:1])


def names_outcomes(text: str) -> bool:
    """Whether a name, or the text of an expression, is that of outcomes: `ClassLabel`, `args.target`."""
    return _OUTCOMES.search(_INNER_WORD.sub("_", text).lower()) is not None


def method(c: Call, data: Data) -> Value | None:
    """What a method does to counts; None when these are none, or it is no method of theirs."""
    if c.name == "most_common" and any(map(_counted, data.marks)):
        return by_count(data) if c.args or c.keywords else data
    if c.name in names_of(Group.WORD_VIEWS) and any(map(_counted, data.marks)):
        return data
    return None


def updated(c: Call, owner: Mapping) -> Mapping:
    """`counts.update(words)`: the counts with those of further words; another dict is none."""
    mark = _tallied(c)
    return owner if mark is None else owner.put(c.node, c.m.boxed(Data(marks=frozenset({mark}), shape=Shape.SUMMARY)))


def _tallied(c: Call) -> Mark | None:
    """What counts learn from the words they are given; None where there are none, or of outcomes, or of one text."""
    given = (c.m.plain(value) for value in c.args)
    rows = frozenset(part for value in given if isinstance(value, Data | Seq) for part in c.m.data(value).rows)
    if not rows or of_outcomes(c):
        return None
    return Mark(Kind.ENCODE, _BY_HAND, c.site, rows)


_OF_WORDS = frozenset({Kind.VECTORISE, Kind.GROUP, Kind.SELECT})


def _words(marks: Marks) -> Marks:
    """What is known of words: that they were counted, or chosen by that, or what a column adds up to for each.

    The names of columns that were chosen by the outcome are such words: `votes[name] = votes.get(name, 0) + 1`.
    """
    return frozenset(k for k in marks if k.rows and (_counted(k) or k.kind in _OF_WORDS))


def entry(m: Machine, key: Value, value: Value, node: ast.AST) -> Value:
    """`place[word] = number`: what a dict holds under a word is known of the rows that the word was found in."""
    asked, given = m.plain(key), m.plain(value)
    if not isinstance(asked, Data) or asked.predictions or not isinstance(given, Data | Const):
        return value
    known = given if isinstance(given, Data) else UNKNOWN
    if known.predictions or (known.rows and not (known.rows <= asked.rows and any(map(_counted, known.marks)))):
        return value  # rows that are kept under a key, and no number
    learnt = _words(asked.marks) | frozenset(k for k in m.picked if k.kind is Kind.VECTORISE)
    if not learnt and known.shape is Shape.POSITIONS:
        return value  # each name by its number: where its row stands
    if asked.rows and not _OUTCOMES.search(text_of(node).lower()):
        learnt |= {Mark(Kind.ENCODE, _BY_HAND, m.site(node), asked.rows)}
    return known.summary.marked(*learnt) if learnt else value


def key_of(m: Machine, name: object, held: Value) -> Value:
    """A key of a dict: a literal, or a word of which the entry knows where it was found."""
    if isinstance(name, str | int | float):
        return Const(name)
    data = m.plain(held)
    learnt = _words(data.marks) if isinstance(data, Data) and not data.rows else frozenset()
    return Data(marks=learnt, shape=Shape.SUMMARY) if learnt else UNKNOWN


def looked_up(m: Machine, owner: Mapping, asked: Value) -> Data | None:
    """`place.get(word)`: the word, with what the dict knows of words; None where it is no such dict."""
    plain = m.plain(asked)
    entries = [m.plain(v) for k, v in owner.items if not isinstance(k, str | int | float)]
    learnt: Marks = frozenset().union(*(_words(d.marks) for d in entries if isinstance(d, Data) and not d.rows))
    if not learnt:
        return None
    known = plain if isinstance(plain, Data) else UNKNOWN
    learnt = tallies.looked_up_by(known.columns.only or frozenset(), learnt)
    return replace(known, shape=Shape.UNKNOWN if known.rows else Shape.SUMMARY, cuts=frozenset()).marked(*learnt)


def counted_in(m: Machine, index: ast.expr, value: Value) -> Value:
    """`bag[place[word]] += 1`: a number that is written where a word belongs knows the text that the word is of."""
    plain = m.plain(value)
    number = plain if isinstance(plain, Data) else UNKNOWN
    if not isinstance(plain, Data | Const) or number.rows or number.predictions:
        return value
    at = index.elts if isinstance(index, ast.Tuple) else [index]
    asked = [m.plain(m.evaluate(one)) for one in at if not isinstance(one, ast.Slice | ast.Constant)]
    words = [replace(d, shape=Shape.UNKNOWN) for d in asked if isinstance(d, Data) and _are_words(d)]
    return united(words).marked(*number.marks) if words else value


def _are_words(data: Data) -> bool:
    return bool(data.rows) and data.shape in _WORDS and not data.cuts


_WORDS = frozenset({Shape.UNKNOWN, Shape.COLUMN})
