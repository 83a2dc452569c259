"""What can be tried with one click. All of it is made up, except where a source is named."""

from __future__ import annotations

from typing import NamedTuple


class Pasted(NamedTuple):
    """Scores as somebody would copy them from a paper."""

    title: str
    about: str
    text: str


SCORES = (
    Pasted(
        "An accuracy below both its parts",
        "Accuracy is a weighted mean of sensitivity and specificity.",
        "Acc 90.1%, Sens 93.1%, Spec 93.9%\n290 positives and 1000 negatives",
    ),
    Pasted(
        "Figures that fit one confusion matrix",
        "Possible, with the matrix that gives them.",
        "accuracy 0.872, sensitivity 0.813, specificity 0.888, F1 0.734\np = 284, n = 1016",
    ),
    Pasted(
        "Samples copied before the folds were cut",
        "Cross-validation on 38 and 262 recordings.",
        "acc=0.9447 sens=0.9139 spec=0.9733\np=38 n=262 folds=5",
    ),
    Pasted(
        "A whole table",
        "Each row is checked.",
        "Model\tAccuracy (%)\tSensitivity (%)\tSpecificity (%)\n"
        "SVM\t87.2\t81.3\t88.8\n"
        "Proposed\t95.1\t93.1\t93.9\n"
        "284 positives, 1016 negatives",
    ),
)

_PAPER = r"""\documentclass{article}
\title{Finding pneumonia in chest X-rays with gradient boosting}
\begin{document}
\maketitle
\section{Method}
We train gradient boosting on features of 1300 images (284 positives and 1016 negatives).
The split is stratified and the seed is fixed. Code is available on request.
\section{Results}
\begin{table}
\caption{Results on the test set of 284 positives and 1016 negatives.}
\begin{tabular}{lcccc}
Model & Accuracy & Sensitivity & Specificity & F1 \\ \hline
Baseline & 0.872 & 0.813 & 0.888 & 0.734 \\
Proposed & 0.901 & 0.931 & 0.939 & 0.850 \\
\end{tabular}
\end{table}
\end{document}
"""
_CODE = """import pandas as pd
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

table = pd.read_csv("/home/alice/xrays.csv")
X, y = table.drop(columns="pneumonia"), table["pneumonia"]
X = StandardScaler().fit_transform(X)
X = SelectKBest(k=20).fit_transform(X, y)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3)
model = GradientBoostingClassifier().fit(X_train, y_train)
print(accuracy_score(y_test, model.predict(X_test)))
"""
_SCORES = """[[experiment]]
name = "Table 1, proposed model"
p = 284
n = 1016
scores = { acc = "0.901", sens = "0.931", spec = "0.939", f1 = "0.850" }
"""
SUBMISSION = {"paper.tex": _PAPER.encode(), "train.py": _CODE.encode(), "scores.toml": _SCORES.encode()}
"""A small made-up submission: a paper, the script behind it, and the scores of its table."""
