"""Policies are data: their rows can be read, and every exemption silences its own example and nothing else does."""

import itertools
import subprocess
import sys

import pytest

from assay.code import read_code
from assay.findings import Severity
from assay.leakage.code.analysis import Analysis, analyse, analyse_text
from assay.leakage.code.facts.pair import Answer, ChoiceKind, Relation, Role
from assay.leakage.code.policies.policy import NAMES, Exemption, Policy, load_policy
from assay.tree.opening import tree_of

EXEMPTIONS = [(load_policy(name), e) for name in NAMES for e in load_policy(name).exemptions if e.rules]
READ = 'import pandas as pd\ndf = pd.read_csv("patients.csv")\nX, y = df.drop(columns="ill"), df["ill"]\n'
SPLIT = "X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)\n"
FIT = "model = LogisticRegression().fit(X_train, y_train)\n"


@pytest.mark.parametrize(("policy", "exemption"), EXEMPTIONS, ids=lambda value: value.name)
def test_an_exemption_silences_its_example(policy: Policy, exemption: Exemption) -> None:
    found = analyse_text(exemption.example, policy=policy)
    named = {silence.exemption for silence in found.silences}
    assert exemption.name in named, (named, found.pairs)
    assert not {leak.code for leak in found.leaks} & exemption.rules, found.leaks


@pytest.mark.parametrize(("policy", "exemption"), EXEMPTIONS, ids=lambda value: value.name)
def test_an_exemption_has_a_reason(policy: Policy, exemption: Exemption) -> None:
    assert exemption.reason.endswith("."), policy.name


@pytest.mark.parametrize("name", NAMES)
def test_names_of_rules_and_exemptions_are_unique(name: str) -> None:
    policy = load_policy(name)
    assert len({rule.name for rule in policy.rules}) == len(policy.rules)
    assert len({exemption.name for exemption in policy.exemptions}) == len(policy.exemptions)


def test_the_pair_table_says_what_one_score_rests_on() -> None:
    found = analyse_text(READ + SPLIT + FIT + "print(model.score(X_test, y_test))\n")
    (pair,) = found.pairs
    assert (pair.model, pair.relation, pair.role) == ("LogisticRegression", Relation.DISJOINT, Role.TEST)
    assert (pair.uses, pair.models, pair.untouched, pair.choice) == (1, 1, Answer.NO, ChoiceKind.NONE)
    assert (pair.training.location.line, pair.evaluation.location.line) == (5, 6)
    assert not pair.learnt
    assert not pair.assumptions


def test_one_finding_names_all_columns_that_were_imputed_alike() -> None:
    filled = "".join(f'df["{c}"] = df["{c}"].fillna(df["{c}"].mean())\n' for c in ("age", "weight", "pulse"))
    head = 'import pandas as pd\ndf = pd.read_csv("patients.csv")\n'
    split = 'X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="ill"), df["ill"], random_state=0)\n'
    found = analyse_text(head + filled + split + FIT + "print(model.score(X_test, y_test))\n")
    (leak,) = found.leaks
    assert leak.code == "L1.2"
    assert sum("this is where it learns" in e.text for e in leak.evidence) == 3


def test_a_choice_is_a_warning_and_repeated_use_a_note() -> None:
    scores = "a = LogisticRegression().fit(X_train, y_train).score(X_test, y_test)\n"
    scores += "b = SVC().fit(X_train, y_train).score(X_test, y_test)\n"
    used = {leak.code: leak.severity for leak in analyse_text(READ + SPLIT + scores).leaks}
    chosen = {leak.code: leak.severity for leak in analyse_text(READ + SPLIT + scores + "print(max(a, b))\n").leaks}
    assert used == {"LX10": Severity.NOTE}
    assert chosen["LX1"] is Severity.WARNING


def test_a_training_score_beside_a_test_counts_only_where_the_policy_says_so() -> None:
    both = READ + SPLIT + FIT + "print(model.score(X_train, y_train), model.score(X_test, y_test))\n"
    expected: dict[str, set[str]] = {"kapoor": set(), "yang": {"L1.1"}, "strict": {"L1.1"}, "kaggle": set()}
    codes = {name: {leak.code for leak in analyse_text(both, policy=load_policy(name)).leaks} for name in expected}
    assert codes == expected


SLICED = """
import pandas as pd
train, test = pd.read_csv("train.csv"), pd.read_csv("test.csv")
{before}both = pd.concat([train, test]{keys})
both["age"] = both["age"].fillna({value})
train, test = {first}, {second}
model = LogisticRegression().fit(train.drop(columns="ill"), train["ill"])
print(accuracy_score(test["ill"], model.predict(test.drop(columns="ill"))))
"""
APART = [
    ("", "", "both[:len(train)]", "both[len(train):]"),
    ("", "", "both.iloc[:train.shape[0]]", "both.iloc[train.shape[0]:]"),
    ("", "", "both[:891]", "both[891:]"),
    ("", ", keys=['a', 'b']", "both.loc['a']", "both.loc['b']"),
    ("train['known'], test['known'] = 1, 0\n", "", "both[both['known'] == 1]", "both[both['known'] == 0]"),
]


@pytest.mark.parametrize(("before", "keys", "first", "second"), APART)
def test_a_concatenation_can_be_taken_apart(before: str, keys: str, first: str, second: str) -> None:
    text = SLICED.format(before=before, keys=keys, value="0", first=first, second=second)
    (pair,) = analyse_text(text).pairs
    assert pair.relation is Relation.DISJOINT
    learnt = analyse_text(text.replace("fillna(0)", 'fillna(both["age"].median())'))
    assert {leak.code for leak in learnt.leaks} == {"L1.2"}


