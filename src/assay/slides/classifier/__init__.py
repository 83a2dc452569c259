"""Patch classifiers: what learns, and how its training ends."""
