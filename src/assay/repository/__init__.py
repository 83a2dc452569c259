"""The repository room tells whether somebody could run this code and get the result.

Audited material is read through `assay.tree` (files) and `assay.code` (Python, notebooks, R, Julia);
nothing of it is ever executed, imported or installed.
"""
