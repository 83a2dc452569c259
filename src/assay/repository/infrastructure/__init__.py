"""What surrounds the code: containers, Binder, continuous integration, tests, citation and releases."""

from assay.repository.infrastructure.automation import Pipeline, Suite
from assay.repository.infrastructure.binder import Binder, Buildpack
from assay.repository.infrastructure.containers import BaseImage, Container, Pin
from assay.repository.infrastructure.facts import InfrastructureFacts, read_infrastructure
from assay.repository.infrastructure.publication import Doi, Publication

__all__ = [
    "BaseImage", "Binder", "Buildpack", "Container", "Doi", "InfrastructureFacts", "Pin", "Pipeline",
    "Publication", "Suite", "read_infrastructure",
]  # fmt: skip
