"""Score a saved PneumoNet on a table of measurements."""

import joblib
import pandas as pd
from sklearn.metrics import accuracy_score

model = joblib.load("pneumonet.joblib")
images = pd.read_csv("test.csv")
labels = images.pop("label")
print("accuracy", accuracy_score(labels, model.predict(images)))
