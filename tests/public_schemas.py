"""The public schemas of files that others read, as the package check-jsonschema keeps them."""

from collections.abc import Iterable
from pathlib import Path

from check_jsonschema import main
from click.testing import CliRunner


def assert_follows(schema: str, files: Iterable[Path]) -> None:
    """Fail with what is said about a file that does not follow the schema."""
    ended = CliRunner().invoke(main, ["--builtin-schema", f"vendor.{schema}", *map(str, files)])
    assert ended.exit_code == 0, ended.output
