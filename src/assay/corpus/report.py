"""A run as a report.

What chapter 7 of Loos (2022) does for two sets of repositories and Figure 1 of Kapoor & Narayanan (2023) for the fields
of science, for any corpus: how common each finding is, how factors score, whether groups differ, which kinds there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.corpus.results import Results
from assay.corpus.study import Prevalence, Study, study_of
from assay.errors import InputError
from assay.findings import Figure, Report, Table, Value, Verdict
from assay.statistics import benjamini_hochberg, wilson

if TYPE_CHECKING:
    from assay.repository.research.evaluation.clusters import Clustering
    from assay.repository.research.evaluation.differences import Difference, GroupValue

_SURVEYED = 10
_SHOWN = 30
_WIDE = 2
"""Up to this many groups are shown side by side."""
_QUESTIONS = {
    "repo": "Could somebody run the code of these repositories?",
    "scores": "Can the numbers in these papers be true?",
    "leakage": "Did test sets leak into training in this code?",
    "paper": "Do these papers say enough?",
}


def report_of(results: Results, *, group: str | None = None, clusters: int = 2, figures: bool = False) -> Report:
    """The report on a run."""
    study = study_of(results, group)
    shares = _shares(study)
    scores = _scores(study, results.seed)
    clustered, told = _clustered(study, clusters, results.seed)
    many = len(study.groups)
    return Report(
        title=f"Corpus of {study.examined:,} subjects" + (f" in {many} groups" if many > 1 else ""),
        question=_QUESTIONS.get(results.task.instrument, ""),
        tables=tuple(_tables(study, shares, scores, clustered)),
        figures=_figures(study, shares, scores, clustered) if figures else (),
        left_out=(*study.left_out, *told, *_cut(study)),
    )


def _tables(
    study: Study, shares: Sequence[Difference], scores: Sequence[Difference], clustered: Clustering | None
) -> list[Table]:
    from assay.repository.research.evaluation.report import choices_table, clusters_table, tests_table, values_table

    tables = [_subjects(study), *_failures(study), *_verdicts(study)]
    if study.findings:
        tables += [_survey(study), _prevalence(study.findings[:_SHOWN], shares[:_SHOWN])]
    if shares and shares[0].p is not None:
        tables.append(tests_table("findings", shares[:_SHOWN]))
    if scores:
        tables.append(values_table("Factor scores (means)", scores))
    if scores and scores[0].p is not None:
        tables.append(tests_table("factor scores", scores))
    if clustered is not None and study.scored is not None:
        what = " of findings" if study.by_findings else ""
        tables += [choices_table(clustered), clusters_table(study.scored, clustered)]
        tables[-1] = replace(tables[-1], title=tables[-1].title.replace("highest scores", f"highest means{what}"))
    return [*tables, _timings(study)]


def _shares(study: Study) -> tuple[Difference, ...]:
    """Each finding across the groups, corrected for multiple testing in two ways."""
    from assay.repository.research.evaluation.differences import corrected, share_difference

    return _discoveries(corrected([share_difference(one.code, one.counts) for one in study.findings]))


def _scores(study: Study, seed: int) -> tuple[Difference, ...]:
    if study.scored is None or study.by_findings:
        return ()
    from assay.repository.research.evaluation.differences import differences

    return _discoveries(differences(study.scored, seed=seed).factors)


def _discoveries(tests: Sequence[Difference]) -> tuple[Difference, ...]:
    """The same tests with the false discovery rate (Benjamini and Hochberg) beside Holm's correction."""
    adjusted = iter(benjamini_hochberg([one.p for one in tests if one.p is not None]))
    return tuple(one if one.p is None else replace(one, false_discovery=next(adjusted)) for one in tests)


def _clustered(study: Study, wanted: int, seed: int) -> tuple[Clustering | None, list[str]]:
    if study.scored is None:
        return None, ["no clusters: too few subjects have scores, or too few findings differ"]
    from assay.repository.research.evaluation.clusters import cluster

    try:
        return cluster(study.scored, wanted, seed=seed), []
    except InputError as error:
        return None, [f"no clusters: {error.what}"]


def _subjects(study: Study) -> Table:
    rows = [
        (g.name, g.examined, g.failed, g.affected, _share(g.affected, g.examined), _interval(g.affected, g.examined))
        for g in study.groups
    ]
    if len(rows) > 1:
        many, failed, hit = (sum(getattr(g, name) for g in study.groups) for name in ("examined", "failed", "affected"))
        rows.append(("all", many, failed, hit, _share(hit, many), _interval(hit, many)))
    return Table("Subjects", ("group", "examined", "failed", "with findings", "share", "95 %"), tuple(rows))


