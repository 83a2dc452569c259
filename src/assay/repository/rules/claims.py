"""R904: the README claims that runs are seeded, and the code does not confirm it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Severity, quote
from assay.repository.rules.instrument import applies_if, loos, repository
from assay.repository.rules.wording import listed

if TYPE_CHECKING:
    from assay.repository.facts import Repository
    from assay.repository.randomness import Coverage
    from assay.repository.readme import Claim

_TRAINING = """\
==> README.md <==
# Model

We fixed the random seed in all experiments.
==> train.py <==
import torch
{}model = torch.nn.Linear(3, 1)
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 3)).sum().backward()
optimiser.step()
"""


def _control(facts: Repository) -> list[Claim]:
    """Sentences that promise the same numbers again."""
    return [claim for claim in facts.readme.claims if claim.topic.value in {"seeded", "deterministic", "reproducible"}]


def _is_loose(coverage: Coverage) -> bool:
    from assay.repository.randomness import State

    return coverage.state.rank > State.UNKNOWN.rank


@repository.rule(
    "R904",
    title="README claims seeds that the code does not set",
    severity=Severity.WARNING,
    failing=_TRAINING.format(""),
    passing=_TRAINING.format("torch.manual_seed(1)\n"),
    source=loos("section 4.6: random seed control"),
    advice="Seed the generators named above, or remove the sentence.",
    confidence=Confidence.MEDIUM,
)
@applies_if(
    lambda facts: _control(facts) and facts.randomness.main_entry_points,
    otherwise="the README does not say that runs are seeded, or no run draws random numbers",
)
def not_seeded_as_said(facts: Repository) -> Iterator[Finding]:
    """Readers who trust the claim look elsewhere when their results differ."""
    runs = facts.randomness.main_entry_points
    loose = [run for run in runs if any(map(_is_loose, run.coverage))]
    if len(loose) * 2 < len(runs) or not loose:
        return
    claim = _control(facts)[0]
    open_streams = [c for run in loose for c in run.coverage if _is_loose(c)]
    place = next((c.first for c in open_streams if c.first), None)
    yield not_seeded_as_said.finding(
        f"the README calls this {claim.topic.value}, but {len(loose)} of {len(runs)} runs use "
        f"{listed(sorted({c.framework.value for c in open_streams}))} without a fixed seed: "
        f"{listed([run.path for run in loose], 3)}",
        location=claim.location,
        evidence=[quote(claim.text, claim.location), *([facts.quote(place)] if place else [])],
        severity=Severity.NOTE if claim.topic.value == "reproducible" else None,
    )