@pytest.mark.parametrize(("before", "keys", "first", "second"), APART)
def test_what_one_table_learnt_before_stays_with_it(before: str, keys: str, first: str, second: str) -> None:
    own = 'test["age"] = test["age"].fillna(test["age"].median())\n'
    text = SLICED.format(before=before + own, keys=keys, value="0", first=first, second=second)
    assert {leak.code for leak in analyse_text(text).leaks} <= {"LX9"}


def in_folder(**files: str) -> Analysis:
    return analyse(read_code(tree_of({f"{name}.py": text for name, text in files.items()})))


def test_rows_keep_what_was_learnt_through_a_file() -> None:
    write = READ + 'X = pd.DataFrame(PCA(2).fit_transform(X))\nX["ill"] = y\ntrain, test = train_test_split(X)\n'
    write += 'train.to_csv("one.csv")\ntest.to_csv("two.csv")\n'
    read = 'import pandas as pd\na, b = pd.read_csv("one.csv"), pd.read_csv("two.csv")\n'
    read += 'model = SVC().fit(a.drop(columns="ill"), a["ill"])\nprint(model.score(b.drop(columns="ill"), b["ill"]))\n'
    assert {leak.code for leak in in_folder(write=write, read=read).leaks} == {"L1.2"}
    assert {leak.code for leak in in_folder(read=read).leaks} == set()


FORECASTS = [
    'df["y"] = df["price"].shift(-1)\n',
    'df["y"] = (df["price"].shift(-1) > df["price"]).astype(int)\n',
]


@pytest.mark.parametrize("target", FORECASTS)
def test_todays_value_is_a_legitimate_feature_of_a_forecast(target: str) -> None:
    head = 'import pandas as pd\ndf = pd.read_csv("market.csv", parse_dates=["day"]).sort_values("day")\n'
    tail = 'a, b = df[:900], df[900:]\nF = ["price", "sold"]\nprint(Ridge().fit(a[F], a["y"]).score(b[F], b["y"]))\n'
    assert analyse_text(head + target + tail).leaks == ()


def test_two_unknown_calls_may_give_different_rows() -> None:
    head = 'import pandas as pd\nfrom ours import part\ndf = pd.read_csv("a.csv")\n'
    tail = 'model = Ridge().fit(a[["x"]], a["y"])\nprint(model.score(b[["x"]], b["y"]))\n'
    apart = analyse_text(head + "a, b = part(df, 0), part(df, 1)\n" + tail)
    same = analyse_text(head + "a = b = part(df, 0)\n" + tail)
    assert ([p.relation for p in apart.pairs], apart.leaks) == ([Relation.UNKNOWN], ())
    assert {leak.code for leak in same.leaks} == {"L1.1"}


def test_columns_by_position_are_not_known() -> None:
    head = 'import pandas as pd\ndf = pd.read_csv("a.csv")\nF = df.columns[:3]\na, b = df[:300], df[300:]\n'
    score = 'print(SVC().fit(a[F], a["ill"]).score(b[F], b["ill"]))\n'
    assert analyse_text(head + score).leaks == ()


def test_a_method_may_be_called_like_the_function_that_it_calls() -> None:
    text = """
import pandas as pd
from sklearn.model_selection import train_test_split
class Study:
    def train_test_split(self, table):
        return train_test_split(table, random_state=0)
    def run(self):
        train, test = self.train_test_split(pd.read_csv("a.csv"))
        print(SVC().fit(train[["x"]], train["y"]).score(test[["x"]], test["y"]))
Study().run()
"""
    assert [pair.relation for pair in analyse_text(text).pairs] == [Relation.DISJOINT]


def test_a_visualiser_is_no_other_model() -> None:
    show = "from yellowbrick.classifier import ConfusionMatrix\nshown = ConfusionMatrix(LogisticRegression())\n"
    show += "shown.fit(X_train, y_train)\nshown.score(X_test, y_test)\n"
    found = analyse_text(READ + SPLIT + FIT + "print(model.score(X_test, y_test))\n" + show)
    assert {pair.models for pair in found.pairs} == {1}


def test_rules_of_other_rooms_are_not_loaded() -> None:
    program = (
        "import sys\nfrom assay.leakage.code.analysis import analyse_text\n"
        "from assay.leakage.code.leak_report import report_of\n"
        f"report_of(analyse_text({READ + SPLIT + FIT + 'print(model.score(X_train, y_train))'!r}), ['x'])\n"
        "print([m for m in sys.modules if m.startswith(('assay.article', 'assay.scores', 'assay.repository'))])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_all_policies_judge_the_same_pairs() -> None:
    text = READ + SPLIT + FIT + "print(model.score(X_test, y_test))\n"
    tables = [analyse_text(text, policy=load_policy(name)).pairs for name in NAMES]
    assert all(a == b for a, b in itertools.pairwise(tables))


def test_a_bootstrap_of_training_rows_is_no_copy_across_the_split() -> None:
    bag = "drawn = np.random.choice(len(X), size=len(X), replace=True)\n"
    bag += "tree = DecisionTreeClassifier().fit(X.iloc[drawn], y.iloc[drawn])\nprint(tree.score(X, y))\n"
    assert "L1.4" not in {leak.code for leak in analyse_text(READ + "import numpy as np\n" + bag).leaks}
