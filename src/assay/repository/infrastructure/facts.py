"""All facts about the infrastructure, gathered."""

from __future__ import annotations

from assay.code import Code
from assay.records import dataclass
from assay.repository.infrastructure.automation import Pipeline, Suite, read_pipelines, read_tests
from assay.repository.infrastructure.binder import Binder, read_binder
from assay.repository.infrastructure.containers import Container, read_containers
from assay.repository.infrastructure.publication import Publication, read_publication
from assay.tree import Tree


@dataclass(frozen=True, slots=True)
class InfrastructureFacts:
    """What the repository offers besides its code."""

    containers: tuple[Container, ...]
    binder: Binder
    pipelines: tuple[Pipeline, ...]
    tests: Suite
    publication: Publication


def read_infrastructure(tree: Tree, code: Code) -> InfrastructureFacts:
    """Read each part from the tree."""
    return InfrastructureFacts(
        containers=tuple(read_containers(tree)),
        binder=read_binder(tree),
        pipelines=tuple(read_pipelines(tree)),
        tests=read_tests(tree, code),
        publication=read_publication(tree),
    )
