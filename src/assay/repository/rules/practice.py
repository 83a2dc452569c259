"""R105, R107 to R109: can the work be cited and told from its later states, and was the model chosen fairly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Severity, note, quote
from assay.repository.rules.instrument import applies_if, loos, repository
from assay.repository.rules.wording import counted
from assay.rules import Source

if TYPE_CHECKING:
    from assay.repository.facts import Repository
    from assay.repository.selection import Choice, ChoiceKind

_SMITH = Source(
    "A. M. Smith, D. S. Katz, K. E. Niemeyer, Software citation principles, PeerJ Computer Science 2:e86, 2016"
)
_KAPOOR = Source(
    "S. Kapoor, A. Narayanan, Leakage and the reproducibility crisis in machine-learning-based science, Patterns 4(9), "
    "2023"
)


@repository.rule(
    "R107",
    title="No release or archived version",
    severity=Severity.NOTE,
    failing="==> train.py <==\nprint('training')\n",
    passing="==> README.md <==\nCode of the paper: https://doi.org/10.5281/zenodo.4321\n",
    source=_SMITH,
    advice="Tag the commit that gave the result (`git tag paper-v1`), and archive it, for example with Zenodo.",
)
@applies_if(
    lambda facts: facts.code.own or facts.infrastructure.publication.dois, otherwise="there is nothing to publish"
)
def no_published_state(facts: Repository) -> Iterator[Finding]:
    """Code keeps changing; without a tag or an archived copy nobody can identify the version that gave the result."""
    publication = facts.infrastructure.publication
    if not publication.releases and not any(doi.archive for doi in publication.dois):
        known = "There is no tag." if facts.tree.commit else "Tags of a plain folder or an archive are not known."
        yield no_published_state.finding(
            "no release tag or archived DOI identifies the version used",
            evidence=[note(f"{known} Looked for DOIs of Zenodo, figshare, OSF, Dryad, Code Ocean and the like.")],
            confidence=None if facts.tree.commit else Confidence.LOW,
        )


@repository.rule(
    "R109",
    title="Model selection on test data",
    severity=Severity.WARNING,
    failing="==> train.py <==\nbest_acc = 0\nfor epoch in range(9):\n    test_acc = test(model)\n"
    "    if test_acc > best_acc:\n        best_acc = test_acc\n",
    passing="==> train.py <==\nbest_acc = 0\nfor epoch in range(9):\n    val_acc = test(model)\n"
    "    if val_acc > best_acc:\n        best_acc = val_acc\n",
    source=_KAPOOR,
    advice="Choose the epoch and the settings on validation data. Use the test data once, at the end.",
    confidence=Confidence.MEDIUM,
)
@applies_if(lambda facts: facts.code.python, otherwise="there is no Python code")
def chosen_on_test(facts: Repository) -> Iterator[Finding]:
    """The best of many epochs on the test data is optimistic: new data will give a lower score."""
    by_kind: dict[ChoiceKind, list[Choice]] = {}
    for choice in sorted(facts.selection, key=lambda choice: not facts.reach.concerns(choice.location.path)):
        by_kind.setdefault(choice.kind, []).append(choice)
    for kind, (first, *more) in by_kind.items():
        yield chosen_on_test.finding(
            kind.value + (f", also in {counted(len(more), 'other file')}" if more else ""),
            subject=first.location.path,
            location=first.location,
            evidence=[quote(choice.text, choice.location) for choice in (first, *more[:2])],
            severity=Severity.NOTE if kind.name == "FOLLOWED" else None,  # the leakage chapter reports it
        )


@repository.rule(
    "R105",
    title="No citation information",
    severity=Severity.NOTE,
    failing="==> README.md <==\n# Model\n\nSome code.\n",
    passing="==> README.md <==\n# Model\n==> CITATION.cff <==\ncff-version: 1.2.0\ntitle: Model\n",
    source=_SMITH,
    advice="Add a file CITATION.cff, or a BibTeX entry to the README.",
)
@applies_if(lambda facts: facts.code.own or facts.readme.location, otherwise="there is nothing to cite")
def no_citation(facts: Repository) -> Iterator[Finding]:
    """People who build on the work need to know how to cite it."""
    cited = any(section.kind.value == "citation" for section in facts.readme.sections)
    if not cited and not facts.readme.bibtex and not facts.infrastructure.publication.citations:
        yield no_citation.finding(
            "neither a citation file nor the README says how to cite the work",
            location=facts.readme.location,
            evidence=[note("Looked for CITATION.cff and its like, a section of the README, and BibTeX entries.")],
        )


@repository.rule(
    "R108",
    title="No held-out data",
    severity=Severity.NOTE,
    failing="==> train.py <==\nimport pandas as pd\nfrom sklearn.svm import SVC\n"
    'd = pd.read_csv("d.csv")\nSVC().fit(d[["a"]], d["b"])\n==> d.csv <==\na,b\n1,0\n2,1\n',
    passing="==> train.py <==\nimport pandas as pd\nfrom sklearn.model_selection import cross_val_score\n"
    'from sklearn.svm import SVC\nd = pd.read_csv("d.csv")\nSVC().fit(d[["a"]], d["b"])\n'
    'cross_val_score(SVC(), d[["a"]], d["b"])\n==> d.csv <==\na,b\n1,0\n2,1\n',
    source=loos("section 4.10: underfitting and overfitting"),
    advice="Hold data out and report the score on them, or say in the README where the evaluation is.",
    confidence=Confidence.LOW,
)
@applies_if(lambda facts: facts.data.trains and not facts.plays, otherwise="nothing is trained on data")
def nothing_held_out(facts: Repository) -> Iterator[Finding]:
    """A score on the data that a model was fitted to says nothing about new data."""
    place = facts.data.trains
    if not facts.data.splits and not facts.selection and place is not None:
        yield nothing_held_out.finding(
            "a model is trained, but no code splits the data, loads a test set or cross-validates",
            location=place,
            evidence=[facts.quote(place)],
        )
