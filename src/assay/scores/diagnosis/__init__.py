"""Diagnosis: which single slip would make impossible scores possible."""

from assay.scores.diagnosis.kinds import PRIORS, Prior, RepairKind
from assay.scores.diagnosis.order import Diagnosis, Repair
from assay.scores.diagnosis.search import diagnose

__all__ = ["PRIORS", "Diagnosis", "Prior", "Repair", "RepairKind", "diagnose"]
