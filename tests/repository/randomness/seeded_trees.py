"""Small repositories in memory, and their facts about randomness."""

from __future__ import annotations

import json
from textwrap import dedent

from assay.code import read_code
from assay.repository.randomness import Coverage, Framework, RandomnessFacts, read_randomness
from assay.tree import tree_of


def facts_of(files: dict[str, str] | str) -> RandomnessFacts:
    """The facts about these files; a text alone is a script `train.py`."""
    given = {"train.py": files} if isinstance(files, str) else files
    tree = tree_of({path: dedent(text) for path, text in given.items()})
    return read_randomness(tree, read_code(tree))


def coverage_of(files: dict[str, str] | str, framework: Framework, path: str = "train.py") -> Coverage:
    """The coverage of one framework in the run that begins at a path."""
    entry = next(e for e in facts_of(files).entry_points if e.path == path)
    found = entry.of(framework)
    assert found is not None, f"nothing is drawn from {framework}"
    return found


def notebook(*cells: str) -> str:
    """A notebook with these code cells."""
    written = [{"cell_type": "code", "source": dedent(c), "execution_count": None, "outputs": []} for c in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": written})
