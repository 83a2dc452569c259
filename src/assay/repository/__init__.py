"""The repository room tells whether somebody could run this code and get the result.

Audited material is read through `tree` (files) and `code` (Python, notebooks, R, Julia); nothing of it
is ever executed, imported or installed.
"""
