"""The words of a leak: its path step by step, the quoted code, how sure it is."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable
from functools import cached_property, lru_cache

from assay.code import Source
from assay.findings import Confidence, Evidence, EvidenceKind, Location, Severity, note, quote
from assay.leakage.code.checks.leak import DEFAULT_POLICY, Leak, Policy
from assay.leakage.code.state.events import Choice, Evaluation, Split, Stopping, Trace
from assay.leakage.code.state.in_order import origins_in_order, span
from assay.leakage.code.state.provenance import tables_in
from assay.leakage.code.state.rows import (
    Cut,
    Except,
    Interval,
    OneOf,
    Origin,
    Part,
    Rows,
    Side,
    Site,
    Taken,
    is_by_text,
    is_grouping,
    opposed,
    share_rows,
    whichever_way,
)
from assay.records import dataclass, replace

_LONGEST = 200


@dataclass(frozen=True)
class Facts:
    """What one run saw, arranged for the checks."""

    trace: Trace
    policy: Policy = DEFAULT_POLICY
    source: Source | None = None
    """The file that was followed, where it is one."""

    @cached_property
    def evaluations(self) -> list[Evaluation]:
        """Every evaluation, with what its rows are evidence of: tables, if there are any among what went into them."""
        return [_of_tables(e) for e in self.trace.events if isinstance(e, Evaluation)]

    @cached_property
    def choices(self) -> list[Choice]:
        """Every choice among scores."""
        return [e for e in self.trace.events if isinstance(e, Choice)]

    @cached_property
    def chosen_by(self) -> dict[Hashable, set[Rows]]:
        """The rows by which training stopped or states were compared, for each model."""
        found: dict[Hashable, set[Rows]] = {}
        for event in self.trace.events:
            if isinstance(event, Stopping):
                found.setdefault(event.model, set()).add(event.rows)
        for prediction in (p for choice in self.choices for p in choice.predictions):
            found.setdefault(prediction.model.serial, set()).add(prediction.rows)
        return found

    @cached_property
    def taught(self) -> dict[Hashable, set[Rows]]:
        """The rows that each model learns from, now or later."""
        found: dict[Hashable, set[Rows]] = {}
        for e in self.evaluations:
            found.setdefault(e.model.serial, set()).update(fit.rows for fit in e.model.fits)
        return found

    @cached_property
    def splits(self) -> dict[Hashable, Split]:
        """Every division by its key."""
        return {e.key: e for e in self.trace.events if isinstance(e, Split)}

    @cached_property
    def _scored_splits(self) -> frozenset[Hashable]:
        """The divisions whose test side some model meets."""
        return frozenset(c.key for e in self.evaluations for p in e.rows for c in p.cuts if c.side == "test")

    @cached_property
    def validation(self) -> set[Part]:
        """Rows that the code calls validation rows, but for a whole of which a part is trained on: `valid` rows."""
        taught = {part for e in self.evaluations for fit in e.model.fits for part in fit.rows}
        return {part for part in self.trace.validation if not any(_divided_further(part, known) for known in taught)}

    def called_validation(self, rows: Rows) -> bool:
        """Whether the code itself calls these rows validation rows, and nowhere test rows."""
        meant = whichever_way(rows)
        return among(meant, self.validation) and not (meant and meant <= self.trace.tests)

    def called_test(self, rows: Rows) -> bool:
        """Whether the code itself calls these rows test rows, and nowhere validation rows."""
        meant = whichever_way(rows)
        return bool(meant) and meant <= self.trace.tests and not meant & self.validation

    @cached_property
    def _sides(self) -> dict[Hashable, set[Side]]:
        """The sides of every division that some model learnt from or met."""
        found: dict[Hashable, set[Side]] = {}
        for e in self.evaluations:
            for rows in (e.rows, *(fit.rows for fit in e.model.fits)):
                for cut in (c for part in rows for c in part.cuts):
                    found.setdefault(cut.key, set()).add(cut.side)
        return found

    def sets_apart(self, cut: Cut) -> bool:
        """Whether a division leaves rows for another use; a condition or a slice may only leave rows out.

        A row for each group leaves none.
        """
        if is_grouping(cut):
            return False
        listed = isinstance(cut.side, Except) and isinstance(cut.side.label, OneOf)
        if isinstance(cut.side, Interval | OneOf | Taken) or listed:
            return any(opposed(cut.side, other) for other in self._sides.get(cut.key, ()))
        return True

    def inner(self, rows: Rows) -> bool:
        """Whether these rows lie in a training part whose test part is scored too: they serve to choose."""
        return bool(rows) and all(
            any(c.side == "train" and c.key in self._scored_splits for c in part.cuts) for part in rows
        )


def among(rows: Rows, called: set[Part]) -> bool:
    """Whether rows are those that bear a name, or batches or items of them."""
    return all(part in called or any(_batch(part, whole) for whole in called) for part in rows)


def _divided_further(whole: Part, part: Part) -> bool:
    """Whether a part is the training side of a division of the whole: of a split or a fold, not of what has a name."""
    within = part.origin == whole.origin and whole.cuts < part.cuts
    return within and any(c.side == "train" and _is_split(c) for c in part.cuts - whole.cuts)


def _is_split(cut: Cut) -> bool:
    return isinstance(cut.key, tuple) and cut.key[0] in {"split", "folds"}


def _batch(part: Part, whole: Part) -> bool:
    """Whether some rows are a slice of others, single ones of them, or those of which something holds."""
    further = part.cuts - whole.cuts
    within = part.origin == whole.origin and whole.cuts < part.cuts
    return within and all(isinstance(c.side, Interval | OneOf) or is_by_text(c) for c in further)


def _of_tables(evaluation: Evaluation) -> Evaluation:
    rows = tables_in(evaluation.rows)
    fits = frozenset(replace(fit, rows=tables_in(fit.rows)) for fit in evaluation.model.fits)
    if rows == evaluation.rows and fits == evaluation.model.fits:
        return evaluation
    return replace(evaluation, rows=rows, model=replace(evaluation.model, fits=fits))


def place(site: Site) -> Location | None:
    """Where that is, if it is anywhere."""
    return site.source.location(site.node) if hasattr(site.node, "lineno") else None


@lru_cache(maxsize=4)
def _lines(source: Source) -> list[str]:
    return source.lines


def code_at(site: Site) -> str:
    """The code of a place, on one line, cut when it is long."""
    node = site.node
    if not hasattr(node, "lineno"):
        return getattr(node, "id", "")
    lines = _lines(site.source)
    first, last = node.lineno, getattr(node, "end_lineno", None) or node.lineno
    if isinstance(node, ast.For | ast.While | ast.FunctionDef):
        last = first
    text = " ".join(line.strip() for line in lines[first - 1 : min(last, first + 5)])
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def step(words: str, site: Site) -> Evidence:
    """One stage of the path."""
    code = code_at(site)
    return Evidence(EvidenceKind.STEP, f"{words}: {code}" if code else words, place(site))


def origins(rows: Rows, others: Rows) -> list[Origin]:
    """The tables that two sets of rows have in common, in the order of the text."""
    return origins_in_order(a.origin for a in rows if any(share_rows(a, b) for b in others))


def read_steps(rows: Rows, others: Rows) -> list[Evidence]:
    """Where the tables come from."""
    return [step(f"the rows come from here ({o.description})", o.site) for o in origins(rows, others)[:2]]


def split_steps(facts: Facts, rows: Rows) -> list[Evidence]:
    """Where these rows were set apart; the same seed divides other tables elsewhere."""
    tables: dict[Hashable, set[Origin]] = {}
    for part in rows:
        for cut in part.cuts:
            tables.setdefault(cut.key, set()).add(part.origin)
    made = [e for e in facts.trace.events if isinstance(e, Split) and e.key in tables]
    theirs = [e for e in made if any(part.origin in tables[e.key] for part in e.rows)]
    ordered = sorted({e.key: e.site for e in theirs or made}.values(), key=span)
    return [step("the rows are divided here", site) for site in ordered[:2]]


def tell(
    code: str,
    topic: str,
    message: str,
    site: Site,
    steps: Iterable[Evidence],
    *,
    severity: Severity,
    confidence: Confidence,
    advice: str = "",
    remarks: Iterable[str] = (),
) -> Leak:
    """A leak at a place: the quoted line, then the path."""
    location = place(site) or site.source.location(None)
    path = tuple(dict.fromkeys(steps))
    evidence = (quote(code_at(site), location), *path, *(note(r) for r in remarks))
    return Leak(code, topic, message, location, evidence, severity, confidence, advice)


def sureness(via: Iterable[str], start: Confidence = Confidence.HIGH) -> tuple[Confidence, list[str]]:
    """Less sure when the path leads through calls that nobody describes; and the sentence that says so."""
    names = sorted(set(via))
    if not names:
        return start, []
    listed = ", ".join(f"`{n}`" for n in names[:3])
    lower = Confidence.MEDIUM if start is Confidence.HIGH else Confidence.LOW
    return lower, [f"The path passes through {listed}, whose effect is not known; it is taken to keep the rows."]
