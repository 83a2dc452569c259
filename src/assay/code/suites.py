"""Is a file a test of code? Its name does not decide: in research, `test.py` often evaluates a model."""

from __future__ import annotations

import ast

from assay.code.source import Source

_TOOLS = frozenset({"pytest", "unittest", "nose", "hypothesis", "absl.testing", "parameterized"})


def tests_something(source: Source) -> bool:
    """True if a Python file imports a test framework, or defines test functions without required arguments."""
    if any(imported.module in _TOOLS or imported.top in _TOOLS for imported in source.imports):
        return True
    functions = source.nodes(ast.FunctionDef)
    return any(f.name.startswith("test_") and {a.arg for a in f.args.args} <= {"self"} for f in functions)
