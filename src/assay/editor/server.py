"""The language server: diagnostics after each change, the rule on hover, patches as code actions.

It talks the Language Server Protocol on standard input and output; `assay lsp` starts it. Documents are examined in one
thread beside the conversation with the editor, and text that a later key stroke replaced is never examined.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from assay import __version__
from assay.editor.documents import Document, findings_in, findings_with_fixes, notebook_of, repository_changes
from assay.findings import Edit, EvidenceKind, Finding, Fix, Location, Severity
from assay.records import dataclass

SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}
FIX_REPOSITORY = "assay.fixRepository"
"""The command that proposes the changes of `assay repo fix`."""
_NOTEBOOKS = lsp.NotebookDocumentSyncOptions(
    notebook_selector=[lsp.NotebookDocumentFilterWithCells(cells=[lsp.NotebookCellLanguage("python")])], save=True
)
_ACTIONS = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.Source])
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Shown:
    """A document with the findings that the editor shows in it."""

    document: Document
    findings: tuple[Finding, ...]


server = LanguageServer("assay", __version__, notebook_document_sync=_NOTEBOOKS)
_worker = ThreadPoolExecutor(max_workers=1)
_newest: dict[str, Document] = {}
"""The text of each open script or notebook."""
_shown: dict[str, Shown] = {}
"""The shown findings, by the address of the document or notebook cell."""


async def _beside(work: Callable[[], _Answer]) -> _Answer:
    """Run work beside the conversation with the editor, and return its result."""
    return await asyncio.get_running_loop().run_in_executor(_worker, work)


# --- open, change, close -----------------------------------------------------------------------------


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
    """Examine a document that was just opened."""
    await _examine_text(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
    """Examine a document after a change."""
    await _examine_text(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def closed(params: lsp.DidCloseTextDocumentParams) -> None:
    """Show nothing for a closed document."""
    _forget(params.text_document.uri)


@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
async def notebook_opened(params: lsp.DidOpenNotebookDocumentParams) -> None:
    """Examine a notebook that was just opened."""
    await _examine_notebook(params.notebook_document.uri)


@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
async def notebook_changed(params: lsp.DidChangeNotebookDocumentParams) -> None:
    """Examine a notebook after a change of any of its cells."""
    await _examine_notebook(params.notebook_document.uri)


@server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
def notebook_closed(params: lsp.DidCloseNotebookDocumentParams) -> None:
    """Show nothing for a closed notebook."""
    _forget(params.notebook_document.uri)


async def _examine_text(uri: str) -> None:
    document = server.workspace.get_text_document(uri)
    await _examine(uri, Document(document.filename or uri, document.source, (uri,)))


async def _examine_notebook(uri: str) -> None:
    notebook = server.workspace.get_notebook_document(notebook_uri=uri)
    if notebook is None:
        return
    cells = [cell.document for cell in notebook.cells if cell.kind is lsp.NotebookCellKind.Code]
    await _examine(uri, notebook_of([(cell, server.workspace.get_text_document(cell).source) for cell in cells]))


async def _examine(uri: str, document: Document) -> None:
    """Show the findings in a document, unless it changed while it was examined."""

    def findings() -> tuple[Finding, ...]:
        return findings_in(document.name, document.text) if _newest.get(uri) is document else ()

    _newest[uri] = document
    found = await _beside(findings)
    if _newest.get(uri) is document:
        for address in document.addresses:
            _show(address, Shown(document, tuple(f for f in found if document.address(f.location) == address)))


def _forget(uri: str) -> None:
    document = _newest.pop(uri, None)
    for address in document.addresses if document else ():
        del _shown[address]
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(address, []))


def _show(address: str, shown: Shown) -> None:
    _shown[address] = shown
    text = server.workspace.get_text_document(address)
    diagnostics = [_diagnostic(finding, text) for finding in shown.findings]
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(address, diagnostics))


# --- hover -------------------------------------------------------------------------------------------


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(params: lsp.HoverParams) -> lsp.Hover | None:
    """Explain the finding under the pointer, with the path that led to it."""
    under = _overlapping(params.text_document.uri, lsp.Range(params.position, params.position))
    if not under:
        return None
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n---\n\n".join(map(_explained, under))))


def _overlapping(uri: str, selected: lsp.Range) -> list[Finding]:
    """The shown findings in the selected lines of a document."""
    text = server.workspace.get_text_document(uri)
    found = _shown[uri].findings if uri in _shown else ()
    return [finding for finding in found if _overlap(_range(finding.location, text), selected)]


def _explained(finding: Finding) -> str:
    from assay.rules import get_rule

    rule = get_rule(finding.code)
    steps = [evidence.text for evidence in finding.evidence if evidence.kind is EvidenceKind.STEP and evidence.text]
    path = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    parts = [f"**{finding.code} {finding.title}** ({finding.severity.value})", finding.message, rule.why, path]
    return "\n\n".join(part for part in (*parts, finding.advice) if part)


# --- code actions ------------------------------------------------------------------------------------


@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, _ACTIONS)
async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Offer the patches of the findings in the selected lines and, on request, those of the repository."""
    if lsp.CodeActionKind.Source in (params.context.only or ()):
        title = "Assay: propose requirements, seeds, README and citation for this repository"
        return [lsp.CodeAction(title, lsp.CodeActionKind.Source, command=lsp.Command(title, FIX_REPOSITORY))]
    uri = params.text_document.uri
    selected = {(finding.code, finding.location) for finding in _overlapping(uri, params.range)}
    if not selected:
        return []
    document = _shown[uri].document
    fixed = await _beside(lambda: findings_with_fixes(document.name, document.text))
    offered = [(f, f.fix) for f in fixed if (f.code, f.location) in selected and f.fix and f.fix.edits]
    return [_action(finding, fix, document) for finding, fix in offered]


