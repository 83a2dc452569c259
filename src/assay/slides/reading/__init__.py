"""Slides, annotations and tables as plain facts; labels are joined by name, never by row."""

from assay.slides.reading.annotations import Annotation, read_annotation
from assay.slides.reading.cohort import Cohort, Entry, read_cohort
from assay.slides.reading.slide import Slide, open_slide

__all__ = ["Annotation", "Cohort", "Entry", "Slide", "open_slide", "read_annotation", "read_cohort"]
