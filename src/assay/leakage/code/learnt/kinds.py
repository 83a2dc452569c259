"""What each sort of pre-processing costs when it saw the test rows, and how to put it right.

The severities in `policies` follow measured optimism. Roth (arXiv 2604.04199; 2,047 tables) finds for a step on all
rows a mean gain in AUC of -0.0001 for a scaler, 0.001 for PCA, at most 0.0006 for binning, encoding and outlier
removal, 0.013 for feature screening, 0.021 for target encoding, and 0.07 to 0.25 for oversampling before the split, the
more the fewer the rows. Imputation on all rows that uses the outcome moved the forest of the civil-war case study by
0.16.
"""

from __future__ import annotations

from assay.leakage.code.state.values import Kind, Mark
from assay.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Cost:
    """What a sort of step does and how to do it right, in words."""

    deed: str
    snippet: str
    size: str = ""
    """How much it changes a score, where that was measured."""


_PIPELINE = "model = make_pipeline({name}(), model)\nmodel.fit(X_train, y_train)\nmodel.score(X_test, y_test)"
_FIRST = (
    "X_train, X_test, y_train, y_test = train_test_split(X, y)\n"
    "step = {name}().fit(X_train)\n"
    "X_train, X_test = step.transform(X_train), step.transform(X_test)"
)
_STATISTIC = (
    "train, test = train_test_split(df)\n"
    "value = train[column].mean()  # learnt on the training rows alone\n"
    "train[column], test[column] = train[column].fillna(value), test[column].fillna(value)"
)
_RESAMPLE = (
    "X_train, X_test, y_train, y_test = train_test_split(X, y)\n"
    "X_train, y_train = {name}().fit_resample(X_train, y_train)  # the test part stays as it is"
)
_AUGMENT = (
    "X_train, X_test, y_train, y_test = train_test_split(X, y)\n"
    "X_train = np.concatenate([X_train, turned(X_train)])  # the test part stays as it is"
)

_BY_GROUP = (
    "train, test = train_test_split(df)\n"
    "means = train.groupby(group)[target].mean()  # of the training rows alone\n"
    "train[column], test[column] = train[group].map(means), test[group].map(means)"
)

_SMALL = "The effect of such a step on a score is usually small"

COSTS: dict[Kind, Cost] = {
    Kind.SCALE: Cost("the scaling", _FIRST, _SMALL),
    Kind.ENCODE: Cost("the encoding", _FIRST),
    Kind.DISCRETISE: Cost("the binning", _FIRST),
    Kind.STATISTIC: Cost("a statistic in the features", _STATISTIC),
    Kind.PROJECT: Cost("the projection", _FIRST, _SMALL),
    Kind.VECTORISE: Cost("the vocabulary and its weights", _FIRST),
    Kind.CLUSTER: Cost("the clustering", _FIRST),
    Kind.OUTLIER: Cost("the removal of outliers", _STATISTIC, _SMALL),
    Kind.IMPUTE: Cost("the imputation", _STATISTIC),
    Kind.MODELLED: Cost("a model whose predictions became features", _FIRST),
    Kind.UNDERSAMPLE: Cost("the undersampling", _RESAMPLE),
    Kind.OVERSAMPLE: Cost("the oversampling", _RESAMPLE),
    Kind.AUGMENT: Cost("the augmentation", _AUGMENT),
    Kind.VARIANCE: Cost("the selection of features by their spread or gaps", _PIPELINE),
    Kind.SELECT: Cost("the selection of features", _PIPELINE),
    Kind.TARGET_ENCODE: Cost("the target encoding", _PIPELINE),
    Kind.COPY: Cost(
        "the copying of rows",
        "train, test = train_test_split(df)\n"
        "train = pd.concat([train, train[train[target] == 1]])  # the copies stay in train",
    ),
    Kind.EXPLODE: Cost(
        "the repetition of rows",
        "train, test = train_test_split(df)  # whole rows first\n"
        "train, test = train.explode(column), test.explode(column)",
    ),
}

ROWS_CHANGED = frozenset({Kind.OVERSAMPLE, Kind.UNDERSAMPLE, Kind.COPY, Kind.AUGMENT})


def snippet_for(mark: Mark) -> str:
    """How to do it right: what a class does before the split, it may do after it."""
    by_class = mark.name.rpartition(".")[2][:1].isupper()
    if mark.kind is Kind.COPY and by_class:
        return _RESAMPLE
    return _BY_GROUP if mark.kind is Kind.TARGET_ENCODE and not by_class else COSTS[mark.kind].snippet


def as_bound(mark: Mark) -> Mark:
    """A statistic that values are only compared with: it divides them into classes, and may define an outcome."""
    plain = mark.kind is Kind.STATISTIC and not mark.supervised
    return replace(mark, kind=Kind.DISCRETISE) if plain else mark
