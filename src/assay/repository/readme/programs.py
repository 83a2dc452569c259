"""Programs that predict for whoever opens them in a browser: how to start one, and that it does."""

from __future__ import annotations

from collections.abc import Iterator

from assay.patterns import regex
from assay.repository.readme.document import CodeBlock, Document, Grid, Part, Passage
from assay.tree.text import uncased

_LONGEST = 4000
_START = regex(
    r"\b(?:streamlit run|flask (?:--app \S{1,60} )?run|"
    r"(?:uvicorn|gunicorn) (?:-\S{1,40} (?:[\w.:]{1,40} )??){0,6}[\w./]{1,80}:\w{1,40}|"
    r"chainlit run|bentoml serve|mlflow models serve|"
    r"docker[- ]compose up|docker run|python[\d.]* (?:[\w.-]{1,40}[/\\\\]){0,4}"
    r"(?:\w{0,20}_)?(?:app|api|server|start|web\w{0,8}|gui|frontend|interface|streamlit\w{0,10}|flask\w{0,10}|"
    r"gradio\w{0,10})\d?\.py)\b|"
    r"\bmanage\.py runserver\b"
)
_PROGRAM = (
    r"(?:apps?|application|api|interface|web ?site|web ?page|server|service|dashboard|ui|gui|forms?|endpoints?|demo)"
)
_PREDICTS = (
    r"(?:predict\w{0,4}|prédi\w{2,5}|predic\w{3,5}|classif(?:y|ies|ication)|inference|detects?|forecasts?|"
    r"recommends?|recommendations?)"
)
_SAID = regex(
    rf"\b{_PROGRAM}\b[^\n]{{0,160}}?\b{_PREDICTS}\b|\b{_PREDICTS}\b[^\n]{{0,60}}?\b(?:through|via|using|with|in|from) "
    rf"(?:\w{{1,20}} ){{0,4}}{_PROGRAM}\b|/predict\b|"
    r"(?<!\bwe )\b(?:enter|input|upload|fill|provide|select|submit|click)\b[^\n]{0,100}"
    r"\b(?:predict\w{0,4}|results?(?! (?:data|folder|files?))(?!/)|classif\w{1,7})\b"
)


def predicting_programs(document: Document) -> Iterator[tuple[Part, int, str]]:
    """Part, line and command of each program to start, if the text says that it predicts."""
    if not any(_SAID.search(text) for part in document.parts for text in _texts(part)):
        return
    for part in document.parts:
        for block in part.blocks:
            text = block.text[:_LONGEST] if isinstance(block, Passage | CodeBlock) else ""
            match = _START.search(uncased(text))
            if match is not None:
                yield part, block.line + text.count("\n", 0, match.start()), match[0]


def _texts(part: Part) -> Iterator[str]:
    if part.heading:
        yield uncased(part.heading.text)
    for block in part.blocks:
        if isinstance(block, Grid):
            yield from (uncased(" | ".join(row)) for row in block.rows[:50])
        elif isinstance(block, Passage | CodeBlock):
            yield uncased(block.text[:_LONGEST])
