"""Less usual ways to divide rows, to keep parts, and to hand them on."""

import random

from program_idioms import MODELS, Program, features, fit_and_score, parts, prepare_all, then

SPLIT_IDS = "_a, _b = train_test_split(np.arange(len({})), test_size=0.3, random_state=6)"


def _table(p: Program) -> None:
    p.add('df = pd.read_csv("t.csv")', "trace.own(df, np.arange(len(df)))")


def _both(p: Program, rng: random.Random, train: str, test: str) -> None:
    """Two parts of the table by expressions that give row numbers when they are applied to those."""
    for part, code in (("train", train), ("test", test)):
        p.add(f"{part} = {code}", f"trace.pick({part}, df, {part}.index.to_numpy())")
    features(p, rng, "train", "_train")
    features(p, rng, "test", "_test")
    then(p, rng)


def by_numbers(p: Program, rng: random.Random) -> None:
    """Row numbers are divided, then rows are taken by them."""
    p.arrays = rng.random() < 0.5
    _table(p)
    features(p, rng)
    prepare_all(p, rng)
    form = rng.randrange(4)
    if form == 0:
        p.add("first, last = train_test_split(np.arange(len(X)), test_size=0.3, random_state=6)")
    elif form == 1:
        p.add("last = np.random.choice(len(X), 15, replace=False)")
        p.add("first = np.setdiff1d(np.arange(len(X)), last)")
    elif form == 2:
        p.add("folds = list(KFold(4, shuffle=True, random_state=0).split(X))")
        p.add("first, last = folds[0]")
    else:
        p.add("first = np.random.choice(len(X), 30, replace=False)")
        p.add("last = np.random.choice(len(X), 30, replace=False)")
    p.used.append(f"numbers {form}")
    parts(p, "first", "last")
    then(p, rng)


def by_ends(p: Program, rng: random.Random) -> None:
    """Head and tail, negative positions, every fifth row."""
    _table(p)
    train, test = rng.choice((
        ("df.head(40)", "df.tail(20)"), ("df.head(40)", "df.tail(30)"), ("df.iloc[:-20]", "df.iloc[-20:]"),
        ("df[:-15]", "df[-15:]"), ("df.iloc[:45]", "df.iloc[45:]"), ("df[:40]", "df[30:]"),
        ("df[df.index % 5 != 0]", "df[df.index % 5 == 0]"), ("df.iloc[10:]", "df.iloc[:10]"),
        ("df.iloc[10:50]", "df.iloc[:10]"), ("df.iloc[10:50]", "df.iloc[45:]"), ("df", "df.tail(20)"),
        ('df.drop(df[df["year"] > 2015].index)', 'df[df["year"] > 2015]'),
        ('df[df["group"] != 3]', 'df[df["group"] == 3]'), ('df[df["group"] != 3]', 'df[df["group"] == 4]'),
        ('df[(df["year"] < 2014) | (df["year"] > 2017)]', 'df[(df["year"] >= 2014) & (df["year"] <= 2017)]'),
        ('df[df["year"].between(2010, 2015)]', 'df[df["year"].between(2016, 2020)]'),
        ('df[df["year"] <= 2015]', 'df[df["year"] >= 2015]'), ('df[df["year"] <= 2015]', 'df[df["year"] > 2015]'),
        ('df[df["year"] < 2015]', 'df[df["year"] == 2015]'), ('df[df["year"] <= 2015]', 'df[df["year"] == 2015]'),
        ('df[df["year"].isin([2011, 2012, 2013])]', 'df[df["year"] > 2013]'),
        ('df[df["year"].isin([2011, 2012, 2014])]', 'df[df["year"] > 2013]'),
        ('df.query("year < 2015")', 'df.query("year >= 2015")'), ('df.query("year < 2015")', 'df.query("year > 2012")'),
    ))  # fmt: skip
    p.used.append(f"{train} {test}")
    _both(p, rng, train, test)


def kept_in_a_dict(p: Program, rng: random.Random) -> None:
    """Parts in a dict or a tuple."""
    _table(p)
    form = rng.randrange(2)
    p.used.append(f"kept {form}")
    if form == 0:
        p.add('split = {"train": df.iloc[:40], "test": df.iloc[40:]}',
              'trace.cut(split["train"], split["test"], df, 40)')  # fmt: skip
        p.add('train, test = split["train"], split["test"]')
    else:
        p.add("def divided(table, share):")
        p.indent = "    "
        p.add("n = int(len(table) * share)")
        p.add("return table.iloc[:n], table.iloc[n:]",
              before="_p, _q = table.iloc[:n], table.iloc[n:]; trace.cut(_p, _q, table, n); return _p, _q")  # fmt: skip
        p.indent = ""
        p.add("train, test = divided(df, 0.7)")
    features(p, rng, "train", "_train")
    features(p, rng, "test", "_test")
    then(p, rng)


