"""R406: does a seeded run on a GPU compute the same again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Finding, Severity
from assay.repository.rules.instrument import applies_if, repository
from assay.rules import Source

if TYPE_CHECKING:
    from assay.repository.facts import Repository
    from assay.repository.randomness import EntryPoint

_SOURCE = Source("PyTorch documentation", "notes on reproducibility")
_TRAINING = """\
==> train.py <==
import torch
torch.manual_seed(1)
{}model = torch.nn.Linear(3, 1)
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 3)).sum().backward()
optimiser.step()
"""
_SWITCHES = ("cudnn.deterministic", "use_deterministic_algorithms", "enable_op_determinism", "set_deterministic")
_SETS_BENCHMARK = "cudnn.benchmark"


def _on_torch(entry: EntryPoint) -> bool:
    from assay.repository.randomness import Framework

    return entry.trains and entry.of(Framework.TORCH) is not None


def _torch_runs(facts: Repository) -> list[EntryPoint]:
    return [e for e in facts.randomness.main_entry_points if _on_torch(e)]


@repository.rule(
    "R406",
    title="Non-deterministic cuDNN autotuning",
    severity=Severity.NOTE,
    failing=_TRAINING.format("torch.backends.cudnn.benchmark = True\n"),
    passing=_TRAINING.format("torch.backends.cudnn.deterministic = True\n"),
    source=_SOURCE,
    advice="Set `torch.backends.cudnn.benchmark = False` and `torch.backends.cudnn.deterministic = True`, or say in "
    "the README that results vary and by how much.",
)
@applies_if(_torch_runs, otherwise="nothing is trained with PyTorch")
def benchmarked(facts: Repository) -> Iterator[Finding]:
    """With `cudnn.benchmark` on, cuDNN picks each layer's algorithm by its speed at run time.

    Rounding then differs between runs.
    """
    seen = set()
    for entry in _torch_runs(facts):
        firm = any(flag.on and any(s in flag.name for s in _SWITCHES) for flag in entry.flags)
        for flag in entry.flags:
            if flag.on and _SETS_BENCHMARK in flag.name and not firm and flag.location not in seen:
                seen.add(flag.location)
                yield benchmarked.finding(
                    "cudnn.benchmark is on, and deterministic algorithms are not requested",
                    subject=entry.path,
                    location=flag.location,
                    evidence=[facts.quote(flag.location)],
                    advice=f"In {flag.location} set it to False, and add `torch.backends.cudnn.deterministic = True`.",
                )
