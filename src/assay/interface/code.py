"""Code: leaks of the test set, and what keeps others from running it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.answers import Answer, AnyPath, each_existing, named_path
from assay.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from assay.leakage.code.analysis import Analysis
    from assay.leakage.code.facts.pair import Pair
    from assay.repository.check import Assessment


@dataclass(frozen=True, repr=False)
class CodeAnswer(Answer):
    """What was found in code."""

    analysis: Analysis

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Every (training, evaluation) with the relation of their rows and what was learnt from them."""
        return tuple(self.analysis.pairs)


@dataclass(frozen=True, repr=False)
class RepositoryAnswer(Answer):
    """What a repository holds, and what is missing to run it."""

    assessment: Assessment

    @property
    def facts(self) -> dict[str, Any]:
        """What was read, without judgement, as ``assay schema facts`` describes it."""
        from assay.repository.facts_document import facts_document

        return facts_document(self.assessment.facts).model_dump(mode="json")


def scan_code(*paths: AnyPath | Iterable[AnyPath], policy: str | None = None) -> CodeAnswer:
    """Does this code let test rows into training or choices? Scripts, notebooks, folders, archives; nothing is run.

    `policy` says what counts: "kapoor" (default), "yang", "strict", "kaggle", or a TOML file.
    """
    from assay.leakage.code.analysis import analyse_source, gathered
    from assay.leakage.code.leak_report import report_of, suppressions_in, with_imported
    from assay.leakage.code.policies.policy import DEFAULT, load_policy
    from assay.leakage.code.reading.opened_code import open_code
    from assay.suppressions import apply_suppressions

    chosen = load_policy(policy or DEFAULT)
    places = each_existing(paths, "path")
    opened = [open_code(place, project=True) for place in places]
    files = [(one.code, source) for one in opened for source in one.sources]
    analysis = gathered(analyse_source(every, source, policy=chosen) for every, source in files)
    report = report_of(analysis, [str(place) for place in places], pairs=True)
    report = replace(report, left_out=(*(note for one in opened for note in one.left_out), *report.left_out))
    beside = (source for one in opened for source in one.code.python)
    comments = suppressions_in(with_imported(analysis, (source for _, source in files), beside))
    return CodeAnswer(report=apply_suppressions(report, list(comments)), analysis=analysis)


def inspect_repository(path: AnyPath, *, exclude: Sequence[str] = ()) -> RepositoryAnswer:
    """Could somebody run this code and get the result? A folder, an archive, or a commit (``path@revision``)."""
    from assay.project_suppressions import silenced
    from assay.repository.assessment_report import report_of
    from assay.repository.check import assess
    from assay.repository.facts import read_repository
    from assay.tree import open_tree

    tree = open_tree(named_path(path, "path")).excluding(exclude)
    assessment = assess(read_repository(tree))
    return RepositoryAnswer(report=silenced(report_of([assessment]), tree), assessment=assessment)
