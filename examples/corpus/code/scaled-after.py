import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

data = pd.read_csv("data.csv")
features, target = data.drop(columns="ill"), data["ill"]
train, test, target_train, target_test = train_test_split(features, target, random_state=0)
scaler = StandardScaler().fit(train)
model = LogisticRegression().fit(scaler.transform(train), target_train)
print(model.score(scaler.transform(test), target_test))
