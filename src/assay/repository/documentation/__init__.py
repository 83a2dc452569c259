"""How well the code explains itself: comments, docstrings, and habits that make it hard to read."""

from assay.repository.documentation.facts import DocumentationFacts, SourceDocumentation, read_documentation
from assay.repository.documentation.habits import Habit, HabitKind

__all__ = ["DocumentationFacts", "Habit", "HabitKind", "SourceDocumentation", "read_documentation"]