def _action(finding: Finding, fix: Fix, document: Document) -> lsp.CodeAction:
    changes: defaultdict[str, list[lsp.TextEdit]] = defaultdict(list)
    for edit in fix.edits:
        address = document.address(edit.location)
        changes[address].append(_text_edit(edit, server.workspace.get_text_document(address)))
    text = server.workspace.get_text_document(document.address(finding.location))
    return lsp.CodeAction(
        f"Assay: {fix.description}",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[_diagnostic(finding, text)],
        edit=lsp.WorkspaceEdit(changes=dict(changes)),
    )


@server.command(FIX_REPOSITORY)
async def fix_repository() -> None:
    """Send the changes of `assay repo fix` to the editor, which shows them before they are made."""
    root = server.workspace.root_path
    if root is None:
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, "Open the repository as a folder."))
        return
    found = await _beside(lambda: repository_changes(Path(root)))
    if not found:
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, "Assay has nothing to propose."))
        return
    edits = [edit for path, fix in found for edit in _file_edits(path, fix)]
    annotations = {path.as_uri(): lsp.ChangeAnnotation(fix.description, needs_confirmation=True) for path, fix in found}
    edit = lsp.WorkspaceEdit(document_changes=edits, change_annotations=annotations)
    await server.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit, "Assay: fix the repository"))


def _file_edits(path: Path, fix: Fix) -> Iterator[lsp.TextDocumentEdit | lsp.CreateFile]:
    """A change of a file, or a new file; the editor asks the user to confirm."""
    uri = path.as_uri()
    text = server.workspace.get_text_document(uri) if path.exists() else TextDocument(uri, "")
    if not path.exists():
        yield lsp.CreateFile(uri, annotation_id=uri)
    written = [_text_edit(edit, text) for edit in fix.edits]
    annotated = [lsp.AnnotatedTextEdit(uri, one.range, one.new_text) for one in written]
    yield lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri), annotated)


# --- places ------------------------------------------------------------------------------------------


def _diagnostic(finding: Finding, text: TextDocument) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        _range(finding.location, text),
        finding.message,
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        source="assay",
    )


def _text_edit(edit: Edit, text: TextDocument) -> lsp.TextEdit:
    return lsp.TextEdit(_range(edit.location, text), edit.text)


def _range(place: Location | None, text: TextDocument) -> lsp.Range:
    """The range of a place in the editor's units; whole lines if there are no columns."""
    lines = text.lines or [""]
    first = min((place.line or 1) - 1 if place else 0, len(lines))
    last = min((place.end_line or place.line or 1) - 1 if place else 0, len(lines))
    written = lines[first].rstrip("\r\n") if first < len(lines) else ""
    ending = lines[last].rstrip("\r\n") if last < len(lines) else ""
    start = place.column - 1 if place and place.column else len(written) - len(written.lstrip())
    end = place.end_column - 1 if place and place.end_column else len(ending)
    return text.position_codec.range_to_client_units(
        lines, lsp.Range(lsp.Position(first, start), lsp.Position(last, end))
    )


def _overlap(one: lsp.Range, other: lsp.Range) -> bool:
    return one.start.line <= other.end.line and other.start.line <= one.end.line
