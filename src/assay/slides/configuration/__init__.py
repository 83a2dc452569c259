"""The configuration: one table for each step of the pipeline, which is also the answer to the checklist."""

from assay.slides.configuration.files import configuration_of, read_configuration, shipped
from assay.slides.configuration.steps import (
    Augmentation,
    Classifier,
    Configuration,
    HeatMaps,
    Labels,
    Lesions,
    Mining,
    Patches,
    Patients,
    SlideModel,
    Split,
    Stain,
    Step,
    Tissue,
    World,
)

__all__ = [
    "Augmentation",
    "Classifier",
    "Configuration",
    "HeatMaps",
    "Labels",
    "Lesions",
    "Mining",
    "Patches",
    "Patients",
    "SlideModel",
    "Split",
    "Stain",
    "Step",
    "Tissue",
    "World",
    "configuration_of",
    "read_configuration",
    "shipped",
]