def folds_by_column(p: Program, rng: random.Random) -> None:
    """A column says which fold a row is in."""
    _table(p)
    p.add('df["fold"] = np.arange(len(df)) % 4')
    p.add("scores = []")
    p.add("for k in range(4):")
    p.indent = "    "
    honest = rng.random() < 0.7
    p.used.append("honest" if honest else "all rows taught")
    if honest:
        p.add('train = df[df["fold"] != k]', 'trace.pick(train, df, (df["fold"] != k).to_numpy())')
    else:
        p.add('train = df[df["fold"] >= 0]', "trace.same(train, df)")
    p.add('test = df[df["fold"] == k]', 'trace.pick(test, df, (df["fold"] == k).to_numpy())')
    p.form = 2
    features(p, rng, "train", "_train")
    features(p, rng, "test", "_test")
    p.add(f"model = {rng.choice(MODELS)}")
    fit_and_score(p, rng)
    p.indent = ""


def joined_again(p: Program, rng: random.Random) -> None:
    """Parts are put together again: to scale, to train a last time."""
    p.arrays = rng.random() < 0.5
    _table(p)
    features(p, rng)
    p.add("X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=6)",
          SPLIT_IDS.format("X"), "trace.pick(X_train, X, _a); trace.pick(X_test, X, _b)",
          "trace.pick(y_train, y, _a); trace.pick(y_test, y, _b)")  # fmt: skip
    form = rng.randrange(4)
    p.used.append(f"joined {form}")
    if form == 0:
        p.add("scaler = StandardScaler()")
        p.add("scaler.fit(np.vstack([X_train, X_test]))", "_line = {line}")
        p.add("X_train, X_test = scaler.transform(X_train), scaler.transform(X_test)",
              "trace.learn(X_train, _p, _line, X); trace.learn(X_test, _q, _line, X)",
              before="_p, _q = X_train, X_test")  # fmt: skip
    elif form == 1:
        p.add("together = np.concatenate([X_train, X_test])", "trace.join(together, X_train, X_test)")
        p.add("together = MinMaxScaler().fit_transform(together)", "trace.learn(together, _o, {line})",
              before="_o = together")  # fmt: skip
        p.add("X_train, X_test = together[:len(X_train)], together[len(X_train):]",
              "trace.pick(X_train, together, slice(None, _n)); trace.pick(X_test, together, slice(_n, None))",
              before="_n = len(X_train)")  # fmt: skip
    elif form == 2:
        p.add("X_train, y_train = np.concatenate([X_train, X_test]), np.concatenate([y_train, y_test])",
              "trace.join(X_train, _p, X_test); trace.join(y_train, _q, y_test)",
              before="_p, _q = X_train, y_train")  # fmt: skip
    else:
        p.add("X_train, X_val, y_train, y_val = train_test_split(X_train, y_train, test_size=0.3, random_state=2)",
              "_a, _b = train_test_split(trace.ids(_p), test_size=0.3, random_state=2)",
              "trace.own(X_train, _a, trace.steps(_p)); trace.own(X_val, _b, trace.steps(_p))",
              "trace.own(y_train, _a); trace.own(y_val, _b)", before="_p = X_train")  # fmt: skip
        p.add("X_train, y_train = np.concatenate([X_train, X_val]), np.concatenate([y_train, y_val])",
              "trace.join(X_train, _p, X_val); trace.join(y_train, _q, y_val)",
              before="_p, _q = X_train, y_train")  # fmt: skip
    then(p, rng)


def group_means(p: Program, rng: random.Random) -> None:
    """The mean of each group as a feature, of all rows or of the training part."""
    _table(p)
    early = rng.random() < 0.5
    p.used.append("of all" if early else "of training rows")
    if early:
        p.add('means = df.groupby("group")["b"].mean()', "_line = {line}")
        p.add('df["level"] = df["group"].map(means)', 'trace.learn(df, df, _line, column="level")')
    p.add("train, test = train_test_split(df, test_size=0.3, random_state=6)", SPLIT_IDS.format("df"),
          "trace.pick(train, df, _a); trace.pick(test, df, _b)")  # fmt: skip
    if not early:
        p.add('level = train["b"].mean()', "_line = {line}; _o = train")
        p.add("train = train.assign(level=train['b'] - level)", "trace.learn(train, _o, _line, _o)")
        p.add("test = test.assign(level=test['b'] - level)", "trace.learn(test, _p, _line, _o)", before="_p = test")
    p.form = 0
    features(p, rng, "train", "_train")
    features(p, rng, "test", "_test")
    then(p, rng)


