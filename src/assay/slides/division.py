"""Who trains, who chooses, who tests; and the refusal of a split that leaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from assay.errors import InputError
from assay.slides.configuration import Split
from assay.slides.reading import Cohort
from assay.slides.seeds import generator
from assay.slides.vocabulary import CLASSES, SETS, STAGES


class Member(Protocol):
    """A slide to put in a set."""

    @property
    def slide(self) -> str:
        """Its name."""
        ...

    @property
    def patient(self) -> str:
        """Whose it is."""
        ...

    @property
    def set(self) -> str:
        """As its table says; empty when it does not."""
        ...


def divide(cohort: Cohort, split: Split) -> dict[str, str]:
    """Slide → set. With the unit "patch", slides are divided as by slide; `train_share` then divides their patches."""
    return divided(cohort.entries, split, _severity(cohort), cohort.folder / "slides.csv")


def divided(entries: Sequence[Member], split: Split, strata: Mapping[str, int], table: Path) -> dict[str, str]:
    """Slide → set; `strata` gives each patient the stratum that a stratified split divides in proportion.

    Slides that the table already puts in the test set, as those of a challenge, stay there.
    """
    match split.unit:
        case "table":
            sets = {entry.slide: _tabled(entry, table) for entry in entries}
        case "patient":
            sets = _by_patient(entries, split, strata)
        case _:
            sets = _by_slide(entries, split)
    refuse_shared_patients(entries, sets, split)
    if "train" not in sets.values():
        fix = "Give split.train a larger share, or add patients."
        raise InputError("the split leaves no slide to train on", where=str(table), fix=fix)
    return sets


def _by_patient(entries: Sequence[Member], split: Split, strata: Mapping[str, int]) -> dict[str, str]:
    tested = {entry.patient for entry in entries if entry.set == "test"}
    order = sorted({entry.patient for entry in entries} - tested)
    generator(split.seed, 0, "split").shuffle(order)
    if split.stratify == "stage":  # one severity after the other
        order.sort(key=lambda patient: strata[patient])
    owners = _dealt(order, split)
    return {entry.slide: owners.get(entry.patient, "test") for entry in entries}


def _by_slide(entries: Sequence[Member], split: Split) -> dict[str, str]:
    fixed = {entry.slide: "test" for entry in entries if entry.set == "test"}
    order = [entry.slide for entry in entries if entry.slide not in fixed]
    generator(split.seed, 0, "split").shuffle(order)
    return _dealt(order, split) | fixed


def refuse_shared_patients(entries: Sequence[Member], sets: Mapping[str, str], split: Split) -> None:
    """Slides of one patient resemble each other: in two sets they leak (L3.2)."""
    seen: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        seen[entry.patient].add(sets[entry.slide])
    shared = sorted(patient for patient, found in seen.items() if len(found) > 1)
    if (shared or split.unit == "patch") and not split.accept_leakage:
        who = (
            f'patient "{shared[0]}" is in {" and ".join(sorted(seen[shared[0]]))}' if shared else "patches are divided"
        )
        more = f", as are {len(shared) - 1} others" if len(shared) > 1 else ""
        fix = "Split by patient; split.accept_leakage = true runs it all the same, to measure what it does (L3.2)."
        raise InputError(f"{who}{more}: leakage L3.2 (assay explain L3.2)", fix=fix)


def train_share(slide: str, count: int, split: Split) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """With the unit "patch": which patches of a slide train, whatever the set of the slide."""
    return generator(split.seed, 0, "patches", slide).random(count) < split.train


def _tabled(entry: Member, table: Path) -> str:
    if not entry.set:
        raise InputError(f'slide "{entry.slide}" has no set', where=str(table), fix="Fill in the column `set`.")
    return entry.set


def _severity(cohort: Cohort) -> dict[str, int]:
    """The stage of each patient, or the worst class of the slides."""
    worst: dict[str, int] = defaultdict(int)
    for entry in cohort.entries:
        worst[entry.patient] = max(worst[entry.patient], CLASSES.index(entry.kind))
    return worst | {patient: STAGES.index(stage) for patient, stage in cohort.stages.items()}


def _dealt(order: Sequence[str], split: Split) -> dict[str, str]:
    """Deal in order to the set that lacks most, so that every stretch of the order is divided in proportion."""
    shares = dict(zip(SETS, (split.train, split.validation, 1 - split.train - split.validation), strict=True))
    held = dict.fromkeys(SETS, 0)
    dealt = {}
    for number, name in enumerate(order, 1):
        lacking = max(SETS, key=lambda s: (round(shares[s] * number - held[s], 9), shares[s]))
        dealt[name] = lacking
        held[lacking] += 1
    return dealt
