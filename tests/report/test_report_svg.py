"""Pictures keep what draws and lose what acts."""

import html
import io

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure as Drawing

from assay.report.svg import harmless

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{}</svg>'


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        "<script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script>",
        "<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>alert(1)</p></foreignObject>",
        "<g onload='alert(1)'/>",
        "<a href='javascript:alert(1)'><text>alert</text></a>",
        "<use href='https://evil.example/alert.svg#x'/>",
        "<use xlink:href='data:image/svg+xml,alert'/>",
        "<image href='https://evil.example/alert.png'/>",
        "<rect style='fill: url(https://evil.example/alert)'/>",
        "<rect fill='u\\72l(https://evil.example/alert)'/>",
        "<rect style='background: URL (//evil.example/alert)'/>",
        "<style>@import 'https://evil.example/alert.css';</style>",
        "<animate attributeName='href' values='javascript:alert(1)'/>",
        "<set attributeName='onmouseover' to='alert(1)'/>",
        "<metadata><alert/></metadata>",
        "<!-- alert --><?alert x?>",
    ],
)
def test_what_could_act_or_reach_out_is_dropped(inside: str) -> None:
    kept = harmless(SVG.format(f"{inside}<path d='M0 0'/>"))
    assert kept is not None
    assert "alert" not in kept
    assert "evil" not in kept
    assert 'd="M0 0"' in kept


def test_text_stays_text() -> None:
    kept = harmless(SVG.format("<text>a &lt;b&gt; &amp; \u202ec</text>"))
    assert kept is not None
    assert "<text>a &lt;b&gt; &amp; \\u202ec</text>" in kept


def test_references_inside_the_picture_follow_their_targets() -> None:
    kept = harmless(
        SVG.format(
            "<clipPath id='c'/><g id='g' clip-path='url(#c)' style='mask: url( \"#c\" )'/><use xlink:href='#g'/>"
        ),
        prefix="one-",
    )
    assert kept is not None
    assert 'id="one-c"' in kept
    assert 'clip-path="url(#one-c)"' in kept
    assert 'style="mask: url(#one-c)"' in kept
    assert 'href="#one-g"' in kept


@pytest.mark.parametrize("source", ["", "plain words", "<svg", "<html/>", "<svg/>trailing", SVG.format("&bomb;")])
def test_what_is_no_drawing_is_refused(source: str) -> None:
    assert harmless(source) is None


def test_entities_that_multiply_are_refused() -> None:
    levels = "".join(f"<!ENTITY a{n + 1} '{f'&a{n};' * 10}'>" for n in range(9))
    bomb = f"<!DOCTYPE svg [<!ENTITY a0 'aaaaaaaaaa'>{levels}]><svg xmlns='http://www.w3.org/2000/svg'>&a9;</svg>"
    assert harmless(bomb) is None


def test_a_real_plot_keeps_its_strokes_and_loses_its_date() -> None:
    drawing = Drawing(figsize=(3, 2))
    axes = drawing.subplots()
    axes.plot([0, 1], [1, 0])
    axes.set_title("a < b")
    stream = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none"}):
        drawing.savefig(stream, format="svg")
    kept = harmless(stream.getvalue(), label="words", title="name")
    assert kept is not None
    assert kept.count("<path") == stream.getvalue().count("<path")
    assert "a &lt; b" in kept
    assert "metadata" not in kept
    assert 'role="img" aria-label="words"' in kept


def test_only_pixels_in_the_page_are_kept_of_an_image() -> None:
    inside = '<image href="data:image/png;base64,iVBORw0KGgo=" width="3"/>'
    assert 'href="data:image/png;base64,iVBORw0KGgo="' in (harmless(SVG.format(inside)) or "")
    for address in ("https://example.org/a.png", "data:image/svg+xml;base64,PHN2Zz4=", "data:text/html,<b>", "#local"):
        assert "href" not in (harmless(SVG.format(f'<image href="{html.escape(address)}"/>')) or "")
