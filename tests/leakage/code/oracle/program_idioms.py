"""Programs composed of the idioms of tutorials and notebooks, each statement with its shadow on row numbers."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

IMPORTS = """\
import numpy as np
import pandas as pd
from imblearn.over_sampling import RandomOverSampler, SMOTE
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import GridSearchCV, GroupShuffleSplit, KFold, StratifiedKFold
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier
""".splitlines()
MODELS = (
    "DecisionTreeClassifier(max_depth=2)",
    "LogisticRegression()",
    "GaussianNB()",
    "KNeighborsClassifier(3)",
    "RandomForestClassifier(n_estimators=3)",
    "make_pipeline(StandardScaler(), LogisticRegression())",
)


@dataclass
class Program:
    """The text of a program, and the same with shadows."""

    seed: int
    plain: list[str] = field(default_factory=lambda: list(IMPORTS))
    traced: list[str] = field(default_factory=lambda: list(IMPORTS))
    indent: str = ""
    arrays: bool = False
    """Whether the features are an array rather than a table."""
    columns: bool = True
    """Whether the features still have their columns' names."""
    resampled: bool = False
    form: int = -1
    """How features are taken from a table: alike for both parts."""
    used: list[str] = field(default_factory=list)
    """The idioms, for the report on what goes wrong where."""

    @property
    def text(self) -> str:
        return "\n".join(self.plain) + "\n"

    def add(self, code: str, *shadows: str, before: str = "") -> None:
        """One statement, or one line that opens a block; shadows run behind it, and may name its `{line}`."""
        self.plain.append(self.indent + code)
        line = len(self.plain)
        if before:
            self.traced.append(self.indent + before)
        self.traced.append(self.indent + code)
        inner = "    " if code.endswith(":") else ""
        self.traced += [self.indent + inner + shadow.replace("{line}", str(line)) for shadow in shadows]


Idiom = Callable[[Program, random.Random], None]


def usual_program(seed: int) -> Program:
    """A program by its number."""
    rng = random.Random(seed)
    made = Program(seed)
    rng.choice((_from_one_table, _from_one_table, _from_one_table, _from_two_files, _in_helpers))(made, rng)
    return made


def _from_one_table(p: Program, rng: random.Random) -> None:
    gaps = rng.random() < 0.3
    p.add(f'df = pd.read_csv("{"gaps" if gaps else "t"}.csv")', "trace.own(df, np.arange(len(df)))")
    if gaps:
        _do(p, rng, (_fill_column, _fill_column, _drop_gaps, _fill_by_number))
    for _ in range(rng.randint(0, 2)):
        _do(p, rng, (_filter, _shuffle, _sort, _new_column, _centre_column, _centre_then_drop, _rank_rows, _reset))
    _do(p, rng, (_split_features, _split_features, _split_features, _split_table, _mask_table, _sample_table,
                 _divide_by_year, _divide_by_group, _folds, _cross_validation))  # fmt: skip


def _do(p: Program, rng: random.Random, choice: tuple[Idiom, ...]) -> None:
    idiom = rng.choice(choice)
    p.used.append(idiom.__name__.strip("_"))
    idiom(p, rng)


# --- changes of the table ---


def _fill_column(p: Program, rng: random.Random) -> None:
    statistic = rng.choice(("mean", "median"))
    if rng.random() < 0.5:
        p.add(f'df["a"] = df["a"].fillna(df["a"].{statistic}())', 'trace.learn(df, df, {line}, column="a")')
    else:
        p.add(f'df[["a"]] = SimpleImputer(strategy="{statistic}").fit_transform(df[["a"]])',
              'trace.learn(df, df, {line}, column="a")')  # fmt: skip


def _fill_by_number(p: Program, rng: random.Random) -> None:
    p.add('df["a"] = df["a"].fillna(0)')


def _drop_gaps(p: Program, rng: random.Random) -> None:
    p.add("df = df.dropna()", "trace.own(df, _i[_k], _s)",
          before='_k = df["a"].notna().to_numpy(); _i, _s = trace.ids(df), trace.steps(df)')  # fmt: skip


