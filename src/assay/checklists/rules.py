"""The rules of the checklists room: what is missing, unfounded or contradicted in a filled checklist."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.checklists.definition import Answers, Condition, Item
from assay.checklists.filled import Answer, Filled, filled_of
from assay.findings import Confidence, Finding, Location, Severity, note, quote
from assay.patterns import regex
from assay.records import dataclass
from assay.rules import Instrument, Source

_PAPER = "Kapoor & Narayanan, Leakage and the reproducibility crisis in machine-learning-based science, Patterns 2023"
_NEURIPS = "Pineau et al., Improving reproducibility in machine learning research, JMLR 22, 2021"


_COUNT = regex(
    r"(?<![\w.,])(\d{1,3}(?:[,\u2009\u202f]\d{3})+|\d+)\s+(?:(?:training|test|all)\s+)?"
    r"(?:rows|cases|samples|observations|records|instances)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Known:
    """A finding of another instrument that may speak against an answer."""

    code: str
    message: str
    location: Location | None = None
    items: tuple[str, ...] = ()
    """The questions that it is about; none for every question with its code."""
    admissions: tuple[str, ...] = ()
    """Phrases that concede it: an answer that admits what was found is not contradicted by it."""
    counts: tuple[int, ...] = ()
    """Numbers of rows that were counted; only an answer that states others is contradicted."""

    def concerns(self, item: Item) -> bool:
        """Whether it is about this question."""
        if self.counts:
            return item.id in self.items
        return self.code in item.codes and (not self.items or item.id in self.items)

    def contradicts(self, answer: str) -> bool:
        """Whether the content of an answer disagrees with it."""
        if self.counts:
            return not set(_stated_counts(answer)) <= set(self.counts)
        return not any(_mentions(answer.lower(), phrase) for phrase in self.admissions)


@dataclass(frozen=True, slots=True)
class Assessment:
    """The facts of this room: a filled checklist, and what other instruments found."""

    filled: Filled
    known: tuple[Known, ...] = ()


def _read_example(text: str) -> Assessment:
    """A filled checklist; a line ``found: CODE message`` stands for another instrument's finding."""
    found = re.findall(r"^found: (\S+) (.*)$", text, re.MULTILINE)
    rest = re.sub(r"^found: .*\n?", "", text, flags=re.MULTILINE)
    return Assessment(filled_of(rest, "example.yaml"), tuple(Known(code, message) for code, message in found))


checklists = Instrument("checklists", "What must be reported?", _read_example, "yaml")

_COMPLETE = """checklist: code-completeness
answers:
  1: {answer: yes, evidence: requirements.txt}
  2: {answer: yes, evidence: train.py}
  3: {answer: yes, evidence: evaluate.py}
  4: {answer: no}
  5: {answer: yes, evidence: README.md}
"""


@checklists.rule(
    "K101",
    title="Unanswered checklist item",
    severity=Severity.WARNING,
    failing=_COMPLETE.replace("{answer: no}", ""),
    passing=_COMPLETE,
    source=Source(_NEURIPS, "the checklist"),
    advice="Answer it. If it does not apply, say so and why.",
    confidence=Confidence.PROVEN,
)
def unanswered(facts: Assessment) -> Iterator[Finding]:
    """A checklist works only if every item is answered. Readers will miss what is left out."""
    for answer in facts.filled.answers:
        if not answer.given:
            yield unanswered.finding(
                f"{_label(answer)} is not answered: {answer.item.asks}",
                subject=facts.filled.subject,
                location=_place(answer, facts),
            )


@checklists.rule(
    "K102",
    title="Checklist answer without evidence",
    severity=Severity.WARNING,
    failing=_COMPLETE.replace(", evidence: train.py", ""),
    passing=_COMPLETE,
    source=Source(_NEURIPS, "the checklist"),
    advice="Name the page, section, file or line that shows it.",
    confidence=Confidence.PROVEN,
)
def without_evidence(facts: Assessment) -> Iterator[Finding]:
    """An answer that points to no page, section or file cannot be checked.

    The answers "no", "missing" and "not applicable" need no evidence.
    """
    for answer in facts.filled.answers:
        if answer.item.evidence and _claims(answer, facts.filled) and not answer.evidence:
            yield without_evidence.finding(
                f'{_label(answer)} is answered "{_short(answer.text)}" without evidence ({answer.item.evidence})',
                subject=facts.filled.subject,
                location=_place(answer, facts),
            )


@checklists.rule(
    "K103",
    title="Checklist item marked not applicable without a reason",
    severity=Severity.WARNING,
    failing=_COMPLETE.replace("{answer: no}", "{answer: not applicable}"),
    passing=_COMPLETE.replace("{answer: no}", "{answer: not applicable, reason: nothing is trained}"),
    source=Source(_PAPER, "model info sheets"),
    advice="Give the reason.",
    confidence=Confidence.PROVEN,
)
def inapplicable_without_reason(facts: Assessment) -> Iterator[Finding]:
    """Calling an item not applicable is the easiest way past it. A reason lets readers judge whether that is fair."""
    for answer in facts.filled.answers:
        if answer.given and not answer.applies and not (answer.reason or answer.evidence):
            yield inapplicable_without_reason.finding(
                f"{_label(answer)} is marked not applicable without a reason",
                subject=facts.filled.subject,
                location=_place(answer, facts),
            )


