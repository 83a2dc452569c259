"""What public research code looks like: `list CHECKOUTS OUT`, then `report REPOSITORIES... --notebooks RESULTS`.

`field_study.csv` names the repositories and their commits. CHECKOUTS holds one folder for each (`owner+name`, files
over 5 MB left out). `list` writes the lists for `assay corpus run`; `report` prints the tables of docs/field-study.md
and draws its picture. Nothing of the repositories is kept or run.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from assay.corpus import open_results

LIBRARIES = (
    "allennlp|catboost|chainer|dgl|fastai|flax|gpytorch|gym|jax|keras|lightgbm|mxnet|paddle|pyro|sklearn|tensorflow|"
    "theano|torch|torch_geometric|torchvision|transformers|xgboost"
)
"""A repository counts as machine learning if some Python file or notebook imports one of these."""
IMPORT = re.compile(rf'^\s*"?\s*(?:import|from)\s+(?:{LIBRARIES})\b'.encode(), re.MULTILINE)
PRECISION = {"L1.1": (29, 38), "L1.2": (65, 69)}
"""Right and judged findings by rule, of all sorts of evidence (policies/confidence.toml)."""
Z = 1.959964
"""Of 95 % intervals."""


@dataclass(frozen=True)
class Question:
    """A share to estimate: the repositories for which `holds` is true among those for which `applies` is."""

    label: str
    holds: str
    applies: str = "true"
    right: int = 0
    judged: int = 0
    """How often the answer was right when people checked it (docs/accuracy.md); 0 of 0 if nobody has."""


QUESTIONS = (
    Question("has a licence", "R101 = 'pass'", right=211, judged=215),
    Question("has a README", "R201 = 'pass'"),
    Question("README: how to install", "R202 = 'pass'", "R201 = 'pass'"),
    Question("README: how to train", "R204 = 'pass'", "R204 in ('pass', 'fail')"),
    Question("lists its dependencies", "R301 = 'pass'", "R301 in ('pass', 'fail')"),
    Question("lists every import", "R301 = 'pass' and R302 = 'pass'", "R301 in ('pass', 'fail')"),
    Question("pins versions", "R301 = 'pass' and R304 = 'pass'", "R301 in ('pass', 'fail')"),
    Question("fixes every seed", "R401 = 'pass' and R402 = 'pass'", "R401 in ('pass', 'fail')", 261, 284),
    Question("data can be obtained", "R501 = 'pass'", "R501 in ('pass', 'fail')", 320, 348),
    Question("no machine-specific path", "R502 = 'pass'", "R502 in ('pass', 'fail')"),
    Question("has tests", "R804 = 'pass'", "R804 in ('pass', 'fail')"),
)


def wilson(right: float, among: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, 1927)."""
    share, weight = right / among, Z * Z / among
    middle = (share + weight / 2) / (1 + weight)
    half = Z / (1 + weight) * sqrt(share * (1 - share) / among + weight / (4 * among))
    return max(0.0, middle - half), min(1.0, middle + half)


def corrected(observed: float, accuracy: float) -> float:
    """The true share behind an observed one, if yes and no are wrong equally often (Rogan and Gladen, 1978)."""
    return min(1.0, max(0.0, (observed + accuracy - 1) / (2 * accuracy - 1)))


@dataclass(frozen=True)
class Estimate:
    """One answer with its interval."""

    label: str
    yes: int
    among: int
    low: float
    high: float
    truth: str

    @property
    def share(self) -> float:
        """The observed share."""
        return self.yes / self.among


def estimate(question: Question, results: Sequence[Path]) -> Estimate:
    """Count over all results, then allow for the measured error of the answer."""
    sql = f"select count(*) filter (where {question.holds}), count(*) from facts where {question.applies}"
    counts = [next(iter(open_results(folder).query(sql).rows)) for folder in results]
    yes, among = sum(int(row[0]) for row in counts), sum(int(row[1]) for row in counts)
    low, high = wilson(yes, among)
    truth = "not measured"
    if question.judged:
        accuracy = question.right / question.judged
        truth = " to ".join(f"{100 * corrected(end, accuracy):.0f}" for end in (low, high)) + " %"
    return Estimate(question.label, yes, among, low, high, truth)


