"""The one-page summary in the formats that pages have: text, Markdown, HTML, LaTeX."""

from __future__ import annotations

import textwrap

from assay.errors import InputError
from assay.report import Format
from assay.reproduction.summary import Summary

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{ page.title }}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: 0 0 .3rem; }
h2 { font-size: 1.05rem; margin: 1.1rem 0 .2rem; }
p { margin: .2rem 0; }
.source { font-style: italic; }
@media print { body { font-size: 10.5pt; margin: 0; max-width: none; } }
</style>
</head>
<body>
<main>
<h1>{{ page.title }}</h1>
{% if page.source %}<p class="source">{{ page.source }}</p>
{% endif %}
{% for part in page.parts %}
<h2>{{ part.heading }}</h2>
{% for sentence in part.sentences %}<p>{{ sentence }}</p>
{% endfor %}
{% endfor %}
</main>
</body>
</html>
"""


def rendered(page: Summary, how: Format, *, width: int = 80) -> str:
    """The page in one of the four formats; the others are for tables and findings."""
    match how:
        case Format.TEXT:
            return _text(page, width)
        case Format.MD:
            return _markdown(page)
        case Format.HTML:
            return _html(page)
        case Format.TEX:
            return _latex(page)
    raise InputError(f"a summary has no {how.value} form", fix="Choose text, md, html or tex.")


def _text(page: Summary, width: int) -> str:
    from assay.report.wording import on_one_line

    def wrapped(words: str, indent: str = "") -> str:
        return textwrap.fill(on_one_line(words), width, initial_indent=indent, subsequent_indent=indent)

    parts = ("\n".join([part.heading, *(wrapped(s, "  ") for s in part.sentences)]) for part in page.parts)
    blocks = [wrapped(page.title), *([wrapped(page.source)] if page.source else []), *parts]
    return "\n\n".join(blocks) + "\n"


def _markdown(page: Summary) -> str:
    from assay.report.markdown import escaped

    blocks = [f"# {escaped(page.title)}", *([f"*{escaped(page.source)}*"] if page.source else [])]
    for part in page.parts:
        blocks += [f"## {escaped(part.heading)}", "\n".join(f"- {escaped(sentence)}" for sentence in part.sentences)]
    return "\n\n".join(blocks) + "\n"


def _html(page: Summary) -> str:
    from jinja2 import Environment

    made = Environment(autoescape=True, trim_blocks=True, keep_trailing_newline=True).from_string(_PAGE)
    return made.render(page=page)


def _latex(page: Summary) -> str:
    from assay.report.latex import FROM_HERE, PREAMBLE, TO_HERE, escaped

    lines = [PREAMBLE + FROM_HERE, rf"\section*{{{escaped(page.title)}}}"]
    if page.source:
        lines.append(rf"\emph{{{escaped(page.source)}}}")
    for part in page.parts:
        lines.append(rf"\paragraph{{{escaped(part.heading)}.}}")
        lines += map(escaped, part.sentences)
    return "\n".join([*lines, TO_HERE, r"\end{document}", ""])
