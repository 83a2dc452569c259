"""The page about the factors says what the table of the profile says."""

import pytest
from generate_factors import page

from assay.repository.profiles.default import FACTORS, QUESTIONS, THRESHOLDS

PAGE = page()


def row(part):
    codes = ", ".join(f"[{code}](../rules/{code}.md)" for code in part.rules)
    return f"| {part.name} | {part.weight:g} | {part.why} | {codes} |"


@pytest.mark.parametrize("factor", FACTORS, ids=lambda f: f.key)
def test_every_part_of_a_factor_is_a_row_under_its_heading(factor):
    section = PAGE.split(f"## {factor.name}\n")[1].split("\n## ")[0]
    assert f"Loos (2022), {factor.section}." in section
    assert [line for line in section.splitlines() if line.startswith("| ")][1:] == [row(p) for p in factor.parts]


def test_thresholds_and_questions_are_those_of_the_profile():
    assert f"From {THRESHOLDS.top} on" in PAGE
    assert f"above {THRESHOLDS.average} *fair*, above {THRESHOLDS.lower} *weak*" in PAGE
    assert all(q.question in PAGE for q in QUESTIONS)
