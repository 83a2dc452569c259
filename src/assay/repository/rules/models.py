"""R601 to R606: are the trained model, its settings and its runs kept."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Location, Severity, note, numbers, quote
from assay.patterns import regex
from assay.program.paths import may_give
from assay.repository.rules.instrument import applies_if, loos, repository
from assay.repository.rules.wording import counted, listed

if TYPE_CHECKING:
    from assay.repository.facts import Repository
    from assay.repository.models import Checkpoint

_SHOWN = 5
_PUBLISHED = regex(r"[-_][0-9a-f]{8}\.\w+$|imagenet|pretrained|(?:resnet|vgg|densenet)\d{2}\b", re.IGNORECASE)
"""Names under which weights are published: no run of the repository's own programs makes them."""
_TRAINS = "==> train.py <==\nimport torch\nmodel = torch.nn.Linear(3, 1)\nmodel(torch.ones(8, 3)).sum().backward()\n"
_LOADS = '==> test.py <==\nimport torch\nmodel = torch.load("checkpoints/best.pt")\n'
_CHOOSES = "==> train.py <==\nimport torch\nmodel = torch.nn.Linear(3, 1)\n"
_STEP = "model(torch.ones(8, 3)).sum().backward()\n"


@repository.rule(
    "R601",
    title="Unsaved model",
    severity=Severity.NOTE,
    failing=_TRAINS,
    passing=_TRAINS + 'torch.save(model.state_dict(), "model.pt")\n',
    source=loos("section 4.8, Table 5.1: model serialisation"),
    advice="Save the trained model (`torch.save(model.state_dict(), path)`, `joblib.dump(model, path)`, "
    "`model.save(path)`) and publish the one that the results come from.",
    confidence=Confidence.MEDIUM,
)
@applies_if(lambda facts: facts.models.trains, otherwise="nothing is trained")
def never_saved(facts: Repository) -> Iterator[Finding]:
    """Training again costs hours and rarely gives the same weights; only the saved model gives the reported numbers."""
    place = facts.models.trains
    if place is not None and not facts.models.serialised:
        looked = note("Looked for calls that save, callbacks that do, files of weights, and links to weights.")
        yield never_saved.finding(
            "a model is trained; no code saves one, and none is in the repository or linked",
            location=place,
            evidence=[facts.quote(place), looked],
        )


@repository.rule(
    "R602",
    title="Missing model weights",
    severity=Severity.WARNING,
    failing=_LOADS,
    passing=_LOADS + '==> train.py <==\nimport torch\ntorch.save(model, "checkpoints/best.pt")\n',
    source=loos("section 4.8: model serialisation"),
    advice="Publish the file (a release, Zenodo, a model hub) and link it, or add the script that creates it.",
    confidence=Confidence.MEDIUM,
)
@applies_if(lambda facts: facts.models.loads, otherwise="no code loads a model")
def weights_nowhere(facts: Repository) -> Iterator[Finding]:
    """Evaluation starts from trained weights.

    If they are not in the repository, not linked and created by no script, nobody else can repeat the evaluation.
    """
    linked = bool(facts.models.links)
    elsewhere = "no link to weights names it" if linked else "no weights are linked"
    for open_ended, paths in _lost(facts).items():
        places = [place for several in paths.values() for place in several]
        nothing = "no save is known to make it" if open_ended else "nothing saves it"
        first, *others = paths
        likewise = f"; likewise {counted(len(others), 'other file')}" if others else ""
        yield weights_nowhere.finding(
            f"{_loaded(first, paths[first])}; it is not in the repository, {nothing}, and {elsewhere}{likewise}",
            subject=first,
            location=places[0],
            evidence=[
                *(facts.quote(place) for place in places[:_SHOWN]),
                *(quote(link.url, link.location) for link in facts.models.links[:_SHOWN]),
            ],
            severity=Severity.NOTE if linked or open_ended else None,
            advice="Is it what the linked weights unpack to? Say so, and under which name." if linked else "",
        )


def _lost(facts: Repository) -> dict[bool, dict[str, list[Location]]]:
    """Where weights are loaded that are nowhere, by path; first whether a save under an unknown name may make them."""
    saved_anywhere = any(not posixpath.basename(save.path).strip("*._-") for save in facts.models.saves)
    groups: dict[bool, dict[str, list[Location]]] = {}
    for load in (load for load in facts.models.loads if _is_nowhere(load, facts)):
        open_ended = saved_anywhere and _PUBLISHED.search(load.path) is None
        groups.setdefault(open_ended, {}).setdefault(load.path, []).append(load.location)
    return groups


def _loaded(path: str, places: list[Location]) -> str:
    return f"{path} is loaded" + (f" at {len(places)} places" if len(places) > 1 else "")


