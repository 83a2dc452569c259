"""Findings as one types: a language server for scripts, notebooks, score files and LaTeX."""
