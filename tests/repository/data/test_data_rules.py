"""The rules about data and models name the place, the reason and the remedy, and are silent where they do not apply."""

import pytest

from assay.findings import Finding, Severity
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


def test_a_missing_file_is_told_once() -> None:
    [finding] = findings("R503", READS + 'e = pd.read_csv("d.csv")\n')
    assert finding.message.startswith("d.csv is read")
    assert finding.location is not None
    assert finding.location.line == 2


def test_a_dvc_pointer_without_any_remote_cannot_be_followed() -> None:
    [finding] = findings("R505", "==> d.csv.dvc <==\nouts:\n- path: d.csv\n")
    assert "remote is not configured" in finding.message


def test_a_drive_beside_an_archive_is_fine() -> None:
    links = "Data: https://drive.google.com/x and https://zenodo.org/record/1\n"
    assert findings("R504", READS + "==> README.md <==\n" + links) == []


def test_weights_that_some_save_may_have_written_are_not_called_missing() -> None:
    loads = '==> test.py <==\nimport torch\nmodel = torch.load("best.pt")\n'
    assert findings("R602", loads + "==> train.py <==\nimport torch\ntorch.save(model, path)\n") == []
    assert len(findings("R602", loads)) == 1


def test_a_saved_model_is_enough_in_any_form() -> None:
    assert findings("R601", READS) != []
    for kept in ("==> model.h5 <==\nx\n", "==> README.md <==\nPretrained weights: https://zenodo.org/record/1\n"):
        assert findings("R601", READS + kept) == []
