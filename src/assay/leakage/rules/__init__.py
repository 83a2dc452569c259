"""The rules of the leakage room: one for each kind of leak in Kapoor & Narayanan's taxonomy, and some beyond it."""

from assay.leakage.rules import data, impact, taxonomy, taxonomy_beyond, taxonomy_distribution

__all__ = ["data", "impact", "taxonomy", "taxonomy_beyond", "taxonomy_distribution"]
