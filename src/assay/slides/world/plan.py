"""Who is in the synthetic world: patients, their slides, and how each of them looks."""

from __future__ import annotations

import numpy as np

from assay.records import dataclass
from assay.slides.configuration.steps import World
from assay.slides.vocabulary import stage_of

_PROFILES = (
    ("negative", "negative", "negative", "negative", "negative"),
    ("itc", "negative", "negative", "negative", "negative"),
    ("micro", "itc", "negative", "negative", "negative"),
    ("macro", "micro", "negative", "negative", "negative"),
    ("macro", "macro", "micro", "micro", "negative"),
)
"""What the slides of a patient show, one row for each stage."""
_SHARES = (0.30, 0.15, 0.20, 0.20, 0.15)


@dataclass(frozen=True, slots=True)
class Look:
    """What varies between patients and between slides of one patient, all of it around 0."""

    stain: tuple[float, float, float]
    haematoxylin: float
    eosin: float
    density: float
    follicle: float
    tumour: float
    """Size of nuclei in follicles and in tumour: the two look-alikes drift apart or together."""


@dataclass(frozen=True, slots=True)
class PlannedSlide:
    """One slide to paint."""

    name: str
    patient: str
    stage: str
    kind: str
    centre: str
    seed: tuple[int, int, int]
    look: Look


def plan(world: World) -> list[PlannedSlide]:
    """All slides of the world. One number more of patients leaves the others as they are."""
    return [slide for number in range(world.patients) for slide in _patient(world, number)]


def _patient(world: World, number: int) -> list[PlannedSlide]:
    rng = np.random.default_rng((world.seed, number))
    shared = _look(rng, world.patient_effect)
    # Every run of patients holds each stage about as often as it should, so that small worlds have all of them.
    at = (number * 0.618034 + 0.31) % 1.0
    profile = _PROFILES[int(np.searchsorted(np.cumsum(_SHARES), at))]
    kinds = [profile[i % len(profile)] for i in range(world.slides_per_patient)]
    every = round(1 / world.second_centre) if world.second_centre else 0
    centre = "B" if every and number % every == every - 1 else "A"
    name = f"patient_{number:03d}"
    return [
        PlannedSlide(
            f"{name}_node_{i}",
            name,
            stage_of(kinds),
            kind,
            centre,
            (world.seed, number, i),
            _added(shared, _look(rng, world.slide_effect)),
        )
        for i, kind in enumerate(kinds)
    ]


def _look(rng: np.random.Generator, strength: float) -> Look:
    drawn = rng.normal(size=8) * strength
    stain = (float(drawn[0]), float(drawn[1]), float(drawn[2]))
    return Look(stain, *(float(x) for x in drawn[3:]))


def _added(one: Look, other: Look) -> Look:
    return Look(
        (one.stain[0] + other.stain[0], one.stain[1] + other.stain[1], one.stain[2] + other.stain[2]),
        one.haematoxylin + other.haematoxylin,
        one.eosin + other.eosin,
        one.density + other.density,
        one.follicle + other.follicle,
        one.tumour + other.tumour,
    )
