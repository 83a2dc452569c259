"""Representative values and thresholds from repositories whose reproducibility somebody has tried."""

from assay.repository.research.calibration.estimates import Calibration, Estimate, Separation, calibrate
from assay.repository.research.calibration.labelled import Labelled, labelled_in
from assay.repository.research.calibration.report import report_of

__all__ = ["Calibration", "Estimate", "Labelled", "Separation", "calibrate", "labelled_in", "report_of"]
