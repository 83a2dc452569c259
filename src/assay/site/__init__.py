"""Assay as static files: the same core in the browser, without a server; nothing leaves the computer."""
