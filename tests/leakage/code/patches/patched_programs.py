"""Small programs that leak, each runnable on `table.csv`, and what their patches must and must not do."""

TOP = """\
import numpy as np
import pandas as pd
from imblearn.over_sampling import RandomOverSampler
from imblearn.under_sampling import RandomUnderSampler
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest, VarianceThreshold, f_classif
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import cross_val_predict, cross_val_score, cross_validate, train_test_split
from sklearn.naive_bayes import MultinomialNB
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

df = pd.read_csv("table.csv")
"""
NUMBERS = 'X, y = df[["a", "b", "c"]], df["ill"]\n'
FILLED = 'X, y = df[["b", "c"]], df["ill"]\n'
SPLIT = "X_train, X_test, y_train, y_test = train_test_split({}, random_state=0)\n"
SCORED = """\
model = DecisionTreeClassifier().fit(X_train, y_train)
print(accuracy_score(y_test, model.predict(X_test)))
"""

PATCHED = {
    "scaler, another name": FILLED + "scaler = StandardScaler()\nX_scaled = scaler.fit_transform(X)\n"
    + SPLIT.format("X_scaled, y") + SCORED,
    "scaler, same name": FILLED + "scaler = MinMaxScaler()\nX = scaler.fit_transform(X)  # to [0, 1]\n"
    + SPLIT.format("X, y") + SCORED,
    "scaler made in the call": FILLED + "X = StandardScaler().fit_transform(X)\n" + SPLIT.format("X, y") + SCORED,
    "fit, then transform": FILLED + "scaler = StandardScaler()\nscaler.fit(X)\nX = scaler.transform(X)\n"
    + SPLIT.format("X, y") + SCORED,
    "fitted object kept": FILLED + "scaler = StandardScaler().fit(X)\nZ = scaler.transform(X)\n"
    + SPLIT.format("Z, y") + SCORED,
    "table made of the values": FILLED + "scaler = StandardScaler()\n"
    "X = pd.DataFrame(scaler.fit_transform(X), columns=X.columns)\n" + SPLIT.format("X, y") + SCORED,
    "expression as rows": "pca = PCA(n_components=2)\n"
    'X = pca.fit_transform(df.drop(columns=["ill", "a", "text", "colour"]))\n' + SPLIT.format('X, df["ill"]') + SCORED,
    "imputer": NUMBERS + 'imputer = SimpleImputer(strategy="median")\nX = imputer.fit_transform(X)\n'
    + SPLIT.format("X, y") + SCORED,
    "neighbours": NUMBERS + "Z = KNNImputer(n_neighbors=3).fit_transform(X)\n" + SPLIT.format("Z, y") + SCORED,
    "imputer, then scaler": NUMBERS + "X = SimpleImputer().fit_transform(X)\nX = StandardScaler().fit_transform(X)\n"
    + SPLIT.format("X, y") + SCORED,
    "selection": FILLED + "selector = SelectKBest(f_classif, k=1)\nX_best = selector.fit_transform(X, y)\n"
    + SPLIT.format("X_best, y") + SCORED,
    "words": 'vectorizer = TfidfVectorizer()\nX = vectorizer.fit_transform(df["text"])\n'
    + SPLIT.format('X, df["ill"]') + SCORED,
    "words as an array": 'cv = CountVectorizer()\nX = cv.fit_transform(df["text"]).toarray()\ny = df["ill"].values\n'
    + SPLIT.format("X, y") + SCORED,
    "oversampling": FILLED + "sampler = RandomOverSampler(random_state=0)\n"
    "X_more, y_more = sampler.fit_resample(X, y)\n" + SPLIT.format("X_more, y_more, stratify=y_more") + SCORED,
    "undersampling, same names": FILLED + "X, y = RandomUnderSampler(random_state=0).fit_resample(X, y)\n"
    + SPLIT.format("X, y") + SCORED,
    "scaler before folds": FILLED + "X_scaled = StandardScaler().fit_transform(X)\n"
    "print(cross_val_score(LogisticRegression(), X_scaled, y, cv=3).mean())\n",
    "selection before folds": FILLED + "selector = SelectKBest(f_classif, k=1)\nX_best = selector.fit_transform(X, y)\n"
    "model = LogisticRegression()\nprint(cross_validate(model, X_best, y, cv=3))\n",
    "oversampling before folds": FILLED + "X_more, y_more = RandomOverSampler(random_state=0).fit_resample(X, y)\n"
    "print(cross_val_score(RandomForestClassifier(n_estimators=5), X_more, y_more).mean())\n",
    "one column filled": 'df["a"] = df["a"].fillna(df["a"].mean())\n'
    'X, y = df.drop(columns=["ill", "text", "colour"]), df["ill"]\n' + SPLIT.format("X, y") + SCORED,
    "two columns filled": 'df["a"] = df["a"].fillna(df["a"].median())\ndf["b"] = df["b"].fillna(df["b"].median())\n'
    'X = df[["a", "b", "c"]]\ny = df["ill"]\n' + SPLIT.format("X, y") + SCORED,
    "table centred": FILLED + "X = (X - X.mean()) / X.std()\n" + SPLIT.format("X, y") + SCORED,
    "columns scaled": 'columns = ["b", "c"]\nscaler = StandardScaler()\n'
    "df[columns] = scaler.fit_transform(df[columns])\n"
    'X, y = df[columns], df["ill"]\n' + SPLIT.format("X, y") + SCORED,
    "in a function": "def prepared(table):\n    X, y = table[['b', 'c']], table['ill']\n"
    "    X = PCA(1).fit_transform(X)\n"
    "    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)\n"
    "    return X_train, X_test, y_train, y_test\n\n\n"
    "X_train, X_test, y_train, y_test = prepared(df)\n" + SCORED,
}  # fmt: skip

REFUSED = {
    "used again": (FILLED + "X_scaled = StandardScaler().fit_transform(X)\n" + SPLIT.format("X_scaled, y") + SCORED
    + "print(X_scaled.mean())\n", "`X_scaled` is used again at line"),
    "changed in between": (FILLED + "X = PCA(2).fit_transform(X)\nX = X[:, :1]\n" + SPLIT.format("X, y") + SCORED,
    "`X` is used again at line"),
    "object used in between": (FILLED + "pca = PCA(2)\nX = pca.fit_transform(X)\npca = PCA(1)\n" + SPLIT.format("X, y")
    + SCORED, "the object that learns is not made in one place in sight"),
    "rows dropped in between": ('df["a"] = df["a"].fillna(df["a"].mean())\ndf = df.dropna()\n'
    'X, y = df.drop(columns=["ill", "text", "colour"]), df["ill"]\n' + SPLIT.format("X, y") + SCORED,
    "`df` is used at line"),
    "the outcome is filled too": ('df = df[["a", "b", "ill"]]\ndf = df.fillna(df.mean())\n'
    'X, y = df[["a", "b"]], df["ill"]\n' + SPLIT.format("X, y") + SCORED, "the split is not sure"),
    "in a loop": (FILLED + "for k in [1, 2]:\n    Z = PCA(k).fit_transform(X)\n"
    "    X_train, X_test, y_train, y_test = train_test_split(Z, y, random_state=0)\n"
    "    print(DecisionTreeClassifier().fit(X_train, y_train).score(X_test, y_test))\n", "the step stands in a loop"),
}  # fmt: skip
