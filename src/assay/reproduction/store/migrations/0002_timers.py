"""Timers that run while somebody works."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "timer",
        sa.Column("id", sa.Integer),
        sa.Column("attempt_id", sa.Integer, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("activity", sa.Text, nullable=False),
        sa.Column("started", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_timer"),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempt.id"], name="fk_timer_attempt_id"),
        sa.UniqueConstraint("person", name="uq_timer_person"),
    )
