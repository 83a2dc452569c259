"""The study, its papers and what belongs to them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    _table(
        "study",
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("naming", sa.String(32), nullable=False),
        sa.Column("attainable", sa.JSON, nullable=False),
    )
    _table(
        "paper",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("year", sa.Integer),
        sa.Column("level", sa.String(32)),
        sa.Column("components", sa.JSON, nullable=False),
        sa.Column("stated_metric", sa.Text, nullable=False),
    )
    _one_living("paper", "name")
    _table(
        "attempt",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("people", sa.JSON, nullable=False),
        sa.Column("budget", sa.String(80), nullable=False),
        sa.Column("stated_hours", sa.String(80)),
        sa.Column("started", sa.Date),
        sa.Column("ended", sa.Date),
        sa.Column("environment", sa.Text, nullable=False),
        sa.Column("reasons", sa.JSON, nullable=False),
        sa.Column("stated_outcome", sa.String(32)),
        *(sa.Column(n, sa.Integer) for n in ("experiments", "identical", "consistent", "different", "not_run")),
        parent="paper",
    )
    _one_living("attempt", "paper_id", "name")
    _table(
        "spent",
        sa.Column("day", sa.Date),
        sa.Column("hours", sa.String(80), nullable=False),
        sa.Column("activity", sa.Text, nullable=False),
        parent="attempt",
    )
    _table(
        "experiment",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("method", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("status", sa.String(32), nullable=False),
        sa.Column("reason", sa.String(32)),
        parent="attempt",
    )
    _one_living("experiment", "attempt_id", "name")
    _table(
        "result",
        sa.Column("metric", sa.Text, nullable=False),
        sa.Column("direction", sa.String(32)),
        sa.Column("original", sa.Text, nullable=False),
        *_spread("original"),
        sa.Column("reproduced", sa.Text),
        *_spread("reproduced"),
        sa.Column("baselines", sa.JSON, nullable=False),
        sa.Column("runs", sa.JSON, nullable=False),
        sa.Column("margin", sa.Double),
        parent="experiment",
    )
    _table(
        "discrepancy",
        sa.Column("category", sa.Text, nullable=False),
        sa.Column("instances", sa.Integer, nullable=False),
        sa.Column("severity", sa.Integer),
        sa.Column("effect", sa.Text, nullable=False),
        sa.Column("effect_on", sa.Text, nullable=False),
        sa.Column("because", sa.JSON, nullable=False),
        sa.Column("together", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        parent="attempt",
    )
    _table(
        "claim",
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("says", sa.Text, nullable=False),
        sa.Column("measure", sa.Text, nullable=False),
        sa.Column("of", sa.JSON, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
    )
    _table(
        "scale",
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("scores", sa.JSON, nullable=False),
    )


def _table(name: str, *columns: sa.Column[Any], parent: str = "") -> None:
    """A table whose rows have a version and can be marked as deleted, and may belong to a row of another one."""
    above = f"{parent}_id"
    op.create_table(
        name,
        sa.Column("id", sa.Integer),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("deleted", sa.DateTime),
        *([sa.Column(above, sa.Integer, nullable=False)] if parent else []),
        *columns,
        sa.PrimaryKeyConstraint("id", name=f"pk_{name}"),
        *([sa.ForeignKeyConstraint([above], [f"{parent}.id"], name=f"fk_{name}_{above}")] if parent else []),
    )
    if parent:
        op.create_index(f"ix_{name}_{above}", name, [above])


def _spread(column: str) -> list[sa.Column[Any]]:
    numbers = (sa.Column(f"{column}_{part}", sa.Integer) for part in ("runs", "items"))
    return [sa.Column(f"{column}_spread", sa.Double), *numbers]


def _one_living(table: str, *columns: str) -> None:
    living = sa.text("deleted IS NULL")
    op.create_index(f"uq_{table}_name", table, list(columns), unique=True, sqlite_where=living, postgresql_where=living)
