"""The language server: diagnostics after each change, the rule on hover, patches as code actions.

It talks the Language Server Protocol on standard input and output; `assay lsp` starts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from assay import __version__
from assay.editor.documents import findings_in, findings_in_cells
from assay.findings import Edit, EvidenceKind, Finding, Location, Severity

SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}
_NOTEBOOKS = lsp.NotebookDocumentSyncOptions(
    notebook_selector=[lsp.NotebookDocumentFilterWithCells(cells=[lsp.NotebookCellLanguage("python")])], save=True
)

server = LanguageServer("assay", __version__, notebook_document_sync=_NOTEBOOKS)
_shown: dict[str, tuple[Finding, ...]] = {}
"""The findings that the editor shows, by document."""


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def opened(params: lsp.DidOpenTextDocumentParams) -> None:
    """Examine a document that was just opened."""
    _examine(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def changed(params: lsp.DidChangeTextDocumentParams) -> None:
    """Examine a document after a change."""
    _examine(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def closed(params: lsp.DidCloseTextDocumentParams) -> None:
    """Show nothing about a document that is closed."""
    _show(params.text_document.uri, ())


@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
def notebook_opened(params: lsp.DidOpenNotebookDocumentParams) -> None:
    """Examine a notebook that was just opened."""
    _examine_notebook(params.notebook_document.uri)


@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
def notebook_changed(params: lsp.DidChangeNotebookDocumentParams) -> None:
    """Examine a notebook after a change of any of its cells."""
    _examine_notebook(params.notebook_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(params: lsp.HoverParams) -> lsp.Hover | None:
    """Explain the finding under the pointer, with the path that led to it."""
    document = server.workspace.get_text_document(params.text_document.uri)
    under = [f for f in _shown.get(document.uri, ()) if _contains(_range(f.location, document), params.position)]
    if not under:
        return None
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n---\n\n".join(map(_explained, under))))


@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]))
def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Offer the patches of the findings in the selected lines."""
    document = server.workspace.get_text_document(params.text_document.uri)
    return [
        _action(finding, document)
        for finding in _shown.get(document.uri, ())
        if finding.fix and finding.fix.edits and _overlap(_range(finding.location, document), params.range)
    ]


def _examine(uri: str) -> None:
    document = server.workspace.get_text_document(uri)
    _show(uri, findings_in(document.filename or uri, document.source))


def _examine_notebook(uri: str) -> None:
    """Findings name a cell by its place among the code cells; each goes to that cell's own document."""
    notebook = server.workspace.get_notebook_document(notebook_uri=uri)
    if notebook is None:
        return
    cells = [cell.document for cell in notebook.cells if cell.kind is lsp.NotebookCellKind.Code]
    found = findings_in_cells([server.workspace.get_text_document(cell).source for cell in cells])
    for number, cell in enumerate(cells, 1):
        _show(cell, tuple(f for f in found if f.location and f.location.cell == number))


def _show(uri: str, found: Sequence[Finding]) -> None:
    _shown[uri] = tuple(found)
    document = server.workspace.get_text_document(uri)
    diagnostics = [_diagnostic(finding, document) for finding in found]
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics))


def _diagnostic(finding: Finding, document: TextDocument) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        _range(finding.location, document),
        finding.message,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        source="assay",
    )


def _explained(finding: Finding) -> str:
    from assay.rules import get_rule

    rule = get_rule(finding.code)
    steps = [evidence.text for evidence in finding.evidence if evidence.kind is EvidenceKind.STEP and evidence.text]
    path = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    parts = [f"**{finding.code} {finding.title}** ({finding.severity.value})", finding.message, rule.why, path]
    return "\n\n".join(part for part in (*parts, finding.advice) if part)


def _action(finding: Finding, document: TextDocument) -> lsp.CodeAction:
    edits = finding.fix.edits if finding.fix else ()
    return lsp.CodeAction(
        f"Assay: {finding.fix.description if finding.fix else finding.title}",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[_diagnostic(finding, document)],
        edit=lsp.WorkspaceEdit(changes={document.uri: list(_text_edits(edits))}),
    )


def _text_edits(edits: Iterable[Edit]) -> Iterable[lsp.TextEdit]:
    for edit in edits:
        place = edit.location
        start = lsp.Position((place.line or 1) - 1, (place.column or 1) - 1)
        end = lsp.Position((place.end_line or place.line or 1) - 1, (place.end_column or place.column or 1) - 1)
        yield lsp.TextEdit(lsp.Range(start, end), edit.text)


def _range(place: Location | None, document: TextDocument) -> lsp.Range:
    """The characters of a place; without columns, its whole line."""
    line = max((place.line if place and place.line else 1) - 1, 0)
    text = document.lines[line].rstrip("\n") if line < len(document.lines) else ""
    first = place.column - 1 if place and place.column else len(text) - len(text.lstrip())
    last_line = place.end_line - 1 if place and place.end_line else line
    last = place.end_column - 1 if place and place.end_column else len(text)
    return lsp.Range(lsp.Position(line, first), lsp.Position(last_line, max(last, first if last_line == line else 0)))


def _contains(where: lsp.Range, position: lsp.Position) -> bool:
    return where.start <= position <= where.end


def _overlap(one: lsp.Range, other: lsp.Range) -> bool:
    return one.start.line <= other.end.line and other.start.line <= one.end.line
