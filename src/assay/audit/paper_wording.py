"""Words for what became of a row of scores: what it was tested on, and the evidence."""

from __future__ import annotations

from assay.article.sets.bindings import Binding
from assay.audit.paper_rows import Outcome
from assay.findings import Evidence, certificate, note, numbers, quote
from assay.scores.conflicts import both_classes, conflict_sentence

_GRANTED = (
    "The arithmetic is exact. It assumes what was read from the page: that the row is about these items, in two "
    "classes, and that the headings mean what they usually mean."
)


def items_of(binding: Binding | None) -> str:
    """For a sentence: "129 slides (49 positives and 80 negatives)"."""
    if binding is None:
        return "any test set"
    counts = binding.counted.counts
    split = f" ({both_classes(*counts.classes)})" if counts.classes else ""
    return f"{counts.total:,} {binding.counted.unit.value}{split}"


def conflict_of(outcome: Outcome, condition: str = "") -> str:
    """Which scores of the row conflict and on which items, as a sentence."""
    conflicts = [one.conflict for one in outcome.readings]
    names = {name for conflict in conflicts for name in conflict} if all(conflicts) else set()
    figures = [(name, figure) for name, figure in outcome.row.scores if not names or name in names]
    items = items_of(outcome.binding)
    setting = f"with {items}" if outcome.binding else f"for {items}"
    return conflict_sentence(figures, f"{setting}{condition}")


def evidence_of(outcome: Outcome) -> list[Evidence]:
    """Every reading with its verdict, the figures, and the words that the sizes were taken from."""
    evidence = [certificate(f"Read as {one.reading}: {one.reason}") for one in outcome.readings]
    evidence.append(numbers(dict(outcome.row.scores), "the scores as printed"))
    if outcome.binding is not None:
        counted = outcome.binding.counted
        evidence += [quote(counted.quote, counted.location), note(f"Tested on these because {outcome.binding.why}.")]
        return [*evidence, note(_GRANTED)]
    return [*evidence, note("This assumes that the headings mean what they usually mean.")]
