"""Findings are silenced only with a reason, and never for longer than needed."""

from assay.findings import Confidence, Finding, Location, Report, Severity
from assay.suppressions import apply_suppressions, read_suppressions


def found(line, code="S101", path="s.toml", end=None, cell=None):
    place = Location(path, line, end_line=end, cell=cell)
    return Finding(code, "t", Severity.ERROR, Confidence.PROVEN, "m", location=place)


def outcome(text, *findings, path="s.toml", **options):
    report = apply_suppressions(Report("t", findings=findings), read_suppressions(text, path, **options))
    return [f.code for f in report.findings], [s.reason for s in report.suppressed]


def test_a_comment_on_the_line_silences_with_its_reason():
    assert outcome("acc = 1  # assay: ignore[S101] erratum", found(1)) == ([], ["erratum"])


def test_a_comment_above_speaks_of_the_next_line_that_is_no_comment():
    text = "# assay: ignore[S101]: erratum\n# more words\n\nacc = 1\n"
    assert outcome(text, found(4)) == ([], ["erratum"])


def test_a_comment_inside_a_block_speaks_of_the_blocks_finding():
    text = "[[experiment]]\np = 1\nacc = 1 # assay: ignore[S101] erratum\n"
    assert outcome(text, found(1, end=3)) == ([], ["erratum"])


def test_several_codes_in_one_comment():
    text = "x  # assay: ignore[S101, S102] both known"
    assert outcome(text, found(1), found(1, "S102")) == ([], ["both known"] * 2)


def test_without_a_reason_nothing_is_silenced_and_the_comment_is_a_finding():
    codes, reasons = outcome("x  # assay: ignore[S101]", found(1))
    assert sorted(codes) == ["S101", "X101"]
    assert reasons == []


def test_without_a_code_nothing_is_silenced():
    assert sorted(outcome("x  # assay: ignore[] because", found(1))[0]) == ["S101", "X101"]


def test_other_codes_lines_files_and_cells_are_not_silenced():
    text = "x  # assay: ignore[S101] why"
    for other in (found(1, "S102"), found(2), found(1, path="t.toml"), found(1, cell=3)):
        codes, reasons = outcome(text, other)
        assert codes == [other.code, "X102"], "and the idle comment is told"
        assert reasons == []


def test_in_python_only_true_comments_count():
    text = 's = "# assay: ignore[S101] not a comment"\n'
    assert read_suppressions(text, "a.py", python=True) == []
    assert len(read_suppressions(text, "a.toml")) == 1


def test_python_that_does_not_tokenise_is_left_to_its_own_instrument():
    assert read_suppressions("x = (\n", "a.py", python=True) == []