def _failures(study: Study) -> list[Table]:
    if not study.failures:
        return []
    meaning = {
        "input": "cannot be read",
        "time": "took longer than the limit",
        "memory": "asked for more memory than the limit",
        "crash": "the examining process died, twice",
        "fault": "a fault of Assay; please report it",
    }
    rows = tuple((kind, many, meaning.get(kind, "")) for kind, many in study.failures.items())
    return [Table("Failures", ("kind", "subjects", "meaning"), rows)]


def _verdicts(study: Study) -> list[Table]:
    if not study.verdicts:
        return []
    occurring = {verdict for found in study.verdicts.values() for verdict, many in found.items() if many}
    shown = [v for v in Verdict if v is not Verdict.CONDITIONAL or v.value in occurring]
    rows = []
    for group in study.groups:
        found = study.verdicts.get(group.name, {})
        many, bad = sum(found.values()), found.get(Verdict.INCONSISTENT.value, 0)
        counts = (found.get(verdict.value, 0) for verdict in shown)
        rows.append((group.name, *counts, _share(bad, many), _interval(bad, many)))
    columns = ("group", *(v.value for v in shown), "share inconsistent", "95 %")
    return [Table("Verdicts", columns, tuple(rows))]


def _survey(study: Study) -> Table:
    """How many subjects each finding affects: a row for each group, as in Kapoor & Narayanan (2023), Figure 1."""
    shown = study.findings[:_SURVEYED]
    rows = tuple(
        (group.name, group.examined, group.affected, *(one.counts[group.name][0] or None for one in shown))
        for group in study.groups
        if group.examined
    )
    return Table("Survey: subjects affected", ("group", "examined", "affected", *(f.code for f in shown)), rows)


def _prevalence(findings: Sequence[Prevalence], shares: Sequence[Difference]) -> Table:
    """Shares with Wilson intervals: side by side for few groups, otherwise one below the other."""
    titles = {one.code: one.title for one in findings}
    groups = shares[0].values
    if len(groups) > _WIDE:
        columns: tuple[str, ...] = ("code", "group", "share", "95 %", "finding")
        listed = ((one.name, v.group, *_estimate(v), titles[one.name]) for one in shares for v in one.values)
        return Table("Prevalence of findings", columns, tuple(listed))
    headings = [h for v in groups for h in (f"{v.group} ({v.size})", f"95 % {v.group}")]
    columns = ("code", *(headings if len(groups) > 1 else ("share", "95 %")), "finding")
    rows = ((one.name, *(cell for v in one.values for cell in _estimate(v)), titles[one.name]) for one in shares)
    return Table("Prevalence of findings", columns, tuple(rows))


def _estimate(group: GroupValue) -> tuple[Value, Value]:
    return round(group.value, 3), _ends(group.interval)


def _timings(study: Study) -> Table:
    median, high, most, cpu = study.seconds
    row = (_three(median), _three(high), _three(most), _three(cpu), _three(cpu / max(1, study.examined)))
    columns = ("median", "99 % below", "longest", "CPU in all", "CPU for each")
    return Table("Seconds for a subject", columns, (row,))


def _cut(study: Study) -> list[str]:
    more = len(study.findings) - _SHOWN
    return [f"{more} rarer findings are tested but not shown here"] if more > 0 else []


def _figures(
    study: Study, shares: Sequence[Difference], scores: Sequence[Difference], clustered: Clustering | None
) -> tuple[Figure, ...]:
    from assay.corpus.figures import survey_figure
    from assay.repository.research.evaluation.figures import bars, elbow, origins, polar

    drawn = []
    if study.findings and len(study.groups) > 1:
        drawn.append(survey_figure(study))
    if shares:
        drawn.append(bars("Prevalence of findings", "share of subjects", shares[:_SURVEYED]))
    if scores:
        drawn.append(bars("Factor scores", "mean score", scores))
    if clustered is not None and study.scored is not None:
        drawn.append(elbow(clustered))
        if len(study.scored.factors) > 2:
            drawn.append(polar(clustered, study.scored.factors))
        if len(study.scored.names) > 1:
            drawn.append(origins(clustered, "subjects"))
    return tuple(drawn)


def _share(there: int, many: int) -> Value:
    return round(there / many, 3) if many else None


def _interval(there: int, many: int) -> Value:
    return _ends(wilson(there, many)) if many else None


def _ends(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.3f}–{ends[1]:.3f}"


def _three(value: float) -> float:
    return float(f"{value:.3g}")
