"""What the lines of a Python file say if it does not parse: old code (`cuda(async=True)`) is read as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from assay.code import Source
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass

Kind = Literal["download", "read", "train", "save", "load", "tracker"]
_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "download",
        regex(r"(download[ ]?=[ ]?True|\burlretrieve\(|\b(?:mnist|cifar10|cifar100|imdb|reuters)\.load_data\()"),
    ),
    ("read", regex(r"\b(ImageFolder|read_csv|read_table|loadmat|h5py\.File|np\.load|imread|pickle\.load)[ ]?\(")),
    ("train", regex(r"(\.backward|\.fit|\.minimize|apply_gradients)[ ]?\(")),
    ("save", regex(r"\b(torch\.save|save_weights|train\.Saver|save_pretrained|joblib\.dump|savez)[ ]?\(")),
    ("save", regex(r"\b(pickle\.dump)[ ]?\(.{0,200}(?:model|weight|param)")),
    ("load", regex(r"\b(torch\.load|load_weights|load_state_dict|from_pretrained|joblib\.load)[ ]?\(")),
    ("tracker", regex(r"\b(wandb|mlflow|neptune|visdom|Visdom|SummaryWriter|comet_ml|sacred)[ ]?[.(]\w*")),
)
_LONGEST_LINE = 2000


@dataclass(frozen=True, slots=True)
class Trace:
    """One line that tells something."""

    kind: Kind
    text: str
    location: Location


def salvage(source: Source) -> Iterator[Trace]:
    """Every telling line that is no comment."""
    for number, line in enumerate(source.lines, 1):
        bare = line[:_LONGEST_LINE].partition("#")[0]
        for kind, pattern in _PATTERNS:
            if match := pattern.search(bare):
                yield Trace(kind, match[1], source.location(number))
