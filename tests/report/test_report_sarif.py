"""SARIF as the standard has it, with what code-scanning services need besides."""

import json
import pickle
import sqlite3
from contextlib import closing
from dataclasses import replace
from importlib.metadata import distribution
from typing import Any
from urllib.parse import unquote

import pytest
from example import CLEAN, EXAMPLE, IMPOSSIBLE, LEAK, SCALER, SEED
from hypothesis import given, settings
from jsonschema import Draft7Validator
from random_reports import HOSTILE, filled_with, reports

from assay.findings import Finding, Location, Report, quote
from assay.report import Format, render
from assay.rules import all_rules
from assay.suppressions import without_reason
from examples_tried import a_third_of

Json = dict[str, Any]


def official_schema() -> Json:
    """SARIF 2.1.0 as the package `schemastore` ships it, read from its file: nothing is fetched."""
    address = "https://json.schemastore.org/sarif-2.1.0.json"
    file = distribution("schemastore").locate_file("schemastore/cache.sqlite")
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        found = store.execute("SELECT value FROM responses WHERE instr(value, ?)", (address.encode(),))
        kept = [pickle.loads(value) for (value,) in found]
    [schema] = [json.loads(response["_content"]) for response in kept if response["url"] == address]
    assert isinstance(schema, dict)
    return schema


VALIDATOR = Draft7Validator(official_schema())


def run_of(report: Report) -> Json:
    """The only run of the log, once the log is known to be valid."""
    log = json.loads(render(report, Format.SARIF))
    VALIDATOR.validate(log)
    [run] = log["runs"]
    assert isinstance(run, dict)
    for result in run["results"]:
        assert result["message"]["text"]
        [location] = result["locations"]
        assert location["physicalLocation"]["artifactLocation"]["uri"]
        assert location["physicalLocation"]["region"]["startLine"] >= 1
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    return run


def result_of(finding: Finding, command: str = "") -> Json:
    [result] = run_of(Report("t", findings=(finding,), command=command))["results"]
    assert isinstance(result, dict)
    return result


def uri_of(path: str) -> Json:
    found = result_of(replace(LEAK, location=Location(path, 1)))
    artifact = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert isinstance(artifact, dict)
    return artifact


@pytest.mark.parametrize("report", [EXAMPLE, CLEAN], ids=["example", "clean"])
def test_the_log_is_valid(report: Report) -> None:
    run_of(report)


@pytest.mark.parametrize("name", HOSTILE)
def test_the_log_is_valid_whatever_was_audited(name: str) -> None:
    text = render(filled_with(HOSTILE[name]), Format.SARIF)
    assert text.encode("utf-8")
    assert all(c.isprintable() or c in "\n\u200c\u200d\u202e\u2066\u200e\u2028\x85\x7f\x9b" for c in text)
    run_of(filled_with(HOSTILE[name]))


@given(reports)
@settings(max_examples=a_third_of(40), deadline=None)
def test_the_log_of_any_report_is_valid(report: Report) -> None:
    run_of(report)


def test_a_leak_is_shown_at_its_place_with_its_code_and_its_path() -> None:
    result = result_of(LEAK)
    assert (result["ruleId"], result["level"], result["rank"]) == ("L1.2", "error", 80.0)
    [location] = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "src/train.py", "uriBaseId": "%SRCROOT%"},
        "region": {
            "startLine": 41,
            "startColumn": 5,
            "endLine": 41,
            "endColumn": 34,
            "snippet": {"text": LEAK.evidence[0].text},
        },
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "StandardScaler"}]
    [flow] = result["codeFlows"][0]["threadFlows"]
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow["locations"]]
    assert lines == [12, 41, 42, 7]
    assert result["partialFingerprints"] == {"assay/v1": LEAK.fingerprint}


