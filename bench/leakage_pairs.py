"""The pair table of a folder of scripts, one JSON object a line, as a scorer of labelled pairs wants it.

    python bench/leakage_pairs.py FOLDER [--policy yang] > pairs.jsonl

`pre`: a step before the model learnt from evaluated rows. `overlap`: evaluated rows were trained on. Both as the
policy judges; an exempt pair counts as "no".
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from assay.code import read_code
from assay.leakage.code.analysis import pair_tables
from assay.leakage.code.policies.judgement import judge
from assay.leakage.code.policies.policy import Policy, load_policy
from assay.tree.opening import tree_of

Lines = tuple[int | None, int | None]


def judged_pairs(path: Path, policy: Policy) -> Iterator[dict[str, object]]:
    """Every pair of one script, by its two lines."""
    code = read_code(tree_of({path.name: path.read_text(encoding="utf-8", errors="replace")}))
    codes: dict[Lines, set[str]] = {}
    for source in code.python:
        for _, rows in pair_tables(code, source):
            for row in rows:
                pair = row.pair
                for place in (pair.evaluation, pair.shown):
                    codes.setdefault((pair.training.location.line, place.location.line), set())
            for verdict in judge(rows, policy):
                pair = verdict.row.pair
                if verdict.exemption is None:
                    for place in (pair.evaluation, pair.shown):
                        codes[pair.training.location.line, place.location.line].add(verdict.rule.code)
    for (train, test), found in codes.items():
        pre, overlap = bool(found & {"L1.2", "L1.3"}), "L1.1" in found
        yield {"file": path.name, "train_line": train, "test_line": test, "pre": pre, "overlap": overlap}


def main() -> None:
    """Print the pairs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--policy", default="yang")
    given = options.parse_args()
    policy = load_policy(given.policy)
    for path in sorted(given.folder.iterdir()):
        for pair in judged_pairs(path, policy):
            print(json.dumps(pair))


if __name__ == "__main__":
    main()
