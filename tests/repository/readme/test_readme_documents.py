"""Markdown, reStructuredText, HTML and plain text become the same headings, code, tables and links."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.repository.readme import CodeBlock, Document, Grid, Passage, read_document, readme_files
from assay.tree import tree_of


def document(text: str | bytes, name: str = "README.md") -> Document:
    [file] = readme_files(tree_of({name: text}))
    return read_document(file)


def headings(text: str, name: str = "README.md") -> list[tuple[str, int]]:
    return [(h.text, h.line) for h in document(text, name).headings]


def code(text: str, name: str = "README.md") -> list[tuple[str, int, bool]]:
    return [(b.text, b.line, b.inline) for b in document(text, name).blocks if isinstance(b, CodeBlock)]


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# Install", "Install"),
        ("#Install", "Install"),
        ("##Install\ntext", "Install"),
        ("Install\n-------", "Install"),
        ("<h2 align='center'>Install</h2>", "Install"),
        ("<h2>\n  <b>Install</b>\n</h2>", "Install"),
        ("**Install**\n\npip install x", "Install"),
        ("**Install:**\npip install x", "Install"),
        ("<details><summary>Install</summary>\n\ntext\n</details>", "Install"),
        ("Install:\n\n    pip install x", "Install"),
        ("# :rocket: Install `now`", ":rocket: Install now"),
    ],
)
def test_a_heading_is_a_heading_however_it_is_written(text: str, heading: str) -> None:
    assert headings(text)[0][0] == heading


def test_lines_count_from_the_file_also_after_front_matter_and_comments() -> None:
    text = "---\ntitle: x\n---\n<!-- a\ncomment -->\n# A\n\ntext\n```bash\npython a.py\n```\n"
    assert headings(text) == [("A", 6)]
    assert code(text) == [("python a.py", 10, False)]


def test_a_comment_sign_in_code_is_no_heading() -> None:
    assert headings("```\n#Install\n```\n#Data\n") == [("Data", 4)]


def test_a_command_right_behind_the_fence_is_part_of_the_code() -> None:
    assert code("``` pip install numpy\npip install scipy\n```\n") == [
        ("pip install numpy\npip install scipy", 1, False)
    ]
    assert code("```python go.py\nprint(1)\n```\n") == [("python go.py\nprint(1)", 1, False)]
    assert code('```python title="go.py"\nprint(1)\n```\n') == [("print(1)", 2, False)]


def test_what_stands_in_a_comment_is_not_there() -> None:
    assert headings("<!--\n# Install\n-->\n# Data\n") == [("Data", 4)]


def test_html_gives_code_tables_links_and_anchors() -> None:
    page = document(
        '<a id="start"></a>\n<p align="center"><a href="https://a.org/x"><img src="fig/a.png" alt="fig"></a></p>\n'
        "<pre>python a.py\npython b.py</pre>\n"
        "<table><tr><th>Model</th><th>Acc</th></tr><tr><td>A</td><td>93.1</td></tr></table>\n"
    )
    assert "start" in page.anchors
    assert [(link.target, link.image) for link in page.links] == [("fig/a.png", True), ("https://a.org/x", False)]
    assert [b.text for b in page.blocks if isinstance(b, CodeBlock)] == ["python a.py\npython b.py"]
    [grid] = [b for b in page.blocks if isinstance(b, Grid)]
    assert (grid.header, grid.rows) == (("Model", "Acc"), (("A", "93.1"),))


def test_links_are_found_by_reference_bare_in_brackets_and_in_html_within_a_sentence() -> None:
    text = (
        "See [a][1], <https://b.org>, (https://c.org/x), **https://d.org** and <a href='e.md'>the e</a>.\n\n"
        "[1]: https://a.org\n"
    )
    links = {link.target: link.text for link in document(text).links}
    assert links == {
        "https://a.org": "a",
        "https://b.org": "https://b.org",
        "https://c.org/x": "https://c.org/x",
        "https://d.org": "https://d.org",
        "e.md": "the e",
    }


def test_restructured_text_is_read() -> None:
    text = (
        "=====\nTitle\n=====\n\n.. image:: fig/a.png\n   :target: https://a.org\n\nInstall\n-------\n\n"
        "Run ``pip install x``, see `the guide <docs/g.rst>`_ and paper_::\n\n    python a.py\n    python b.py\n\n"
        ".. code-block:: bash\n\n   make all\n\n.. _paper: https://arxiv.org/abs/2101.00001\n\n"
        "====== ====\nModel  Acc\n====== ====\nA      93.1\n====== ====\n\n"
        "+---+------+\n| M | Acc  |\n+===+======+\n| A | 93.1 |\n+---+------+\n"
    )
    page = document(text, "README.rst")
    assert [(h.text, h.level, h.line) for h in page.headings] == [("Title", 1, 2), ("Install", 2, 8)]
    blocks = [(b.text, b.line, b.language) for b in page.blocks if isinstance(b, CodeBlock)]
    assert blocks == [("pip install x", 11, ""), ("python a.py\npython b.py", 13, ""), ("make all", 18, "bash")]
    assert {link.target for link in page.links} == {
        "fig/a.png", "https://a.org", "docs/g.rst", "https://arxiv.org/abs/2101.00001",
    }  # fmt: skip


def test_plain_text_has_headings_in_capitals() -> None:
    assert headings("INSTALLATION\n\nrun it\n\nHOW TO TRAIN\n\npython a.py\n", "README.txt") == [
        ("INSTALLATION", 1),
        ("HOW TO TRAIN", 5),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_any_encoding_is_read(encoding: str) -> None:
    page = document("# Überblick\n\nÄ text\n".encode(encoding))
    assert [h.text for h in page.headings] == ["Überblick"]


def test_utf_16_without_its_mark_is_read_all_the_same() -> None:
    assert [h.text for h in document("# Install\n".encode("utf-16-le")).headings] == ["Install"]


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        (["README.md", "README.rst", "src/README.md"], "README.md"),
        (["readme.rst", "README_zh.md"], "readme.rst"),
        (["ReadMe.MD"], "ReadMe.MD"),
        (["docs/README.md", "src/README.md"], "docs/README.md"),
        (["code/README", "code/deep/README.md"], "code/README"),
        (["README.zh-CN.md", "README.en.md"], "README.en.md"),
        (["REAMDE.md"], "REAMDE.md"),
        (["third_party/x/README.md", "a.py"], None),
        (["readme.png", "reader.md"], None),
    ],
)
def test_the_readme_is_the_one_that_speaks_for_the_repository(files: list[str], chosen: str | None) -> None:
    found = readme_files(tree_of(dict.fromkeys(files, "# A title that is long enough\n")))
    assert (found[0].path if found else None) == chosen


def test_a_readme_beyond_all_measure_is_cut() -> None:
    page = document("word " * 100_000 + "\n")
    assert page.cut


@pytest.mark.parametrize(
    "text",
    ["[" * 20_000, "<a href='" * 5_000, "<!-- " * 5_000, "**a " * 10_000, "> " * 5_000, "`" * 20_000,
     "<table><tr>" * 3_000,
     "|a" * 5_000 + "\n" + "|-" * 5_000, "\x07\ufeff", "-" * 50_000, "```" * 5_000],
)  # fmt: skip
@pytest.mark.parametrize("name", ["README.md", "README.rst", "README.html", "README"])
def test_hostile_text_is_only_text(text: str, name: str) -> None:
    assert isinstance(document(text, name), Document)


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet="#*_`-=<>[]()|:.\\ \n\tab/!\"'@{}+~^", max_size=400),
    st.sampled_from([".md", ".rst", ".txt", ".html", ".org"]),
)
def test_every_text_is_read_and_every_line_exists(text: str, suffix: str) -> None:
    page = document(text or "x", f"README{suffix}")
    lines = (text or "x").count("\n") + 1
    assert all(1 <= b.line <= lines for b in page.blocks if isinstance(b, Passage | CodeBlock))
