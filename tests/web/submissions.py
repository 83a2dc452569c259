"""Things to upload: honest, broken and hostile ones."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile

from assay.web.examples import SUBMISSION

SCRIPT = "<script>alert('{}')</script><img src=x onerror=alert(1)>"
SCORES = b"""[[experiment]]
name = "Table 1"
p = 10
n = 20
scores = { acc = "0.90", sens = "0.80", spec = "0.80" }
"""
PAPER = SUBMISSION["paper.tex"]
CODE = SUBMISSION["train.py"]


def zipped(files: dict[str, str | bytes]) -> bytes:
    """An archive with these files, under these very names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


OUTSIDE = ["../../escaped.py", "/escaped.py", "..\\..\\escaped.py", "repo/../../../escaped.py", "C:/escaped.py"]


def script_tags() -> bytes:
    """A repository full of script tags, in names, README, code and a notebook's outputs, that also wants to get out."""
    output = {"output_type": "display_data", "metadata": {}, "data": {"text/html": [SCRIPT.format("output")]}}
    cell = {
        "cell_type": "code", "execution_count": 2, "id": "one", "metadata": {}, "outputs": [output],
        "source": [f"import numpy as np  # {SCRIPT.format('code')}\n", "x = np.random.rand(3)\n"],
    }  # fmt: skip
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return zipped(
        {
            "repo/README.md": f"# {SCRIPT.format('readme')}\n\nRun `python {SCRIPT.format('command')}.py`.\n",
            f"repo/{SCRIPT.format('name')}.py": CODE + b"\nopen('/home/alice/<script>alert(2)</script>.csv')\n",
            "repo/train.ipynb": json.dumps(notebook),
            "repo/requirements.txt": f"numpy\n{SCRIPT.format('requirement')}\n",
            **dict.fromkeys(OUTSIDE, "escaped = True"),
        }
    )


def bomb() -> bytes:
    """Thirty kilobytes that become thirty megabytes: five times what may come out of an archive of this size."""
    return zipped({"repo/train.py": CODE, "repo/big.csv": b"0" * (30 * 1024 * 1024)})


def links() -> bytes:
    """A tar archive whose links lead out of it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, target in (("repo/passwd", "/etc/passwd"), ("repo/up", "../../../.."), ("repo/self", "self")):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, target
            archive.addfile(link)
        code = tarfile.TarInfo("repo/train.py")
        code.size = len(CODE)
        archive.addfile(code, io.BytesIO(CODE))
    return out.getvalue()
