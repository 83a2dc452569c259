"""The three papers' reduced configurations, run whole as they are shipped: `make slow`."""

from pathlib import Path

import pytest

from assay.slides.configuration import read_configuration
from assay.slides.run import Run, run


@pytest.mark.parametrize("name", ["wang", "lee", "liu"])
def test_a_reduced_run_ends_with_measures_of_every_set(name: str, tmp_path: Path) -> None:
    configuration = read_configuration(f"{name}-reduced")
    outcome = run(Run(configuration, "", tmp_path / "run"))
    assert outcome.evaluation is not None
    measured = outcome.evaluation.metrics()
    assert set(measured) == set(configuration.metrics.sets)
    assert all({"slide_auc", "patch_accuracy"} <= found.keys() for found in measured.values())
    assert (tmp_path / "run" / "manifest.json").exists()