def _filter(p: Program, rng: random.Random) -> None:
    before = '_k = (df["b"] > -1).to_numpy(); _i, _s = trace.ids(df), trace.steps(df)'
    code = rng.choice(('df = df[df["b"] > -1]', 'df = df.loc[df["b"] > -1]', 'df = df.query("b > -1")'))
    p.add(code, "trace.own(df, _i[_k], _s)", before=before)


def _shuffle(p: Program, rng: random.Random) -> None:
    seed = rng.randint(0, 9)
    drawn = f"pd.Series(trace.ids(df)).sample(frac=1, random_state={seed})"
    p.add(f"df = df.sample(frac=1, random_state={seed})", "trace.own(df, _m.to_numpy(), _s)",
          before=f"_m = {drawn}; _s = trace.steps(df)")  # fmt: skip


def _sort(p: Program, rng: random.Random) -> None:
    p.add('df = df.sort_values("c")', "trace.own(df, _m, _s)",
          before='_m = trace.ids(df)[np.argsort(df["c"].to_numpy())]; _s = trace.steps(df)')  # fmt: skip


def _reset(p: Program, rng: random.Random) -> None:
    p.add("df = df.reset_index(drop=True)", "trace.own(df, _i, _s)", before="_i, _s = trace.ids(df), trace.steps(df)")


def _new_column(p: Program, rng: random.Random) -> None:
    p.add(rng.choice(('df["d"] = df["b"] * df["c"]', 'df["d"] = df["b"].abs()', 'df["d"] = np.exp(df["c"])',
                      'df["d"] = df["b"].apply(lambda v: v * v)')))  # fmt: skip


def _centre_column(p: Program, rng: random.Random) -> None:
    p.add('df["b"] = (df["b"] - df["b"].mean()) / df["b"].std()', 'trace.learn(df, df, {line}, column="b")')


def _centre_then_drop(p: Program, rng: random.Random) -> None:
    p.add('df["e"] = df["c"] / df["c"].max()', 'trace.learn(df, df, {line}, column="e")')
    p.add('df = df.drop(columns="e")', "trace.own(df, _i, _s)",
          before='_i, _s = trace.ids(df), tuple(s for s in trace.steps(df) if s[2] != "e")')  # fmt: skip


def _rank_rows(p: Program, rng: random.Random) -> None:
    p.add('df["f"] = df[["b", "c"]].max(axis=1)')


# --- features, and changes of them ---


def features(p: Program, rng: random.Random, table: str = "df", ending: str = "") -> None:
    """Features and outcome of a table."""
    x, y = f"X{ending}", f"y{ending}"
    shadows = (f"trace.same({x}, {table})", f"trace.same({y}, {table})")
    if p.arrays:
        p.add(f'{x}, {y} = {table}.drop("y", axis=1).values, {table}["y"].values', *shadows)
        p.columns = False
        return
    p.form = rng.randrange(3) if p.form < 0 else p.form
    if p.form == 0:
        p.add(f'{x} = {table}.drop(columns="y")', shadows[0])
        p.add(f'{y} = {table}["y"]', shadows[1])
    elif p.form == 1:
        p.add(f'{x}, {y} = {table}.drop("y", axis=1), {table}["y"]', *shadows)
    else:
        p.add(f'{x} = {table}[["a", "b", "c"]]', f"trace.same({x}, {table})")
        p.add(f'{y} = {table}["y"]', shadows[1])


def prepare_all(p: Program, rng: random.Random) -> None:
    """Steps on all features, before the division."""
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        _do(p, rng, (_scale_all, _scale_all, _scale_in_two, _project_all, _select_all, _per_row, _centre_all))


def _scale_all(p: Program, rng: random.Random) -> None:
    before = "_o = X"
    tool = rng.choice(("StandardScaler()", "MinMaxScaler()"))
    if rng.random() < 0.5:
        p.add(f"X = {tool}.fit_transform(X)", "trace.learn(X, _o, {line})", before=before)
    else:
        p.add(f"scaler = {tool}")
        p.add("X = scaler.fit_transform(X)", "trace.learn(X, _o, {line})", before=before)
    p.columns = False


def _scale_in_two(p: Program, rng: random.Random) -> None:
    p.add("scaler = StandardScaler()")
    p.add("scaler.fit(X)", "_line, _o = {line}, X")
    p.add("X = scaler.transform(X)", "trace.learn(X, _o, _line)")
    p.columns = False


