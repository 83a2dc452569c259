"""Diagnosis: which single slip would make impossible scores possible."""

from assay.scores.diagnosis.kinds import PRIORS, Prior, RepairKind
from assay.scores.diagnosis.search import Diagnosis, Repair, diagnose

__all__ = ["PRIORS", "Diagnosis", "Prior", "Repair", "RepairKind", "diagnose"]
