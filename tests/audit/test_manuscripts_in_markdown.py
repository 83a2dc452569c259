"""Manuscripts in Markdown inside a repository: an abstract with text makes one, an outline does not."""

import pytest

from assay.audit.papers import candidates
from assay.tree import tree_of

TEXT = "# A study\n\n## Abstract\n{abstract}\n\n## 1. Introduction\n\nFrogs are counted.\n"
LONG = "We count frogs by ear,\nand show that short calls suffice to tell species apart in ponds. " * 5


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("paper/manuscript.md", TEXT.format(abstract=LONG), True),
        ("paper/manuscript_full.md", TEXT.format(abstract=LONG), True),
        ("paper/manuscript.md", TEXT.format(abstract=""), False),
        ("paper/paper.md", "---\ntitle: 'Frogs'\n---\n\n# Summary\n\nIt counts.\n", True),
        ("docs/guide.md", TEXT.format(abstract=LONG), False),
    ],
)
def test_a_manuscript_is_found_by_its_name_and_its_abstract(path: str, text: str, found: bool) -> None:
    assert [one.path for one in candidates(tree_of({path: text.encode()}))] == ([path] if found else [])
