"""Rules document themselves; their own examples are their tests."""

import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.findings import Severity
from assay.rules import Instrument, Source, all_rules, codes_matching, get_rule

SOURCE = Source("A paper", "section 1")


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_the_failing_example_fails_and_the_passing_one_passes(rule):
    fired = list(rule.check(rule.instrument.read_example(rule.failing)))
    assert fired
    assert {f.code for f in fired} == {rule.code}
    assert all(f.message and (f.evidence or f.location) for f in fired), "a finding must be checkable"
    assert not list(rule.check(rule.instrument.read_example(rule.passing)))


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_every_rule_says_what_why_and_from_where(rule):
    assert rule.title == rule.title.strip()
    assert rule.title[0].isupper()
    assert not rule.title.endswith(".")
    assert len(rule.why) > 40
    assert rule.source.reference
    assert rule.advice


def toy():
    return Instrument("toy", "Is it a toy?", str)


def define(code, instrument=None, why="Toys break."):
    def check(facts):
        yield from ()

    check.__doc__ = why
    options = {"title": "T", "severity": Severity.NOTE, "failing": "a", "passing": "b", "source": SOURCE}
    return (instrument or toy()).rule(code, **options)(check)


def test_a_code_taken_twice_fails_where_it_is_defined():
    with pytest.raises(ValueError, match="S101 is taken twice"):
        define("S101")


def test_a_malformed_code_and_a_rule_without_why_fail():
    with pytest.raises(ValueError, match="malformed"):
        define("s-1")
    with pytest.raises(TypeError, match="docstring"):
        define("T1", why="")


def test_an_unknown_code_names_the_nearest():
    with pytest.raises(InputError, match=r'no rule "S10l".*Did you mean "S1\d\d"'):
        get_rule("S10l")
    assert get_rule("s101").code == "S101"


def test_selectors_stand_for_a_code_or_for_all_that_start_with_it():
    assert codes_matching(["S101"]) == {"S101"}
    assert {"X101", "X102"} <= codes_matching(["x"])
    assert codes_matching([]) == frozenset()
    with pytest.raises(InputError, match="no rule"):
        codes_matching(["Q"])


def run_with_plugins(folder: Path, code: str, **modules: str) -> subprocess.CompletedProcess[str]:
    """Run Python with distributions in `folder` that hang modules on the entry-point group."""
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)
        info = folder / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[assay.rules]\n{name} = {name}\n")
    program = f"import sys; sys.path.insert(0, {str(folder)!r})\n{code}"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


GOOD_PLUGIN = '''
from assay.findings import Severity
from assay.rules import Source
from assay.scores.rules import scores

@scores.rule("S999", title="Too good", severity=Severity.WARNING, failing="p=10 n=10 acc=1.0",
             passing="p=10 n=10 acc=0.9", source=Source("House rule"), advice="Look twice.")
def too_good(result):
    """A perfect score deserves a second look."""
    if any(r.printed == "1.0" for r in result.experiment.reported):
        yield too_good.finding("a perfect score", subject=result.experiment.name)
'''


def test_a_plugged_in_rule_runs_with_the_built_in_ones(tmp_path):
    code = "from assay.cli import main; sys.exit(main(['scores', 'check', 'p=10', 'n=10', 'acc=1.0']))"
    done = run_with_plugins(tmp_path, code, goodplugin=GOOD_PLUGIN)
    assert done.returncode == 1, done.stderr
    assert "S999" in done.stdout


def test_a_broken_plugin_is_reported_and_harms_nobody(tmp_path):
    code = "from assay.cli import main; sys.exit(main(['scores', 'check', 'p=10', 'n=10', 'acc=1.0']))"
    broken = GOOD_PLUGIN + "\nraise RuntimeError('half way')\n"
    done = run_with_plugins(tmp_path, code, brokenplugin=broken)
    assert done.returncode == 0, done.stderr
    assert "S999" not in done.stdout
    assert "brokenplugin" in done.stderr
    assert "half way" in done.stderr
    assert "Traceback" not in done.stderr
