"""Whether the commands of the documentation fit the repository: files, modules, make targets, options."""

from assay.repository.commands.documents import read_commands
from assay.repository.commands.facts import Command, CommandFacts, Fault, NamedScript, Outcome, Problem

__all__ = ["Command", "CommandFacts", "Fault", "NamedScript", "Outcome", "Problem", "read_commands"]
