"""Words for what became of a row of scores: what it was tested on, and the evidence."""

from __future__ import annotations

from assay.article.sets.binding import Binding
from assay.audit.paper_rows import Outcome
from assay.findings import Evidence, certificate, note, numbers, quote

_GRANTED = (
    "The arithmetic is exact. It assumes what was read from the page: that the row is about these items, in two "
    "classes, and that the headings mean what they usually mean."
)


def items_of(binding: Binding | None) -> str:
    """For a sentence: "the 129 slides (49 + 80)"."""
    if binding is None:
        return "a test set of any size"
    counts = binding.counted.counts
    split = f" ({counts.positives} + {counts.negatives})" if counts.classes else ""
    return f"the {counts.total} {binding.counted.unit.value}{split}"


def figures_of(outcome: Outcome) -> str:
    """The scores that conflict, with their printed figures."""
    conflict = outcome.tried[0].conflict if outcome.tried else ()
    named = [f"{name} {figure}" for name, figure in outcome.row.scores if not conflict or name in conflict]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def evidence_of(outcome: Outcome) -> list[Evidence]:
    """Every reading with its verdict, the figures, and the words that the sizes were taken from."""
    evidence = [certificate(f"Read as {one.reading}: {one.reason}") for one in outcome.tried]
    evidence.append(numbers(dict(outcome.row.scores), "the scores as printed"))
    if outcome.binding is not None:
        counted = outcome.binding.counted
        evidence += [quote(counted.quote, counted.location), note(f"Tested on these because {outcome.binding.why}.")]
        return [*evidence, note(_GRANTED)]
    return [*evidence, note("This assumes that the headings mean what they usually mean.")]