@checklists.rule(
    "K104",
    title="Contradictory checklist answers",
    severity=Severity.ERROR,
    failing="""checklist: model-info-sheet
answers:
  A5: Civil wars in the next year, in all countries
  B1: ten-fold cross-validation, shuffled
""",
    passing="""checklist: model-info-sheet
answers:
  A5: Civil wars in the next year, in all countries
  B1: trained up to 1990, tested on 1991 to 2000, forward in time
""",
    source=Source(_PAPER, "model info sheets"),
    advice="Read the two answers together, and correct the wrong one, or the study.",
    confidence=Confidence.MEDIUM,
)
def contradictory(facts: Assessment) -> Iterator[Finding]:
    """Two answers that look harmless alone can reveal leakage together.

    The test looks for phrases, so it is a question to the author, not a proof.
    """
    filled = facts.filled
    for contradiction in filled.checklist.contradictions:
        held = [_speaking(condition, filled) for condition in contradiction.all]
        if not all(held) or any(_speaking(condition, filled) for condition in contradiction.unless):
            continue
        said = list({answer.item.id: answer for answers in held for answer in answers[:1]}.values())
        names = " and ".join(answer.item.id for answer in said)
        refers = f" ({contradiction.refers})" if contradiction.refers else ""
        yield contradictory.finding(
            f"{names}: {contradiction.message}{refers}",
            subject=filled.subject,
            location=_place(said[0], facts),
            evidence=[quote(_short(a.text, 300), a.location or Location(filled.path)) for a in said],
            advice=contradiction.asks,
        )


@checklists.rule(
    "K105",
    title="Checklist answer contradicted by a finding",
    severity=Severity.ERROR,
    failing=_COMPLETE + "found: R301 no file names the dependencies\n",
    passing=_COMPLETE,
    source=Source(_PAPER, "model info sheets"),
    advice="Correct the study or the answer. If the finding is wrong, name its code in the evidence.",
    confidence=Confidence.MEDIUM,
)
def contradicted(facts: Assessment) -> Iterator[Finding]:
    """Checklists are often filled in from memory. The code and the data show what was done."""
    for answer in facts.filled.answers:
        if not _claims(answer, facts.filled):
            continue
        told = f"{answer.text} {answer.evidence} {answer.reason}"
        about = (k for k in facts.known if k.concerns(answer.item) and not _disputes(answer, k))
        against = [k for k in about if k.contradicts(told)]
        if against:
            yield contradicted.finding(
                f'{_label(answer)} is answered "{_short(answer.text)}", but {against[0].code} was found: '
                f"{against[0].message}" + (f" (and {len(against) - 1} more)" if len(against) > 1 else ""),
                subject=facts.filled.subject,
                location=_place(answer, facts),
                evidence=[
                    quote(k.message, k.location) if k.location else note(f"{k.code}: {k.message}") for k in against[:5]
                ],
            )


@checklists.rule(
    "K106",
    title="Proposed checklist answer not confirmed by a person",
    severity=Severity.NOTE,
    failing=_COMPLETE.replace("{answer: no}", "{answer: no, proposed: assay repo}"),
    passing=_COMPLETE,
    source=Source(_PAPER, "model info sheets"),
    advice='Read the evidence. If it is right, remove the line "proposed".',
    confidence=Confidence.PROVEN,
)
def unconfirmed(facts: Assessment) -> Iterator[Finding]:
    """Assay can propose an answer, but only a person can vouch for it."""
    for answer in facts.filled.answers:
        if answer.given and answer.proposed:
            yield unconfirmed.finding(
                f'{_label(answer)}: "{_short(answer.text)}" was proposed by {answer.proposed} and is not confirmed',
                subject=facts.filled.subject,
                location=_place(answer, facts),
            )


def _claims(answer: Answer, filled: Filled) -> bool:
    """Whether an answer claims that something was done or reported."""
    if not answer.given or not answer.applies:
        return False
    if answer.item.answer in {Answers.YES_NO, Answers.SCALE}:
        return bool(filled.checklist.worth(answer.text))
    return True


def _disputes(answer: Answer, known: Known) -> bool:
    """Whether an answer names the finding; a proposal's evidence, "L1.2 at train.py", only says where it is."""
    said = f"{answer.text} {answer.reason}"
    by_hand = re.sub(rf"{re.escape(known.code)} at \S+", "", answer.evidence)
    return known.message in said or known.code in f"{said} {by_hand}"


def _speaking(condition: Condition, filled: Filled) -> list[Answer]:
    """The answers that fulfil a condition."""
    found = (filled.answer(key) for key in condition.items)
    return [answer for answer in found if answer is not None and _fulfils(answer, condition)]


def _fulfils(answer: Answer, condition: Condition) -> bool:
    text = answer.text.lower()
    if any(text == value.lower() for value in condition.values):
        return True
    return answer.applies and any(_mentions(text, phrase.lower()) for phrase in condition.says)


def _stated_counts(text: str) -> list[int]:
    """Numbers of rows that an answer states: "1,200 rows", "300 test cases"."""
    found = _COUNT.finditer(text)
    return [int(re.sub(r"[,\s]", "", match[1])) for match in found]


def _mentions(text: str, phrase: str) -> bool:
    """Whether the phrase is there as whole words, and not denied just before, as in "not shuffled"."""
    for match in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", text):
        before = text[max(0, match.start() - 25) : match.start()]
        if not re.search(r"\b(?:not|no|never|without|instead of|rather than)\b[^.;,]*$", before):
            return True
    return False


def _label(answer: Answer) -> str:
    return f"item {answer.item.id} ({answer.item.title})"


def _place(answer: Answer, facts: Assessment) -> Location | None:
    return answer.location or (Location(facts.filled.path) if facts.filled.path else None)


def _short(text: str, longest: int = 60) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else flat[: longest - 3] + "..."