def drawing(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Bars with intervals as SVG; grey tones that are readable on white and on black."""
    height = 24 * len(estimates) + 40
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" font-family="sans-serif" font-size="13">'
    yield "<title>Share of repositories, with 95 % intervals</title>"
    for tick in range(0, 101, 25):
        x = 220 + 3.6 * tick
        yield f'<line x1="{x}" y1="4" x2="{x}" y2="{height - 28}" stroke="#7a7a7a" stroke-opacity="0.4"/>'
        yield f'<text x="{x}" y="{height - 10}" fill="#7a7a7a" text-anchor="middle">{tick} %</text>'
    for row, item in enumerate(estimates):
        y = 24 * row + 8
        low, high = 220 + 360 * item.low, 220 + 360 * item.high
        yield f'<text x="210" y="{y + 13}" fill="#7a7a7a" text-anchor="end">{item.label}</text>'
        yield f'<rect x="220" y="{y}" width="{360 * item.share:.1f}" height="16" fill="#c07a1c"/>'
        yield f'<line x1="{low:.1f}" y1="{y + 8}" x2="{high:.1f}" y2="{y + 8}" stroke="#4a90d9" stroke-width="3"/>'
        yield f'<text x="628" y="{y + 13}" fill="#7a7a7a" text-anchor="end">{100 * item.share:.0f} %</text>'
    yield "</svg>"


def write_lists(checkouts: Path, out: Path) -> None:
    """Write repositories.csv and notebooks.csv for `assay corpus run`."""
    repositories: list[list[str]] = [["subject"]]
    notebooks: list[list[str]] = [["subject", "repository"]]
    for folder in sorted(path for path in checkouts.iterdir() if path.is_dir()):
        code = sorted(path for path in folder.rglob("*") if path.suffix in {".py", ".ipynb"} and path.is_file())
        if not any(IMPORT.search(path.read_bytes()) for path in code):
            continue
        repositories.append([str(folder)])
        own = (path for path in code if path.suffix == ".ipynb" and ".ipynb_checkpoints" not in path.parts)
        notebooks.extend([str(path), folder.name] for path in own)
    for name, rows in (("repositories.csv", repositories), ("notebooks.csv", notebooks)):
        with (out / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        print(f"{name}: {len(rows) - 1}")


def print_leaks(results: Path) -> None:
    """How many notebooks could be followed, and how many of those have a finding of each rule."""
    answer = open_results(results)
    [(examined, followed)] = answer.query(
        "select count(*), count(*) filter (where models > 0 and evaluations > 0) from facts"
    ).rows
    print(f"\n{examined} notebooks examined; {followed} with a model and an evaluation that could be followed\n")
    sql = (
        "select code, title, severity, count(distinct row) from findings join facts using (row)"
        " where models > 0 and evaluations > 0 and code like 'L%' group by all order by all"
    )
    print("| Rule | Severity | Notebooks | Share, 95 % | Corrected |\n|---|---|---:|---|---|")
    for code, title, severity, count in answer.query(sql).rows:
        low, high = wilson(int(str(count)), int(str(followed)))
        truth = "not measured"
        if code in PRECISION:
            surely, perhaps = wilson(*PRECISION[str(code)])
            truth = f"{100 * low * surely:.0f} to {100 * high * perhaps:.0f} %"
        print(f"| {code} {title} | {severity} | {count} | {100 * low:.0f} to {100 * high:.0f} % | {truth} |")


def main() -> None:
    """Write the lists, or print the report and draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list")
    listing.add_argument("checkouts", type=Path)
    listing.add_argument("out", type=Path)
    report = commands.add_parser("report")
    report.add_argument("repositories", type=Path, nargs="+")
    report.add_argument("--notebooks", type=Path, required=True)
    report.add_argument("--svg", type=Path)
    asked = parser.parse_args()
    if asked.command == "list":
        write_lists(asked.checkouts, asked.out)
        return
    estimates = [estimate(question, asked.repositories) for question in QUESTIONS]
    print("| The repository … | Yes | Of | Share, 95 % | Corrected |\n|---|---:|---:|---|---|")
    for item in estimates:
        print(
            f"| {item.label} | {item.yes} | {item.among} |"
            f" {100 * item.share:.0f} % ({100 * item.low:.0f} to {100 * item.high:.0f}) | {item.truth} |"
        )
    print_leaks(asked.notebooks)
    if asked.svg:
        asked.svg.write_text("\n".join(drawing(estimates)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
