"""L3: the test set is not drawn from the distribution that the claim is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Finding, Severity
from assay.leakage.rules.taxonomy_instrument import PAPER, TAXONOMY, leakage, seen_in_code
from assay.rules import Source

if TYPE_CHECKING:
    from assay.leakage.code.analysis import Analysis


@leakage.rule(
    "L3.1",
    title="Training on the future of the test set",
    severity=Severity.WARNING,
    failing="""
df = pd.read_csv("prices.csv", parse_dates=["date"]).set_index("date")
df["yesterday"] = df["close"].shift(1)
X, y = df[["yesterday"]], df["close"]
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
model = GradientBoostingRegressor().fit(X_train, y_train)
print(r2_score(y_test, model.predict(X_test)))
""",
    passing="""
df = pd.read_csv("prices.csv", parse_dates=["date"]).set_index("date")
df["yesterday"] = df["close"].shift(1)
X, y = df[["yesterday"]], df["close"]
X_train, X_test, y_train, y_test = train_test_split(X, y, shuffle=False)
model = GradientBoostingRegressor().fit(X_train, y_train)
print(r2_score(y_test, model.predict(X_test)))
""",
    source=Source(PAPER, f"{TAXONOMY}, [L3.1] Temporal leakage"),
    advice="Split by time: every test row later than every training row (TimeSeriesSplit, or a cut-off date).",
    confidence=Confidence.MEDIUM,
)
def temporal_leakage(facts: Analysis) -> Iterator[Finding]:
    """A model that predicts the future has no rows from that future to learn from.

    A random split of a time series trains on days around each test day. A feature computed from later rows gives the
    answer away.
    """
    return seen_in_code("L3.1", facts)


@leakage.rule(
    "L3.2",
    title="Dependent rows in training and test sets",
    severity=Severity.WARNING,
    failing="""
df = pd.read_csv("scans.csv")
per_patient = df.groupby("patient_id")["scan"].count()
X, y = df.drop(columns=["patient_id", "tumour"]), df["tumour"]
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
model = RandomForestClassifier().fit(X_train, y_train)
print(roc_auc_score(y_test, model.predict_proba(X_test)[:, 1]))
""",
    passing="""
df = pd.read_csv("scans.csv")
per_patient = df.groupby("patient_id")["scan"].count()
X, y = df.drop(columns=["patient_id", "tumour"]), df["tumour"]
train, test = next(GroupShuffleSplit().split(X, y, groups=df["patient_id"]))
model = RandomForestClassifier().fit(X.iloc[train], y.iloc[train])
print(roc_auc_score(y.iloc[test], model.predict_proba(X.iloc[test])[:, 1]))
""",
    source=Source(PAPER, f"{TAXONOMY}, [L3.2] Nonindependence between training and test samples"),
    advice="Keep all rows of a person, site or series on one side (GroupKFold, GroupShuffleSplit).",
    confidence=Confidence.MEDIUM,
)
def dependent_rows(facts: Analysis) -> Iterator[Finding]:
    """Rows of one patient resemble each other more than they resemble anyone else's.

    If a patient is in both parts, the model may recognise the patient instead of the disease; the score then
    says nothing about new patients.
    """
    return seen_in_code("L3.2", facts)


@leakage.rule(
    "L3.3",
    title="Filtered or selected test rows",
    severity=Severity.WARNING,
    failing="""
df = pd.read_csv("screening.csv")
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="ill"), df["ill"], random_state=0)
model = LogisticRegression().fit(X_train, y_train)
X_even, y_even = RandomUnderSampler().fit_resample(X_test, y_test)
print(precision_score(y_even, model.predict(X_even)))
""",
    passing="""
df = pd.read_csv("screening.csv")
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="ill"), df["ill"], random_state=0)
X_even, y_even = RandomUnderSampler().fit_resample(X_train, y_train)
model = LogisticRegression().fit(X_even, y_even)
print(precision_score(y_test, model.predict(X_test)))
""",
    source=Source(PAPER, f"{TAXONOMY}, [L3.3] Sampling bias in test distribution"),
    advice="Test on the rows as they were collected: do not balance, filter or undersample the test set.",
    confidence=Confidence.MEDIUM,
)
def biased_test_rows(facts: Analysis) -> Iterator[Finding]:
    """A score holds for the population that the test rows represent.

    Leaving out borderline or uncertain cases makes the test easier than reality. Balancing the classes of the test set
    changes measures such as precision, which depend on the share of positives.
    """
    return seen_in_code("L3.3", facts)
