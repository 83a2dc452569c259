"""The rules about data and models name the place, the reason and the remedy, and are silent where they do not apply."""

import pytest

from assay.findings import Finding, Severity
from assay.repository.check import judge
from assay.repository.rules import read_example
from assay.rules import get_rule

READS = '==> train.py <==\nimport pandas as pd\nd = pd.read_csv("d.csv")\nmodel.fit(d)\n'


def findings(code: str, text: str) -> list[Finding]:
    return list(get_rule(code).check(read_example(text)))


def test_absent_data_are_worse_than_named_ones() -> None:
    [absent] = findings("R501", READS)
    [named] = findings("R501", READS + "==> README.md <==\nTrained on ImageNet.\n")
    assert (absent.severity, named.severity) == (Severity.WARNING, Severity.NOTE)
    assert "ImageNet" in named.message


@pytest.mark.parametrize("code", ["R501", "R503", "R506", "R507", "R601", "R605"])
def test_a_library_that_trains_nothing_is_left_alone(code: str) -> None:
    assert findings(code, "==> layers.py <==\ndef relu(x):\n    return max(x, 0)\n") == []


def test_paths_of_one_machine_are_told_once_for_each_file() -> None:
    plain = '==> a.py <==\nx = "/home/alice/a"\ny = "/home/alice/b"\n'
    text = plain + '==> b.py <==\np.add_argument("--d", default="/home/alice/c")\n'
    first, second = findings("R502", text)
    assert first.message == "2 paths from one machine: /home/alice/a, /home/alice/b"
    assert (first.severity, second.severity) == (Severity.WARNING, Severity.NOTE)


def test_a_missing_file_is_one_finding() -> None:
    facts = read_example(READS + 'e = pd.read_csv("d.csv")\n==> use.py <==\nopen("d.csv")\n')
    [finding] = [f for outcome in judge(facts) for f in outcome.findings if f.code == "R503"]
    assert finding.message.startswith("d.csv is read")
    assert finding.location is not None
    assert finding.location.line == 2
    places = {str(shown.location) for shown in finding.evidence if shown.location is not None}
    assert any(place.startswith("use.py") for place in places)


def test_a_dvc_pointer_without_any_remote_cannot_be_followed() -> None:
    [finding] = findings("R505", "==> d.csv.dvc <==\nouts:\n- path: d.csv\n")
    assert "remote is not configured" in finding.message


def test_a_drive_beside_an_archive_is_fine() -> None:
    links = "Data: https://drive.google.com/x and https://zenodo.org/record/1\n"
    assert findings("R504", READS + "==> README.md <==\n" + links) == []


def test_weights_that_some_save_may_have_written_are_doubted_and_not_accused() -> None:
    loads = '==> test.py <==\nimport torch\nmodel = torch.load("best.pt")\n'
    saves = "==> train.py <==\nimport torch\ntorch.save(model, {})\n"
    assert findings("R602", loads + saves.format("f'run_{epoch}.pt'"))[0].severity is Severity.WARNING
    assert findings("R602", loads + saves.format("path"))[0].severity is Severity.NOTE
    assert findings("R602", loads + saves.format("f'best{epoch}.pt'")) == []
    assert findings("R602", loads)[0].severity is Severity.WARNING


def test_weights_that_a_page_or_a_script_brings_are_not_missing() -> None:
    loads = '==> test.py <==\nimport torch\nmodel = torch.load("pretrained/best.pt")\n'
    assert findings("R602", loads + "==> get.sh <==\nwget https://example.org/best.pt\n") == []
    assert findings("R602", loads + "==> README.md <==\nDownload SAM and put it in ./pretrained.\n") == []
    assert len(findings("R602", loads + "==> README.md <==\nOur model is pretrained on ImageNet.\n")) == 1


def test_a_saved_model_is_enough_in_any_form() -> None:
    assert findings("R601", READS) != []
    for kept in ("==> model.h5 <==\nx\n", "==> README.md <==\nPretrained weights: https://zenodo.org/record/1\n"):
        assert findings("R601", READS + kept) == []
