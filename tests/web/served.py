"""The application behind a real server, on a port of its own, in a thread."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from assay.web.app import create_app
from assay.web.settings import Settings


@contextmanager
def served(settings: Settings) -> Iterator[str]:
    """The address at which the application answers."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(create_app(settings), log_level="critical", timeout_graceful_shutdown=1)
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
