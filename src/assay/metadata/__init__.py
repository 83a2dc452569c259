"""Metadata that others write and read: CITATION.cff, CodeMeta, RO-Crate, Croissant, model cards.

Readers turn each into one `Description`; writers are functions of it.
"""
