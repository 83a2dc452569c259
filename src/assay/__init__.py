"""Assay tells whether a machine-learning result can be true, was fairly measured, and could be obtained again.

Each question has a room of its own (``assay.scores``, …); what they share is ``assay.findings``.
Nothing heavy is imported here, so ``import assay`` costs next to nothing.
"""

__version__ = "0.1.0"


def load_ipython_extension(shell: object) -> None:
    """What ``%load_ext assay`` calls; it gives ``%assay``."""
    from assay import notebook

    notebook.load(shell)


def unload_ipython_extension(shell: object) -> None:
    """What ``%unload_ext assay`` calls."""
    from assay import notebook

    notebook.unload(shell)
