"""Who trains, who chooses, who tests; and the refusal of a split that leaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from assay.errors import InputError
from assay.slides.configuration import Split
from assay.slides.naming import CLASSES, SETS, STAGES
from assay.slides.reading import Cohort, Entry
from assay.slides.seeding import generator


def divide(cohort: Cohort, split: Split) -> dict[str, str]:
    """Slide → set. With the unit "patch", slides are divided as by slide; `train_share` then divides their patches.

    Slides that the table already puts in the test set, as those of a challenge, stay there.
    """
    rng = generator(split.seed, 0, "split")
    fixed = {entry.slide: "test" for entry in cohort.entries if entry.set == "test"}
    match split.unit:
        case "table":
            sets = {entry.slide: _tabled(entry, cohort) for entry in cohort.entries}
        case "patient":
            tested = {entry.patient for entry in cohort.entries if entry.slide in fixed}
            owners = _dealt(_ordered(cohort, [p for p in cohort.patients if p not in tested], split, rng), split)
            sets = {entry.slide: owners.get(entry.patient, "test") for entry in cohort.entries}
        case _:
            order = [entry.slide for entry in cohort.entries if entry.slide not in fixed]
            rng.shuffle(order)
            sets = _dealt(order, split) | fixed
    refuse_shared_patients(cohort.entries, sets, split)
    if "train" not in sets.values():
        fix = "Give split.train a larger share, or add patients."
        raise InputError("the split leaves no slide to train on", where=str(cohort.folder), fix=fix)
    return sets


def refuse_shared_patients(entries: Sequence[Entry], sets: Mapping[str, str], split: Split) -> None:
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


def _tabled(entry: Entry, cohort: Cohort) -> str:
    if not entry.set:
        where = str(cohort.folder / "slides.csv")
        raise InputError(f'slide "{entry.slide}" has no set', where=where, fix="Fill in the column `set`.")
    return entry.set


def _ordered(cohort: Cohort, patients: Sequence[str], split: Split, rng: np.random.Generator) -> list[str]:
    """The patients in random order; when stratified, one severity after the other."""
    order = list(patients)
    rng.shuffle(order)
    if split.stratify == "stage":
        worst: dict[str, int] = defaultdict(int)
        for entry in cohort.entries:
            worst[entry.patient] = max(worst[entry.patient], CLASSES.index(entry.kind))
        order.sort(key=lambda p: STAGES.index(cohort.stages[p]) if p in cohort.stages else worst[p])
    return order


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
