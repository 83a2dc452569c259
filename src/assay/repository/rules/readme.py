"""R201 to R210: what a reader needs to be told, links that lead nowhere, and claims that the files contradict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Evidence, Finding, Location, Severity, note, quote
from assay.repository.rules.instrument import applies_if, loos, repository
from assay.repository.rules.wording import listed
from assay.rules import Source

if TYPE_CHECKING:
    from assay.repository.environment import EnvironmentFacts
    from assay.repository.facts import Repository
    from assay.repository.readme import Link

CHECKLIST = "Papers with Code, ML Code Completeness Checklist, 2020"
_NO_README = "there is no README"
_SCRIPT = """\
==> train.py <==
import torch
model = torch.nn.Linear(3, 1)
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 3)).sum().backward()
optimiser.step()
"""
_GOOD = """\
==> README.md <==
# Model
Code of [the paper](https://arxiv.org/abs/2101.00001).
## Installation
    pip install -r requirements.txt
## Data
Download the dataset from https://zenodo.org/record/1.
## Training
    python train.py
## Evaluation
    python eval.py
## Results
The model reaches an accuracy of 93.1 %.
==> requirements.txt <==
torch==2.2.0
==> eval.py <==
print("accuracy")
"""
GOOD = _GOOD + _SCRIPT


def _has_readme(facts: Repository) -> bool:
    return facts.readme is not None and facts.readme.location is not None


def _lacks(facts: Repository, kind: str) -> bool:
    """Whether the README has no section of this kind."""
    return all(section.kind.name != kind for section in facts.readme.sections)


def _trains_and_has_readme(facts: Repository) -> bool:
    """Whether something is trained, by the code or by the README's own account."""
    return _has_readme(facts) and not facts.empty and (facts.trains or not _lacks(facts, "TRAIN"))


def _looked_for(facts: Repository, what: str) -> list[Evidence]:
    """Evidence for an absence: the headings there are."""
    document = facts.readme.document
    headings = [h.text for h in document.headings] if document is not None else []
    return [note(f"no heading, command or sentence about {what}; headings: {listed(headings, 12) or 'none'}")]


@repository.rule(
    "R201",
    title="No README",
    severity=Severity.ERROR,
    failing=_SCRIPT,
    passing=GOOD,
    source=loos("section 5.2: source code documentation"),
    advice="Add a README.md to the root that says what the code does and how to install, train and evaluate.",
)
@applies_if(lambda facts: not facts.empty, otherwise="there is no code")
def no_readme(facts: Repository) -> Iterator[Finding]:
    """Nobody can guess which of the scripts to run, in which order, and on which data."""
    if not _has_readme(facts):
        paths = [source.path for source in facts.code.own]
        yield no_readme.finding(
            "there is no README for " + listed(paths, 4),
            location=Location(paths[0]),
            evidence=[note("looked for README in the root, in docs, in .github and in all other folders")],
        )


@repository.rule(
    "R202",
    title="No installation instructions",
    severity=Severity.WARNING,
    failing="==> README.md <==\n# Model\nOur code.\n" + _SCRIPT,
    passing=GOOD,
    source=Source(CHECKLIST, "item 1: specification of dependencies"),
    advice="Add a section `## Installation` with the command that installs the pinned dependencies.",
)
@applies_if(lambda facts: _has_readme(facts) and not facts.empty, otherwise=_NO_README)
def no_installation(facts: Repository) -> Iterator[Finding]:
    """A list of dependencies is of use to those who are told that it is there and how to install it."""
    if _lacks(facts, "INSTALL"):
        manifests = [m.path for m in facts.environment.manifests if m.kind.asks]
        remedy = f"Add a section `## Installation`: `pip install -r {manifests[0]}`." if manifests else ""
        yield no_installation.finding(
            "the README does not say how to install the software it needs",
            location=facts.readme.location,
            evidence=_looked_for(facts, "installation"),
            advice=remedy,
        )


@repository.rule(
    "R203",
    title="No word about the data",
    severity=Severity.WARNING,
    failing="==> README.md <==\n# Model\n## Training\n    python train.py\n" + _SCRIPT,
    passing=GOOD,
    source=loos("section 4.7: dataset availability"),
    advice="Add a section `## Data`: where the data come from, which version, and where to put them.",
    confidence=Confidence.MEDIUM,
)
@applies_if(_trains_and_has_readme, otherwise="nothing is trained, or there is no README")
def no_data(facts: Repository) -> Iterator[Finding]:
    """A model is trained on data; who cannot get the same data cannot get the same result."""
    if _lacks(facts, "DATA"):
        yield no_data.finding(
            "the README does not say where the data are to be had",
            location=facts.readme.location,
            evidence=_looked_for(facts, "data"),
        )


@repository.rule(
    "R204",
    title="No training command",
    severity=Severity.WARNING,
    failing="==> README.md <==\n# Model\n## Installation\n    pip install torch\n" + _SCRIPT,
    passing=GOOD,
    source=Source(CHECKLIST, "item 2: training code"),
    advice="Add a section `## Training` with the full command, all options included, for each reported result.",
)
@applies_if(_trains_and_has_readme, otherwise="nothing is trained, or there is no README")
def no_training(facts: Repository) -> Iterator[Finding]:
    """Results depend on the options that were used; the command is the shortest way to state all of them."""
    training = [entry.path for entry in facts.randomness.entry_points if entry.trains]
    run = {command.path for command in facts.commands.commands}
    if training and _lacks(facts, "TRAIN") and run.isdisjoint(training):
        yield no_training.finding(
            f"the README does not say how to train, which {listed(training, 3)} can do",
            location=facts.readme.location,
            evidence=_looked_for(facts, "training"),
            advice=f"Add a section `## Training` with the full command, as in `python {training[0]} …`.",
        )


@repository.rule(
    "R205",
    title="No evaluation command",
    severity=Severity.WARNING,
    failing="==> README.md <==\n# Model\n## Training\n    python train.py\n" + _SCRIPT,
    passing=GOOD,
    source=Source(CHECKLIST, "item 3: evaluation code"),
    advice="Add a section `## Evaluation` with the command that computes the reported numbers.",
    confidence=Confidence.MEDIUM,
)
@applies_if(_trains_and_has_readme, otherwise="nothing is trained, or there is no README")
def no_evaluation(facts: Repository) -> Iterator[Finding]:
    """Without it nobody knows how the reported numbers were computed: on which split, by which measure."""
    if _lacks(facts, "EVALUATE"):
        yield no_evaluation.finding(
            "the README does not say how to evaluate a model",
            location=facts.readme.location,
            evidence=_looked_for(facts, "evaluation"),
        )


@repository.rule(
    "R206",
    title="No results",
    severity=Severity.NOTE,
    failing="==> README.md <==\n# Model\n## Training\n    python train.py\n" + _SCRIPT,
    passing=GOOD,
    source=Source(CHECKLIST, "item 5: table of results"),
    advice="Add a table with the main results, and beside each number the command that gives it.",
    confidence=Confidence.MEDIUM,
)
@applies_if(_trains_and_has_readme, otherwise="nothing is trained, or there is no README")
def no_results(facts: Repository) -> Iterator[Finding]:
    """Who reruns the code needs to know what should come out."""
    if _lacks(facts, "RESULTS"):
        yield no_results.finding(
            "the README states no results to compare with",
            location=facts.readme.location,
            evidence=_looked_for(facts, "results"),
        )


@repository.rule(
    "R207",
    title="Link to a file that is not there",
    severity=Severity.WARNING,
    failing="==> README.md <==\nSee [the guide](docs/guide.md).\n==> docs/guides.md <==\n# Guide\n",
    passing="==> README.md <==\nSee [the guide](docs/guide.md).\n==> docs/guide.md <==\n# Guide\n",
    source=loos("section 5.2: README hyperlinks"),
    advice="Commit the file, or correct the link.",
)
@applies_if(lambda facts: _has_readme(facts) and facts.readme.links, otherwise="the README has no links")
def broken_link(facts: Repository) -> Iterator[Finding]:
    """What was meant to be explained there is explained nowhere."""
    for link in facts.readme.broken_links:
        if not link.missing_anchor:
            what = "image" if link.image else "link"
            yield broken_link.finding(
                f"the {what} leads to {link.target}, which does not exist",
                subject=link.target,
                location=link.location,
                evidence=[facts.quote(link.location)],
                advice=_instead(link),
                severity=Severity.NOTE if link.image else None,
            )


@repository.rule(
    "R208",
    title="Link to a place that the document does not have",
    severity=Severity.NOTE,
    failing="==> README.md <==\n[Install](#instalation)\n# Installation\npip install torch\n",
    passing="==> README.md <==\n[Install](#installation)\n# Installation\npip install torch\n",
    source=loos("section 5.2: README hyperlinks"),
    advice="Correct the anchor: lower case, hyphens for spaces, no punctuation.",
)
@applies_if(lambda facts: _has_readme(facts) and facts.readme.links, otherwise="the README has no links")
def broken_anchor(facts: Repository) -> Iterator[Finding]:
    """The reader is left at the top of the page and does not know what was meant."""
    for link in facts.readme.broken_links:
        if link.missing_anchor:
            yield broken_anchor.finding(
                f"no heading has the anchor {link.target}",
                subject=link.target,
                location=link.location,
                evidence=[facts.quote(link.location)],
                advice=_instead(link),
            )


def _instead(link: Link) -> str:
    return f"Did you mean {link.nearest}?" if link.nearest else ""


@repository.rule(
    "R209",
    title="Paper not linked",
    severity=Severity.NOTE,
    failing="==> README.md <==\n# Model\nOfficial implementation of our paper.\n" + _SCRIPT,
    passing=GOOD,
    source=loos("table 5.1: paper link in the README"),
    advice="Link the paper (arXiv, DOI or publisher) in the introduction, and add a BibTeX entry with its identifier.",
    confidence=Confidence.MEDIUM,
)
@applies_if(
    lambda facts: _has_readme(facts) and (facts.readme.speaks_of_paper or facts.readme.bibtex),
    otherwise="the README speaks of no paper",
)
def paper_not_linked(facts: Repository) -> Iterator[Finding]:
    """The paper says what the code is to show; the experimental design is described nowhere else."""
    if facts.readme.paper is None:
        place = facts.readme.speaks_of_paper or facts.readme.bibtex[0].location
        yield paper_not_linked.finding(
            "the README speaks of a paper, and neither links it nor gives its identifier",
            location=place,
            evidence=[facts.quote(place)],
        )


_VERSIONS = "==> README.md <==\n# Model\nTested with Python 3.8 and PyTorch 1.7.\n==> requirements.txt <==\ntorch=={}\n"


@repository.rule(
    "R210",
    title="README and files contradict each other",
    severity=Severity.WARNING,
    failing=_VERSIONS.format("1.12.1"),
    passing=_VERSIONS.format("1.7.1"),
    source=loos("section 4.1: documentation"),
    advice="Correct whichever of the two is out of date.",
    confidence=Confidence.MEDIUM,
)
@applies_if(
    lambda facts: _has_readme(facts) and any(c.topic.name in {"VERSION", "STRATIFIED"} for c in facts.readme.claims),
    otherwise="the README claims nothing that could be checked",
)
def contradicted(facts: Repository) -> Iterator[Finding]:
    """Two statements about one thing leave the reader to guess which of them gave the result.

    Versions are held against the exact pins of the manifests, and the word "stratified" against the code. That seeds
    are set is held against the code by another rule.
    """
    for claim in facts.readme.claims:
        if claim.topic.name == "STRATIFIED" and not claim.support and not facts.empty:
            yield contradicted.finding(
                "the README speaks of stratified splits, and no code has the word",
                subject="stratified",
                location=claim.location,
                evidence=[quote(claim.text, claim.location)],
                advice="Pass `stratify=labels` to the split, or use StratifiedKFold; or take the word back.",
            )
        elif claim.topic.name == "VERSION":
            for pinned, place in _other_versions(facts.environment, claim.name, claim.value):
                yield contradicted.finding(
                    f"the README says {claim.name} {claim.value}, {place.path} asks for {pinned}",
                    subject=claim.name,
                    location=claim.location,
                    evidence=[quote(claim.text, claim.location), facts.quote(place)],
                )
                break


def _other_versions(environment: EnvironmentFacts, name: str, stated: str) -> Iterator[tuple[str, Location]]:
    """Manifests that exclude the stated version; of Python, by any bound, of others, by an exact pin."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    asked = [d for d in (*environment.languages, *environment.declared) if d.name == name and d.kind.asks]
    for declared in asked:
        if name != "python" and "==" not in declared.specifier:
            continue
        try:
            wanted = SpecifierSet(declared.specifier)
        except InvalidSpecifier:
            continue
        series = [stated, *(f"{stated}.{n}" for n in range(30))] if stated.count(".") == 1 else [stated]
        if declared.specifier and not any(wanted.contains(version, prereleases=True) for version in series):
            yield declared.specifier, declared.location
