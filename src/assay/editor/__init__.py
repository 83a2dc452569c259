"""A language server that shows findings while one types: scripts, notebooks, score files and LaTeX."""
