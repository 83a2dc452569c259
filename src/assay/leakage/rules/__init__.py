"""The rules of the leakage room."""
