"""The leakage room tells whether the test set leaked into training."""
