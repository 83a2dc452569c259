"""A study as the report that every format is made from."""

from __future__ import annotations

from collections.abc import Sequence

from assay.findings import Figure, Report, Table, Value
from assay.repository.research.evaluation.clusters import Clustering, cluster
from assay.repository.research.evaluation.collection import Collection
from assay.repository.research.evaluation.differences import SIGNIFICANT, Difference, differences


def report_of(found: Collection, *, clusters: int = 2, figures: bool = False, command: str = "") -> Report:
    """Frequencies, means, tests and clusters of a collection, in the order of chapter 7 of the thesis."""
    compared = differences(found)
    clustered = cluster(found, clusters)
    artefacts = compared.artefacts
    return Report(
        title="Study of repositories",
        question=f"How do {len(found.groups)} repositories{_from(found)} score, and which kinds are there?",
        tables=(
            *([values_table("Artefacts found (share of repositories)", artefacts)] if artefacts else ()),
            values_table("Factor scores (means)", compared.factors),
            *(tests_table(kind, tests) for kind, tests in _tested(compared.factors, compared.artefacts)),
            choices_table(clustered),
            clusters_table(found, clustered),
        ),
        figures=_figures(found, clustered, compared.factors, compared.artefacts) if figures else (),
        left_out=found.left_out,
        command=command,
    )


def _from(found: Collection) -> str:
    return f" from {len(found.names)} groups" if len(found.names) > 1 else ""


def values_table(title: str, tests: Sequence[Difference]) -> Table:
    """What each group comes to, with its interval."""
    groups = tests[0].values
    columns = ["", *(heading for v in groups for heading in (f"{v.group} ({v.size})", f"95 % {v.group}"))]
    rows = tuple(
        (one.name, *(cell for v in one.values for cell in (round(v.value, 2), _interval(v.interval)))) for one in tests
    )
    return Table(title, tuple(columns), rows)


def _tested(factors: Sequence[Difference], artefacts: Sequence[Difference]) -> list[tuple[str, Sequence[Difference]]]:
    both = (("factor scores", factors), ("artefacts", artefacts))
    return [(kind, tests) for kind, tests in both if tests and tests[0].p is not None]


def tests_table(kind: str, tests: Sequence[Difference]) -> Table:
    """Whether groups differ, with as many corrections as were made."""
    both = any(one.false_discovery is not None for one in tests)
    columns = ("", "Test", "p", "p, Holm", *(["p, BH"] if both else []), "Effect", "Differ")
    rows = tuple(
        (
            one.name,
            one.test,
            _p(one.p),
            _p(one.adjusted),
            *([_p(one.false_discovery)] if both else []),
            _effect(one),
            _verdict(one),
        )
        for one in tests
    )
    return Table(f"Differences between groups: {kind}", columns, rows)


def _verdict(one: Difference) -> str:
    """A difference that was not shown is no proof that there is none."""
    if one.significant:
        return "yes"
    found = one.false_discovery is not None and one.false_discovery < SIGNIFICANT
    return "by BH" if found else "not shown"


def _effect(one: Difference) -> Value:
    return None if one.effect is None else round(one.effect, 2)


def _p(value: float | None) -> Value:
    return None if value is None else float(f"{value:.2g}")


def choices_table(found: Clustering) -> Table:
    """How every number of clusters would have done."""
    rows = tuple(
        (
            choice.clusters,
            round(choice.inertia, 1),
            None if choice.decrease is None else round(choice.decrease, 1),
            None if choice.silhouette is None else round(choice.silhouette, 3),
            _remarks(choice.clusters, found),
        )
        for choice in found.choices
    )
    return Table("The number of clusters (k-means)", ("k", "Inertia", "Decrease", "Silhouette", ""), rows)


def _remarks(number: int, found: Clustering) -> str:
    said = {
        "chosen": len(found.clusters) == number,
        "elbow": found.elbow == number,
        "best silhouette": found.best_silhouette == number,
    }
    return ", ".join(words for words, holds in said.items() if holds)


def clusters_table(found: Collection, clustered: Clustering) -> Table:
    """Cluster means, and how many of each group are in it."""
    groups = found.names if len(found.names) > 1 else ()
    rows = []
    for number, one in enumerate(clustered.clusters):
        origins = (many for _, many in one.origins) if groups else ()
        rows.append((f"cluster {number}", one.size, *(round(v, 2) for v in one.means), *origins))
    columns = ("", "Size", *found.factors, *(f"from {name}" for name in groups))
    agreement = f"agreement of resamples {clustered.stability:.2f}"
    return Table(f"Clusters, highest scores first ({agreement})", columns, tuple(rows))


def _figures(
    found: Collection, clustered: Clustering, factors: Sequence[Difference], artefacts: Sequence[Difference]
) -> tuple[Figure, ...]:
    from assay.repository.research.evaluation.figures import bars, elbow, origins, polar

    drawn = [bars("Artefacts found", "share of repositories", artefacts)] if artefacts else []
    drawn += [bars("Factor scores", "mean score", factors), elbow(clustered)]
    if len(found.factors) > 2:
        drawn.append(polar(clustered, found.factors))
    if len(found.names) > 1:
        drawn.append(origins(clustered))
    return tuple(drawn)


def _interval(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.2f} to {ends[1]:.2f}"
