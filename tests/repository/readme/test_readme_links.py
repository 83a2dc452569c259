"""Links: what they lead to, whether local ones are there, and the paper's own."""

import pytest

from assay.code import read_code
from assay.repository.readme import Link, LinkKind, ReadmeFacts, Status, Topic, read_readme
from assay.tree import tree_of


def facts_of(text: str, files: dict[str, str] | None = None, name: str = "README.md") -> ReadmeFacts:
    tree = tree_of({name: text, **(files or {})})
    return read_readme(tree, read_code(tree))


def link(text: str, files: dict[str, str] | None = None) -> Link:
    return facts_of(text, files).links[0]


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("docs/guide.md", Status.OK), ("./docs/guide.md", Status.OK), ("/docs/guide.md", Status.OK),
        ("docs", Status.OK),
        ("docs/", Status.OK), ("docs/guide.md#set-up", Status.OK), ("docs/a%20b.txt", Status.OK),
        ("docs/guide.md?raw=true", Status.OK), ("docs/Guide.md", Status.BROKEN), ("docs/guid.md", Status.BROKEN),
        ("docs/guide.md#setup", Status.BROKEN), ("../../issues", Status.UNKNOWN), ("../../wiki/x", Status.UNKNOWN),
        ("your_path", Status.UNKNOWN), ("#model", Status.OK), ("#Model", Status.OK), ("#modle", Status.BROKEN),
        ("#named", Status.OK), ("mailto:a@b.org", Status.UNKNOWN), ("#", Status.UNKNOWN),
    ],
)  # fmt: skip
def test_local_links_are_checked(target: str, status: Status) -> None:
    files = {"docs/guide.md": "# Set up\n", "docs/a b.txt": "x\n"}
    assert link(f"[a]({target.replace(' ', '%20')})\n# Model\n<a name='named'></a>\n", files).status is status


def test_a_broken_link_names_what_is_near() -> None:
    assert link("[a](docs/guid.md)", {"docs/guide.md": "x"}).nearest == "docs/guide.md"
    assert link("[a](train.py)", {"src/train.py": "x = 1"}).nearest == "src/train.py"
    assert link("[a](#instalation)\n# Installation\n").nearest == "#installation"


@pytest.mark.parametrize(
    ("headings", "anchor"),
    [
        ("# Hello, World!", "hello-world"), ("# A\n# A", "a-1"), ("# Ünïcode text", "ünïcode-text"),
        ("# 🚀 Install", "-install"), ("# a_b `c.d`", "a_b-cd"), ("# A & B", "a--b"), ("<h2>Two Words</h2>",
        "two-words"),
    ],
)  # fmt: skip
def test_anchors_follow_the_rules_of_github(headings: str, anchor: str) -> None:
    assert link(f"[a](#{anchor})\n\n{headings}\n").status is Status.OK


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://arxiv.org/abs/2101.00001", LinkKind.PAPER), ("https://doi.org/10.1/x", LinkKind.PAPER),
        ("https://openreview.net/forum?id=a", LinkKind.PAPER),
        ("http://proceedings.mlr.press/v1/a.html", LinkKind.PAPER),
        ("https://example.org/a.pdf", LinkKind.PAPER), ("https://www.kaggle.com/c/x", LinkKind.DATA),
        ("https://huggingface.co/datasets/x", LinkKind.DATA), ("https://huggingface.co/a/b", LinkKind.WEIGHTS),
        ("https://dl.fbaipublicfiles.com/a.pth", LinkKind.WEIGHTS), ("https://drive.google.com/x", LinkKind.FILES),
        ("https://colab.research.google.com/x", LinkKind.NOTEBOOK), ("https://mybinder.org/v2/x", LinkKind.NOTEBOOK),
        ("https://a.readthedocs.io", LinkKind.DOCUMENTATION), ("https://github.com/a/b", LinkKind.CODE),
        ("https://[broken", LinkKind.OTHER),
    ],
)  # fmt: skip
def test_remote_links_are_told_apart_by_their_address(url: str, kind: LinkKind) -> None:
    found = link(f"<a href='{url}'>x</a>")
    assert (found.kind, found.status) == (kind, Status.UNKNOWN)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("Official code of [the paper](https://arxiv.org/abs/2101.00001).", "https://arxiv.org/abs/2101.00001"),
        ("[X](https://arxiv.org/abs/1)\n```\n@article{a,\n eprint={2101.00001},\n}\n```\n[A](https://arxiv.org/abs/2101.00001)",
         "https://arxiv.org/abs/2101.00001"),
        ("# A\n```\n@article{a,\n title={A},\n journal={arXiv preprint arXiv:2101.00001},\n}\n```", "arXiv:2101.00001"),
        ("This is an implementation of ResNet (https://arxiv.org/abs/1512.03385).", "https://arxiv.org/abs/1512.03385"),
        ("[paper](docs/paper.pdf) of our method", "docs/paper.pdf"),
    ],
)  # fmt: skip
def test_the_papers_own_link_is_found(text: str, target: str) -> None:
    paper = facts_of(text).paper
    assert paper is not None
    assert paper.target == target


