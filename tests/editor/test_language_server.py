"""A real client talks to the language server as an editor does: open, type, hover, fix."""

import ast
import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from assay.editor.documents import findings_in

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
UNSEEDED = """import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

x = np.random.rand(100, 3)
a, b, c, d = train_test_split(x, x[:, 0] > 0.5)
print(RandomForestClassifier().fit(a, c).score(b, d))
"""
MANUSCRIPT = r"""\documentclass{article}
\begin{document}
\begin{table}
\caption{Results on the test set}
\begin{tabular}{lccc}
Method & Precision & Recall & F1 \\
Ours & 0.91 & 0.89 & 0.95 \\
\end{tabular}
\end{table}
\end{document}
"""
PATIENCE = 120


class Editor(LanguageClient):
    """An editor that remembers what it was told to underline."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.underlined: dict[str, list[lsp.Diagnostic]] = {}
        self.proposed: list[lsp.WorkspaceEdit] = []
        self.news = asyncio.Event()

        @self.feature(lsp.WORKSPACE_APPLY_EDIT)
        def proposed(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
            self.proposed.append(params.edit)
            return lsp.ApplyWorkspaceEditResult(applied=True)

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


def with_editor(use: Callable[[Editor], Awaitable[None]], root: Path | None = None) -> None:
    async def session() -> None:
        editor = Editor()
        await editor.start_io(sys.executable, "-m", "assay", "lsp")
        where = root.as_uri() if root else None
        await editor.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=where))
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
        [action] = await actions(editor, uri, leak)
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


def test_an_impossible_score_table_of_a_manuscript_is_underlined() -> None:
    async def use(editor: Editor) -> None:
        uri = "file:///project/paper.tex"
        opened(editor, uri, "latex", MANUSCRIPT)
        assert await editor.codes(uri, bool) == {"S120"}
        [found] = editor.underlined[uri]
        assert MANUSCRIPT.splitlines()[found.range.start.line] == r"\begin{tabular}{lccc}"

    with_editor(use)


def test_an_unseeded_script_is_underlined_and_the_quick_fix_seeds_it() -> None:
    async def use(editor: Editor) -> None:
        uri = "file:///project/train.py"
        opened(editor, uri, "python", UNSEEDED)
        await editor.codes(uri, lambda codes: "R401" in codes)
        [unseeded] = [one for one in editor.underlined[uri] if one.code == "R401"]
        [action] = await actions(editor, uri, unseeded)
        assert action.title.startswith("Assay: Seed the random generators")
        fixed = applied(UNSEEDED, action.edit.changes[uri])
        assert "numpy.random.seed(0)" in fixed
        assert not any(finding.code == "R401" for finding in findings_in("train.py", fixed))

    with_editor(use)


async def actions(editor: Editor, uri: str, about: lsp.Diagnostic) -> Any:
    context = lsp.CodeActionContext([about])
    return await editor.text_document_code_action_async(
        lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), about.range, context)
    )


def test_places_count_as_the_editor_counts() -> None:
    """An editor counts UTF-16 units; Python's syntax trees count bytes of UTF-8."""
    before, after = "# 🎲 é\nlabel = '🎲é'; X", " = scaler.fit_transform(X)\n"
    text = LEAKY.replace("X = scaler.fit_transform(X)\n", before + after)

    async def use(editor: Editor) -> None:
        uri = "file:///project/train.py"
        opened(editor, uri, "python", text)
        await editor.codes(uri, lambda codes: "L1.2" in codes)
        [leak] = [one for one in editor.underlined[uri] if one.code == "L1.2"]
        line = text.splitlines()[leak.range.start.line].encode("utf-16-le")
        assert line[2 * leak.range.start.character :].decode("utf-16-le").startswith("scaler.fit_transform(X)")

    with_editor(use)


def test_a_leak_between_two_cells_is_underlined_and_fixed_where_it_is() -> None:
    head, tail = LEAKY.split("X_train, ", 1)
    texts = {"cell:/first": head, "cell:/second": "X_train, " + tail}

    async def use(editor: Editor) -> None:
        cells = [lsp.NotebookCell(lsp.NotebookCellKind.Code, uri) for uri in texts]
        notebook = lsp.NotebookDocument("file:///project/a.ipynb", "jupyter-notebook", 1, cells)
        items = [lsp.TextDocumentItem(uri, "python", 1, text) for uri, text in texts.items()]
        editor.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(notebook, items))
        await editor.codes("cell:/first", lambda codes: "L1.2" in codes)
        assert not {one.code for one in editor.underlined.get("cell:/second", ())} & {"L1.2"}
        [leak] = [one for one in editor.underlined["cell:/first"] if one.code == "L1.2"]
        [action] = await actions(editor, "cell:/first", leak)
        fixed = [applied(text, action.edit.changes.get(uri, [])) for uri, text in texts.items()]
        assert "scaler.fit" not in fixed[0]
        assert not any(finding.code == "L1.2" for finding in findings_in("train.py", "".join(fixed)))
        identifier = lsp.NotebookDocumentIdentifier(notebook.uri)
        closing = [lsp.TextDocumentIdentifier(uri) for uri in texts]
        editor.notebook_document_did_close(lsp.DidCloseNotebookDocumentParams(identifier, closing))
        await editor.codes("cell:/first", lambda codes: not codes)

    with_editor(use)


def test_the_repository_command_proposes_files_and_writes_none(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(UNSEEDED, encoding="utf-8")

    async def use(editor: Editor) -> None:
        await editor.workspace_execute_command_async(lsp.ExecuteCommandParams("assay.fixRepository"))
        [edit] = editor.proposed
        created = [one.uri for one in edit.document_changes or () if isinstance(one, lsp.CreateFile)]
        assert (tmp_path / "requirements.txt").as_uri() in created
        assert all(annotation.needs_confirmation for annotation in (edit.change_annotations or {}).values())
        assert [path.name for path in tmp_path.iterdir()] == ["train.py"]

    with_editor(use, tmp_path)


@pytest.mark.parametrize("name", ["train.py", "notebook.ipynb", "scores.toml", "paper.tex", "notes.txt"])
@pytest.mark.parametrize("text", ["", "def f(:\n", "\x00", "{", "[[experiment]]\np = ", "\\begin{tabular}{"])
def test_half_typed_text_is_no_trouble(name: str, text: str) -> None:
    assert all(finding.location for finding in findings_in(name, text))
