"""The environment: manifests, pins, and how both fit what the code imports."""

from assay.repository.environment.coverage import Undeclared
from assay.repository.environment.declared import Declared, Kind, Manifest, Pin, Problem
from assay.repository.environment.facts import Dependency, EnvironmentFacts, read_environment
from assay.repository.environment.imports import Outside, Role, Use

__all__ = [
    "Declared",
    "Dependency",
    "EnvironmentFacts",
    "Kind",
    "Manifest",
    "Outside",
    "Pin",
    "Problem",
    "Role",
    "Undeclared",
    "Use",
    "read_environment",
]
