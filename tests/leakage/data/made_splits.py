"""Small tables, honest and with known faults."""

import numpy as np
import polars as pl

from assay.leakage.data.split import Roles, Split, split_of_tables, unsplit
from assay.tables import plain_table

Columns = dict[str, np.ndarray]


def honest(rows: int = 400, seed: int = 0) -> Columns:
    """A table without any fault: six numbers, of which two say something about the outcome, and a category."""
    draw = np.random.default_rng(seed)
    y = (draw.random(rows) < 0.4).astype(int)
    made = {f"x{i}": draw.normal(size=rows) + (0.4 * y if i < 2 else 0) for i in range(6)}
    return {**made, "colour": np.array(["red", "green", "blue"])[draw.integers(0, 3, rows)], "y": y}


def cut(columns: Columns, share: float = 0.75) -> tuple[Columns, Columns]:
    """The first rows for training, the rest for test."""
    at = int(share * len(next(iter(columns.values()))))
    return {k: v[:at].copy() for k, v in columns.items()}, {k: v[at:].copy() for k, v in columns.items()}


def split_from(train: Columns, test: Columns, **roles: object) -> Split:
    tables = (plain_table(pl.DataFrame(train), "train.csv"), plain_table(pl.DataFrame(test), "test.csv"))
    return split_of_tables(*tables, Roles(**{"target": "y", **roles}))


def table_from(columns: Columns, **roles: object) -> Split:
    return unsplit(plain_table(pl.DataFrame(columns), "table.csv"), Roles(**{"target": "y", **roles}))
