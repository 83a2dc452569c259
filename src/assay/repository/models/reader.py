"""From a tree and its code to the facts about models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from assay.code import Code, Language
from assay.findings import Location
from assay.program.declared import own_settings
from assay.program.paths import Paths
from assay.repository.data.collection import is_test_file
from assay.repository.data.documents import read_pages
from assay.repository.data.links import Found, Topic, kind_of, read_links, topic_of, words_around
from assay.repository.data.lookup import Finder
from assay.repository.data.pointers import read_pointers
from assay.repository.data.practice import trains_at
from assay.repository.data.reader import makers_of
from assay.repository.models import hyper
from assay.repository.models.artefacts import read_artefacts, read_records
from assay.repository.models.facts import Checkpoint, HyperParameter, ModelFacts, WeightLink
from assay.repository.models.recognition import recognised
from assay.repository.models.scripts import saving_targets, script_checkpoints
from assay.repository.models.tools import Toolbox
from assay.tree import Tree

_MOST = 1000


@dataclass(slots=True)
class _Found:
    saves: list[Checkpoint] = field(default_factory=list)
    loads: list[Checkpoint] = field(default_factory=list)
    hyper: list[HyperParameter] = field(default_factory=list)
    tools: Toolbox = field(default_factory=Toolbox)
    trains: list[Location] = field(default_factory=list)


def read_models(tree: Tree, code: Code) -> ModelFacts:
    """All that code, files and pages tell about models and experiments."""
    found = _Found()
    python = [s for s in code.python if not s.unread]
    settings = own_settings(tree, code)
    texts, finder = Paths(code, settings), Finder(tree)
    for source in python:
        found.tools.look(source, code)
        if not is_test_file(source):
            for saved, checkpoint in recognised(source, texts, finder):
                (found.saves if saved else found.loads).append(checkpoint)
            found.hyper += hyper.in_source(source)
            found.trains += trains_at(source)
    for source in code.own:
        if source.language is not Language.PYTHON and not source.unread:
            for saved, checkpoint in script_checkpoints(source):
                (found.saves if saved else found.loads).append(checkpoint)
    found.tools.look_at_files(tree)
    found.saves += saving_targets(tree)
    makers = makers_of(tree, code)
    loads = [replace(one, produced=makers.named_maker((one.path,), one.location)) for one in found.loads[:_MOST]]
    pages = read_pages(tree, code)
    stated = [*hyper.in_files(tree), *hyper.in_options(settings), *found.hyper, *hyper.in_pages(pages)]
    return ModelFacts(
        saves=tuple(found.saves[:_MOST]),
        loads=tuple(loads),
        artefacts=tuple(read_artefacts(tree, read_pointers(tree))),
        links=tuple(islice(_weight_links(read_links(tree, code)), _MOST)),
        tools=found.tools.tools(),
        hyper_parameters=tuple(stated[:_MOST]),
        records=tuple(read_records(tree)),
        trains=next(iter(found.trains), None),
        left_out=(f"only {_MOST:,} of {len(stated):,} hyper-parameters were kept",) if len(stated) > _MOST else (),
    )


def _weight_links(links: Iterable[Found]) -> Iterator[WeightLink]:
    for link in links:
        if topic_of(link.url, link.label, words_around(link), link.line.heading) is Topic.WEIGHTS:
            yield WeightLink(link.url, kind_of(link.url), link.label, link.line.location)