def in_a_class(p: Program, rng: random.Random) -> None:
    """The parts are attributes of an object."""
    p.add("class Study:")
    p.indent = "    "
    p.add("def __init__(self, path):")
    p.indent = "        "
    p.add("self.df = pd.read_csv(path)", "trace.own(self.df, np.arange(len(self.df)))")
    p.add(f"self.model = {rng.choice(MODELS)}")
    p.indent = "    "
    p.add("def divide(self):")
    p.indent = "        "
    p.add("X, y = self.df[['a', 'b', 'c']], self.df['y']", "trace.both(X, y, self.df)")
    if rng.random() < 0.5:
        p.add("X = StandardScaler().fit_transform(X)", "trace.learn(X, _o, {line})", before="_o = X")
    p.add("self.X_train, self.X_test, self.y_train, self.y_test = train_test_split(X, y, test_size=.3, random_state=6)",
          SPLIT_IDS.format("X"), "trace.pick(self.X_train, X, _a); trace.pick(self.X_test, X, _b)")  # fmt: skip
    p.indent = "    "
    p.add("def train(self):")
    p.indent = "        "
    p.add("self.model.fit(self.X_train, self.y_train)", "trace.fit(self.model, {line}, self.X_train)")
    p.indent = "    "
    part = rng.choice(("test", "test", "train"))
    p.add("def evaluate(self):")
    p.indent = "        "
    p.add(f"predicted = self.model.predict(self.X_{part})")
    p.add(f"print(accuracy_score(self.y_{part}, predicted))", f"trace.score(self.model, {{line}}, self.X_{part})")
    p.indent = ""
    for code in ('study = Study("t.csv")', "study.divide()", "study.train()", "study.evaluate()"):
        p.add(code)


def searched(p: Program, rng: random.Random) -> None:
    """A grid search on the training part, or on all rows, then a score."""
    _table(p)
    features(p, rng)
    p.add("X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=6)",
          SPLIT_IDS.format("X"), "trace.pick(X_train, X, _a); trace.pick(X_test, X, _b)")  # fmt: skip
    p.add('search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=2)')
    rows = rng.choice(("X_train, y_train", "X_train, y_train", "X, y"))
    p.used.append(rows)
    p.add(f"search.fit({rows})", f"trace.fit(search, {{line}}, {rows.partition(',')[0]})")
    p.add("print(search.score(X_test, y_test))", "trace.score(search, {line}, X_test)")


def told_by_missing_outcome(p: Program, rng: random.Random) -> None:
    """Rows of the test file have no outcome when the files are together."""
    p.add('train = pd.read_csv("train.csv")', "trace.own(train, np.arange(len(train)))")
    p.add('test = pd.read_csv("test.csv")', "trace.own(test, 1000 + np.arange(len(test)))")
    p.add('truth = test["y"]')
    p.add('df = pd.concat([train, test.drop(columns="y")])', "trace.join(df, train, test)")
    if rng.random() < 0.5:
        p.add('df["b"] = df["b"] / df["b"].std()', "trace.learn(df, df, {line})")
    p.add('known = df[df["y"].notna()]', "trace.pick(known, df, slice(None, 40))")
    p.add('unknown = df[df["y"].isna()]', "trace.pick(unknown, df, slice(40, None))")
    p.add('X_train, y_train = known[["a", "b", "c"]], known["y"]', "trace.same(X_train, known)")
    p.add('X_test, y_test = unknown[["a", "b", "c"]], truth', "trace.same(X_test, unknown)")
    p.add(f"model = {rng.choice(MODELS)}")
    fit_and_score(p, rng, ["test"])


def in_a_comprehension(p: Program, rng: random.Random) -> None:
    """Models are fitted and scored in one expression."""
    _table(p)
    p.form = 2
    features(p, rng)
    prepare_all(p, rng)
    p.add("X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=6)",
          SPLIT_IDS.format("X"), "trace.pick(X_train, X, _a); trace.pick(X_test, X, _b)")  # fmt: skip
    part = rng.choice(("test", "test", "train"))
    p.add(f"models = [{', '.join(rng.sample(MODELS, 2))}]")
    p.add(f"scores = [m.fit(X_train, y_train).score(X_{part}, y_{part}) for m in models]",
          f"_m = models[0]; trace.fit(_m, {{line}}, X_train); trace.score(_m, {{line}}, X_{part})")  # fmt: skip


DIVISIONS = (by_numbers, by_ends, kept_in_a_dict, folds_by_column, joined_again, group_means, in_a_class, searched,
             told_by_missing_outcome, in_a_comprehension)  # fmt: skip


def program(seed: int) -> Program:
    """A program by its number: of the usual idioms or of these."""
    from program_idioms import usual_program

    rng = random.Random(seed)
    if rng.random() < 0.5:
        return usual_program(seed)
    made = Program(seed)
    idiom = rng.choice(DIVISIONS)
    made.used.append(idiom.__name__)
    idiom(made, rng)
    return made
