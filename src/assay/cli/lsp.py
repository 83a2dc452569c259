"""``assay lsp``: findings in the editor."""

from __future__ import annotations


def lsp() -> int:
    """Start the language server on standard input and output; an editor does this for you."""
    from assay.cli import CLEAN
    from assay.editor.server import server

    server.start_io()
    return CLEAN
