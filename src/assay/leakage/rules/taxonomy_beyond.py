"""Faults that the taxonomy does not number: choices by the test set, a measure that hides, a test on another scale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Severity
from assay.leakage.rules.taxonomy_instrument import PAPER, leakage, seen_in_code
from assay.rules import Source

if TYPE_CHECKING:
    from assay.leakage.code.analysis import Analysis


@leakage.rule(
    "LX1",
    title="Model selection on the test set",
    severity=Severity.WARNING,
    failing="""
df = pd.read_csv("patients.csv")
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="ill"), df["ill"], random_state=0)
for depth in range(1, 20):
    model = DecisionTreeClassifier(max_depth=depth).fit(X_train, y_train)
    print(depth, f1_score(y_test, model.predict(X_test)))
""",
    passing="""
df = pd.read_csv("patients.csv")
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="ill"), df["ill"], random_state=0)
search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": range(1, 20)}).fit(X_train, y_train)
print(f1_score(y_test, search.predict(X_test)))
""",
    source=Source(
        "Yang, Brower-Sinning, Lewis & Kästner, Data leakage in notebooks: static detection and better processes, "
        "ASE 2022",
        "multi-test leakage",
    ),
    advice=(
        "Choose on a validation set or by cross-validation of the training rows. Score only the chosen model on "
        "the test set."
    ),
    confidence=Confidence.MEDIUM,
)
def chosen_on_the_test_set(facts: Analysis) -> Iterator[Finding]:
    """The best of many scores on one test set is partly luck, so it is optimistic.

    Tuning, choosing a threshold, early stopping and choosing among models all use up the test set. The chosen model
    needs rows that played no part in the choice.
    """
    return seen_in_code("LX1", facts)


@leakage.rule(
    "LX10",
    title="Repeated use of the test set",
    severity=Severity.NOTE,
    failing="""
df = pd.read_csv("patients.csv")
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="ill"), df["ill"], random_state=0)
print(SVC().fit(X_train, y_train).score(X_test, y_test))
print(GaussianNB().fit(X_train, y_train).score(X_test, y_test))
""",
    passing="""
df = pd.read_csv("patients.csv")
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="ill"), df["ill"], random_state=0)
print(SVC().fit(X_train, y_train).score(X_test, y_test))
""",
    source=Source(
        "Yang, Brower-Sinning, Lewis & Kästner, Data leakage in notebooks: static detection and better processes, "
        "ASE 2022",
        "multi-test leakage",
    ),
    advice="Compare models on a validation set or by cross-validation, and keep one part for the final score.",
)
def used_again(facts: Analysis) -> Iterator[Finding]:
    """If the best of several models is chosen by these scores, its own score is optimistic.

    Rows that score several models, or that are watched during training and then scored, are no longer untouched. The
    code does not show whether a choice was made, so this is a note.
    """
    return seen_in_code("LX10", facts)


@leakage.rule(
    "LX2",
    title="Accuracy as the only score on imbalanced classes",
    severity=Severity.NOTE,
    failing="""
df = pd.read_csv("fraud.csv")
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="fraud"), df["fraud"], random_state=0)
model = LogisticRegression(class_weight="balanced").fit(X_train, y_train)
print(accuracy_score(y_test, model.predict(X_test)))
""",
    passing="""
df = pd.read_csv("fraud.csv")
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="fraud"), df["fraud"], random_state=0)
model = LogisticRegression(class_weight="balanced").fit(X_train, y_train)
print(classification_report(y_test, model.predict(X_test)))
""",
    source=Source(PAPER, "Other issues identified in our survey, metric choice issues"),
    advice="Also report sensitivity and precision, or the area under a curve, and the share of the larger class.",
    confidence=Confidence.MEDIUM,
)
def accuracy_alone(facts: Analysis) -> Iterator[Finding]:
    """If one class is rare, always predicting the other is accurate but useless.

    Accuracy alone cannot tell such a model from a good one.
    """
    return seen_in_code("LX2", facts)


@leakage.rule(
    "LX9",
    title="Test set preprocessed with its own statistics",
    severity=Severity.NOTE,
    failing="""
df = pd.read_csv("patients.csv")
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="ill"), df["ill"], random_state=0)
X_train = StandardScaler().fit_transform(X_train)
X_test = StandardScaler().fit_transform(X_test)
model = SVC().fit(X_train, y_train)
print(f1_score(y_test, model.predict(X_test)))
""",
    passing="""
df = pd.read_csv("patients.csv")
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="ill"), df["ill"], random_state=0)
scaler = StandardScaler()
X_train = scaler.fit_transform(X_train)
X_test = scaler.transform(X_test)
model = SVC().fit(X_train, y_train)
print(f1_score(y_test, model.predict(X_test)))
""",
    source=Source(
        "Pedregosa et al., scikit-learn: user guide, Common pitfalls and recommended practices",
        "Inconsistent preprocessing",
    ),
    advice="Fit each step on the training rows, and only apply it to the test set.",
)
def prepared_by_itself(facts: Analysis) -> Iterator[Finding]:
    """The model receives inputs on a different scale from the one it learnt, so its score may be too low or too high.

    Test rows do not influence training in this way. In real use, rows arrive one at a time and cannot be prepared like
    this.
    """
    return seen_in_code("LX9", facts)
