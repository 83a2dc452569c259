"""R101 to R104: may somebody run this code at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Severity, note, quote
from assay.repository.rules.instrument import applies_if, loos, repository

if TYPE_CHECKING:
    from assay.repository.facts import Repository
    from assay.repository.licence.statements import Statement

_MIT = "https://choosealicense.com"
_LOOKED_FOR = note(
    "Looked for files called LICENSE, LICENCE, COPYING, UNLICENSE and the like (not in vendored folders), and for "
    "statements in manifests, classifiers, CITATION.cff, the README, its badges, and headers of sources."
)
_SHORT_MIT = """\
==> LICENSE <==
MIT License

Copyright (c) 2021 A. Author

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


@repository.rule(
    "R101",
    title="No licence",
    severity=Severity.ERROR,
    failing="==> train.py <==\nprint('training')\n",
    passing=_SHORT_MIT,
    source=loos("section 4.1, Table 5.1: open-source licence"),
    advice=f"Add a file LICENSE with the text of a licence of your choice ({_MIT} helps), for example MIT.",
)
@applies_if(lambda facts: facts.tree.files, otherwise="there are no files")
def no_licence(facts: Repository) -> Iterator[Finding]:
    """Without a licence nobody but the authors may lawfully copy, run or change the code, however public it is."""
    if not facts.licence.files and not facts.licence.statements:
        yield no_licence.finding("the repository states no licence for the code", evidence=[_LOOKED_FOR])


@repository.rule(
    "R102",
    title="Missing licence text",
    severity=Severity.NOTE,
    failing='==> setup.py <==\nfrom setuptools import setup\nsetup(name="x", license="MIT")\n',
    passing=_SHORT_MIT,
    source=loos("section 4.1, Table 5.1: open-source licence"),
    advice="Add the full text of the licence as a file LICENSE.",
)
@applies_if(lambda facts: facts.licence.files or facts.licence.named, otherwise="no licence is named at all")
def no_licence_text(facts: Repository) -> Iterator[Finding]:
    """The name alone leaves open which version is meant, and most licences require that their text is passed on."""
    if not facts.licence.files:
        first = facts.licence.named[0]
        yield no_licence_text.finding(
            f"the {_where(first)} names {' and '.join(first.licences)}, but no file contains its text",
            location=first.location,
            evidence=[quote(first.text, first.location)],
        )


@repository.rule(
    "R103",
    title="Licence without open-source terms",
    severity=Severity.NOTE,
    failing="==> LICENSE <==\nThis work is licensed under CC BY-NC-SA 4.0.\n",
    passing=_SHORT_MIT,
    source=loos("section 4.1: a licence that is no open-source licence hinders reproduction"),
    advice=f"Choose an open-source licence for the code ({_MIT}); data and texts may keep another.",
)
@applies_if(lambda facts: facts.licence.files or facts.licence.statements, otherwise="no licence is named at all")
def not_open(facts: Repository) -> Iterator[Finding]:
    """Terms that forbid commercial use or changes keep companies, and people who build on the work, from running it.

    Authors choose such terms on purpose, so this is a note.
    """
    from assay.repository.licence import is_open, withholds

    closed = [name for name in facts.licence.main if is_open(name) is False]
    places = [f.location for f in facts.licence.files] or [s.location for s in facts.licence.statements]
    if closed and not any(is_open(name) for name in facts.licence.main):
        yield not_open.finding(
            f"{' and '.join(closed)} is not an open-source licence",
            location=places[0],
            evidence=[facts.quote(places[0])],
        )
    unknown = [f for f in facts.licence.files[:1] if not f.licences and not facts.licence.main]
    for file in unknown:
        yield not_open.finding(
            "the licence is none that is known"
            + (", and withholds freedoms that open-source licences grant" if file.restrictions else ""),
            location=file.location,
            evidence=[facts.quote(place) for _, place in file.restrictions[:3]] or [facts.quote(file.location)],
            confidence=Confidence.HIGH if file.restrictions else Confidence.LOW,
        )
    for said in [s for s in facts.licence.statements if not s.licences][:1]:
        limits = withholds(said)
        yield not_open.finding(
            f"the {_where(said)} states terms in words of its own"
            + (", which withhold freedoms that open-source licences grant" if limits else ", and names no licence"),
            location=said.location,
            evidence=[quote(said.text, said.location)],
        )


@repository.rule(
    "R104",
    title="Contradictory licence statements",
    severity=Severity.WARNING,
    failing=f"==> README.md <==\n# Licence\nReleased under the GPL-3.0 licence.\n{_SHORT_MIT}",
    passing=f"==> README.md <==\n# Licence\nReleased under the MIT licence.\n{_SHORT_MIT}",
    source=loos("section 4.1, Table 5.1: open-source licence"),
    advice="Make the manifest, the README and the licence file name the same licence.",
)
@applies_if(lambda facts: facts.licence.files and facts.licence.statements, otherwise="the licence is not stated twice")
def conflicting(facts: Repository) -> Iterator[Finding]:
    """A reader who finds two licences cannot know which terms apply, and a cautious one uses neither."""
    texts = list(dict.fromkeys(name for f in facts.licence.files for name in f.licences))
    by_file: dict[str, list[Statement]] = {}
    for statement in facts.licence.conflicts:
        by_file.setdefault(statement.location.path, []).append(statement)
    for several in by_file.values():
        first = several[0]
        named = dict.fromkeys(name for statement in several for name in statement.licences)
        yield conflicting.finding(
            f"the {_where(first)} says {' and '.join(named)}, "
            f"but {facts.licence.files[0].path} is {' and '.join(texts[:3])}",
            location=first.location,
            evidence=[
                *(quote(statement.text, statement.location) for statement in several[:3]),
                facts.quote(facts.licence.files[0].location),
            ],
            advice=f"Change {first.location} to {texts[0]}, or replace {facts.licence.files[0].path}.",
        )


def _where(statement: Statement) -> str:
    """The place of a statement, as a reader writes it."""
    return "README" if statement.kind == "readme" else statement.kind.value
