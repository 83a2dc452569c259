"""Processes of our own that may fail: started with little, confined before they read anything, ended as a group.

They speak JSON, one object to a line, so that nothing they send can do more than be wrong.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import select
import signal
import subprocess
import sys
import time
from typing import Any, BinaryIO

from assay.workers import is_starved

_KEPT = (
    *("PATH", "HOME", "LANG", "LC_", "TMPDIR", "TZ", "PYTHON", "VIRTUAL_ENV", "COV", "SYSTEMROOT", "MPL"),
    *("ASSAY_ALLOWED_HOSTS", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy", "SSL_"),
)
"""What a child learns of our environment, by how the names begin: no address of a database, no token."""
_LONGEST_LINE = 128 * 1024 * 1024
"""More than a hundred thousand findings; a line is in our memory several times while it is read."""
_PIECE = 1 << 16
_LOOKS_EVERY = 1.0
"""Seconds after which a silent child is looked at."""
_ROOM = 64 * 1024 * 1024
"""A process that cannot have this much more is at the end of its memory."""
_NO_MEMORY = ("failed to map segment", "can't start new thread", "Cannot allocate memory", "cannot allocate memory")


class Ended(Exception):  # noqa: N818 - an event, and not always a fault
    """The process has ended, or must end because its time or memory is used up."""

    def __init__(self, *, late: bool = False, starved: bool = False) -> None:
        self.late, self.starved = late, starved
        super().__init__("its time was up" if late else "its memory was used up" if starved else "it ended")


class Child:
    """A process that runs a module of ours and exchanges lines with us."""

    def __init__(self, module: str, *arguments: str, memory: int) -> None:
        environment = {k: v for k, v in os.environ.items() if k.startswith(_KEPT)} | {"MPLBACKEND": "svg"}
        command = [sys.executable, "-P", "-m", module, str(memory), *arguments]
        self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # it and its children are ended together
        )
        self._rest = b""

    def send(self, message: object) -> None:
        """A line to the child."""
        stream = self.process.stdin
        if stream is None:  # pragma: no cover - it was opened as a pipe
            raise Ended
        try:
            stream.write(json.dumps(message).encode() + b"\n")
            stream.flush()
        except OSError:
            raise Ended from None

    def receive(self, until: float) -> Any:
        """The child's next line; `until` is a moment of the monotonic clock."""
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            stream = self.process.stdout
            left = until - time.monotonic()
            if stream is None or left <= 0:
                raise Ended(late=True)
            if not select.select([stream], [], [], min(left, _LOOKS_EVERY))[0]:
                if is_starved(self.process.pid):
                    raise Ended(starved=True)
                continue
            piece = os.read(stream.fileno(), _PIECE)
            if not piece or sum(map(len, parts)) > _LONGEST_LINE:
                raise Ended
            parts.append(piece)
        line, _, self._rest = b"".join(parts).partition(b"\n")
        return json.loads(line)

    def kill(self) -> None:
        """End it and all that it started; readers waiting for its next line are woken. From any thread."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def end(self) -> None:
        """The same, and forget it; for the one who waits for its lines."""
        self.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def confine(memory: int) -> BinaryIO:
    """Called first in the child: bound its memory, leave no core file, and keep stdout for our lines alone."""
    with contextlib.suppress(ImportError):  # where there is no such thing, time alone is bounded
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ours = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return ours


def short_of_memory(error: BaseException) -> bool:
    """Whether memory ran out, as reported by Python, the loader of libraries, the kernel.

    Compiled code may notice and say nothing of it ("error return without exception set"), so room is asked for too.
    """
    return isinstance(error, MemoryError) or any(words in str(error) for words in _NO_MEMORY) or not _has_room()


def _has_room() -> bool:
    try:
        mmap.mmap(-1, _ROOM).close()
    except (OSError, MemoryError):
        return False
    return True


def tell(stream: BinaryIO, message: object) -> None:
    """A line to the parent process."""
    stream.write(json.dumps(message).encode() + b"\n")
    stream.flush()