def _project_all(p: Program, rng: random.Random) -> None:
    p.add("X = PCA(n_components=2).fit_transform(X)", "trace.learn(X, _o, {line})", before="_o = X")
    p.columns = False


def _select_all(p: Program, rng: random.Random) -> None:
    p.add("X = SelectKBest(f_classif, k=2).fit_transform(X, y)", "trace.learn(X, _o, {line})", before="_o = X")
    p.columns = False


def _per_row(p: Program, rng: random.Random) -> None:
    p.add(rng.choice(("X = np.abs(X)", "X = X * 2", "X = np.tanh(X)")), "trace.same(X, _o)", before="_o = X")


def _centre_all(p: Program, rng: random.Random) -> None:
    code = "X = (X - X.mean(axis=0)) / X.std(axis=0)" if rng.random() < 0.5 else "X = X - np.mean(X, axis=0)"
    p.add(code, "trace.learn(X, _o, {line})", before="_o = X")


def _resample_all(p: Program, rng: random.Random) -> None:
    if rng.random() < 0.5:
        p.add("sampler = RandomOverSampler(random_state=0)")
        p.add("X, y = sampler.fit_resample(X, y)",
              "trace.own(X, trace.ids(_o)[sampler.sample_indices_], trace.steps(_o)); trace.learn(X, X, {line}, _o)",
              "trace.same(y, X)", before="_o = X")  # fmt: skip
    else:
        p.add("X, y = SMOTE(random_state=0, k_neighbors=2).fit_resample(X, y)",
              "trace.own(X, np.r_[trace.ids(_o), -1 - np.arange(len(X) - len(_o))], trace.steps(_o))",
              "trace.learn(X, X, {line}, _o)", "trace.same(y, X)", before="_o = X")  # fmt: skip
    p.resampled = True


# --- divisions ---


def _split_features(p: Program, rng: random.Random) -> None:
    p.arrays = rng.random() < 0.35
    features(p, rng)
    prepare_all(p, rng)
    if rng.random() < 0.15:
        p.used.append("resample_all")
        _resample_all(p, rng)
    _do(p, rng, (_split_at_random, _split_at_random, _split_in_three, _slice, _permute, _group_split, _twice))
    then(p, rng)


def _split_at_random(p: Program, rng: random.Random) -> None:
    settings = rng.choice(
        ("test_size=0.3, random_state=1", "random_state=2, stratify=y", "test_size=0.25, shuffle=False")
    )
    p.add(f"X_train, X_test, y_train, y_test = train_test_split(X, y, {settings})",
          f"_a, _b = train_test_split(trace.ids(X), {settings})",
          "trace.own(X_train, _a, trace.steps(X)); trace.own(X_test, _b, trace.steps(X))",
          "trace.same(y_train, X_train); trace.same(y_test, X_test)")  # fmt: skip


def _split_in_three(p: Program, rng: random.Random) -> None:
    p.add("X_rest, X_test, y_rest, y_test = train_test_split(X, y, test_size=0.2, random_state=1)",
          "_a, _b = train_test_split(trace.ids(X), test_size=0.2, random_state=1)",
          "trace.own(X_rest, _a, trace.steps(X)); trace.own(X_test, _b, trace.steps(X))")  # fmt: skip
    p.add("X_train, X_val, y_train, y_val = train_test_split(X_rest, y_rest, test_size=0.25, random_state=1)",
          "_a, _b = train_test_split(trace.ids(X_rest), test_size=0.25, random_state=1)",
          "trace.own(X_train, _a, trace.steps(X)); trace.own(X_val, _b, trace.steps(X))")  # fmt: skip


def _twice(p: Program, rng: random.Random) -> None:
    """Features by one random division, the next by another."""
    p.add("X_train, _, y_train, _ = train_test_split(X, y, test_size=0.3, random_state=1)",
          "_a = train_test_split(trace.ids(X), test_size=0.3, random_state=1)[0]",
          "trace.own(X_train, _a, trace.steps(X))")  # fmt: skip
    p.add("_, X_test, _, y_test = train_test_split(X, y, test_size=0.3, random_state=5)",
          "_b = train_test_split(trace.ids(X), test_size=0.3, random_state=5)[1]",
          "trace.own(X_test, _b, trace.steps(X))")  # fmt: skip


