"""Results of CLAM: the table of a data set, its splits, and ``fold_N.csv`` as its evaluation writes them.

``split_N_results.pkl`` is a pickle and is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from assay.errors import InputError
from assay.files import is_there
from assay.patterns import regex
from assay.records import dataclass
from assay.slides.evaluation.tables import Rows, read_table
from assay.slides.run_folder import csv_bytes
from assay.slides.storage import write_bytes

_FOLD = regex(r"fold_(\d{1,4})\.csv")
_SETS = ("train", "val", "test")


@dataclass(frozen=True, slots=True)
class Imported:
    """A predictions folder that was written, and the task to evaluate it by."""

    folder: Path
    task: str
    cases: int


def import_clam(
    table: Path, results: Path, out: Path, splits: Path | None = None, *, accept_leakage: bool = False
) -> list[Imported]:
    """One predictions folder for each fold. Patients that a split has on both sides are refused (L3.2)."""
    known = read_table(table)
    slides = known.unique_names("slide_id")
    patients = dict(zip(slides, known.names("case_id"), strict=True))
    labels = dict(zip(slides, known.names("label"), strict=True))
    folds = sorted(
        (int(found[1]), path) for path in results.glob("fold_*.csv") if (found := _FOLD.fullmatch(path.name))
    )
    if not folds:
        fix = "Name the folder that CLAM's eval.py wrote; results as .pkl are not read."
        raise InputError("holds no fold_N.csv", where=str(results), fix=fix)
    done = []
    for number, path in folds:
        sets = _sets(splits / f"splits_{number}.csv", patients, accept_leakage) if splits else {}
        rows = read_table(path)
        _check_labels(rows, labels)
        folder = out if len(folds) == 1 else out / f"fold_{number}"
        done.append(_written(folder, rows, patients, sets))
    return done


def _sets(path: Path, patients: Mapping[str, str], accept_leakage: bool) -> dict[str, str]:
    """Slide → set of a split; its columns hold slides."""
    if not is_there(path):
        raise InputError("is not there", where=str(path), fix="Name the folder of splits_N.csv with --splits.")
    rows = read_table(path)
    placed = [(slide, name) for name in _SETS if name in rows for slide in rows.table[name].drop_nulls().to_list()]
    owner: dict[str, str] = {}
    for slide, name in placed:
        patient = patients.get(slide, slide)
        if owner.setdefault(patient, name) != name and not accept_leakage:
            fix = "Split by patient, or import it with --accept-leakage to measure it all the same."
            both = f'patient "{patient}" is in {owner[patient]} and {name}'
            raise InputError(f"{both}: leakage L3.2 (assay explain L3.2)", where=str(path), fix=fix)
    return dict(placed)


def _check_labels(rows: Rows, labels: Mapping[str, str]) -> None:
    """A number of a class stands for one label of the data set, in every row."""
    meant: dict[str, str] = {}
    for row, (slide, number) in enumerate(zip(rows.unique_names("slide_id"), rows.names("Y"), strict=True)):
        if slide not in labels:
            raise rows.complaint(f'slide "{slide}" is not in the table of the data set', row, "Name the right table.")
        if meant.setdefault(number, labels[slide]) != labels[slide]:
            told = f'class {number} is "{meant[number]}" and "{labels[slide]}"'
            raise rows.complaint(told, row, "The results belong to another table.")


def _written(folder: Path, rows: Rows, patients: Mapping[str, str], sets: Mapping[str, str]) -> Imported:
    classes = [name for name in rows.table.columns if name.startswith("p_") and name[2:].isdigit()]
    binary = len(classes) == 2
    columns = ("case", "patient", "set", "truth", *(("score",) if binary else ("predicted", "confidence")))
    slides = rows.names("slide_id")
    cells = ((slide, patients[slide], sets.get(slide, "test")) for slide in slides)
    said = _binary(rows) if binary else _classes(rows, classes)
    table = csv_bytes(columns, ((*cell, *told) for cell, told in zip(cells, said, strict=True)))
    write_bytes(folder / "cases.csv", table)
    return Imported(folder, "binary" if binary else "classes", len(slides))


def _binary(rows: Rows) -> Iterator[tuple[int, float]]:
    yield from zip(rows.flags("Y").astype(int).tolist(), rows.numbers("p_1").tolist(), strict=True)


def _classes(rows: Rows, classes: Sequence[str]) -> Iterator[tuple[int, int, float]]:
    shares = {int(name[2:]): rows.numbers(name) for name in classes}
    truths, guesses = rows.numbers("Y"), rows.numbers("Y_hat")
    for row, (truth, guess) in enumerate(zip(truths.tolist(), guesses.tolist(), strict=True)):
        if guess not in shares:
            raise rows.complaint(
                f'"Y_hat" is {guess:g}, which is no class', row, "There is a column p_N for each class."
            )
        yield int(truth), int(guess), float(shares[int(guess)][row])