@pytest.mark.parametrize(
    "text", ["# A\nNothing.", "# A\n## B\n## C\n## D\n## E\n[x](https://arxiv.org/abs/1) [y](https://arxiv.org/abs/2)"]
)
def test_other_peoples_papers_are_not_the_papers_own(text: str) -> None:
    assert facts_of(text).paper is None


def test_bibtex_is_read_with_its_identifier() -> None:
    entries = facts_of(
        '```\n@inproceedings{a20,\n  title={{A} Title},\n  doi = {10.1/abc}\n}\n@misc{b,\n title="B"}\n```'
    ).bibtex
    assert [(e.kind, e.key, e.title, e.identifier, e.location.line) for e in entries] == [
        ("inproceedings", "a20", "A Title", "10.1/abc", 2),
        ("misc", "b", "B", "", 6),
    ]


def test_tables_of_results_name_their_metrics() -> None:
    text = "## ImageNet\n| Model | top-1 acc | params |\n|---|---|---|\n| A | 81.2 | 5M |\n| B | **82.1%** | 7M |\n"
    [table] = facts_of(text).results
    assert (table.caption, table.metrics, table.numbers, table.location.line) == ("ImageNet", ("top-1 acc",), 2, 2)


@pytest.mark.parametrize(
    ("text", "topic", "name", "value"),
    [
        ("We fix the random seed for all runs.", Topic.SEEDED, "", ""),
        ("All experiments are seeded.", Topic.SEEDED, "", ""),
        ("Training is deterministic: results are deterministic.", Topic.DETERMINISTIC, "", ""),
        ("Our results are fully reproducible.", Topic.REPRODUCIBLE, "", ""),
        ("We use stratified 5-fold cross validation.", Topic.STRATIFIED, "", ""),
        ("The code was tested with Python 3.8.", Topic.VERSION, "python", "3.8"),
        ("Experiments were conducted under pytorch 1.7.1 on Linux", Topic.VERSION, "torch", "1.7.1"),
    ],
)
def test_claims_are_quoted(text: str, topic: Topic, name: str, value: str) -> None:
    claim = facts_of(f"# A\n\nFirst sentence. {text}\n").claims[0]
    assert (claim.topic, claim.name, claim.value, claim.location.line) == (topic, name, value, 3)
    assert claim.text == text


@pytest.mark.parametrize(
    "text",
    ["Results are not deterministic.", "To reproduce our results run x.",
    "If you want reproducible runs, set the seed.",
     "Tested with Python 3.6 or newer.", "Tested with Python >= 3.6.", "Should work with PyTorch 1.7.",
     "--seed: set the random seed",
     "Results are reproducible up to small differences that may vary."],
)  # fmt: skip
def test_what_is_no_promise_is_no_claim(text: str) -> None:
    assert facts_of(f"# A\n\n{text}\n").claims == ()


def test_a_claim_knows_whether_any_code_has_the_word() -> None:
    text = "# A\n\nWe use stratified splits.\n"
    assert facts_of(text, {"a.py": "x = 1\n"}).claims[0].support == ()
    assert facts_of(text, {"a.py": "split(x, stratify=y)\n"}).claims[0].support == ("a.py",)
