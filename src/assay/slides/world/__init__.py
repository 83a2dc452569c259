"""A bundled world of small synthetic slides, so that the whole pipeline runs on a fresh machine.

It is a toy: what a choice changes here ranks choices and does not transfer as a number to real slides.
"""

from assay.slides.world.folder import make_world

__all__ = ["make_world"]
