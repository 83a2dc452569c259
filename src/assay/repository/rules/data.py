"""R501 to R507: can somebody get the data, and learn from them what the authors did."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Location, Severity, note, quote
from assay.patterns import regex
from assay.repository.rules.idle_code import is_idle
from assay.repository.rules.instrument import applies_if, loos, repository
from assay.repository.rules.wording import counted, listed

if TYPE_CHECKING:
    from assay.repository.data import DataRead, ForeignPath
    from assay.repository.facts import Repository

_SHOWN = 5
_CHANGING = regex(
    r"\b(?:chang|set|modif|replac|edit|add|specif|adapt|adjust)\w*\b.{0,80}\b(?:path|director|folder|PATH)",
    re.IGNORECASE,
)
"""Words of a line that tells the reader to put a path into a file."""
_READS = '==> train.py <==\nimport pandas as pd\nfrom sklearn.svm import SVC\nd = pd.read_csv("patients.csv")\n'
_FITS = 'SVC().fit(d[["age"]], d["ill"])\n'
_TABLE = "==> patients.csv <==\nage,ill\n50,0\n70,1\n"
_LOOKED_FOR = note(
    "Looked for files of data in the repository that code reads, calls and scripts that download, links to data, "
    "instructions where to get them, and the names of some 700 known data sets."
)


@repository.rule(
    "R501",
    title="Unavailable data",
    severity=Severity.WARNING,
    failing=_READS + _FITS,
    passing=_READS + _FITS + _TABLE,
    source=loos("section 4.5, Table 5.1: data set in the repository, data set reference in the readme"),
    advice="Put the data into the repository or into an archive such as Zenodo and link it in the README, with the "
    "version; if they may not be published, say so, say who grants access, and add a small artificial sample.",
    confidence=Confidence.MEDIUM,
)
@applies_if(lambda facts: facts.obtaining.availability != "not needed", otherwise="nothing in the code reads data")
def data_not_obtainable(facts: Repository) -> Iterator[Finding]:
    """Without the data the result can be neither repeated nor checked, however good the code is.

    A name alone is not enough: data sets have versions, subsets and copies that differ.
    """
    places = facts.obtaining.because
    where = next(iter(places), None)
    if where is None or facts.obtaining.availability not in {"absent", "named only"}:
        return  # no read is known, as of code in a language that is not read
    shown = [*(facts.quote(place) for place in places[:_SHOWN]), _LOOKED_FOR]
    names = listed([m.name for m in facts.data.mentions] or [d.name for d in facts.data.downloads if d.name], _SHOWN)
    if facts.obtaining.availability == "absent":
        message = "the code reads data files that are not in the repository; no link or instruction for them was found"
        open_ended = any(section.kind.value == "data" for section in facts.readme.sections)  # it may name them
    else:
        message = f"the data are only named ({names or 'in the code'}): no link, no download, no instructions"
        open_ended = bool(names)
    severity = Severity.NOTE if open_ended else None
    yield data_not_obtainable.finding(message, location=where, evidence=shown, severity=severity)


@repository.rule(
    "R502",
    title="Machine-specific path",
    severity=Severity.WARNING,
    failing='==> train.py <==\nimport pandas as pd\nd = pd.read_csv("D:/study/patients.csv")\n',
    passing='==> train.py <==\nimport pandas as pd\nd = pd.read_csv("data/patients.csv")\n',
    source=loos("section 4.5: data must be available to others"),
    advice="Make the path relative to the repository, or an option without a personal default.",
)
@applies_if(lambda facts: facts.code.own, otherwise="there is no code")
def path_of_one_machine(facts: Repository) -> Iterator[Finding]:
    """A path such as D:/data exists only on its author's machine. Elsewhere the code stops there."""
    groups: dict[bool, list[ForeignPath]] = {}
    for path in facts.data.foreign_paths:
        aside = path.conventional or not facts.reach.concerns(path.location.path) or is_idle(facts, path.location)
        groups.setdefault(path.default or aside or _is_to_change(facts, path), []).append(path)
    for harmless, found in groups.items():
        names = listed(list(dict.fromkeys(p.path for p in found)), 3)
        files = len({p.location.path for p in found})
        where = f" in {files} files" if files > 1 else ""
        yield path_of_one_machine.finding(
            f"{counted(len(found), 'path')} from one machine{where}: {names}",
            location=found[0].location,
            evidence=[facts.quote(p.location) for p in found[:_SHOWN]],
            severity=Severity.NOTE if harmless else None,
        )


