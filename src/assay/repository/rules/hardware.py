"""R806: on which machine was the result got."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Severity, note
from assay.repository.rules.instrument import applies_if, loos, repository

if TYPE_CHECKING:
    from assay.repository.facts import Repository

_TRAINING = """\
==> train.py <==
import torch
model = torch.nn.Linear(3, 1).cuda()
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 3).cuda()).sum().backward()
optimiser.step()
==> README.md <==
# Model

"""


@repository.rule(
    "R806",
    title="No hardware description",
    severity=Severity.NOTE,
    failing=_TRAINING + "Run `python train.py`.\n",
    passing=_TRAINING + "## Hardware\n\nTrained on one NVIDIA V100 with 32 GB in 6 hours.\n",
    source=loos("section 4.2, Table 5.1: notes on hardware environment"),
    advice="Name in the README the GPU (or CPU), how many, how much memory, and how long a run takes.",
    confidence=Confidence.MEDIUM,
)
@applies_if(lambda facts: facts.trains_networks, otherwise="no network is trained")
def no_hardware(facts: Repository) -> Iterator[Finding]:
    """A user whose GPU is too small may find out only after a day. Results also differ between types of GPU."""
    if not any(section.kind.value == "hardware" for section in facts.readme.sections):
        yield no_hardware.finding(
            "neural networks are trained, but the README does not describe the hardware",
            location=facts.readme.location,
            evidence=[note("Looked for a section on hardware, and for names and memory of GPUs, CPUs and TPUs.")],
        )
