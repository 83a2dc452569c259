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
    session_hours: Annotated[
        float, typer.Option(callback=a_number, min=0.1, max=8_760, help="Hours for which a visitor stays logged in.")
    ] = 24.0,
    online: Annotated[bool, typer.Option("--online", help="Let visitors give addresses to download.")] = False,
    new_token: Annotated[bool, typer.Option("--new-token", help="Make a new token; the old one ends.")] = False,
) -> int:
    """Run Assay in your browser.

    Only this machine can reach the pages, and only with the token in the printed address, so that other accounts on
    the machine cannot. With --host for another address, visitors log in with a token that is printed when it is made.
    """
    import socket
    from datetime import timedelta

    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.web.settings import LOOPBACK, Settings
    from assay.web.tokens import make_private, new_token_pair, read_token

    folder = (data or Path.home() / ".assay").expanduser()
    loopback = host in LOOPBACK
    os.umask(0o077)  # submissions are confidential: what is written here is for this account alone
    try:
        folder.mkdir(parents=True, exist_ok=True)
        make_private(folder)
        token, shown = new_token_pair() if loopback else read_token(folder, anew=new_token)
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise InputError(f"cannot serve from {folder} at {host}:{port} ({error.strerror})", fix="Try others.") from None
    import uvicorn

    from assay.web.app import create_app
    from assay.web.connections import Patience, bound_the_log, file_handles, server_options

    settings = Settings(
        folder,
        database,
        token,
        loopback=loopback,
        online=online,
        session=timedelta(hours=session_hours),
        retention=timedelta(days=keep_days),
    )
    app = create_app(settings)
    at = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/"
    typer.echo(f"Assay is at {at}{f'?token={shown}' if loopback else ''} (stop it with Ctrl-C)")
    if not loopback:
        once = f"Token for visitors, shown only now: {shown}"
        typer.echo(once if shown else "Visitors log in with the token that was printed first; --new-token replaces it.")
    named = frozenset(os.environ.get("ASSAY_PROXIES", "").split(",")) - {""}
    patience = Patience(proxies=named).within(file_handles())
    bound_the_log()
    config = uvicorn.Config(
        app,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
        forwarded_allow_ips=_proxies(),
        **server_options(patience),
    )
    uvicorn.Server(config).run(sockets=[listening])
    return CLEAN


def _proxies() -> str:
    """Proxies whose forwarded addresses are trusted."""
    return os.environ.get("ASSAY_PROXIES", "127.0.0.1")
