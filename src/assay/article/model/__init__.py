"""The Article Model: what a paper should document, and how much of it one does."""

from assay.article.model.components import Component, Part, all_parts, article_model, attainable
from assay.article.model.record import Grade, Record, degrees, gaps, variables

__all__ = [
    "Component",
    "Grade",
    "Part",
    "Record",
    "all_parts",
    "article_model",
    "attainable",
    "degrees",
    "gaps",
    "variables",
]
