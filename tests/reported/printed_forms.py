"""Templates of printed scores, filled with the scores of real (random, seeded) predictions: every row is true."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import mean, pstdev

FOLDER = Path(__file__).parent
_WORDS = (
    "acc|sens|spec|ppv|npv|f1|ji|err|fpr|fnr|prevalence|ppr|detection|bacc|bm|gm|auc|lrp|lrn|mcc|kappa|tp|fp|fn|tn|p|n"
    "|total|k|runs|classes|train|correct|wrong|support|mae|mse|rmse|r2"
)
_HOLDER = re.compile(
    r"\{((?:\d(?:,\d)*|c\d)[=@][^{}]+|\?:[^{}]+"
    rf"|(?:\d\.)?(?:(?:macro|micro|weighted|m|c\d)\.)?(?:{_WORDS})(?:\.(?:sd|lo|hi))?(?::[^{{}}]+)?)\}}"
)
_SIZES = {"p": "positives", "n": "negatives", "total": "total", "k": "folds", "runs": "runs", "classes": "classes"}
_COUNTS = {"tp", "fp", "fn", "tn"}


@dataclass
class Expected:
    """One figure that the text prints: score, averaging, class, digits, percent, spread, interval, fraction."""

    score: str
    averaging: str = ""
    label: str = ""
    digits: str = ""
    percent: bool = False
    spread: str = ""
    interval: tuple[str, str] = ("", "")
    fraction: tuple[int, int] | None = None


@dataclass
class Form:
    """A rendered text and what it says."""

    name: str
    text: str
    figures: dict[str, dict[tuple[str, str, str], Expected]] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    datasets: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    matrix: bool = False
    over: str = ""
    kind: str = "binary"


def forms(part: str, seed: int = 1, least: int = 9, most: int = 60) -> Iterator[Form]:
    """Every form of a part of the collection, with class sizes between `least` and `most`."""
    document = tomllib.loads((FOLDER / f"forms_{part}.toml").read_text(encoding="utf-8"))
    for group in document["group"]:
        for number, template in enumerate(group["forms"], 1):
            random = Random(f"{seed} {group['about']} {number}")
            kind = group.get("kind", "binary")
            rendered = _Renderer(random, kind, random.randint(least, most), random.randint(least, most))
            form = rendered.render(f"{group['about']} {number}", template)
            form.over = group.get("over", "")
            yield form


class _Renderer:
    def __init__(self, random: Random, kind: str, p: int, n: int) -> None:
        self.random, self.kind, self.p, self.n = random, kind, p, n
        self.labels: dict[str, str] = {}
        self.rows: dict[str, dict[str, float]] = {}
        self.unequal: dict[str, tuple[int, int]] = {}

    def render(self, name: str, template: str) -> Form:
        form = Form(name, "", kind=self.kind)
        self.unequal = {r: self._other_sizes() for r in re.findall(r"\{(\d)\.[pn]\}", template)}
        for key, label in re.findall(r"\{(c\d)=([^{}]*)\}", template):
            self.labels[key] = label
        form.text = _HOLDER.sub(lambda holder: self._fill(holder[1], form), template)
        return form

    def _other_sizes(self) -> tuple[int, int]:
        return self.random.randint(9, 60), self.random.randint(9, 60)

    def _fill(self, inside: str, form: Form) -> str:
        for mark, target in (("=", form.models), ("@", form.datasets)):
            named = re.fullmatch(rf"([\d,]+|c\d){mark}(.*)", inside)
            if named:
                for row in named[1].split(","):
                    target[row] = named[2]
                return named[2]
        path, _, style = inside.partition(":")
        if path == "?":
            text = _printed(self.random.uniform(0.5, 0.99), style)[0]
            form.unknown.append(re.sub(r"[^\d.]", "", text))
            return text
        row, *rest = path.split(".") if path[0].isdigit() else ["", *path.split(".")]
        return self._score(form, row, rest, style)

    def _score(self, form: Form, row: str, path: list[str], style: str) -> str:
        values = self._values(row)
        if path[0] == "m":
            form.matrix = True
            return str(int(values[path[1]]))
        if path[-1] == "support":
            label = self.labels.get(path[0], path[0])
            count = int(values[f"{path[0]}.support"])
            form.sizes.setdefault(path[0], set()).add((f"class {label}", count))
            return str(count)
        if path[-1] in _SIZES or path[-1] in {"correct", "wrong", "train"}:
            count = int(values[path[-1]])
            form.sizes.setdefault(row, set()).add((_SIZES.get(path[-1], path[-1]), count))
            return f"{count:,}" if style == "," else str(count)
        part = path.pop() if path[-1] in {"sd", "lo", "hi"} else ""
        averaging = path[0] if len(path) > 1 else ""
        label = self.labels.get(averaging, "") if averaging.startswith("c") else ""
        key = (path[-1], averaging, label)
        where = averaging if averaging.startswith("c") else row
        expected = form.figures.setdefault(where, {}).setdefault(key, Expected(path[-1], averaging, label))
        value = values[".".join([*path, part] if part else path)]
        if style == "/":
            expected.fraction = (int(values[f"{path[-1]}.hits"]), int(values[f"{path[-1]}.of"]))
            return "{}/{}".format(*expected.fraction)
        if path[-1] in _COUNTS:
            expected.digits = str(int(value))
            return str(int(value))
        text, digits, percent = _printed(value, style)
        if part == "sd":
            expected.spread = digits
        elif part == "lo":
            expected.interval = (digits, expected.interval[1])
        elif part == "hi":
            expected.interval = (expected.interval[0], digits)
        else:
            expected.digits, expected.percent = digits, percent
        return text

    def _values(self, row: str) -> dict[str, float]:
        if row not in self.rows:
            make: Callable[[str], dict[str, float]] = {
                "binary": self._binary,
                "folds": self._folds,
                "multi": self._several_classes,
                "regression": self._regression,
            }[self.kind]
            self.rows[row] = make(row)
        return self.rows[row]

    def _binary(self, row: str) -> dict[str, float]:
        p, n = self.unequal.get(row, (self.p, self.n))
        return binary_scores(self.random, p, n)

    def _folds(self, row: str) -> dict[str, float]:
        k = self.random.choice([3, 5, 10])
        each = [binary_scores(self.random, self.p, self.n) for _ in range(k)]
        out: dict[str, float] = {"k": k, "runs": k}
        for score in ("acc", "sens", "spec", "ppv", "f1", "auc"):
            out[score] = mean(x[score] for x in each)
            out[f"{score}.sd"] = pstdev(x[score] for x in each)
        return out

    def _several_classes(self, row: str) -> dict[str, float]:
        counts = [self.random.randint(9, 60) for _ in range(3)]
        truth = [c for c, count in enumerate(counts) for _ in range(count)]
        guess = [c if self.random.random() < 0.8 else self.random.randrange(3) for c in truth]
        out: dict[str, float] = {"total": len(truth), "classes": 3}
        out["acc"] = out["micro.f1"] = sum(a == b for a, b in zip(truth, guess, strict=True)) / len(truth)
        for c in range(3):
            tp = sum(a == b == c for a, b in zip(truth, guess, strict=True))
            predicted = guess.count(c)
            out |= {f"c{c}.support": counts[c], f"c{c}.sens": tp / counts[c]}
            out |= {f"c{c}.ppv": tp / predicted if predicted else 0.0, f"c{c}.f1": 2 * tp / (counts[c] + predicted)}
        for score in ("ppv", "sens", "f1"):
            each = [out[f"c{c}.{score}"] for c in range(3)]
            out[f"macro.{score}"] = mean(each)
            out[f"weighted.{score}"] = sum(x * count for x, count in zip(each, counts, strict=True)) / len(truth)
        return out

    def _regression(self, row: str) -> dict[str, float]:
        count = self.random.randint(20, 200)
        self.rows.setdefault("size", {"total": count})
        count = int(self.rows["size"]["total"])
        truth = [self.random.gauss(50, 10) for _ in range(count)]
        residuals = [self.random.gauss(0, 4) for _ in range(count)]
        squares = mean(r * r for r in residuals)
        centre = mean(truth)
        return {
            "total": count,
            "mae": mean(abs(r) for r in residuals),
            "mse": squares,
            "rmse": squares**0.5,
            "r2": 1 - squares / mean((y - centre) ** 2 for y in truth),
        }


def binary_scores(random: Random, p: int, n: int) -> dict[str, float]:
    """The scores of one classifier on p positives and n negatives, all defined, with the area under its curve."""
    while True:
        positive = [random.gauss(1.0, 1.0) for _ in range(p)]
        negative = [random.gauss(-1.0, 1.0) for _ in range(n)]
        tp, fp = sum(x > 0 for x in positive), sum(x > 0 for x in negative)
        fn, tn = p - tp, n - fp
        if min(tp, fp, fn, tn) > 0:
            break
    area = sum((a > b) + (a == b) / 2 for a in positive for b in negative) / (p * n)
    total = p + n
    ratios = {
        "acc": (tp + tn, total),
        "sens": (tp, p),
        "spec": (tn, n),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "ji": (tp, tp + fp + fn),
        "err": (fp + fn, total),
        "fpr": (fp, n),
        "fnr": (fn, p),
        "prevalence": (p, total),
        "ppr": (tp + fp, total),
        "detection": (tp, total),
    }
    out: dict[str, float] = {name: hits / of for name, (hits, of) in ratios.items()}
    for name, (hits, of) in ratios.items():
        out |= {
            f"{name}.hits": hits,
            f"{name}.of": of,
            f"{name}.lo": 0.9 * hits / of,
            f"{name}.hi": min(1, 1.05 * hits / of),
        }
    sens, spec = tp / p, tn / n
    out |= {"bacc": (sens + spec) / 2, "bm": sens + spec - 1, "gm": (sens * spec) ** 0.5, "auc": area}
    out |= {"lrp": sens / (1 - spec), "lrn": (1 - sens) / spec}
    out["mcc"] = (tp * tn - fp * fn) / ((tp + fp) * p * n * (tn + fn)) ** 0.5
    out["kappa"] = 2 * (tp * tn - fp * fn) / ((tp + fp) * n + (tn + fn) * p)
    out |= {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "p": p, "n": n, "total": total}
    return out | {"correct": tp + tn, "wrong": fp + fn, "train": 4 * total + 1}


def _printed(value: float, style: str) -> tuple[str, str, bool]:
    """The text of a number in a style, its digits, and whether it is a percentage."""
    shape = re.fullmatch(r"(?P<percent>\\?%\s?)?(?P<point>,|\.\.|\.)?(?P<places>\d)", style)
    assert shape, style
    places, point = int(shape["places"]), shape["point"]
    percent = shape["percent"] is not None or point is None
    digits = f"{100 * value if percent else value:.{places}f}"
    text = digits
    if point == ",":
        text = digits.replace(".", ",")
    elif point == "..":
        text = digits.replace("0.", ".", 1)
    sign = (shape["percent"] or "").strip()
    gap = " " if (shape["percent"] or "").endswith(" ") else ""
    return text + gap + sign, digits, percent
