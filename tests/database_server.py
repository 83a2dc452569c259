"""A real PostgreSQL for the tests: one server for all workers of a run, a new database for every test that asks."""

import contextlib
import fcntl
import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory, testrun_uid: str) -> Iterator[Path]:
    """The folder of a server's socket. The first worker that needs it starts it, and the last one stops it.

    Workers take turns to start and stop; each that uses the server holds a shared lock meanwhile, which it loses
    even when it dies. The folder has a short name, because that of a socket may not be long.
    """
    folder = Path(tempfile.gettempdir()) / f"assay-postgres-{testrun_uid[:12]}"
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (shared / "postgres-turn").open("a") as turn, (shared / "postgres-users").open("a") as users:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not folder.exists():
            start(folder)
        fcntl.flock(users, fcntl.LOCK_SH)
        fcntl.flock(turn, fcntl.LOCK_UN)
        yield folder
        fcntl.flock(turn, fcntl.LOCK_EX)
        fcntl.flock(users, fcntl.LOCK_UN)
        with contextlib.suppress(BlockingIOError):  # others use it still
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            run("pg_ctl", "stop", "--mode=immediate", f"--pgdata={folder / 'data'}")
            shutil.rmtree(folder)


@pytest.fixture
def postgres(postgres_server: Path) -> Iterator[str]:
    """The URL of an empty PostgreSQL database."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(host=str(postgres_server), user="assay", dbname="postgres", autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield f"postgresql://assay@/{name}?host={postgres_server}"
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store can be made: a file, and a database of a server."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    return str(request.getfixturevalue("postgres"))


def start(folder: Path) -> None:
    """A server that listens on a socket in the folder only, and does not wait for the disk."""
    data = folder / "data"
    data.mkdir(mode=0o700, parents=True)
    if owner := account():
        shutil.chown(data, owner)
        shutil.chown(folder, owner)
    run("initdb", "--auth=trust", "--username=assay", "--encoding=UTF8", "--no-sync", f"--pgdata={data}")
    resume(folder)


def resume(folder: Path) -> None:
    """Start it once more."""
    data = folder / "data"
    settings = f"-k {folder} -c listen_addresses='' -c fsync=off -c full_page_writes=off"
    run("pg_ctl", "start", "--wait", f"--log={folder / 'log'}", f"--pgdata={data}", f"--options={settings}")


def run(program: str, *arguments: str) -> None:
    done = subprocess.run(
        [binary(program), *arguments],
        user=account(),
        cwd="/",
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        stdout=subprocess.DEVNULL,  # a server that is started would keep a pipe open
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        pytest.fail(f"{program} ended with {done.returncode}", pytrace=False)


def account() -> str | None:
    """PostgreSQL refuses to run as root."""
    return "postgres" if os.geteuid() == 0 else None


def binary(program: str) -> str:
    """Debian keeps the server's programs out of the PATH, in a folder for each version."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda f: int(f.parent.name), reverse=True)
    places = os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")])
    found = shutil.which(program, path=places)
    if found is None:
        pytest.fail("the tests of stores need a PostgreSQL server: run `make postgres`", pytrace=False)
    return found
