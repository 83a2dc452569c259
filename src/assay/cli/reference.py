"""``assay explain``, ``assay rules``, ``assay schema``: what is checked, why, and in which form."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from assay.rules import Rule, all_rules, get_rule


class SchemaName(StrEnum):
    """The published schemas."""

    REPORT = "report"
    SCORES = "scores"
    FACTS = "facts"


def explain(code: Annotated[str, typer.Argument(help="A rule's code, such as S101.")]) -> None:
    """What does this rule mean, why does it matter, what to do?"""
    typer.echo(explanation(get_rule(code)))


def explanation(rule: Rule[object]) -> str:
    """A rule as plain text for 80 columns."""
    from textwrap import fill, indent

    parts = [
        f"{rule.code}  {rule.title}",
        f"{rule.severity.value}, confidence {rule.confidence.value}",
        f"{rule.instrument.name}: {rule.instrument.question}",
        fill(" ".join(rule.why.split()), 79),
        "Fails:\n" + indent(rule.failing.strip("\n"), "    "),
        "Passes:\n" + indent(rule.passing.strip("\n"), "    "),
    ]
    if rule.advice:
        parts.append(fill(f"What to do: {rule.advice}", 79))
    parts.append(fill(f"Source: {rule.source}", 79))
    return "\n\n".join(parts)


def rules() -> None:
    """Which rules are there?"""
    code = max(len(rule.code) for rule in all_rules())
    room = max(len(rule.instrument.name) for rule in all_rules())
    for rule in all_rules():
        typer.echo(f"{rule.code:<{code}}  {rule.severity.value:<7}  {rule.instrument.name:<{room}}  {rule.title}")


def schema(
    name: Annotated[SchemaName, typer.Argument(help="Which schema.")] = SchemaName.REPORT,
) -> None:
    """Which JSON Schema do reports and input files follow?"""
    if name is SchemaName.REPORT:
        from assay.report.schema import report_schema

        document = report_schema()
    elif name is SchemaName.FACTS:
        from assay.repository.facts_document import FactsDocument

        document = FactsDocument.model_json_schema()
    else:
        from assay.scores.study import study_schema

        document = study_schema()
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))
