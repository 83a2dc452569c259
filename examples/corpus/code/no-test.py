import pandas as pd
from sklearn.linear_model import LogisticRegression

data = pd.read_csv("data.csv")
features, target = data.drop(columns="ill"), data["ill"]
model = LogisticRegression().fit(features, target)
print(model.score(features, target))