def _is_to_change(facts: Repository, path: ForeignPath) -> bool:
    """Whether the README tells the reader to put a path of theirs into the file."""
    name = posixpath.basename(path.location.path)
    said = (line for text in facts.readme_texts if name in text for line in text.split("\n") if name in line)
    return any(_CHANGING.search(line) for line in said)


@repository.rule(
    "R503",
    title="Missing input file",
    severity=Severity.WARNING,
    failing='==> train.py <==\nimport pandas as pd\nd = pd.read_csv("data/patients.csv")\n',
    passing='==> train.py <==\nimport pandas as pd\nd = pd.read_csv("data/patients.csv")\n'
    "==> README.md <==\n# Study\nPut `patients.csv` from https://zenodo.org/record/1 into data/.\n",
    source=loos("section 4.5: the data set used must be included"),
    advice="Add the file, or the script that makes it, or say in the README where it comes from.",
    confidence=Confidence.MEDIUM,
)
@applies_if(lambda facts: any(r.path for r in facts.data.reads), otherwise="no code reads a file whose name is known")
def file_nowhere(facts: Repository) -> Iterator[Finding]:
    """The code stops at the first file it does not find.

    If nothing in the repository makes, fetches or even mentions the file, nobody can know what should be in it.
    """
    for open_ended, reads in _nowhere(facts).items():
        first, paths = reads[0], {read.path for read in reads}
        others = f"; likewise {counted(len(paths) - 1, 'other file')}" if len(paths) > 1 else ""
        yield file_nowhere.finding(
            f"{first.path} is read but missing from the repository; nothing creates it or says where to get it{others}",
            subject=first.path,
            location=first.location,
            evidence=[facts.quote(read.location) for read in reads[:_SHOWN]],
            severity=Severity.NOTE if open_ended else None,
        )


def _nowhere(facts: Repository) -> dict[bool, list[DataRead]]:
    """Reads of files that are nowhere; first whether an innocent explanation is left."""
    elsewhere = facts.obtaining.availability in {"linked", "by hand with instructions"}  # it may come from there
    found: dict[bool, list[DataRead]] = {}
    for read in facts.data.reads:
        foreign = read.path.startswith(("/", "~")) or ":" in read.path[:3] or "://" in read.path
        if (read.missing or read.without_any) and not foreign:
            open_ended = "*" in read.path or elsewhere or is_idle(facts, read.location)
            found.setdefault(open_ended, []).append(read)
    return found


@repository.rule(
    "R504",
    title="Data on a personal drive",
    severity=Severity.NOTE,
    failing=_READS + _FITS + "==> README.md <==\nDownload the data from "
    "[Google Drive](https://drive.google.com/file/d/1abcdefgh/view) and extract patients.csv.\n",
    passing=_READS + _FITS + "==> README.md <==\nDownload the data from "
    "[Zenodo](https://zenodo.org/record/1234567) and extract patients.csv.\n",
    source=loos("section 4.5: data must be permanently and publicly available"),
    advice="Deposit the data in an archive that gives a DOI (Zenodo, figshare, OSF, Dataverse) and link that.",
)
@applies_if(lambda facts: facts.obtaining.availability == "linked", otherwise="the data do not come from a link")
def drive_only(facts: Repository) -> Iterator[Finding]:
    """Links to Google Drive, Dropbox or Baidu die with their owner's account, and cannot be cited."""
    links = facts.data.links
    if links and all(link.kind == "personal drive" for link in links):
        yield drive_only.finding(
            f"the only way to the data is a personal drive: {links[0].url}",
            location=links[0].location,
            evidence=[quote(link.url, link.location) for link in links[:_SHOWN]],
        )


