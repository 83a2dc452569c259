"""Makes the page about the factors of a repository out of the table of the profile, while MkDocs builds."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from assay.repository.profiles.default import FACTORS, QUESTIONS, THRESHOLDS

INTRODUCTION = f"""\
# The factors

The default profile scores the ten factors of Loos (2022) that a program can judge. Each factor is the weighted mean of
its parts. A part that does not apply leaves its weight to the others. A factor is *not checked* if less than half of it
applies.

From {THRESHOLDS.top} on a score is *good*, above {THRESHOLDS.average} *fair*, above {THRESHOLDS.lower} *weak*, else
*poor*. Weights and thresholds were chosen by argument, not fitted to labelled repositories.
"""
PEOPLE = "## Left to people\n\nNo program can judge these.\n"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    files.append(File.generated(config, "repository/factors.md", content=page()))
    return files


def page() -> str:
    """A section for each factor with a row for each part, then the questions for people."""
    lines = [INTRODUCTION]
    for factor in FACTORS:
        lines += [f"## {factor.name}\n", f"Loos (2022), {factor.section}.\n"]
        lines += ["| part | weight | why | rules |", "|---|---|---|---|"]
        for part in factor.parts:
            codes = ", ".join(f"[{code}](../rules/{code}.md)" for code in part.rules)
            lines.append(f"| {part.name} | {part.weight:g} | {part.why} | {codes} |")
        lines.append("")
    questions = [f"- **{question.factor}** ({question.section}): {question.question}" for question in QUESTIONS]
    return "\n".join([*lines, PEOPLE, *questions, ""])