def parts(p: Program, train: str, test: str) -> None:
    """Four statements that take the parts by position."""
    for part, chosen in (("train", train), ("test", test)):
        for what in "Xy":
            p.add(
                f"{what}_{part} = {_position(p, what, chosen)}", f"trace.pick({what}_{part}, {what}, {_sliced(chosen)})"
            )


def _position(p: Program, what: str, chosen: str) -> str:
    """Rows by position, as arrays and tables want it; where it is not known which of them it is, as an array."""
    if p.arrays:
        return f"{what}[{chosen}]"
    sure = p.columns or what == "y"
    return f"{what}.iloc[{chosen}]" if sure and not p.resampled else f"np.asarray({what})[{chosen}]"


def _sliced(chosen: str) -> str:
    start, colon, end = chosen.partition(":")
    return f"slice({start or None}, {end or None})" if colon else chosen


def _slice(p: Program, rng: random.Random) -> None:
    form = rng.randrange(4)
    if form == 0:
        p.add("n = int(len(X) * 0.7)")
    elif form == 1:
        p.add("n = int(0.7 * X.shape[0])")
    cut = "n" if form < 2 else "30"
    if form == 3:
        p.used.append("slices overlap")
        parts(p, f":{cut}", "20:")
    else:
        parts(p, f":{cut}", f"{cut}:")


def _permute(p: Program, rng: random.Random) -> None:
    p.add("order = np.random.permutation(len(X))")
    p.add("n = int(0.7 * len(X))")
    p.add("first, last = order[:n], order[n:]")
    parts(p, "first", "last")


def _group_split(p: Program, rng: random.Random) -> None:
    p.add("groups = np.arange(len(X)) % 7")
    p.add("splitter = GroupShuffleSplit(n_splits=1, test_size=0.3, random_state=0)")
    p.add("first, last = next(splitter.split(X, y, groups))")
    parts(p, "first", "last")


def _split_table(p: Program, rng: random.Random) -> None:
    p.add("train, test = train_test_split(df, test_size=0.3, random_state=4)",
          "_a, _b = train_test_split(trace.ids(df), test_size=0.3, random_state=4)",
          "trace.own(train, _a, trace.steps(df)); trace.own(test, _b, trace.steps(df))")  # fmt: skip
    _from_parts(p, rng)


def _mask_table(p: Program, rng: random.Random) -> None:
    p.add("chosen = np.random.rand(len(df)) < 0.7")
    p.add("train = df[chosen]", "trace.pick(train, df, chosen)")
    if rng.random() < 0.75:
        p.add("test = df[~chosen]", "trace.pick(test, df, ~chosen)")
    else:
        p.used.append("second mask")
        p.add("others = np.random.rand(len(df)) < 0.4")
        p.add("test = df[others]", "trace.pick(test, df, others)")
    _from_parts(p, rng)


def _sample_table(p: Program, rng: random.Random) -> None:
    p.add("df = df.reset_index(drop=True)", "trace.own(df, _i, _s)", before="_i, _s = trace.ids(df), trace.steps(df)")
    p.add("train = df.sample(frac=0.7, random_state=3)", "trace.pick(train, df, train.index.to_numpy())")
    form = rng.randrange(3)
    if form == 0:
        p.add("test = df.drop(train.index)", "trace.pick(test, df, test.index.to_numpy())")
    elif form == 1:
        p.add("test = df[~df.index.isin(train.index)]", "trace.pick(test, df, test.index.to_numpy())")
    else:
        p.used.append("second sample")
        p.add("test = df.sample(frac=0.5, random_state=8)", "trace.pick(test, df, test.index.to_numpy())")
    _from_parts(p, rng)


def _divide_by_year(p: Program, rng: random.Random) -> None:
    p.add('train = df[df["year"] < 2016]', 'trace.pick(train, df, (df["year"] < 2016).to_numpy())')
    other = rng.choice(('df["year"] >= 2016', 'df["year"] > 2016', 'df["year"] >= 2014'))
    p.used.append(f"year {other[-7:]}")
    p.add(f"test = df[{other}]", f"trace.pick(test, df, ({other}).to_numpy())")
    _from_parts(p, rng)


