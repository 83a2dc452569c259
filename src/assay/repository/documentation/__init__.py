"""How well the code explains itself: comments, docstrings, and habits that make it hard to read."""

from assay.repository.documentation.habits import Habit, HabitKind
from assay.repository.documentation.reading import DocumentationFacts, SourceDocumentation, read_documentation

__all__ = ["DocumentationFacts", "Habit", "HabitKind", "SourceDocumentation", "read_documentation"]
