"""One answer of a form, checked on its own and at once by the reader of its cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assay.reproduction import cells
from assay.reproduction.fields import Field, Form
from assay.reproduction.levels import Naming
from assay.reproduction.rows import Row, local_day

_CHECKS: Mapping[Form, Callable[[Row, str, Naming], object]] = {
    Form.TEXT: lambda row, column, _: row.text(column),
    Form.NUMBER: lambda row, column, _: row.number(column),
    Form.COUNT: lambda row, column, _: row.count(column),
    Form.POSITIVE: lambda row, column, _: row.positive(column),
    Form.DAY: lambda row, column, _: row.day(column, local_day()),
    Form.PRINTED: lambda row, column, _: row.printed(column),
    Form.PRINTED_LIST: lambda row, column, _: row.all_printed(column),
    Form.LEVEL: lambda row, _, naming: cells.read_level(row, naming),
    Form.PAIRS: lambda row, column, _: cells.read_pairs(row, column, "Write it as name=value; name=value."),
}


def check_answer(field: Field, answer: str, naming: Naming) -> None:
    """An `InputError` if the answer cannot stand in the field's cell."""
    _CHECKS[field.form](Row("", {field.column: answer}), field.column, naming)
