"""The four studies of civil war that Kapoor & Narayanan re-analysed, each as a leak on generated panels.

Their Figure 3 names for each study the claim, the leak, and what was left of the claim once the leak was closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial

import numpy as np

from assay.leakage.data.measures import Floats
from assay.leakage.impact.checkpoint import NOTHING_KEPT, Checkpoint, Pairs
from assay.leakage.impact.experiment import Impact, paired, score_versions
from assay.leakage.impact.imputers import impute
from assay.leakage.impact.leaks import Fold, Version, plain_version
from assay.leakage.impact.material import Material
from assay.leakage.impact.models import Model
from assay.leakage.impact.panel import CLASSIC, CUT, LAST_YEAR, LATE_CUT, OTHERS, PROXIES, Outcome, forward, panel
from assay.records import dataclass

_ALL = (*CLASSIC, *OTHERS)
REGRESSIONS = (
    Model("logistic A", "logistic", CLASSIC),
    Model("logistic B", "logistic", ("income", "population", "anocracy")),
    Model("logistic C", "logistic", ("income", "mountains", "new_state")),
)
"""Three old explanatory models, each with its own choice of the classic variables."""
LAST_OUTCOME = Model("last year's outcome", "repeat", (LAST_YEAR,))


@dataclass(frozen=True)
class World:
    """One generated panel, cut in time."""

    seed: int
    material: Material
    fold: Fold

    @property
    def imputed_with_outcome(self) -> Floats:
        """The cells as an imputer fills them that sees all years and their outcomes."""
        return _imputed_with_outcome(self.seed)

    @property
    def shuffled(self) -> Fold:
        """As many training and test rows, but years drawn at random."""
        rows = np.random.default_rng(self.seed).permutation(np.concatenate(self.fold))
        size = len(self.fold[1])
        return rows[size:], rows[:size]


@lru_cache(maxsize=1)
def _imputed_with_outcome(seed: int) -> Floats:
    material = panel(seed)
    return impute(material.x, np.arange(material.rows), material.y)


@dataclass(frozen=True)
class Study:
    """One study: how it leaked, what the corrected version does, and which models it compared."""

    name: str
    paper: str
    code: str
    leak: str
    outcome: Outcome
    cut: int
    leaky: Callable[[World], Version]
    clean: Callable[[World], Version]
    ambitious: Model
    """The model that was said to be far better."""
    plain: tuple[Model, ...] = REGRESSIONS

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The ambitious model against each plain one, and every model against last year's outcome."""
        names = [model.name for model in self.plain]
        against = [(self.ambitious.name, name) for name in names]
        baseline = LAST_OUTCOME.name if LAST_OUTCOME in self.plain else None
        return (*against, *((name, baseline) for name in names if baseline and name != baseline))


def _imputed(world: World) -> Version:
    return plain_version(world.material, *world.fold, world.imputed_with_outcome)


def _imputed_and_shuffled(world: World) -> Version:
    return plain_version(world.material, *world.shuffled, world.imputed_with_outcome)


def _imputed_from_training(world: World) -> Version:
    return plain_version(world.material, *world.fold, impute(world.material.x, world.fold[0]))


def _shuffled(world: World) -> Version:
    return plain_version(world.material, *world.shuffled)


def _without_proxies(world: World) -> Version:
    material = world.material
    x = material.x.copy()
    x[:, material.columns(PROXIES)] = 0.0
    return plain_version(material, *world.fold, x)


STUDIES = (
    Study(
        "imputation",
        "Muchlinski et al. 2016",
        "L1.2",
        "training and test years imputed together, with the outcome",
        Outcome.ONSET,
        CUT,
        _imputed,
        _imputed_from_training,
        Model("random forest", "forest", _ALL),
    ),
    Study(
        "reuse",
        "Colaresi & Mahmood 2017",
        "L1.2",
        "the imputed table reused with another cut",
        Outcome.ONSET,
        LATE_CUT,
        _imputed,
        _imputed_from_training,
        Model("random forest", "forest", _ALL),
    ),
    Study(
        "reuse and time",
        "Wang 2019",
        "L1.2, L3.1",
        "the imputed table reused, years split at random",
        Outcome.ONSET,
        CUT,
        _imputed_and_shuffled,
        _imputed_from_training,
        Model("boosting", "boosting", _ALL),
    ),
    Study(
        "proxies and time",
        "Kaufman et al. 2019",
        "L2, L3.1",
        "proxies of the war as features, years split at random",
        Outcome.INCIDENCE,
        CUT,
        _shuffled,
        _without_proxies,
        Model("boosting", "boosting", (*_ALL, *PROXIES)),
        (*REGRESSIONS, LAST_OUTCOME),
    ),
)

Job = tuple[int, Study]
Track = Callable[[Sequence[Job]], Iterable[Job]]


def run_studies(worlds: int, seed: int, checkpoint: Checkpoint = NOTHING_KEPT, track: Track = iter) -> list[Impact]:
    """Every study on fresh panels: worlds are independent, so intervals need no correction for shared rows."""
    scores: dict[str, list[Pairs]] = {study.name: [] for study in STUDIES}
    for world, study in track([(seed + number, study) for number in range(worlds) for study in STUDIES]):
        scores[study.name].append(checkpoint.recorded(f"{study.name}/{world}", partial(_score, study, world)))
    return [
        Impact(
            study.name,
            study.code,
            study.leak,
            "AUC",
            paired(scores[study.name], 0.0),
            study.paper,
            study.pairs,
            "worlds",
        )
        for study in STUDIES
    ]


def _score(study: Study, seed: int) -> Pairs:
    material = panel(seed, study.outcome)
    world = World(seed, material, forward(material, study.cut))
    models = (study.ambitious, *study.plain)
    return score_versions(material, models, (study.leaky(world), study.clean(world)), seed)
