"""Assay tells whether a machine-learning result can be true, was fairly measured, and could be obtained again.

Each question has a room of its own (``assay.scores``, …); what they share is ``assay.findings``.
Nothing heavy is imported here, so ``import assay`` costs next to nothing.
"""

__version__ = "0.1.0"
