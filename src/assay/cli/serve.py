"""``assay serve``: everything about one result, in the browser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import a_number

DATABASE_VARIABLE = "ASSAY_DATABASE"


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than loopback ask for a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0 takes a free one.")] = 8765,
    data: Annotated[
        Path | None, typer.Option(help="Folder for uploads, reports and the database.", show_default="~/.assay")
    ] = None,
    database: Annotated[
        str, typer.Option(envvar=DATABASE_VARIABLE, help="A database URL instead of SQLite in the folder.")
    ] = "",
    keep_days: Annotated[
        float, typer.Option(callback=a_number, min=0, max=36_500, help="Days after which uploaded files are deleted.")
    ] = 7.0,
    new_token: Annotated[bool, typer.Option("--new-token", help="Make a new token; the old one ends.")] = False,
) -> int:
    """Where is everything about one result in one place? In the browser.

    Only this machine can reach the pages, unless --host names another address: then visitors need the token that is
    printed once, when it is made.
    """
    import socket
    from datetime import timedelta

    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.web.settings import LOOPBACK, Settings
    from assay.web.tokens import read_token

    folder = (data or Path.home() / ".assay").expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        token, shown = ("", "") if host in LOOPBACK else read_token(folder, anew=new_token)
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise InputError(f"cannot serve from {folder} at {host}:{port} ({error.strerror})", fix="Try others.") from None
    import uvicorn

    from assay.web.app import create_app

    app = create_app(Settings(folder, database, token, retention=timedelta(days=keep_days)))
    at = f"[{host}]" if ":" in host else host
    typer.echo(f"Assay is at http://{at}:{listening.getsockname()[1]}/ (stop it with Ctrl-C)")
    if shown:
        typer.echo(f"Token for visitors, shown only now: {shown}")
    elif token:
        typer.echo("Visitors need the token that was shown when it was made; --new-token makes another.")
    config = uvicorn.Config(
        app, log_level="warning", server_header=False, timeout_graceful_shutdown=3, forwarded_allow_ips=_proxies()
    )
    uvicorn.Server(config).run(sockets=[listening])
    return CLEAN


def _proxies() -> str:
    """Whose word is taken for where a visitor comes from."""
    return os.environ.get("ASSAY_PROXIES", "127.0.0.1")
