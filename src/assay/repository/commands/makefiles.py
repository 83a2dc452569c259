"""The targets of a Makefile."""

from __future__ import annotations

import posixpath
import re
from difflib import get_close_matches

from assay.patterns import regex
from assay.records import dataclass
from assay.tree import Tree

_NAMES = ("GNUmakefile", "makefile", "Makefile")
_RULE = regex(r"^([^\s#:=][^#:=\n]{0,500}?)[ \t]*::?(?!=)", re.MULTILINE)
_OPEN = regex(r"^-?s?include\b|^[^\t#\n]*%[^\n]*:|^[^\t#\n]*\$[({][^\n:=]*:(?!=)", re.MULTILINE)
_MOST_CHARACTERS = 500_000


@dataclass(frozen=True, slots=True)
class Makefile:
    """Targets by name; `open` when rules for any name, or rules of other files, may add to them."""

    path: str
    targets: frozenset[str]
    open: bool

    def nearest(self, target: str) -> str:
        """The target that is called alike."""
        near = get_close_matches(target, sorted(self.targets), n=1, cutoff=0.6)
        return near[0] if near else ""


def make_targets(tree: Tree, folder: str) -> Makefile | None:
    """The Makefile of a folder; None when there is none."""
    for name in _NAMES:
        file = tree.get(posixpath.join(folder, name))
        if file is not None:
            text = file.text()[:_MOST_CHARACTERS].replace("\\\n", " ")
            targets = {word for match in _RULE.finditer(text) for word in match[1].split()}
            return Makefile(file.path, frozenset(targets), bool(_OPEN.search(text)))
    return None
