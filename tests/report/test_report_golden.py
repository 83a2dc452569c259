"""The example report as people see it. To accept a change: ``python tests/report/test_report_golden.py``."""

import json
from pathlib import Path

import pytest
from example import CLEAN, EXAMPLE

import assay.report.schema
from assay import __version__
from assay.report import Format, render
from assay.report.schema import report_schema

GOLDEN = Path(__file__).with_name("golden")
SHIPPED_SCHEMA = Path(assay.report.schema.__file__).with_name(assay.report.schema.FILE)
CASES = {
    f"{name}.{kind.value}": (report, kind)
    for name, report in [("example", EXAMPLE), ("clean", CLEAN)]
    for kind in [Format.TEXT, Format.MD, Format.CSV]
}


def as_kept(file: str) -> str:
    return render(*CASES[file]).replace(f"Assay {__version__}", "Assay VERSION")


@pytest.mark.parametrize("file", CASES)
def test_the_report_reads_as_it_did(file: str) -> None:
    assert as_kept(file) == (GOLDEN / file).read_text(encoding="utf-8")


def test_the_shipped_schema_is_the_one_that_the_dataclasses_give() -> None:
    assert json.loads(SHIPPED_SCHEMA.read_text(encoding="utf-8")) == report_schema()


if __name__ == "__main__":
    for name in CASES:
        (GOLDEN / name).write_text(as_kept(name), encoding="utf-8", newline="")
    SHIPPED_SCHEMA.write_text(json.dumps(report_schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
