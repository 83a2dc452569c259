"""What each sort of pre-processing costs when it saw the test rows, and how to put it right.

The severities in `policies` follow measured optimism. Roth (arXiv 2604.04199; 2,047 tables) finds for a step on all
rows a mean gain in AUC of -0.0001 for a scaler, 0.001 for PCA, at most 0.0006 for binning, encoding and outlier
removal, 0.013 for feature screening, 0.021 for target encoding, and 0.07 to 0.25 for oversampling before the split, the
more the fewer the rows. Imputation on all rows that uses the outcome moved the forest of the civil-war case study by
0.16.
"""

from __future__ import annotations

from pathlib import Path

from assay.bounded import load_toml
from assay.leakage.code.state.values import Kind, Mark
from assay.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Cost:
    """What a sort of step does and how to do it right, in words."""

    deed: str
    snippet: str
    size: str = ""
    """How much it changes a score, where that was measured."""


_SMALL = "The effect of such a step on a score is usually small"
_WORDS = load_toml(Path(__file__).with_name("costs.toml").read_text(encoding="utf-8"))
_SNIPPETS: dict[str, str] = _WORDS["snippets"]
COSTS: dict[Kind, Cost] = {
    Kind(kind): Cost(step["deed"], _SNIPPETS[step["snippet"]], _SMALL if "small" in step else "")
    for kind, step in _WORDS["steps"].items()
}

ROWS_CHANGED = frozenset({Kind.OVERSAMPLE, Kind.UNDERSAMPLE, Kind.COPY, Kind.AUGMENT})


def snippet_for(mark: Mark) -> str:
    """How to do it right: what a class does before the split, it may do after it."""
    by_class = mark.name.rpartition(".")[2][:1].isupper()
    if mark.kind is Kind.COPY and by_class:
        return _SNIPPETS["resample"]
    return _SNIPPETS["by_group"] if mark.kind is Kind.TARGET_ENCODE and not by_class else COSTS[mark.kind].snippet


def as_bound(mark: Mark) -> Mark:
    """A statistic that values are only compared with: it divides them into classes, and may define an outcome."""
    plain = mark.kind is Kind.STATISTIC and not mark.supervised
    return replace(mark, kind=Kind.DISCRETISE) if plain else mark
