"""The cost of `assay repo`: time, growth, memory, and whether hostile trees end.

    python bench/repository.py [--python PYTHON_WITH_PYLINT] [--quick]

Every measurement is a process of its own, so that start-up counts (byte code is warm) and memory is the process's peak.
Repositories are made up: modules of some 130 lines, every tenth a script with options and seeds, one manifest, one
README. With `--python`, pylint rates a sample of the same files, one process per file as Loos (2022) does, in the same
run.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from startup import machine

ASSAY = str(Path(sys.executable).parent / "assay")
SIZES = (25, 50, 100, 200, 400)
SAMPLE = 8
MIB = 1024 * 1024
SCRIPT = '''"""Experiment {i}."""
import argparse
import json
import random
import numpy as np
import torch
from torch import nn
from package.module_{j} import Model{j}, evaluate_{j}


class Model{i}(nn.Module):
    """A network."""

    def __init__(self, width=64):
        super().__init__()
        self.first = nn.Linear(10, width)
        self.last = nn.Linear(width, 2)

    def forward(self, x):
        return self.last(torch.relu(self.first(x)))


def evaluate_{i}(model, data):
    # how good is it
    hits = [int(model(x).argmax() == y) for x, y in data]
    return np.mean(hits)
{body}
{main}'''
MAIN = """

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.1)
    args = parser.parse_args()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    model = Model{i}()
    other = Model{j}()
    optimiser = torch.optim.SGD(model.parameters(), lr=args.rate)
    data = [(torch.randn(10), random.randint(0, 1)) for _ in range(100)]
    for epoch in range(10):
        for x, y in data:
            loss = nn.functional.cross_entropy(model(x)[None], torch.tensor([y]))
            loss.backward()
            optimiser.step()
    torch.save(model.state_dict(), "model_{i}.pt")
    with open("result_{i}.json", "w") as stream:
        json.dump({{"score": evaluate_{i}(model, data), "other": evaluate_{j}(other, data)}}, stream)


if __name__ == "__main__":
    main()
"""
BODY = '''

def step_{k}(values, limit={k}):
    """Filter and scale."""
    kept = []
    for value in values:
        if value > limit and value % {k} != 1:
            kept.append(value / (limit + 1))
    return {{"mean": sum(kept) / max(len(kept), 1), "many": len(kept)}}
'''


def repository(folder: Path, files: int) -> Path:
    """A repository with so many Python files."""
    body = "".join(BODY.format(k=k) for k in range(2, 12))
    (folder / "package").mkdir(parents=True)
    (folder / "package" / "__init__.py").write_text("")
    for i in range(files - 1):
        names = {"i": i, "j": (i + 1) % (files - 1)}
        text = SCRIPT.format(**names, body=body, main="" if i % 10 else MAIN.format(**names))
        (folder / "package" / f"module_{i}.py").write_text(text)
    (folder / "requirements.txt").write_text("numpy==1.26.4\ntorch==2.2.0\n")
    (folder / "README.md").write_text("# Work\n\n## Run\n\n    python -m package.module_0 --seed 1\n")
    return folder


def measured(command: list[str], limit: float = 300) -> tuple[float, float, int, str]:
    """Wall and CPU seconds, peak memory in MiB, and what the process printed."""
    program = (
        "import json,resource,subprocess,sys,time\n"
        "s=time.perf_counter();p=subprocess.run(sys.argv[2:],capture_output=True,text=True,timeout=float(sys.argv[1]))\n"
        "u=resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps([time.perf_counter()-s,u.ru_utime+u.ru_stime,u.ru_maxrss//1024,p.stdout,p.stderr]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(limit), *command], capture_output=True, text=True, check=True
    )
    wall, cpu, peak, out, err = json.loads(done.stdout)
    return wall, cpu, peak, out or err


def growth(folder: Path, sizes: tuple[int, ...]) -> float:
    """CPU time for each size, the exponent of its growth, and the time for a hundred files."""
    print(f"{'Python files':>12}{'wall':>9}{'CPU':>9}{'MiB':>7}")
    start = measured([ASSAY, "--version"])[1]
    points = []
    for size in sizes:
        made = repository(folder / f"r{size}", size)
        wall, cpu, peak, _ = min(measured([ASSAY, "repo", str(made), "-f", "json"]) for _ in range(2))
        points.append((size, cpu))
        print(f"{size:>12}{wall:>9.2f}{cpu:>9.2f}{peak:>7}")
    (a, x), (b, y) = points[-2:]
    print(f"growth: CPU time ~ files^{math.log((y - start) / (x - start), b / a):.2f} between the last two")
    return dict(points)[100]


def against_pylint(folder: Path, python: str, ours: float) -> None:
    """The thesis's way on a sample of the same files."""
    sample = sorted((folder / "r100" / "package").glob("module_*.py"))[:SAMPLE]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    for path in sample:
        subprocess.run([python, "-m", "pylint", str(path)], capture_output=True, check=False, cwd=folder / "r100")
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / len(sample) * 100
    print(f"pylint, one process per file: {wall / len(sample):.2f} s wall each, {cpu:.0f} s CPU for 100 files")
    print(f"assay repo is {cpu / ours:.0f} times faster (target 40)")


