"""The indicators of a repository, from the facts that our readers found.

What counts is the thesis's choice (which endings are models, which libraries log); how it is found is ours: by syntax
and resolved names instead of regular expressions over lines, so that measured values differ where those were wrong.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from assay.code import Code, calls
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.data import Availability
from assay.repository.documentation import DocumentationFacts
from assay.repository.environment import EnvironmentFacts, Kind
from assay.repository.licence import LicenceFacts, is_open
from assay.repository.randomness import RandomnessFacts, State
from assay.repository.readme import Status
from assay.repository.research.loos2022.indicators import Indicators
from assay.tree import Tree

if TYPE_CHECKING:
    from assay.repository.facts import Repository

_README_ENDINGS = frozenset({"", ".md", ".markdown", ".rst", ".txt", ".html", ".adoc", ".org"})
_LINK = regex(r"https?://[^\s<>()\[\]{}\"'`]{3,2000}", re.IGNORECASE)
_MODEL_ENDINGS = (".dvc", ".h5", ".pkl", ".model")
_SAVING_CALLS = frozenset({"torch.save", "pickle.dump", "pickle.dumps", "joblib.dump", "sklearn.externals.joblib.dump"})
_LOGGING_LIBRARIES = frozenset({"wandb", "neptune", "sacred", "mlflow"})
_FIXED = frozenset({State.FIXED, State.DEFAULT})
_NO_DATA = frozenset({Availability.ABSENT, Availability.NOT_NEEDED})


@dataclass(frozen=True, slots=True)
class Asked:
    """Measurements that nobody makes unasked: they need the network or another program."""

    reachable_links: float | None = None
    """Without it, what the README's links say if servers were asked about them."""
    pylint: float | None = None
    built: bool | None = None


def indicators_of(repository: Repository, asked: Asked | None = None) -> Indicators:
    """The indicators of Table 5.1 that the thesis scores."""
    extra = asked or Asked()
    readmes, lines, links = _readmes(repository.tree)
    licences, opened = _licences(repository.licence)
    imports, files, declared, strict, public = _environment(repository.environment)
    seeds, fixed = _seeds(repository.randomness, repository.code)
    return Indicators(
        readmes=readmes,
        readme_lines=lines,
        links=links,
        reachable_links=_reachable(repository) if extra.reachable_links is None else extra.reachable_links,
        licences=licences,
        open_licences=opened,
        comment_ratio=_comment_ratio(repository.documentation),
        pylint=extra.pylint,
        imports=imports,
        config_files=files,
        declared=declared,
        strict=strict,
        public=public,
        dataset=repository.obtaining.availability not in _NO_DATA,
        seed_lines=seeds,
        fixed_seeds=fixed,
        models=_saves_models(repository.tree, repository.code),
        logging=_logging(repository.code),
        built=extra.built,
    )


def _readmes(tree: Tree) -> tuple[int, float, int]:
    """How many there are in any folder, their mean length in lines, and their links in all."""
    texts = [f.text() for f in tree.own if "readme" in f.name.lower() and f.suffix in _README_ENDINGS]
    if not texts:
        return 0, 0.0, 0
    lines = sum(len(text.splitlines()) for text in texts)
    return len(texts), round(lines / len(texts), 2), sum(len(_LINK.findall(text)) for text in texts)


def _reachable(repository: Repository) -> float | None:
    """The share of the README's links that are not dead, if servers were asked; silence of a server proves nothing."""
    states = [link.status for link in repository.readme.links if link.remote]
    if not {Status.OK, Status.BROKEN} & set(states):
        return None
    return _percent(sum(state is not Status.BROKEN for state in states), len(states))


def _licences(facts: LicenceFacts) -> tuple[int, int]:
    return len(facts.files), sum(bool(f.licences) and is_open(f.licences[0]) is True for f in facts.files)


def _comment_ratio(facts: DocumentationFacts) -> float:
    """Without any comment it is the number of lines, as in the author's tool: a long file is then worse."""
    told = facts.comment_lines + sum(source.lines.docstrings for source in facts.sources)
    return round(facts.code_lines / told, 2) if told else float(facts.code_lines)


def _environment(facts: EnvironmentFacts) -> tuple[int, int, float, float, float]:
    """Imported modules, configuration files; percentages that are declared, strictly declared, public."""
    modules = {outside.module for outside in facts.outside}
    bare = {u.outside.module for u in facts.uncovered if not u.elsewhere}
    files = sum(m.kind.asks and (not m.kind.weak or m.kind is Kind.DOCKERFILE) for m in facts.manifests)
    asked = facts.dependencies
    return (
        len(modules),
        files,
        _percent(len(modules - bare), len(modules)),
        _percent(sum(d.pin.strict for d in asked), len(asked)),
        _percent(sum(outside.public for outside in facts.outside), len(facts.outside)),
    )


def _seeds(facts: RandomnessFacts, code: Code) -> tuple[int, float]:
    """Calls that seed, and arguments `random_state=`, which the thesis counts alike; fixed unless they are None."""
    fixed = {seed.location: seed.state in _FIXED for seed in facts.seeds if not seed.in_test}
    sources = (source for source in code.python if source.mentions("random_state"))
    for call in (call for source in sources for call in calls(source)):
        for given in _random_states(call.node):
            fixed.setdefault(call.location, getattr(given, "value", given) is not None)
    return len(fixed), _percent(sum(fixed.values()), len(fixed))


def _random_states(call: ast.Call) -> list[ast.expr]:
    return [keyword.value for keyword in call.keywords if keyword.arg == "random_state"]


def _saves_models(tree: Tree, code: Code) -> bool:
    """Figure A.1: a folder `.dvc`, a file with one of four endings, or a call that saves."""
    if any(f.name.lower().endswith(_MODEL_ENDINGS) or "/.dvc/" in f"/{f.path}" for f in tree.own):
        return True
    return any(call.name in _SAVING_CALLS for source in code.python for call in calls(source))


def _logging(code: Code) -> int:
    """Imports of the four libraries and calls of theirs."""
    found = 0
    for source in code.python:
        found += sum(imported.top in _LOGGING_LIBRARIES and not imported.level for imported in source.imports)
        if source.aliases.keys():
            found += sum(call.name.partition(".")[0] in _LOGGING_LIBRARIES for call in calls(source))
    return found


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0