def test_a_quote_from_elsewhere_is_a_related_location() -> None:
    elsewhere = Location("src/data.py", 3)
    result = result_of(replace(LEAK, evidence=(quote("x", SCALER), quote("y", elsewhere))))
    [related] = result["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "src/data.py"
    assert related["physicalLocation"]["region"] == {"startLine": 3, "snippet": {"text": "y"}}


def test_a_line_of_a_notebook_cell_is_not_taken_for_a_line_of_the_file() -> None:
    [location] = result_of(SEED)["locations"]
    assert location["physicalLocation"]["region"] == {"startLine": 1}
    assert location["logicalLocations"][0]["name"] == "cell 7"


@pytest.mark.parametrize(
    ("command", "uri"),
    [
        ("assay scores check study.toml --format sarif", "study.toml"),
        ("assay scores check p=10 n=20 acc=0.5", "."),
        ("assay audit --paper a.pdf --scores b.toml", "."),
        ("", "."),
    ],
)
def test_a_finding_without_a_place_is_shown_at_the_audited_file_or_the_root(command: str, uri: str) -> None:
    [location] = result_of(IMPOSSIBLE, command)["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": uri, "uriBaseId": "%SRCROOT%"}
    assert location["logicalLocations"] == [{"fullyQualifiedName": IMPOSSIBLE.subject}]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/ü#1%.py", "a%20b/%C3%BC%231%25.py"),
        ("sub\\win.py", "sub/win.py"),
        ("./src/a.py", "src/a.py"),
        ("a:b.py", "a%3Ab.py"),
    ],
)
def test_relative_paths_are_encoded_under_the_source_root(path: str, uri: str) -> None:
    assert uri_of(path) == {"uri": uri, "uriBaseId": "%SRCROOT%"}
    assert unquote(uri) == path.replace("\\", "/").removeprefix("./")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/srv/data.csv", "file:///srv/data.csv"),
        ("C:\\data\\x.csv", "file:///C:/data/x.csv"),
        ("https://example.org/a b?x=1", "https://example.org/a%20b?x=1"),
    ],
)
def test_absolute_places_have_no_base(path: str, uri: str) -> None:
    assert uri_of(path) == {"uri": uri}


@pytest.mark.parametrize(
    ("place", "region"),
    [
        (Location("f", 3), {"startLine": 3}),
        (Location("f", 3, 2, 3, 1), {"startLine": 3, "startColumn": 2, "endLine": 3}),
        (Location("f", 3, 2, 4, 1), {"startLine": 3, "startColumn": 2, "endLine": 4, "endColumn": 1}),
        (Location("f", 3, 0, 2, 9), {"startLine": 3}),
        (Location("f", 0, 5), {"startLine": 1}),
        (Location("f"), {"startLine": 1}),
    ],
)
def test_regions_are_only_as_exact_as_the_place(place: Location, region: Json) -> None:
    result = result_of(replace(LEAK, location=place, evidence=()))
    assert result["locations"][0]["physicalLocation"]["region"] == region


def test_a_registered_rule_explains_itself() -> None:
    finding = without_reason.finding("no reason", location=Location("f.toml", 1))
    [rule] = run_of(Report("t", findings=(finding, finding)))["tool"]["driver"]["rules"]
    assert rule["id"] == "X101"
    assert rule["name"] == "SuppressionWithoutAReason"
    assert rule["fullDescription"]["text"] == without_reason.why
    assert without_reason.failing in rule["help"]["text"]
    assert f"```toml\n{without_reason.passing}\n```" in rule["help"]["markdown"]
    assert rule["defaultConfiguration"] == {"level": "warning"}
    assert rule["properties"]["tags"] == ["reproducibility", "suppressions"]
    assert rule["properties"]["precision"] == "very-high"


def test_every_registered_rule_has_a_valid_descriptor() -> None:
    findings = tuple(rule.finding("fired") for rule in all_rules())
    rules = run_of(Report("t", findings=findings))["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted(rule.code for rule in all_rules())


def test_a_rule_that_nobody_registered_is_described_by_its_finding() -> None:
    [rule] = run_of(Report("t", findings=(replace(LEAK, code="Z999"),)))["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == LEAK.title


def test_suppressed_findings_are_results_with_their_reason_and_all_others_say_they_are_not() -> None:
    results = run_of(EXAMPLE)["results"]
    assert [len(result["suppressions"]) for result in results] == [0, 0, 0, 0, 1]
    assert results[-1]["suppressions"] == [
        {"kind": "inSource", "justification": "misprint, corrected in the erratum of 2021"}
    ]


def test_what_was_not_examined_is_notified() -> None:
    [invocation] = run_of(EXAMPLE)["invocations"]
    assert invocation["executionSuccessful"] is True
    assert invocation["commandLine"] == EXAMPLE.command
    told = [n["message"]["text"] for n in invocation["toolExecutionNotifications"]]
    assert told == [f"Not examined: {thing}" for thing in EXAMPLE.left_out]


def test_audited_text_makes_no_link_in_a_message() -> None:
    text = result_of(replace(LEAK, message="see [here](https://evil.example)", advice=""))["message"]["text"]
    assert text == "see [here\\](https://evil.example)"


def test_judgements_are_kept_but_raise_no_alert() -> None:
    run = run_of(replace(EXAMPLE, findings=(), suppressed=()))
    assert run["results"] == []
    assert [j["verdict"] for j in run["properties"]["judgements"]] == ["inconsistent", "consistent", "undecided"]