def _divide_by_group(p: Program, rng: random.Random) -> None:
    p.add("held_out = [1, 4, 7]")
    p.add('test = df[df["group"].isin(held_out)]', 'trace.pick(test, df, df["group"].isin(held_out).to_numpy())')
    p.add('train = df[~df["group"].isin(held_out)]', 'trace.pick(train, df, ~df["group"].isin(held_out).to_numpy())')
    _from_parts(p, rng)


def _from_parts(p: Program, rng: random.Random) -> None:
    features(p, rng, "train", "_train")
    features(p, rng, "test", "_test")
    then(p, rng)


def _folds(p: Program, rng: random.Random) -> None:
    p.arrays = True
    features(p, rng)
    prepare_all(p, rng)
    p.add(rng.choice(("folds = KFold(3, shuffle=True, random_state=0)", "folds = StratifiedKFold(n_splits=3)")))
    p.add(f"model = {rng.choice(MODELS)}")
    p.add("scores = []")
    p.add("for first, last in folds.split(X, y):")
    p.indent = "    "
    parts(p, "first", "last")
    if rng.random() < 0.4:
        _prepare_parts(p, rng)
    fit_and_score(p, rng)
    p.indent = ""
    p.add("print(np.mean(scores))")


def _cross_validation(p: Program, rng: random.Random) -> None:
    p.arrays = rng.random() < 0.5
    features(p, rng)
    prepare_all(p, rng)
    p.add(f"model = {rng.choice(MODELS)}")
    p.add("print(cross_val_score(model, X, y, cv=3).mean())", "trace.folds({line}, X)")


def _from_two_files(p: Program, rng: random.Random) -> None:
    """Two files are put together, prepared, and taken apart again."""
    p.used.append("two files")
    p.add('train = pd.read_csv("train.csv")', "trace.own(train, np.arange(len(train)))")
    p.add('test = pd.read_csv("test.csv")', "trace.own(test, 1000 + np.arange(len(test)))")
    form = rng.choice(("len", "shape", "flag", "keys", "alone"))
    p.used.append(f"taken apart by {form}")
    if form == "flag":
        p.add('train["known"] = 1')
        p.add('test["known"] = 0')
    joined = {"keys": 'df = pd.concat([train, test], keys=["train", "test"])'}.get(
        form, "df = pd.concat([train, test])"
    )
    if form == "shape":
        p.add("n = train.shape[0]")
    if form != "alone":
        p.add(joined, "trace.join(df, train, test)")
        for _ in range(rng.randint(0, 2)):
            _do(p, rng, (_centre_column, _new_column, _centre_then_drop))
    take = {
        "len": ("df[:len(train)]", "df[len(train):]"),
        "shape": ("df.iloc[:n]", "df.iloc[n:]"),
        "flag": ('df[df["known"] == 1]', 'df[df["known"] == 0]'),
        "keys": ('df.loc["train"]', 'df.loc["test"]'),
    }
    if form in take:
        first, last = take[form]
        p.add(f"known = {first}", "trace.pick(known, df, slice(None, 40))")
        p.add(f"unknown = {last}", "trace.pick(unknown, df, slice(40, None))")
        features(p, rng, "known", "_train")
        features(p, rng, "unknown", "_test")
        then(p, rng)
    else:
        _from_parts(p, rng)


