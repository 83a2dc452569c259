"""The published schema describes what is written: all of it, and nothing else passes."""

from typing import Any

import pytest
from example import CLEAN, EXAMPLE
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from random_reports import HOSTILE, filled_with, reports

from assay.findings import Report
from assay.report.schema import report_schema
from examples_tried import a_third_of

SCHEMA = report_schema()
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_schema_is_itself_valid() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("report", [EXAMPLE, CLEAN, *map(filled_with, HOSTILE.values())])
def test_reports_are_as_the_schema_says(report: Report) -> None:
    VALIDATOR.validate(report.to_dict())


@given(reports)
@settings(max_examples=a_third_of(60), deadline=None)
def test_any_report_is_as_the_schema_says(report: Report) -> None:
    VALIDATOR.validate(report.to_dict())


def test_the_schema_names_every_field_and_requires_all_but_those_of_chapters() -> None:
    def compare(schema: dict[str, Any], data: dict[str, Any]) -> None:
        assert set(schema["required"]) == set(data)
        assert set(schema["properties"]) - set(data) <= {
            "sections",
            "fine",
            "fix",
            "since",
            "section",
            "question",
            "descriptive",
            "not_examined",
        }

    data = EXAMPLE.to_dict()
    compare(SCHEMA, data)
    definitions = SCHEMA["$defs"]
    finding = data["findings"][1]
    compare(definitions["Finding"], finding)
    compare(definitions["Location"], finding["location"])
    compare(definitions["Evidence"], finding["evidence"][0])
    compare(definitions["Judgement"], data["judgements"][0])
    compare(definitions["Table"], data["tables"][0])
    compare(definitions["Figure"], data["figures"][0])
    compare(definitions["Suppressed"], data["suppressed"][0])


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "2.0"},
        {"title": None},
        {"findings": [{}]},
        {"judgements": [{"subject": "s", "verdict": "maybe", "statement": "", "evidence": []}]},
        {"left_out": "everything"},
    ],
)
def test_what_is_no_report_is_refused(change: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(EXAMPLE.to_dict() | change)
