"""L1 and L2: training and test rows are not cleanly separated, or a feature is not legitimate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Severity
from assay.leakage.rules.taxonomy_instrument import PAPER, TAXONOMY, leakage, seen_in_code
from assay.rules import Source

if TYPE_CHECKING:
    from assay.leakage.code.analysis import Analysis


@leakage.rule(
    "L1.1",
    title="No separate test set",
    severity=Severity.ERROR,
    failing="""
df = pd.read_csv("patients.csv")
X, y = df.drop(columns="outcome"), df["outcome"]
model = RandomForestClassifier().fit(X, y)
print(accuracy_score(y, model.predict(X)))
""",
    passing="""
df = pd.read_csv("patients.csv")
X, y = df.drop(columns="outcome"), df["outcome"]
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
model = RandomForestClassifier().fit(X_train, y_train)
print(accuracy_score(y_test, model.predict(X_test)))
""",
    source=Source(PAPER, f"{TAXONOMY}, [L1.1] No test set"),
    advice="Hold rows out before fitting, and score the model only on those.",
)
def no_test_set(facts: Analysis) -> Iterator[Finding]:
    """A model scored on its own training rows is rewarded for memorising them.

    The score says little about new rows, and the more flexible the model, the less.
    """
    return seen_in_code("L1.1", facts)


@leakage.rule(
    "L1.2",
    title="Preprocessing fitted on test rows",
    severity=Severity.WARNING,
    failing="""
df = pd.read_csv("patients.csv")
X, y = SMOTE().fit_resample(df.drop(columns="outcome"), df["outcome"])
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
model = LogisticRegression().fit(X_train, y_train)
print(roc_auc_score(y_test, model.predict_proba(X_test)[:, 1]))
""",
    passing="""
df = pd.read_csv("patients.csv")
X, y = df.drop(columns="outcome"), df["outcome"]
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
X_train, y_train = SMOTE().fit_resample(X_train, y_train)
model = LogisticRegression().fit(X_train, y_train)
print(roc_auc_score(y_test, model.predict_proba(X_test)[:, 1]))
""",
    source=Source(PAPER, f"{TAXONOMY}, [L1.2] Pre-processing on training and test set"),
    advice=(
        "Split first, then learn every statistic from the training rows. In cross-validation, a Pipeline does "
        "that in each fold."
    ),
)
def preprocessing_on_test_rows(facts: Analysis) -> Iterator[Finding]:
    """What a preprocessing step learns from test rows reaches the model before the test.

    How much that helps depends on the step. A scaler fitted on all rows changes next to nothing. Imputation that uses
    the outcome, or oversampling before the split, can make chance look like skill.
    """
    return seen_in_code("L1.2", facts)


@leakage.rule(
    "L1.3",
    title="Feature selection on test rows",
    severity=Severity.ERROR,
    failing="""
df = pd.read_csv("genes.csv")
X, y = df.drop(columns="tumour"), df["tumour"]
X_best = SelectKBest(f_classif, k=20).fit_transform(X, y)
print(cross_val_score(SVC(), X_best, y).mean())
""",
    passing="""
df = pd.read_csv("genes.csv")
X, y = df.drop(columns="tumour"), df["tumour"]
model = make_pipeline(SelectKBest(f_classif, k=20), SVC())
print(cross_val_score(model, X, y).mean())
""",
    source=Source(PAPER, f"{TAXONOMY}, [L1.3] Feature selection on training and test set"),
    advice="Choose features on the training rows only; in cross-validation, as a step of the Pipeline.",
)
def selection_on_test_rows(facts: Analysis) -> Iterator[Finding]:
    """Features that were picked because they agree with the outcome in the test rows predict it well there.

    With many features and few rows, even pure noise reaches high scores in this way.
    """
    return seen_in_code("L1.3", facts)


@leakage.rule(
    "L1.4",
    title="Duplicate rows in training and test sets",
    severity=Severity.ERROR,
    failing="""
df = pd.read_csv("fraud.csv")
rare = df[df["fraud"] == 1]
df = pd.concat([df, rare, rare, rare])
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="fraud"), df["fraud"])
model = DecisionTreeClassifier().fit(X_train, y_train)
print(f1_score(y_test, model.predict(X_test)))
""",
    passing="""
df = pd.read_csv("fraud.csv").drop_duplicates()
train, test = train_test_split(df)
train = pd.concat([train, train[train["fraud"] == 1]])
model = DecisionTreeClassifier().fit(train.drop(columns="fraud"), train["fraud"])
print(f1_score(test["fraud"], model.predict(test.drop(columns="fraud"))))
""",
    source=Source(PAPER, f"{TAXONOMY}, [L1.4] Duplicates in datasets"),
    advice="Remove copies before the split, or keep all copies of a row on one side of it.",
)
def duplicates_across_the_split(facts: Analysis) -> Iterator[Finding]:
    """If a test row is also a training row, the model only has to remember its outcome."""
    return seen_in_code("L1.4", facts)


@leakage.rule(
    "L2",
    title="Feature that reveals the outcome",
    severity=Severity.ERROR,
    failing="""
df = pd.read_csv("wine.csv")
df["good"] = df["quality"] > 6
X, y = df.drop(columns="good"), df["good"]
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
model = LogisticRegression().fit(X_train, y_train)
print(f1_score(y_test, model.predict(X_test)))
""",
    passing="""
df = pd.read_csv("wine.csv")
df["good"] = df["quality"] > 6
X, y = df.drop(columns=["good", "quality"]), df["good"]
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
model = LogisticRegression().fit(X_train, y_train)
print(f1_score(y_test, model.predict(X_test)))
""",
    source=Source(PAPER, f"{TAXONOMY}, [L2] Model uses features that are not legitimate"),
    advice="Leave the feature out, or explain why it is known when a prediction is made.",
    confidence=Confidence.MEDIUM,
)
def illegitimate_feature(facts: Analysis) -> Iterator[Finding]:
    """A feature that stands for the outcome, or is known only after it, makes the prediction trivial.

    In real use it is missing. Whether a feature is legitimate takes knowledge of the domain. Assay recognises only the
    outcome itself among the features, features computed from it, and identifiers.
    """
    return seen_in_code("L2", facts)
