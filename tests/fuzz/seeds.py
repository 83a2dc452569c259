"""Small, well-formed material of every kind that is read; the fuzzer spoils it.

Texts lie in corpus/, each with ".txt" after its own name, so that no tool takes them for what they are not.
"""

import io
import tarfile
import tempfile
import zipfile
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"


def text(name: str) -> str:
    return (CORPUS / f"{name}.txt").read_text(encoding="utf-8")


def names(folder: str) -> list[str]:
    """The seeds of a folder, by their own names."""
    found = (file for file in (CORPUS / folder).rglob("*.txt"))
    return sorted(file.relative_to(CORPUS / folder).as_posix().removesuffix(".txt") for file in found)


def zipped() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, seed in {
            "p/train.py": "script.py",
            "p/README.md": "card.md",
            "p/LICENSE": "repository/LICENSE",
        }.items():
            archive.writestr(zipfile.ZipInfo(name), text(seed))
    return held.getvalue()


def tarred() -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        for name in ("script.py", "repository/requirements.txt"):
            entry, content = tarfile.TarInfo(f"p/{name}"), text(name).encode()
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        link = tarfile.TarInfo("p/link")
        link.type, link.linkname = tarfile.SYMTYPE, "../../etc/passwd"
        archive.addfile(link)
    return held.getvalue()


def parquet() -> bytes:
    import polars as pl

    held = io.BytesIO()
    pl.DataFrame({"a": [1, 2, 3], "b": ["x", None, "z"]}).write_parquet(held)
    return held.getvalue()


def workbook() -> bytes:
    from made_workbook import workbook as made

    with tempfile.TemporaryDirectory() as folder:
        return made(Path(folder, "t.xlsx"), [["a", "b"], [1, "x"]]).read_bytes()


def pdf() -> bytes:
    from reportlab.lib.pagesizes import A5
    from reportlab.pdfgen.canvas import Canvas

    held = io.BytesIO()
    canvas = Canvas(held, pagesize=A5, invariant=True)
    canvas.drawString(40, 500, "Results. We report an accuracy of 0.94 on 300 slides.")
    canvas.line(40, 480, 300, 480)
    canvas.showPage()
    canvas.save()
    return held.getvalue()