@repository.rule(
    "R505",
    title="Data in storage that others cannot reach",
    severity=Severity.ERROR,
    failing="==> data/patients.csv.dvc <==\nouts:\n- md5: 0\n  path: patients.csv\n"
    "==> .dvc/config <==\n[core]\n    remote = store\n['remote \"store\"']\n    url = D:\\dvc-store\n",
    passing="==> data/patients.csv.dvc <==\nouts:\n- md5: 0\n  path: patients.csv\n"
    "==> .dvc/config <==\n[core]\n    remote = store\n['remote \"store\"']\n    url = https://example.org/dvc\n",
    source=loos("section 4.5: data must be permanently and publicly available"),
    advice="Give DVC a remote that others can read (https, or a public bucket) and push to it, or publish the files.",
)
@applies_if(lambda facts: facts.data.pointers, otherwise="no file stands for data kept elsewhere")
def remote_unreachable(facts: Repository) -> Iterator[Finding]:
    """The repository holds only a pointer to the data.

    If it leads to a folder on one machine, nobody else can get the data.
    """
    pointers = [p for p in facts.data.pointers if p.storage == "DVC pointer"]
    if not pointers or any(r.reachable for r in facts.data.remotes):
        return
    places: list[tuple[str, Location]] = [(r.url, r.location) for r in facts.data.remotes]
    where = f"is a folder on one machine: {places[0][0]}" if places else "is not configured"
    yield remote_unreachable.finding(
        f"DVC tracks {counted(len(pointers), 'data file')}, but its remote {where}",
        location=places[0][1] if places else pointers[0].location,
        evidence=[quote(text, place) for text, place in places] or [facts.quote(pointers[0].location)],
    )


@repository.rule(
    "R506",
    title="No validation set",
    severity=Severity.NOTE,
    failing=_READS + "from sklearn.model_selection import train_test_split\n"
    'a, b, c, e = train_test_split(d[["age"]], d["ill"])\nSVC().fit(a, c)\n' + _TABLE,
    passing=_READS + "from sklearn.model_selection import GridSearchCV, train_test_split\n"
    'a, b, c, e = train_test_split(d[["age"]], d["ill"])\nGridSearchCV(SVC(), {"C": [1, 2]}).fit(a, c)\n' + _TABLE,
    source=loos("section 4.10: underfitting and overfitting, validation data"),
    advice="Choose epochs and settings on a validation set or by cross-validation. Use the test set once.",
    confidence=Confidence.LOW,
)
@applies_if(lambda facts: facts.data.trains and facts.data.splits, otherwise="no data are held out")
def no_validation_set(facts: Repository) -> Iterator[Finding]:
    """If the test set is the only data held out, every setting was tuned on it, and its score is optimistic."""
    if not facts.data.has_validation:
        held_out = facts.data.splits[0]
        yield no_validation_set.finding(
            "a test set is held out, but no validation set, cross-validation or early stopping is seen",
            location=held_out.location,
            evidence=[facts.quote(held_out.location)],
        )


@repository.rule(
    "R507",
    title="No preprocessing description",
    severity=Severity.NOTE,
    failing=_READS + _FITS + _TABLE,
    passing=_READS + "d = d.dropna()\n" + _FITS + _TABLE,
    source=loos("section 4.5, Table 5.1: notes on data set preprocessing"),
    advice="Add the script that prepares the data, or say in the README that they are used as they are.",
    confidence=Confidence.LOW,
)
@applies_if(
    lambda facts: facts.data.trains and facts.obtaining.availability not in {"generated by code", "not needed"},
    otherwise="nothing is trained on data",
)
def no_preparation(facts: Repository) -> Iterator[Finding]:
    """Cleaning, scaling, tokenising and resampling change results as much as the model does."""
    if not facts.data.preparations:
        place = facts.data.trains
        yield no_preparation.finding(
            "no script, call or note shows how the data were prepared",
            location=place,
            evidence=[facts.quote(place)] if place else [],
        )
