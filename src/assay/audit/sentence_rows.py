"""Scores that one sentence gives together, and the items that the same sentence counts.

"On 49 positive and 80 negative slides, the accuracy was 0.455, the sensitivity 0.450 and the specificity 0.457": such a
sentence is a row of scores. It is left alone where its words mention means, several thresholds or the work of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.article.reading import Paper
from assay.article.reading.paper import Sentence
from assay.article.sets.averages import averages_in
from assay.article.sets.bindings import Binding, Strength, Unbound
from assay.article.sets.model import CountedSet
from assay.article.sets.phrases import counted_in
from assay.article.sets.register import is_about_others
from assay.article.tables.scores import ScoreRow, row_of_sentence
from assay.patterns import regex
from assay.reported import read_prose
from assay.reported.model import Averaging, Over, Role

_FIGURES = regex(r"(?:\d\.\d|\d\s?\\?%).*(?:\d\.\d|\d\s?\\?%)", re.DOTALL)
_SEVERAL = regex(r"\bthresholds?\b|\bcut-?offs?\b|operating points?\b|\bvs\b|\bversus\b|\bwhereas\b|\bwhile\b|\bbut\b")
"""Words of sentences whose scores belong to several decisions."""
_LONGEST = 600


def sentence_rows(paper: Paper) -> Iterator[tuple[ScoreRow, Binding | Unbound]]:
    """The sentences that give several scores of one decision, each with the items that it counts itself."""
    for sentence in paper.sentences:
        row = _row(sentence) if _may_be_row(sentence) else None
        if row is not None:
            yield row, _binding(sentence)


def _may_be_row(sentence: Sentence) -> bool:
    text = sentence.text
    if sentence.cites or is_about_others(sentence) or len(text) > _LONGEST or not _FIGURES.search(text):
        return False
    return not averages_in(text) and not _SEVERAL.search(text.lower())


def _row(sentence: Sentence) -> ScoreRow | None:
    reading = read_prose(sentence.text)
    plain = reading.over is Over.UNSTATED and reading.averaging is Averaging.UNSTATED
    if not plain or len(reading.rows) != 1 or reading.unread:
        return None
    return row_of_sentence(reading.rows[0], sentence)


def _binding(sentence: Sentence) -> Binding | Unbound:
    found = [one for one in counted_in(sentence.text) if one.role is not Role.TRAIN]
    if len(found) != 1 or found[0].unit.holds_others:
        return Unbound("the sentence does not count the items that were scored")
    one = found[0]
    counted = CountedSet(one.counts, one.unit, one.role, sentence.text, sentence.location)
    return Binding(counted, Strength.NAMED, "the same sentence counts these items")
