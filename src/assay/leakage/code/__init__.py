"""Leakage in code: a data-flow analysis of scripts and notebooks, and the checks of what it saw."""
