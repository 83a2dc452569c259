"""Plans whose pipeline is a few lines of Python, quick to start."""

import json
import tomllib
from pathlib import Path

from assay.ablation.plan import Plan, read_plan

CONFIG = """seed = 0
name = "a \\"quoted\\" name"

[model]
depth = 3
rate = 0.1

[data]
label = "any"
"""
PIPELINE = """
import json, sys, tomllib
config = tomllib.load(open(sys.argv[1], "rb"))
seed = int(sys.argv[2])
score = 0.8 + 0.01 * seed + 0.05 * (config["model"]["depth"] - 3) + {"any": 0, "half": -0.1}[config["data"]["label"]]
print("training ...")
print(json.dumps({"test": {"auc": score, "loss": 1.0}, "note": "text", "flag": True}))
"""
PLAN = """
base = "config.toml"
command = ["{python}", "-IS", "pipeline.py", "{config}", "{seed}"]
seeds = 3

[[item]]
label = "depth"
key = "model.depth"
values = [2, 3, 5]

[[item]]
label = "label rule"
key = "data.label"
values = ["half"]
"""


def write_plan(folder: Path, plan: str = PLAN, pipeline: str = PIPELINE, config: str = CONFIG) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text(config)
    (folder / "pipeline.py").write_text(pipeline)
    (folder / "plan.toml").write_text(plan)
    return folder / "plan.toml"


def made(folder: Path, **files: str) -> Plan:
    return read_plan(write_plan(folder, **files))


def parsed(text: str) -> dict:
    return tomllib.loads(text)


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def as_json(path: Path) -> dict:
    return json.loads(path.read_text())
