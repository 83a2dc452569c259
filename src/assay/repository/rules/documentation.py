"""R901 to R903: can the code be run by a present-day Python, and read by a person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Severity, numbers
from assay.patterns import regex
from assay.repository.rules.instrument import applies_if, loos, repository
from assay.repository.rules.wording import counted

if TYPE_CHECKING:
    from assay.code import Source
    from assay.repository.documentation import SourceDocumentation
    from assay.repository.facts import Repository

_ENOUGH_DEFINITIONS = 10
_FEW_DOCUMENTED = 0.15
_FEW_COMMENTS = 0.1
_ENOUGH_LINES = 40
_MANY_HABITS = 5
"""So many places, and so many in a thousand lines, are a habit."""
_FUNCTIONS = "".join(f"def f{i}(x):\n    {{}}return x + {i}\n" for i in range(_ENOUGH_DEFINITIONS))
_SHOWN = 3
_OLDER = regex(r"\bpython\W{0,4}(?:version )?v?2(?:\.\d|\b)", re.IGNORECASE)
"""A page that says that the code is for Python 2."""
_CALM = "".join(f"y{i} = {i}\n" for i in range(_ENOUGH_LINES))


@repository.rule(
    "R901",
    title="Python 3 syntax error",
    severity=Severity.ERROR,
    failing="==> train.py <==\nprint 'epoch', 1\n",
    passing="==> train.py <==\nprint('epoch', 1)\n",
    source=loos("section 4.1: third parties must be able to operate the code"),
    advice="Correct the line; if the code is for Python 2, say so in the README, or convert it with 2to3.",
)
@applies_if(lambda facts: facts.code.python, otherwise="there is no Python code")
def not_parsed(facts: Repository) -> Iterator[Finding]:
    """Python stops at the first such line: the file cannot be run or imported at all."""
    broken = [source for source in facts.code.python if source.errors and not source.unread]
    older = [source for source in broken if source.tree is not None and not source.notebook]
    groups = [[source] for source in broken if source not in older] + ([older] if older else [])
    for several in groups:
        place, said = several[0].errors[0]
        also = f"; {counted(len(several) - 1, 'more file')} of the same kind" if len(several) > 1 else ""
        yield not_parsed.finding(
            f"{said}{also}",
            subject=several[0].path,
            location=place,
            evidence=[facts.quote(source.errors[0][0]) for source in several[:_SHOWN]],
            severity=_unparsed_severity(facts, several[0]),
        )


def _unparsed_severity(facts: Repository, source: Source) -> Severity | None:
    """An error for a file that nothing can read; what an older Python reads is a remark where the pages say so."""
    if source.notebook:
        return Severity.WARNING
    if source.tree is None:
        return None
    return Severity.NOTE if any(_OLDER.search(text) for text in facts.readme_texts) else Severity.WARNING


def _scripts(facts: Repository) -> list[SourceDocumentation]:
    """Python files; a notebook explains itself in its text."""
    return [s for s in facts.documentation.sources if not s.path.endswith(".ipynb")]


@repository.rule(
    "R902",
    title="Few docstrings and comments",
    severity=Severity.NOTE,
    failing="==> model.py <==\n" + _FUNCTIONS.format(*[""] * _ENOUGH_DEFINITIONS),
    passing="==> model.py <==\n" + _FUNCTIONS.format(*['"""Add a number."""\n    '] * _ENOUGH_DEFINITIONS),
    source=loos("section 4.1, Table 5.1: source-code-comment-ratio"),
    advice="Describe in docstrings what each public function takes, returns and assumes; start with the entry points.",
)
@applies_if(
    lambda facts: sum(s.definitions for s in _scripts(facts)) >= _ENOUGH_DEFINITIONS,
    otherwise=f"there are fewer than {_ENOUGH_DEFINITIONS} public functions and classes in scripts",
)
def undocumented(facts: Repository) -> Iterator[Finding]:
    """To reproduce the result, a reader must understand what each step is meant to do, not only what it does."""
    scripts, comments = _scripts(facts), facts.documentation.comment_share or 0.0
    definitions = sum(s.definitions for s in scripts)
    share = sum(s.documented for s in scripts) / definitions
    if share < _FEW_DOCUMENTED and comments < _FEW_COMMENTS:
        yield undocumented.finding(
            f"{share:.0%} of {definitions} public functions and classes have a docstring, "
            f"and {comments:.0%} of all lines are comments",
            evidence=[numbers({"with docstring": share, "comments among lines": comments})],
        )


@repository.rule(
    "R903",
    title="Error-prone coding habits",
    severity=Severity.NOTE,
    failing="==> train.py <==\n" + "try:\n    x = 1\nexcept:\n    x = 2\n" * (_ENOUGH_LINES // 4),
    passing="==> train.py <==\n" + _CALM,
    source=loos("section 4.1, Table 5.1: pylint rating"),
    advice="Run a linter such as ruff, and fix what it reports about these places first.",
    confidence=Confidence.MEDIUM,
)
@applies_if(
    lambda facts: facts.documentation.code_lines >= _ENOUGH_LINES,
    otherwise=f"there are fewer than {_ENOUGH_LINES} lines of Python",
)
def bad_habits(facts: Repository) -> Iterator[Finding]:
    """Swallowed exceptions, mutable default arguments and text that is run as code hide errors from the user."""
    from assay.repository.documentation import HabitKind

    kinds = (HabitKind.BARE_EXCEPT, HabitKind.MUTABLE_DEFAULT, HabitKind.EVALUATION, HabitKind.STAR_IMPORT)
    found = {kind: facts.documentation.habits(kind) for kind in kinds}
    many = sum(map(len, found.values()))
    if many < _MANY_HABITS or many * 1000 < facts.documentation.code_lines * _MANY_HABITS:
        return
    worst = max(found, key=lambda kind: len(found[kind]))
    yield bad_habits.finding(
        f"{many} places in {facts.documentation.code_lines:,} lines; most often code {worst.what}",
        location=found[worst][0].location,
        evidence=[
            facts.quote(found[worst][0].location),
            numbers({kind.what: len(habits) for kind, habits in found.items() if habits}),
        ],
    )