def large(folder: Path) -> None:
    """A gigabyte of data beside a hundred Python files."""
    made = repository(folder / "large", 100)
    line = b"12,0.5,3.25,cat\n" * 65536
    for number in range(5):
        with (made / f"part_{number}.csv").open("wb") as stream:
            for _ in range(100):
                stream.write(line)
    for number in range(5):
        with (made / f"weights_{number}.bin").open("wb") as stream:
            stream.truncate(100 * MIB)
    wall, cpu, peak, _ = measured([ASSAY, "repo", str(made), "-f", "json"])
    print(f"1 GB: {wall:.1f} s wall, {cpu:.1f} s CPU, {peak} MiB at most (target 300)")


def hostile(folder: Path, many: int) -> None:
    """Trees that are made to harm: each must end, and say what it left out."""
    for name, make in (
        ("links in circles", _links),
        (f"{many:,} files", lambda f: _many(f, many)),
        ("a Python file of 2 GB", _giant),
        ("a zip bomb", _bomb),
        ("500 folders deep", _deep),
        ("binary junk as .py", _junk),
        ("a notebook of 60 MB", _notebook),
        ("brackets without end", _brackets),
        ("names without end", _names),
    ):
        place = folder / name.replace(" ", "-").replace(",", "")
        place.mkdir()
        source = make(place)
        wall, cpu, peak, out = measured([ASSAY, "repo", str(source), "-f", "json"])
        try:
            left = len(json.loads(out)["left_out"])
        except ValueError:
            left = -1
        said = f"{left} things not examined" if left >= 0 else out.strip()[:60]
        print(f"{name:<24}{wall:>8.1f} s{cpu:>8.1f} s CPU{peak:>6} MiB   {said}")


def _links(folder: Path) -> Path:
    for i in range(50):
        (folder / f"l{i}").symlink_to(folder / f"l{(i + 1) % 50}")
    (folder / "up").symlink_to(folder.parent)
    return folder


def _many(folder: Path, many: int) -> Path:
    for i in range(many // 1000):
        inner = folder / f"d{i}"
        inner.mkdir()
        for j in range(1000):
            os.close(os.open(inner / f"f{j}.txt", os.O_CREAT | os.O_WRONLY))
    return folder


def _giant(folder: Path) -> Path:
    with (folder / "train.py").open("wb") as stream:
        stream.truncate(2048 * MIB)
    return folder


def _bomb(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(10):
            archive.writestr(f"bomb/train{i}.py", b"0" * (100 * MIB))
    return folder / "bomb.zip"


def _deep(folder: Path) -> Path:
    here = folder
    for _ in range(500):
        here = here / "d"
    here.mkdir(parents=True)
    (here / "a.py").write_text("print(1)\n")
    return folder


def _junk(folder: Path) -> Path:
    for i in range(20):
        (folder / f"a{i}.py").write_bytes(os.urandom(200_000))
    return folder


def _notebook(folder: Path) -> Path:
    cell = {"cell_type": "code", "source": "x = 1\n" * 100, "execution_count": 1, "outputs": [{"text": "y" * 5000}]}
    (folder / "a.ipynb").write_text(json.dumps({"cells": [cell] * 10_000, "metadata": {}}))
    return folder


def _brackets(folder: Path) -> Path:
    (folder / "README.md").write_text("[" * 200_000 + "](" * 50_000 + "|" * 100_000)
    (folder / "requirements.txt").write_text("a" * 500_000 + "\n" + "-" * 500_000)
    (folder / "train.py").write_text("(" * 100_000)
    (folder / "LICENSE").write_text("licen" * 60_000)
    return folder


def _names(folder: Path) -> Path:
    """A README of words that might each begin a name, an author or a file."""
    words = ("X" * 1_490, "A-B-C " * 600, "Aa Bb, " * 500, "model_" * 600)
    (folder / "README.md").write_text("The code for our paper:\n\n" + "\n\n".join(words * 90))
    (folder / "train.py").write_text("import torch\n")
    return folder


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", help="an interpreter that has pylint")
    parser.add_argument("--quick", action="store_true", help="small sizes, no gigabyte")
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        measured([ASSAY, "repo", str(repository(folder / "warm", 10)), "-f", "json"])
        ours = growth(folder, SIZES[:3] if given.quick else SIZES)
        if given.python:
            against_pylint(folder, given.python, ours)
        if not given.quick:
            large(folder)
        hostile(folder, 20_000 if given.quick else 150_000)


if __name__ == "__main__":
    main()
