"""Numbers in running text: shares that must follow from counts, parts that must add up, figures that tables repeat."""

from assay.article.numbers.claims import clashes
from assay.article.numbers.clash import Clash

__all__ = ["Clash", "clashes"]
