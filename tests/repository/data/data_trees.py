"""Small repositories in memory, and the facts that are read from them."""

from assay.code import read_code
from assay.repository.data import DataFacts, read_data
from assay.tree import tree_of


def data_of(files: dict[str, str | bytes]) -> DataFacts:
    tree = tree_of(files)
    return read_data(tree, read_code(tree))


def script(text: str, **others: str) -> DataFacts:
    """The facts of train.py, beside other files by their paths (`__` for a slash, `_csv` for the ending)."""
    named = {key.replace("__", "/").replace("_csv", ".csv").replace("_md", ".md"): text for key, text in others.items()}
    return data_of({"train.py": text, **named})
