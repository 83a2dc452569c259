"""Leaks that people fixed in public: `python bench/leakage_fixes.py FOLDER [HALF…]`.

`leakage_fixes.csv` names commits that fix a leak and the files that they change (version "fixed"), or commits that hold
a leak that an issue reports (version "reported"). FOLDER holds the repositories as git directories, `owner+name/repo`
each. The version with the leak should be reported, by a rule of its kind and at any severity, and the fixed version
should not. Nothing of the repositories is kept or run.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path, PurePosixPath

from assay.findings import Severity
from assay.leakage.code.analysis import Analysis, analyse_source
from assay.leakage.code.leak import Leak
from assay.leakage.code.reading.opened_code import open_code

RULES = {
    "preparation": {"L1.2", "L1.3", "L1.4"},
    "overlap": {"L1.1", "L1.4"},
    "choice": {"LX1", "LX10", "L1.1"},
    "time": {"L3.1"},
    "feature": {"L2"},
    "groups": {"L3.2"},
}
"""Which rules report which kind of leak."""
_MOST_FILES = 400


def git(repository: Path, *words: str) -> bytes:
    """What git says; nothing where it fails."""
    return subprocess.run(["git", "-C", str(repository), *words], capture_output=True, check=False).stdout


def examined(repository: Path, revision: str, path: str) -> Analysis:
    """One file at one revision, with the Python files that it may import."""
    listed = git(repository, "ls-tree", "-r", "--name-only", revision).decode().split("\n")
    folder = PurePosixPath(path).parent
    beside = [name for name in listed if name.endswith(".py")]
    if len(beside) > _MOST_FILES:
        beside = [name for name in beside if PurePosixPath(name).parent == folder]
    with tempfile.TemporaryDirectory() as scratch:
        for name in {path, *beside}:
            target = Path(scratch) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(git(repository, "show", f"{revision}:{name}"))
        before = Path.cwd()
        os.chdir(scratch)
        try:
            opened = open_code(Path(path))
            return analyse_source(opened.code, opened.sources[0])
        finally:
            os.chdir(before)


def asks(leaks: list[Leak]) -> bool:
    """Whether a reviewer would ask about one of them."""
    return any(leak.severity is not Severity.NOTE for leak in leaks)


def main() -> None:
    """Print each pair, and the counts of each half."""
    folder, *asked = sys.argv[1:]
    count: Counter[tuple[str, str]] = Counter()
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not asked or row["half"] in asked]
    for row in rows:
        repository = Path(folder) / row["repository"].replace("/", "+") / "repo"
        rules = RULES[row["kind"]]
        revisions = [row["commit"] + "^", row["commit"]] if row["version"] == "fixed" else [row["commit"]]
        before, *after = (examined(repository, revision, row["path"]) for revision in revisions)
        found, *left = ([k for k in seen.leaks if k.code in rules] for seen in (before, *after))
        alarms = any(map(asks, left))
        count[row["half"], "pairs"] += 1
        count[row["half"], "found"] += bool(found)
        count[row["half"], "followed"] += not before.not_examined
        count[row["half"], "found at warning or above"] += asks(found)
        count[row["half"], "fixed versions"] += len(after)
        count[row["half"], "fixed versions silent"] += len(after) - sum(map(bool, left))
        count[row["half"], "fixed versions with a warning"] += alarms
        print(
            f"{'found ' if found else 'missed'} {'reported' if any(left) else 'silent  '} {row['kind']:<12}"
            f"{before.models}/{before.evaluations} {row['repository']} {row['commit']} {row['path']} "
            f"{[sorted({f'{k.code}:{k.severity}' for k in seen.leaks}) for seen in (before, *after)]}"
        )
    for (half, what), number in sorted(count.items()):
        print(f"{half}: {what} {number}")


if __name__ == "__main__":
    main()
