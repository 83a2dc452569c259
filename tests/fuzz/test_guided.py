"""The oracles of guided fuzzing catch what mutation alone once missed."""

import tomllib

import pytest
from guided import LONGEST, TooMuchError, judge, repeated
from readers import READERS, Reader

BOMB = b"a." * 10_000 + b"a = 1\n"


def test_a_parser_without_bounds_fails_the_memory_oracle_on_a_dotted_key() -> None:
    unbounded = Reader("unbounded TOML", b"", lambda data: tomllib.loads(data.decode()))
    with pytest.raises(TooMuchError, match="MB for 20006 bytes"):
        judge(unbounded, BOMB)


@pytest.mark.parametrize("name", ["configuration", "repository pyproject.toml", "study toml", "checklist"])
def test_our_readers_pass_it(name: str) -> None:
    judge(next(reader for reader in READERS if reader.name == name), BOMB)


def test_a_slice_is_repeated_within_the_longest_input() -> None:
    grown = [repeated(b"a.b = 1\n", seed) for seed in range(200)]
    assert max(map(len, grown)) > 10_000
    assert all(len(data) <= LONGEST for data in grown)
