"""Can somebody get the model and its settings? Checkpoints, weights, trackers, configuration, hyper-parameters."""

from assay.repository.models.facts import (
    Artefact,
    Checkpoint,
    HyperParameter,
    ModelFacts,
    Origin,
    Record,
    Stated,
    System,
    Tool,
    WeightLink,
)
from assay.repository.models.reader import read_models

__all__ = [
    "Artefact", "Checkpoint", "HyperParameter", "ModelFacts", "Origin", "Record", "Stated", "System", "Tool",
    "WeightLink", "read_models",
]  # fmt: skip
