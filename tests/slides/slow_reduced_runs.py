"""The three papers' reduced configurations, run whole as they are shipped: `make slow`."""

from pathlib import Path

import pytest

from assay.slides.configuration import read_configuration
from assay.slides.running import Run, run


@pytest.mark.parametrize("name", ["wang", "lee", "liu"])
def test_a_reduced_run_ends_with_measures_of_the_test_set(name: str, tmp_path: Path) -> None:
    outcome = run(Run(read_configuration(f"{name}-reduced"), "", tmp_path / "run"))
    assert outcome.evaluation is not None
    assert {"slide_auc", "patch_accuracy"} <= outcome.evaluation.metrics()["test"].keys()
    assert (tmp_path / "run" / "manifest.json").exists()
