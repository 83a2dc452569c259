"""From the wording of one reported score to what it leaves open.

The same wording can be read as another score, or as rounded in another way: to ask "what if",
change the wording and read it again.
"""

from __future__ import annotations

from assay.errors import InputError
from assay.scores.definitions import Named
from assay.scores.exact import Interval
from assay.scores.experiment import Reported, Wording
from assay.scores.printed import Printed, read_figure, read_spread


def read_wording(name: str, wording: Wording, meant: Named, *, bounded: bool = False) -> Reported:
    """The figures under `name` read as figures of the score that is `meant`; `bounded` refuses what it never is."""
    score, complement = meant

    def read(text: str | None) -> Printed | None:
        if text is None:
            return None
        return read_figure(
            text,
            score,
            name=name,
            rounding=wording.rounding,
            eps=wording.eps,
            percent=wording.percent,
            complement=complement,
            bounded=bounded,
        )

    def mine(printed: Printed | None) -> Interval | None:
        if printed is None:
            return None
        return printed.interval.one_minus() if complement else printed.interval

    value, low, high = read(wording.value), read(wording.minimum), read(wording.maximum)
    median = read(wording.median)
    if not any((value, low, high, median)):
        raise InputError("no value is given", where=name, fix="Give its value or mean.")
    sd = value.sd if value else None
    if wording.sd is not None:
        sd = read_spread(
            wording.sd, name=f"{name} sd", rounding=wording.rounding, eps=wording.eps, percent=wording.percent
        )
    smallest, largest = (mine(high), mine(low)) if complement else (mine(low), mine(high))
    printed = value.text if value else ""
    return Reported(name, printed, score, mine(value), sd, smallest, largest, mine(median), complement, wording)
