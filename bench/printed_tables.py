"""How many score cells of real tables the reader places, and how many of the placed ones are right.

    python bench/printed_tables.py FOLDER [--pdf] [--show]

`printed_tables.csv` labels every score cell of 57 tables in public papers: the row's label, the score, and the printed
value. Labels were written from the sources, before the reader was run on them. A score of "?" marks a number that may
be read or not; an empty one marks a table that holds no scores. FOLDER holds the papers as `owner+name/path`. With
`--pdf`, PDFs are read: those labelled themselves, and those that authors built from a labelled source.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from assay.article.reading import read_paper
from assay.article.tables import grids_of
from assay.article.tables.scores import printed_grid
from assay.reported import read_grid
from assay.reported.model import Reading

LIST = Path(__file__).with_suffix(".csv")
PDFS = {
    "01329582993/Bird-Species-Classification-ML": "report/ICCIT2026_Bird_Classification.pdf",
    "1reubent/Real-Estate-Price-Prediction-public": "report/report.pdf",
    "21hbguo/surgical": "paper_20260622/main.pdf",
    "4ry1337/plant-lead-disease-detection": "report.pdf",
    "AdrinPaudel/Why-Network-Intrusion-Detectors-Fail-Across-Years": "paper.pdf",
    "ShuzhouYuan/Hate_Offensive_Adversarial_Debiasing": "adversarial_debiasing.pdf",
}
COUNTS = frozenset({"tp", "fp", "fn", "tn"})


@dataclass(frozen=True)
class Label:
    """One score cell as a person reads it."""

    row: str
    score: str
    value: str


@dataclass(frozen=True)
class Count:
    """Labelled, placed, and rightly placed cells."""

    labelled: int = 0
    placed: int = 0
    right: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.labelled + other.labelled, self.placed + other.placed, self.right + other.right)

    def __str__(self) -> str:
        recall = self.right / self.labelled if self.labelled else 1.0
        precision = self.right / self.placed if self.placed else 1.0
        return f"{self.right} of {self.labelled} placed rightly ({recall:.3f}); precision {precision:.3f}"


def labels() -> dict[tuple[str, str], dict[str, list[Label]]]:
    """The labels by paper and table."""
    found: dict[tuple[str, str], dict[str, list[Label]]] = defaultdict(lambda: defaultdict(list))
    with LIST.open(encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            table = found[line["repository"], line["path"]][line["table"]]
            if line["score"]:
                table.append(Label(line["row"], line["score"], line["value"]))
    return found


def cells(reading: Reading) -> list[Label]:
    """What the reader placed."""
    return [
        Label(f"{row.name} {figure.name.label} {figure.name.averaging}", figure.score, figure.number.digits)
        for row in reading.rows
        for figure in row.figures
        if figure.number is not None and figure.score not in COUNTS
    ]


def same_value(one: str, other: str) -> bool:
    """Equal digits, whatever the sign for minus and the leading zero."""
    return float(one.replace("−", "-")) == float(other.replace("−", "-"))


def same_row(label: str, read: str) -> bool:
    """Whether the reader's row carries a word of the label; a label that is a bare number is not asked for."""
    words = re.findall(r"[^\W\d_]{2,}", label.lower())
    letters = re.sub(r"[\W\d_]", "", read.lower())
    return not words or any(word in letters for word in words)


def judge(wanted: list[Label], placed: list[Label], show: str) -> Count:
    """Each placed cell takes one label; a placed cell without one is wrong, unless its number may be read or not."""
    open_labels = [label for label in wanted if label.score != "?"]
    loose = {float(label.value) for label in wanted if label.score == "?"}
    total, right, counted = len(open_labels), 0, 0
    for cell in placed:
        hit = next((one for one in open_labels if fits(one, cell)), None)
        if hit is not None:
            open_labels.remove(hit)
            right += 1
            counted += 1
        elif float(cell.value) not in loose:
            counted += 1
            if show:
                print(f"  wrong  {show}: {cell}")
    for label in open_labels if show else ():
        print(f"  missed {show}: {label}")
    return Count(total, counted, right)


def fits(label: Label, cell: Label) -> bool:
    """Whether a placed cell is the labelled one."""
    return label.score == cell.score and same_value(label.value, cell.value) and same_row(label.row, cell.row)


def measure(path: Path, tables: dict[str, list[Label]], *, show: bool) -> list[Count]:
    """The counts of each labelled table of a paper; a table is the grid that shares most of its numbers."""
    read = [cells(read_grid(printed_grid(grid))) for grid in grids_of(read_paper(path))]
    texts = [Counter(cell.value for cell in one) for one in read]
    counts = []
    taken: set[int] = set()
    for number, wanted in tables.items():
        values = Counter(label.value for label in wanted)
        shared = [0 if at in taken else (values & text).total() for at, text in enumerate(texts)]
        best = max(range(len(shared)), key=shared.__getitem__, default=None)
        hit = best is not None and shared[best] > 0
        if hit and best is not None:
            taken.add(best)
        counts.append(judge(wanted, read[best] if hit and best is not None else [], f"{path.name}#{number}" * show))
    return counts


def main() -> None:
    """Print the counts of every table, and of all together."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pdf", action="store_true")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    total = Count()
    for (repository, path), tables in labels().items():
        source = path if path.endswith(".pdf") == given.pdf else PDFS.get(repository) if given.pdf else None
        if source is None:
            continue
        place = given.folder / repository.replace("/", "+") / source
        counts = measure(place, tables, show=given.show)
        for number, count in zip(tables, counts, strict=True):
            print(f"{repository} {path} table {number}: {count}")
        total = sum(counts, total)
    print(f"all: {total}")


if __name__ == "__main__":
    main()
