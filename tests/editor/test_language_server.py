"""A real client talks to the language server as an editor does: open, type, hover, fix."""

import ast
import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from assay.editor.documents import findings_in, findings_in_cells

LEAKY = """import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

table = pd.read_csv("data.csv")
X = table.drop(columns="y")
y = table["y"]
scaler = StandardScaler()
X = scaler.fit_transform(X)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
model = LogisticRegression(random_state=0).fit(X_train, y_train)
print(model.score(X_test, y_test))
"""
CLEAN = LEAKY.replace("X = scaler.fit_transform(X)\n", "")
IMPOSSIBLE = '[[experiment]]\np = 100\nn = 200\nscores = { acc = "0.90", sens = "0.80", spec = "0.80" }\n'
PATIENCE = 120


class Editor(LanguageClient):
    """An editor that remembers what it was told to underline."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.underlined: dict[str, list[lsp.Diagnostic]] = {}
        self.news = asyncio.Event()

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.underlined[params.uri] = list(params.diagnostics)
            self.news.set()

    async def codes(self, uri: str, wanted: Callable[[set[str]], bool]) -> set[str]:
        """The codes underlined in a document, once they are as wanted."""
        while True:
            found = {str(one.code) for one in self.underlined.get(uri, [])}
            if uri in self.underlined and wanted(found):
                return found
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), PATIENCE)


def with_editor(use: Callable[[Editor], Awaitable[None]]) -> None:
    async def session() -> None:
        editor = Editor()
        await editor.start_io(sys.executable, "-m", "assay", "lsp")
        await editor.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
        editor.initialized(lsp.InitializedParams())
        try:
            await use(editor)
        finally:
            await editor.shutdown_async(None)
            editor.exit(None)
            await editor.stop()

    asyncio.run(session())


def opened(editor: Editor, uri: str, language: str, text: str) -> None:
    editor.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, language, 1, text)))


def typed(editor: Editor, uri: str, text: str) -> None:
    whole = lsp.TextDocumentContentChangeWholeDocument(text)
    document = lsp.VersionedTextDocumentIdentifier(version=2, uri=uri)
    editor.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))


def test_a_leak_appears_while_it_is_typed_and_goes_when_it_is_gone() -> None:
    async def use(editor: Editor) -> None:
        uri = "file:///project/train.py"
        opened(editor, uri, "python", CLEAN)
        assert "L1.2" not in await editor.codes(uri, lambda _: True)
        typed(editor, uri, LEAKY)
        assert "L1.2" in await editor.codes(uri, lambda codes: "L1.2" in codes)
        typed(editor, uri, CLEAN)
        await editor.codes(uri, lambda codes: "L1.2" not in codes)

    with_editor(use)


def test_hover_explains_and_the_quick_fix_removes_the_leak() -> None:
    async def use(editor: Editor) -> None:
        uri = "file:///project/train.py"
        opened(editor, uri, "python", LEAKY)
        await editor.codes(uri, lambda codes: "L1.2" in codes)
        [leak] = [one for one in editor.underlined[uri] if one.code == "L1.2"]
        document = lsp.TextDocumentIdentifier(uri)
        shown = await editor.text_document_hover_async(lsp.HoverParams(document, leak.range.start))
        assert shown is not None
        assert isinstance(shown.contents, lsp.MarkupContent)
        assert "L1.2" in shown.contents.value
        context = lsp.CodeActionContext([leak])
        offered: Any = await editor.text_document_code_action_async(lsp.CodeActionParams(document, leak.range, context))
        [action] = offered
        fixed = applied(LEAKY, action.edit.changes[uri])
        ast.parse(fixed)
        assert not any(finding.code == "L1.2" for finding in findings_in("train.py", fixed))

    with_editor(use)


def applied(text: str, edits: list[lsp.TextEdit]) -> str:
    lines = text.splitlines(keepends=True)

    def offset(place: lsp.Position) -> int:
        return sum(map(len, lines[: place.line])) + place.character

    for edit in sorted(edits, key=lambda one: offset(one.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def test_impossible_scores_in_a_file_are_underlined() -> None:
    async def use(editor: Editor) -> None:
        uri = "file:///project/assay.toml"
        opened(editor, uri, "toml", IMPOSSIBLE)
        assert await editor.codes(uri, bool) == {"S101"}

    with_editor(use)


def test_cells_of_a_notebook_are_followed_in_their_order() -> None:
    head, tail = LEAKY.split("scaler = ")
    found = findings_in_cells([head, "scaler = " + tail])
    assert [(f.code, f.location.cell) for f in found if f.code == "L1.2" and f.location] == [("L1.2", 2)]


@pytest.mark.parametrize("name", ["train.py", "notebook.ipynb", "scores.toml", "paper.tex", "notes.txt"])
@pytest.mark.parametrize("text", ["", "def f(:\n", "\x00", "{", "[[experiment]]\np = ", "\\begin{tabular}{"])
def test_half_typed_text_is_no_trouble(name: str, text: str) -> None:
    assert all(finding.location for finding in findings_in(name, text))
