"""The page as one self-contained HTML file, light and dark, that prints well."""

from __future__ import annotations

from html import escape

from assay.checklists.rendering.page import NO_ANSWER, Block, Line, Page

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --warn: #b45309; }
@media (prefers-color-scheme: dark) { :root { --warn: #fbbf24; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; margin: 1rem 0 2rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem; overflow-wrap: break-word; }
th, td { border-bottom: 1px solid var(--line); }
th[scope=col] { background: var(--soft); } th:first-child { width: 7%; }
th:nth-child(2) { width: 45%; } .open { color: var(--warn); font-weight: 600; } small { display: block; }
@media print { body { max-width: none; margin: 0; font-size: 11px; } tr { break-inside: avoid; } }
"""


def render(page: Page) -> str:
    """The document."""
    about = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in page.about)
    note = f"<p>{escape(page.note)}</p>" if page.note else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(page.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(page.title)}</h1>\n<dl>{about}</dl>\n{note}\n"
        + "\n".join(map(_block, page.blocks))
        + "\n</main>\n</body>\n</html>\n"
    )


def _block(block: Block) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in ("Item", "Question", "Answer", "Evidence"))
    rows = "\n".join(map(_row, block.lines))
    return f"<h2>{escape(block.title)}</h2>\n<table>\n<tr>{head}</tr>\n{rows}\n</table>"


def _row(line: Line) -> str:
    answer = escape(line.answer) if line.answered else f'<span class="open">{NO_ANSWER}</span>'
    remarks = "".join(f"<small>{escape(r)}</small>" for r in line.remarks)
    return (
        f'<tr><th scope="row">{escape(line.id)}</th>'
        f"<td><strong>{escape(line.title)}</strong><small>{escape(line.asks)}</small></td>"
        f"<td>{answer}{remarks}</td><td>{escape(line.evidence)}</td></tr>"
    )
