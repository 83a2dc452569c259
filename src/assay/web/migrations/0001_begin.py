"""Jobs with their findings, assessments with their answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "assay_web_job",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("target", sa.String(40), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("steps", sa.JSON, nullable=False),
        sa.Column("files", sa.JSON, nullable=False),
        sa.Column("files_gone", sa.DateTime),
        sa.Column("counts", sa.JSON, nullable=False),
        sa.Column("report", sa.JSON),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("started", sa.DateTime),
        sa.Column("finished", sa.DateTime),
        sa.Column("deleted", sa.DateTime),
        sa.Index("ix_assay_web_job_state", "state", "created"),
    )
    op.create_table(
        "assay_web_finding",
        sa.Column("job_id", sa.String(40), sa.ForeignKey("assay_web_job.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("severity", sa.String(20), nullable=False),
        sa.Column("section", sa.String(80), nullable=False),
        sa.Column("code", sa.String(40), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("body", sa.JSON, nullable=False),
    )
    op.create_table(
        "assay_web_assessment",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("checklist", sa.String(80), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("rater", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("changed", sa.DateTime, nullable=False),
        sa.Column("deleted", sa.DateTime),
    )
    of = sa.ForeignKey("assay_web_assessment.id", ondelete="CASCADE")
    op.create_table(
        "assay_web_answer",
        sa.Column("assessment_id", sa.String(40), of, primary_key=True),
        sa.Column("item", sa.String(80), primary_key=True),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("proposal", sa.JSON),
        sa.Column("changed", sa.DateTime, nullable=False),
    )
