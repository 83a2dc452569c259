"""Where papers come from, who assessed them, what was planned, and with what an attempt was run."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_TEXTS = {
    "paper": ("doi", "venue", "excluded", "degree"),
    "attempt": ("commit", "hardware", "container"),
    "spent": ("person",),
    "discrepancy": ("effect_source",),
}
_LISTS = {"paper": "authors", "attempt": "packages"}
_CHOICES = {"paper": ("type", "affiliation"), "experiment": ("level",)}


def upgrade() -> None:
    """Add the columns, empty in rows that are there, and two tables."""
    for table, names in _TEXTS.items():
        for name in names:
            op.add_column(table, sa.Column(name, sa.Text, nullable=False, server_default=""))
    for table, name in _LISTS.items():
        op.add_column(table, sa.Column(name, sa.JSON, nullable=False, server_default="[]"))
    for table, names in _CHOICES.items():
        for name in names:
            op.add_column(table, sa.Column(name, sa.String(32)))
    op.add_column("paper", sa.Column("rank", sa.Integer))
    _table(
        "assessment",
        "paper_id",
        sa.Column("assessor", sa.Text, nullable=False),
        sa.Column("day", sa.Date),
        sa.Column("scores", sa.JSON, nullable=False),
    )
    _table(
        "protocol",
        "attempt_id",
        sa.Column("locked", sa.Date),
        sa.Column("budget", sa.String(80), nullable=False),
        sa.Column("margin", sa.Double),
        sa.Column("experiments", sa.JSON, nullable=False),
    )
    living = sa.text("deleted IS NULL")
    op.create_index(
        "uq_protocol_name", "protocol", ["attempt_id"], unique=True, sqlite_where=living, postgresql_where=living
    )


def _table(name: str, above: str, *columns: sa.Column[Any]) -> None:
    op.create_table(
        name,
        sa.Column("id", sa.Integer),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("deleted", sa.DateTime),
        sa.Column(above, sa.Integer, nullable=False),
        *columns,
        sa.PrimaryKeyConstraint("id", name=f"pk_{name}"),
        sa.ForeignKeyConstraint([above], [f"{above.removesuffix('_id')}.id"], name=f"fk_{name}_{above}"),
    )
    op.create_index(f"ix_{name}_{above}", name, [above])