def _in_helpers(p: Program, rng: random.Random) -> None:
    """The same in functions."""
    p.used.append("helpers")
    p.add("def load(path):")
    p.indent = "    "
    p.add("table = pd.read_csv(path)", "trace.own(table, np.arange(len(table)))")
    p.add('return table.drop(columns="y"), table["y"]',
          before='_x, _y = table.drop(columns="y"), table["y"]; trace.both(_x, _y, table); return _x, _y')  # fmt: skip
    p.indent = ""
    scaled = rng.random() < 0.5
    p.add("def prepared(rows):")
    p.indent = "    "
    if scaled:
        p.add("result = StandardScaler().fit_transform(rows)", "trace.learn(result, rows, {line})")
    else:
        p.add("result = np.abs(rows)", "trace.same(result, rows)")
    p.add("return result")
    p.indent = ""
    p.add("def evaluate(model, X_train, X_test, y_train, y_test):")
    p.indent = "    "
    p.add("model.fit(X_train, y_train)", "trace.fit(model, {line}, X_train)")
    p.add("return accuracy_score(y_test, model.predict(X_test))", before="trace.score(model, LINE, X_test)")
    p.traced[-2] = p.traced[-2].replace("LINE", str(len(p.plain)))
    p.indent = ""
    p.add('X, y = load("t.csv")')
    first = rng.random() < 0.5
    if first:
        p.add("X = prepared(X)")
    p.columns = not (first and scaled)
    _do(p, rng, (_split_at_random, _slice, _permute))
    if not first and rng.random() < 0.7:
        p.add("X_train = prepared(X_train)")
        p.add("X_test = prepared(X_test)")
    for model in rng.sample(MODELS, rng.randint(1, 2)):
        p.add(f"print(evaluate({model}, X_train, X_test, y_train, y_test))")
    if rng.random() < 0.3:
        p.used.append("helper on training rows")
        p.add(f"print(evaluate({rng.choice(MODELS)}, X_train, X_train, y_train, y_train))")


# --- behind the division ---


def _prepare_parts(p: Program, rng: random.Random) -> None:
    tool = rng.choice(("StandardScaler()", "PCA(n_components=2)", "MinMaxScaler()"))
    form = rng.randrange(3)
    p.used.append(f"parts prepared {form}")
    if form == 0:
        p.add(f"tool = {tool}")
        p.add("X_train = tool.fit_transform(X_train)", "_line = {line}; trace.learn(X_train, _o, {line})",
              before="_o = X_train")  # fmt: skip
        p.add("X_test = tool.transform(X_test)", "trace.learn(X_test, _p, _line, _o)", before="_p = X_test")
    elif form == 1:
        p.add(f"tool = {tool}")
        p.add("tool.fit(X_train)", "_line = {line}; _o = X_train")
        p.add("X_train, X_test = tool.transform(X_train), tool.transform(X_test)",
              "trace.learn(X_train, _o, _line); trace.learn(X_test, _p, _line, _o)", before="_p = X_test")  # fmt: skip
    else:
        p.add("sampler = RandomOverSampler(random_state=0)")
        p.add("X_train, y_train = sampler.fit_resample(X_train, y_train)",
              "trace.pick(X_train, _o, sampler.sample_indices_); trace.same(y_train, X_train)",
              before="_o = X_train")  # fmt: skip


def then(p: Program, rng: random.Random) -> None:
    """Preparation of the parts, and one or several models."""
    if rng.random() < 0.5:
        _prepare_parts(p, rng)
    form = rng.randrange(4)
    if form < 2:
        p.add(f"model = {rng.choice(MODELS)}")
        fit_and_score(p, rng)
    elif form == 2:
        p.used.append("models in a dict")
        first, second = rng.sample(MODELS, 2)
        p.add(f'models = {{"first": {first}, "second": {second}}}')
        p.add("for name, model in models.items():")
        p.indent = "    "
        fit_and_score(p, rng)
        p.indent = ""
    else:
        p.used.append("models in a list")
        p.add(f"for model in [{', '.join(rng.sample(MODELS, 2))}]:")
        p.indent = "    "
        fit_and_score(p, rng)
        p.indent = ""


def fit_and_score(p: Program, rng: random.Random, scored: list[str] | None = None) -> None:
    """One fit, and scores on one or two parts."""
    p.add("model.fit(X_train, y_train)", "trace.fit(model, {line}, X_train)")
    for part in scored or (["test"] if rng.random() < 0.75 else rng.choice((["train"], ["train", "test"]))):
        form = rng.randrange(3)
        if form == 0:
            p.add(f"print(model.score(X_{part}, y_{part}))", f"trace.score(model, {{line}}, X_{part})")
        elif form == 1:
            p.add(
                f"print(accuracy_score(y_{part}, model.predict(X_{part})))", f"trace.score(model, {{line}}, X_{part})"
            )
        else:
            p.add(f"answers = model.predict(X_{part})")
            p.add(f"print(f1_score(y_{part}, answers))", f"trace.score(model, {{line}}, X_{part})")
