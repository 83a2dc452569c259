"""The page stands alone, can be read by everybody, and prints."""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from example import DUPLICATES, EXAMPLE, LEAK
from page_reader import read

import assay.report
from assay.findings import Figure, Report, Verdict
from assay.report import Format, render
from assay.report.html import fragment

STYLE = Path(assay.report.__file__).with_name("templates") / "style.css"
PAGE = render(EXAMPLE, Format.HTML)

TEXT_ON = [
    *(("text", "page"), ("text", "surface"), ("muted", "page"), ("muted", "surface"), ("link", "page")),
    *(("link", "surface"), ("error", "error-tint"), ("warning", "warning-tint"), ("note", "note-tint")),
    *(("good", "good-tint"), ("open", "open-tint"), ("error", "page"), ("warning", "page"), ("note", "page")),
]
"""Every pair of a text colour and the ground it stands on."""


def palettes() -> dict[str, dict[str, str]]:
    css = STYLE.read_text(encoding="utf-8")
    light, dark = re.findall(r"\.assay-report \{\n((?:\s+--.*\n)+)", css)
    return {
        name: dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for name, block in [("light", light), ("dark", dark)]
    }


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return sum(weight * s for weight, s in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT_ON)
def test_text_contrasts_with_its_ground(theme: str, ink: str, ground: str) -> None:
    palette = palettes()[theme]
    dim, bright = sorted(luminance(palette[name]) for name in (ink, ground))
    assert (bright + 0.05) / (dim + 0.05) >= 4.5


def test_nothing_is_fetched_and_nothing_may_be() -> None:
    page = read(PAGE)
    [policy] = [k["content"] for _, k in page.elements if k.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline';")
    assert page.tags.isdisjoint({"script", "link", "img", "iframe", "object"})
    assert not re.search(r"url\(|@import", page.style)
    outward = [value for key, value in page.attributes if "//" in value and key != "xmlns"]
    assert outward == []


def test_the_page_has_landmarks_language_and_a_skip_link() -> None:
    page = read(PAGE)
    assert {"header", "nav", "main", "footer", "section", "article"} <= page.tags
    assert ("html", {"lang": "en"}) in page.elements
    identifiers = [value for key, value in page.attributes if key == "id"]
    assert len(identifiers) == len(set(identifiers))
    jumps = [value[1:] for key, value in page.attributes if key == "href"]
    assert "main" in jumps
    assert set(jumps) <= set(identifiers)


@pytest.mark.parametrize("html", [PAGE, fragment(EXAMPLE)], ids=["page", "fragment"])
def test_headings_never_skip_a_level(html: str) -> None:
    levels = read(html).headings
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


def test_there_is_one_first_heading() -> None:
    assert read(PAGE).headings.count(1) == 1


def test_tables_have_captions_and_scoped_heads() -> None:
    page = read(PAGE)
    assert "caption" in page.tags
    assert all(known.get("scope") == "col" for tag, known in page.elements if tag == "th")


def test_figures_are_drawings_with_words() -> None:
    [drawing] = [known for tag, known in read(PAGE).elements if tag == "svg"]
    assert drawing["role"] == "img"
    assert drawing["aria-label"] == EXAMPLE.figures[0].alt


def test_a_figure_that_is_no_drawing_leaves_its_words() -> None:
    html = render(Report("t", figures=(Figure("title", "not <svg", "the words"),)), Format.HTML)
    assert "the words" in html
    assert "svg" not in read(html).tags


def test_verdicts_are_words_and_not_colour_alone() -> None:
    said = "".join(read(PAGE).text)
    for verdict in set(Verdict) - {Verdict.CONDITIONAL}:  # the sample report has no conditional verdict
        assert said.count(verdict.value) >= 2


def test_long_evidence_is_folded_and_short_is_not() -> None:
    def folded(finding: object) -> bool:
        return "details" in read(render(Report("t", findings=(finding,)), Format.HTML)).tags  # type: ignore[arg-type]

    assert folded(DUPLICATES)
    assert not folded(LEAK)


def test_the_fragment_is_no_page_and_its_style_touches_nothing_else() -> None:
    html = EXAMPLE._repr_html_()
    page = read(html)
    assert page.tags.isdisjoint({"html", "head", "body", "main", "meta"})
    assert not [v for k, v in page.attributes if k == "id" and not v.startswith("figure-")]
    inner = re.sub(r"@media[^{]*\{|@page[^}]*\}", "", page.style)
    selectors = [re.sub(r"\([^()]*\)", "", found) for found in re.findall(r"([^{}]+)\{[^{}]*\}", inner)]
    assert len(selectors) > 50
    assert all(one.strip().startswith(".assay-") for found in selectors for one in found.split(","))


def test_identifiers_of_two_figures_do_not_clash() -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg"><path id="p" d="M0 0"/><use href="#p"/>{}</svg>'
    two = tuple(Figure(f"f{n}", drawing.format("<g/>" * n), "alt") for n in (1, 2))
    page = read(render(replace(EXAMPLE, figures=two), Format.HTML))
    identifiers = [value for key, value in page.attributes if key == "id"]
    assert len(identifiers) == len(set(identifiers))
    assert {value[1:] for key, value in page.attributes if key == "href"} <= set(identifiers)