def _is_nowhere(load: Checkpoint, facts: Repository) -> bool:
    """Whether the path is fully known, and nothing has, makes or mentions a file of that name."""
    known = load.path and "*" not in load.path and not load.path.startswith(("/", "~"))  # R502 reports those
    if load.origin != "local" or not known or load.found or load.produced is not None:
        return False
    name = posixpath.basename(load.path.rstrip("/"))
    return "." in name and not any(may_give(save.path, name) for save in facts.models.saves)


@repository.rule(
    "R603",
    title="Unused experiment tracker",
    severity=Severity.NOTE,
    failing="==> train.py <==\nimport wandb\nprint('training')\n",
    passing='==> train.py <==\nimport wandb\nwandb.init(project="study")\n',
    source=loos("section 4.7, Table 5.1: hyper-parameter logging"),
    advice="Call it (`wandb.init(config=…)`, `mlflow.log_params(…)`), or remove the import.",
)
@applies_if(lambda facts: facts.models.trackers, otherwise="no experiment tracker is imported")
def tracker_idle(facts: Repository) -> Iterator[Finding]:
    """The import suggests that experiments are recorded, but nothing records them."""
    for tool in facts.models.trackers:
        if not tool.used:
            yield tracker_idle.finding(
                f"{tool.name} is imported but never called",
                location=tool.imports[0],
                evidence=[facts.quote(place) for place in tool.imports[:_SHOWN]],
            )


@repository.rule(
    "R604",
    title="Hard-coded hyperparameters",
    severity=Severity.NOTE,
    failing=_CHOOSES + "o = torch.optim.Adam(model.parameters(), lr=0.003)\n" + _STEP,
    passing=_CHOOSES + "LR = 0.003\no = torch.optim.Adam(model.parameters(), lr=LR)\n" + _STEP,
    source=loos("section 4.7: hyper-parameter logging"),
    advice="Name them in one place: options with defaults, a configuration file, or constants at the top.",
    confidence=Confidence.MEDIUM,
)
@applies_if(
    lambda facts: facts.models.trains and facts.models.hyper_parameters,
    otherwise="nothing is trained with hyper-parameters of its own",
)
def only_literals(facts: Repository) -> Iterator[Finding]:
    """Values written only inside calls are hard to find, and change between runs without a trace."""
    stated = facts.models.hyper_parameters
    if not any(h.stated.separate for h in stated):
        shown = {h.name: h.value for h in reversed(stated)}
        yield only_literals.finding(
            f"set only as literals inside calls: {listed(list(shown), 4)}",
            location=stated[0].location,
            evidence=[numbers(shown), *(facts.quote(h.location) for h in stated[:_SHOWN])],
        )


@repository.rule(
    "R605",
    title="No run records",
    severity=Severity.NOTE,
    failing=_TRAINS,
    passing=_TRAINS + "==> results/metrics.csv <==\nseed,accuracy\n1,0.91\n",
    source=loos("section 4.7, Table 5.1: hyper-parameter logging"),
    advice="Log settings and scores of every run with a tracker, or keep the logs of the reported runs in results/.",
    confidence=Confidence.MEDIUM,
)
@applies_if(lambda facts: facts.models.trains, otherwise="nothing is trained")
def no_record(facts: Repository) -> Iterator[Finding]:
    """Without a log nobody can tell which settings gave the reported numbers, or compare a new run with the old."""
    place = facts.models.trains
    if place is not None and not facts.models.tracked and not facts.models.records:
        yield no_record.finding(
            "no experiment tracker is called, and there are no logs or tables of results",
            location=place,
            evidence=[facts.quote(place)],
        )


@repository.rule(
    "R606",
    title="Weights on a personal drive",
    severity=Severity.NOTE,
    failing=_TRAINS + "==> README.md <==\nPretrained model: https://drive.google.com/file/d/1abcdefgh/view\n",
    passing=_TRAINS + "==> README.md <==\nPretrained model: https://zenodo.org/record/1234567\n",
    source=loos("section 4.8: model serialisation"),
    advice="Publish the weights in an archive or a model hub that keeps versions, and link that.",
)
@applies_if(lambda facts: facts.models.links, otherwise="no weights are linked")
def weights_on_a_drive(facts: Repository) -> Iterator[Finding]:
    """Links to Google Drive, Dropbox or Baidu die with their owner's account, and the file behind them may change."""
    links = facts.models.links
    if all(link.kind == "personal drive" for link in links) and not facts.models.artefacts:
        yield weights_on_a_drive.finding(
            f"{counted(len(links), 'link')} to weights, all on personal drives: {links[0].url}",
            location=links[0].location,
            evidence=[quote(link.url, link.location) for link in links[:_SHOWN]],
        )
