"""The application behind a real server, on a port of its own, in a thread."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from assay.web.app import create_app
from assay.web.connections import Patience, server_options
from assay.web.settings import Settings

DEFAULT = Patience()


@contextmanager
def served(settings: Settings, patience: Patience = DEFAULT) -> Iterator[str]:
    """The address at which the application answers."""
    listening = socket.create_server(("127.0.0.1", 0))
    options = server_options(patience)
    config = uvicorn.Config(create_app(settings), log_level="critical", timeout_graceful_shutdown=1, **options)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        assert not thread.is_alive()
