"""Every reader of material that people or strangers wrote, as a function of bytes, with seeds to spoil."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import seeds


@dataclass(frozen=True)
class Reader:
    """A reader under test."""

    name: str
    seed: bytes
    read: Callable[[bytes], object]
    slow: bool = False


@contextmanager
def _file(name: str, data: bytes) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _repository(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        from assay.repository.check import assess
        from assay.repository.facts import read_repository
        from assay.tree.opening import tree_of

        return assess(read_repository(tree_of({name: data, "train.py": "import numpy\n"})))

    return read


def _leakage(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        from assay.code import read_code
        from assay.leakage.code.analysis import analyse
        from assay.leakage.code.leak_report import report_of, suppressions_in
        from assay.tree.opening import tree_of

        code = read_code(tree_of({name: data}))
        return report_of(analyse(code), [name]), list(suppressions_in(code.sources))

    return read


def _study(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        from assay.scores.reading import read_file

        with _file(name, data) as path:
            return list(read_file(path))

    return read


def _words(data: bytes) -> object:
    from assay.scores.reading import read_words

    return read_words(_text(data).split())


def _latex(data: bytes) -> object:
    from assay.article.reading.tex import read_tex
    from assay.article.tables import grids_of, score_rows_of
    from assay.tree.opening import tree_of

    paper = read_tex(tree_of({"main.tex": data}))
    return list(grids_of(paper)), score_rows_of(paper)


def _paper(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        from assay.article.reading import read_paper
        from assay.article.tables import grids_of, score_rows_of

        with _file(name, data) as path:
            paper = read_paper(path)
            return list(grids_of(paper)), score_rows_of(paper)

    return read


def _table(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        from assay.tables import read_table

        with _file(name, data) as path:
            return read_table(path)

    return read


def _predictions(data: bytes) -> object:
    from assay.comparison.prediction_files import Columns, read_predictions

    with _file("p.csv", data) as path:
        return read_predictions([path], Columns(y="target"))


def _archive(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        from assay.repository.facts import read_repository
        from assay.tree import open_tree

        with _file(name, data) as path:
            return read_repository(open_tree(path))

    return read


def _checklist(data: bytes) -> object:
    from assay.checklists.files import checklist_of

    return checklist_of(_text(data), "a", "a.toml")


def _filled(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        from assay.checklists.filled import filled_of

        return filled_of(_text(data), name)

    return read


def _baseline(data: bytes) -> object:
    from assay.baseline import read_baseline
    from assay.checklists.proposals import read_known

    with _file("r.json", data) as path:
        return read_baseline(path), read_known(path)


def _metadata(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        from assay.metadata.citation import write_citation
        from assay.metadata.files import metadata_of
        from assay.metadata.linked import write_codemeta, write_crate

        told = metadata_of(_text(data), name)
        return write_citation(told), write_codemeta(told), write_crate(told, {})

    return read


def _reproduction(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        from assay.reproduction.folder import study_from_files
        from assay.reproduction.study_check import check_study

        files = {other: seeds.text(f"reproduction/{other}") for other in seeds.names("reproduction")}
        files[name] = _text(data)
        return check_study(study_from_files(files, today=date(2026, 1, 1)))

    return read


def _svg(data: bytes) -> object:
    from assay.report.svg import harmless

    return harmless(_text(data))


def _config(data: bytes) -> object:
    from assay.cli.config import find_config

    with _file("pyproject.toml", data) as path:
        return find_config(path.parent)


def _of(name: str, seed: str, read: Callable[[bytes], object]) -> Reader:
    return Reader(name, seeds.text(seed).encode(), read)


READERS = [
    _of("notebook", "notebook.ipynb", _leakage("n.ipynb")),
    _of("script", "script.py", _leakage("a.py")),
    *(_of(f"study {kind}", f"study.{kind}", _study(f"s.{kind}")) for kind in ("toml", "yaml", "json", "csv")),
    _of("score words", "words", _words),
    _of("paper in LaTeX", "paper.tex", _latex),
    _of("paper in HTML", "paper.html", _paper("a.html")),
    _of("paper in JATS", "paper.xml", _paper("a.xml")),
    _of("paper in Markdown", "card.md", _paper("a.md")),
    Reader("paper in PDF", seeds.pdf(), _paper("a.pdf"), slow=True),
    *(_of(f"repository {name}", f"repository/{name}", _repository(name)) for name in seeds.names("repository")),
    _of("repository README.md", "card.md", _repository("README.md")),
    _of("repository notebook", "notebook.ipynb", _repository("n.ipynb")),
    _of("table in CSV", "table.csv", _table("t.csv")),
    Reader("table in Parquet", seeds.parquet(), _table("t.parquet"), slow=True),
    Reader("table in Excel", seeds.workbook(), _table("t.xlsx")),
    _of("predictions", "predictions.csv", _predictions),
    Reader("archive zip", seeds.zipped(), _archive("a.zip")),
    Reader("archive tar.gz", seeds.tarred(), _archive("a.tar.gz")),
    _of("checklist", "checklist.toml", _checklist),
    _of("filled checklist in YAML", "filled.yaml", _filled("f.yaml")),
    _of("filled checklist in Markdown", "filled.md", _filled("f.md")),
    _of("earlier report", "report.json", _baseline),
    _of("citation", "CITATION.cff", _metadata("CITATION.cff")),
    _of("codemeta", "codemeta.json", _metadata("codemeta.json")),
    _of("croissant", "croissant.json", _metadata("croissant.json")),
    _of("model card", "card.md", _metadata("README.md")),
    *(_of(f"reproduction {name}", f"reproduction/{name}", _reproduction(name)) for name in seeds.names("reproduction")),
    _of("figure", "figure.svg", _svg),
    _of("configuration", "repository/pyproject.toml", _config),
]
