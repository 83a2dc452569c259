"""Binder links in READMEs."""

import pytest

from assay.repository.research.building import Asked, report_of, try_building
from assay.repository.research.building.links import BinderLink, read_binder_links
from assay.tree import tree_of


def link(url: str, **files: str) -> BinderLink:
    named = {name.replace("__", "/").replace("_", "."): text for name, text in files.items()}
    [found] = read_binder_links(tree_of({"README.md": f"# A\n\n[![b](x.svg)]({url})\n", **named}))
    return found


@pytest.mark.parametrize(
    ("url", "spec"),
    [
        ("https://mybinder.org/v2/gh/o/n/v1.0", "gh/o/n/v1.0"),
        ("https://mybinder.org/v2/gh/o/n/feature/x", "gh/o/n/feature/x"),
        ("https://mybinder.org/v2/gl/o%2Fn/main", "gl/o%2Fn/main"),
        ("https://mybinder.org/v2/zenodo/10.5281/zenodo.1", "zenodo/10.5281/zenodo.1"),
        ("https://hub.example.org:8443/services/binder/v2/gh/o/n/HEAD", "gh/o/n/HEAD"),
    ],
)
def test_well_formed_links_say_what_they_build(url: str, spec: str) -> None:
    found = link(url)
    assert (found.spec, found.problem, str(found.location)) == (spec, "", "README.md:3")


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("https://mybinder.org/v2/gh/o/n", "names no branch, tag or commit"),
        ("https://mybinder.org/v2/gh/o", "is cut short"),
        ("https://mybinder.org/v2/hg/o/n/x", 'names "hg", which is no provider that Binder knows'),
        ("https://mybinder.org/v2/gh/o/n/m?labpath=a.ipynb", "opens a.ipynb, which is not in the repository"),
        (
            "https://mybinder.org/v2/gh/o/n/m?urlpath=lab%2Ftree%2Fx%2Fa.ipynb",
            "opens x/a.ipynb, which is not in the repository",
        ),
    ],
)
def test_links_that_cannot_work_say_why(url: str, problem: str) -> None:
    assert link(url).problem == problem


@pytest.mark.parametrize(
    "query", ["labpath=nb%2Fa.ipynb", "filepath=nb/a.ipynb", "urlpath=tree/nb/a.ipynb", "labpath=nb"]
)
def test_files_that_exist_are_found(query: str) -> None:
    assert link(f"https://mybinder.org/v2/gh/o/n/m?{query}", nb__a_ipynb="{}").problem == ""


def test_other_addresses_inside_jupyter_are_not_judged() -> None:
    assert link("https://mybinder.org/v2/gh/o/n/m?urlpath=rstudio").opens == ""


def test_the_same_link_counts_once_and_vendored_ones_never() -> None:
    url = "https://mybinder.org/v2/gh/o/n/m"
    tree = tree_of({"README.md": f"{url}\n{url}.\n", "node_modules/x/README.md": "https://mybinder.org/v2/gh/a/b/c"})
    assert [found.url for found in read_binder_links(tree)] == [url]


def test_hostile_text_is_bounded() -> None:
    text = (
        "https://" + "a" * 100_000 + "/v2/" * 20_000 + "\nhttps://[::1/v2/gh/a/b/c\n" + "https://h/v2/gh/a/b/c\n" * 500
    )
    assert len(read_binder_links(tree_of({"README.md": text}))) <= 20


def test_verdicts_tell_moving_from_fixed_references() -> None:
    urls = [f"https://mybinder.org/v2/gh/o/n/{ref}" for ref in ("main", "v1", "b" * 40)]
    found = try_building(tree_of({"README.md": "\n\n".join(urls)}), Asked())
    assert [judgement.statement for judgement in report_of(found).judgements] == [
        'The link is well formed, but "main" moves: it will build other code tomorrow.',
        "The link is well formed.",
        "The link is well formed and names a commit.",
    ]
