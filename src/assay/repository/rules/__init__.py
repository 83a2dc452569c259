"""The rules of the repository room."""
