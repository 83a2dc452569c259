"""``assay site``: Assay as static files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import tell


def site(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder for the files; made if it is missing.")],
    pyodide: Annotated[Path, typer.Option(metavar="FOLDER", help="Pyodide's npm package, unpacked.")] = Path(
        "build/site-parts/node_modules/pyodide"
    ),
    wheels: Annotated[Path, typer.Option(metavar="FOLDER", help="Where pydantic-core's wheel for browsers is.")] = Path(
        "build/site-parts/wheels"
    ),
) -> int:
    """Write Assay as a web page that needs no server and sends nothing anywhere.

    Any static file server can offer it. `make site` fetches the parts and writes it into build/site-static.
    """
    from assay.cli import CLEAN
    from assay.site.builder import build_site

    size = build_site(out, pyodide, wheels)
    tell(f"{size / 1e6:.1f} MB written to {out}")
    return CLEAN
