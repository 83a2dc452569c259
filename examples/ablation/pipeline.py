"""A pipeline as small as can be: two classes of points, nearest neighbours, accuracy and AUC as JSON.

python pipeline.py config.toml --seed 0
"""

import argparse
import json
import math
import random
import tomllib
from pathlib import Path

Point = tuple[float, float, int]


def points(many: int, rng: random.Random) -> list[Point]:
    """Half of the points are of class 1 and lie further to the right; the second feature has a larger unit."""
    return [(rng.gauss(1.6 * (place % 2), 1), 40 * rng.gauss(0.6 * (place % 2), 1), place % 2) for place in range(many)]


def scaled(train: list[Point], test: list[Point]) -> tuple[list[Point], list[Point]]:
    """Both features in units of their spread in the training set."""
    spread = [math.sqrt(sum(p[i] ** 2 for p in train) / len(train)) for i in (0, 1)]
    one, other = ([(p[0] / spread[0], p[1] / spread[1], p[2]) for p in group] for group in (train, test))
    return one, other


def score(point: Point, train: list[Point], neighbours: int) -> float:
    """The share of class 1 among the nearest points."""
    near = sorted(train, key=lambda p: (p[0] - point[0]) ** 2 + (p[1] - point[1]) ** 2)[:neighbours]
    return sum(p[2] for p in near) / neighbours


def main() -> None:
    """Read the configuration, train, test, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("config", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    config = tomllib.loads(asked.config.read_text())
    rng = random.Random(asked.seed)
    train, test = points(config["data"]["train"], rng), points(200, rng)
    if config["features"]["scaling"]:
        train, test = scaled(train, test)
    scores = [score(point, train, config["model"]["neighbours"]) for point in test]
    right = sum((s >= config["model"]["threshold"]) == (p[2] == 1) for s, p in zip(scores, test, strict=True))
    yes = [s for s, p in zip(scores, test, strict=True) if p[2]]
    no = [s for s, p in zip(scores, test, strict=True) if not p[2]]
    auc = sum((a > b) + (a == b) / 2 for a in yes for b in no) / (len(yes) * len(no))
    print(json.dumps({"accuracy": right / len(test), "auc": round(auc, 6)}))


if __name__ == "__main__":
    main()
