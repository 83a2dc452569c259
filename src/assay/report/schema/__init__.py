"""The published JSON Schema of a report, made from the very dataclasses that the report is made of."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from assay.findings import SCHEMA_VERSION, Finding, Report, Section

MAJOR = SCHEMA_VERSION.partition(".")[0]
FILE = f"report-{MAJOR}.schema.json"
"""The copy shipped beside this module; a test keeps it equal to `report_schema`."""


class _Generator(GenerateJsonSchema):
    """As pydantic does it, but `to_dict` writes every field (save sparse ones), and a field's name needs no title."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the signature is pydantic's
        return False

    def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: ARG002 - the signature is pydantic's
        return True


def report_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of `Report.to_dict`. Unknown fields are allowed: a minor version may add some."""
    made = TypeAdapter(Report).json_schema(schema_generator=_Generator, mode="serialization")
    finding = made["$defs"]["Finding"]
    finding["properties"]["fingerprint"] = {
        "type": "string",
        "pattern": "^[0-9a-f]{32}$",
        "description": "The same finding has the same fingerprint in every run.",
    }
    finding["required"].append("fingerprint")
    section = made["$defs"]["Section"]
    for hidden in [f.name for f in fields(Section) if "hidden" in f.metadata]:
        del section["properties"][hidden]
        section["required"].remove(hidden)
    del made["$defs"]["Cause"]
    for schema, described in ((finding, Finding), (made, Report)):
        sparse = {f.name for f in fields(described) if "sparse" in f.metadata}
        schema["required"] = [name for name in schema["required"] if name not in sparse]
    envelope = {
        "schema": {"type": "string", "pattern": rf"^{MAJOR}\.\d+$", "description": "Version of this format."},
        "assay": {"type": "string", "description": "Version of Assay that wrote the report."},
    }
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "$id": f"urn:assay:schema:report:{MAJOR}",
        **made,
        "title": "Assay report",
        "properties": envelope | made["properties"],
        "required": [*envelope, *made["required"]],
    }
