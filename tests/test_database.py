"""One database for what must not be lost: opened, migrated and written to by several, or left as it was."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, MetaData, text
from sqlalchemy.orm import Session

from assay.database import bring_up_to_date, holds, in_schema, open_database, read, shown, take_away, write
from assay.errors import InputError

MIGRATIONS = "toy_store.migrations"
FIRST = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "1", None

def upgrade():
    op.create_table("thing", sa.Column("id", sa.Integer, primary_key=True), sa.Column("name", sa.Text))
    op.create_table("part", sa.Column("thing_id", sa.Integer, sa.ForeignKey("thing.id", ondelete="CASCADE")))
"""
SECOND = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "2", "1"

def upgrade():
    anew = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    with op.batch_alter_table("thing", recreate=anew) as thing:
        thing.add_column(sa.Column("weight", sa.Integer, nullable=False, server_default="7"))
"""
BROKEN = """
from alembic import op
import sqlalchemy as sa

revision, down_revision = "3", "2"

def upgrade():
    op.create_table("half", sa.Column("id", sa.Integer, primary_key=True))
    op.execute("SELECT nothing FROM nowhere")
"""


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a toy store's migrations, with one script in it."""
    folder = tmp_path / "code" / "toy_store" / "migrations"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "__init__.py").touch()
    (folder / "1_first.py").write_text(FIRST)
    monkeypatch.syspath_prepend(tmp_path / "code")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "code"))
    yield folder
    for name in [name for name in sys.modules if name.startswith("toy_store")]:
        del sys.modules[name]


@pytest.fixture
def opened(scripts: Path) -> Iterator[Callable[..., Engine]]:
    """Opens databases, and closes them all in the end."""
    engines: list[Engine] = []

    def open_(where: str | Path, **options: bool) -> Engine:
        engines.append(open_database(where, migrations=MIGRATIONS, **options))
        return engines[-1]

    yield open_
    for engine in engines:
        engine.dispose()


def put(name: str) -> Callable[[Session], None]:
    def work(session: Session) -> None:
        session.execute(text("INSERT INTO thing (name) VALUES (:name)"), {"name": name})

    return work


def names(session: Session) -> list[str]:
    return list(session.scalars(text("SELECT name FROM thing ORDER BY id")))


# --- what is written stays -------------------------------------------------------------------------


def test_what_is_written_is_there_when_it_is_opened_again(database: str, opened: Callable[..., Engine]):
    write(opened(database), put("a"))
    assert read(opened(database, create=False), names) == ["a"]


def test_work_that_fails_leaves_nothing_behind(database: str, opened: Callable[..., Engine]):
    engine = opened(database)

    def work(session: Session) -> None:
        put("a")(session)
        raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        write(engine, work)
    assert read(engine, names) == []


def test_a_reader_sees_one_moment_while_a_writer_goes_on(database: str, opened: Callable[..., Engine]):
    engine, other = opened(database), opened(database)

    def work(session: Session) -> tuple[list[str], list[str]]:
        before = names(session)
        write(other, put("late"))
        return before, names(session)

    assert read(engine, work) == ([], [])
    assert read(engine, names) == ["late"]


KILLED = """
import os, signal, sys
from sqlalchemy import text
from assay.database import open_database, write

def halfway(session):
    session.execute(text("INSERT INTO thing (name) VALUES ('lost')"))
    session.execute(text("INSERT INTO part (thing_id) SELECT id FROM thing"))
    os.kill(os.getpid(), signal.SIGKILL)

engine = open_database(sys.argv[1], migrations="toy_store.migrations")
write(engine, lambda session: session.execute(text("INSERT INTO thing (name) VALUES ('kept')")))
write(engine, halfway)
"""


def test_a_process_that_is_killed_halfway_loses_only_what_it_had_not_finished(
    database: str, opened: Callable[..., Engine]
):
    assert subprocess.run([sys.executable, "-c", KILLED, database], check=False).returncode == -9
    engine = opened(database)
    assert read(engine, names) == ["kept"]
    write(engine, put("after"))
    assert read(engine, names) == ["kept", "after"]


WRITER = """
import sys
from sqlalchemy import text
from assay.database import open_database, write

engine = open_database(sys.argv[1], migrations="toy_store.migrations")
def count(session):
    seen = session.scalar(text("SELECT count(*) FROM thing"))
    session.execute(text("INSERT INTO thing (id, name) VALUES (:n, :who)"), {"n": seen + 1, "who": sys.argv[2]})
for _ in range(25):
    write(engine, count)
"""


def test_two_processes_that_open_and_write_at_once_lose_nothing(database: str, opened: Callable[..., Engine]):
    """Each row's number is counted from what was seen: a lost or doubled turn would leave a gap or collide."""
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, database, who]) for who in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    found = read(opened(database), lambda s: list(s.execute(text("SELECT id, name FROM thing ORDER BY id"))))
    assert [row.id for row in found] == list(range(1, 51))
    assert sorted(row.name for row in found) == ["a"] * 25 + ["b"] * 25


def test_a_writer_that_never_gets_its_turn_is_told_so(
    tmp_path: Path, opened: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("assay.database.trouble.PATIENCE", 0.1)
    monkeypatch.setattr("assay.database.engines._WAIT", 0.05)
    engine = opened(tmp_path / "store.db")
    with closing(sqlite3.connect(tmp_path / "store.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match="others keep writing to it; nothing was changed"):
            write(engine, put("a"))
    write(engine, put("b"))
    assert read(engine, names) == ["b"]


def test_a_store_is_made_as_soon_as_whoever_reads_its_file_is_done(
    tmp_path: Path, opened: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("assay.database.engines._WAIT", 0.05)
    with closing(sqlite3.connect(tmp_path / "store.db", check_same_thread=False, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM sqlite_master").fetchall()  # while it reads, nobody can change the file's journal
        done = threading.Timer(0.5, other.execute, ["ROLLBACK"])
        done.start()
        try:
            engine = opened(tmp_path / "store.db")
        finally:
            done.join()
    write(engine, put("a"))
    assert read(engine, names) == ["a"]


# --- trouble with the disk -------------------------------------------------------------------------


def test_a_full_disk_loses_nothing_that_was_stored(tmp_path: Path, opened: Callable[..., Engine]):
    engine = opened(tmp_path / "store.db")
    write(engine, put("kept"))

    def fill(session: Session) -> None:
        pages = session.scalar(text("PRAGMA page_count"))
        session.execute(text(f"PRAGMA max_page_count = {pages + 2}"))
        for _ in range(100):
            put("x" * 1000)(session)

    with pytest.raises(InputError, match=r"store\.db: the disk is full; nothing was changed\. Make room"):
        write(engine, fill)
    assert read(opened(tmp_path / "store.db"), names) == ["kept"]


LIMITED = """
import resource, signal, sys
from sqlalchemy import text
from assay.database import open_database, write
from assay.errors import InputError

engine = open_database(sys.argv[1], migrations="toy_store.migrations")
write(engine, lambda session: session.execute(text("INSERT INTO thing (name) VALUES ('kept')")))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    write(engine, lambda session: session.execute(text("INSERT INTO thing (name) VALUES (:x)"), {"x": "x" * 10**7}))
except InputError as error:
    print(error)
"""


def test_a_file_that_may_not_grow_loses_nothing_that_was_stored(tmp_path: Path, opened: Callable[..., Engine]):
    path = tmp_path / "store.db"
    done = subprocess.run([sys.executable, "-c", LIMITED, str(path)], check=True, capture_output=True, text=True)
    assert "nothing was changed" in done.stdout
    assert read(opened(path), names) == ["kept"]


def test_a_store_that_cannot_be_written_is_told_and_can_be_read(tmp_path: Path, opened: Callable[..., Engine]):
    opened(tmp_path / "store.db")
    engine = opened(f"sqlite:///file:{tmp_path / 'store.db'}?mode=ro&uri=true")
    with pytest.raises(InputError, match="cannot be written"):
        write(engine, put("a"))
    assert read(engine, names) == []


def test_a_store_in_a_folder_that_cannot_be_written_is_not_made(tmp_path: Path, scripts: Path):
    with pytest.raises(InputError, match="cannot be opened"):
        open_database(f"sqlite:///file:{tmp_path / 'no.db'}?mode=rw&uri=true", migrations=MIGRATIONS)
    assert not (tmp_path / "no.db").exists()


# --- other versions, other files -------------------------------------------------------------------


def test_an_older_store_is_brought_up_to_date_with_all_that_it_holds(
    database: str, opened: Callable[..., Engine], scripts: Path
):
    engine = opened(database)
    write(engine, put("old"))
    write(engine, lambda s: s.execute(text("INSERT INTO part (thing_id) SELECT id FROM thing")))
    (scripts / "2_second.py").write_text(SECOND)
    newer = opened(database)
    assert read(newer, lambda s: s.execute(text("SELECT name, weight FROM thing")).all()) == [("old", 7)]
    assert read(newer, lambda s: s.scalar(text("SELECT count(*) FROM part"))) == 1


def test_a_migration_that_fails_leaves_the_store_as_it_was(database: str, opened: Callable[..., Engine], scripts: Path):
    (scripts / "2_second.py").write_text(SECOND)
    write(opened(database), put("old"))
    (scripts / "3_broken.py").write_text(BROKEN)
    with pytest.raises(Exception, match="nowhere"):
        opened(database)
    (scripts / "3_broken.py").unlink()
    engine = opened(database)
    assert read(engine, names) == ["old"]
    assert read(engine, tables) == {"thing", "part", "toy_store_version"}


def tables(session: Session) -> set[str]:
    from sqlalchemy import inspect

    return set(inspect(session.connection()).get_table_names())


def test_a_store_of_a_newer_version_is_refused_and_left_alone(
    database: str, opened: Callable[..., Engine], scripts: Path
):
    (scripts / "2_second.py").write_text(SECOND)
    write(opened(database), put("new"))
    (scripts / "2_second.py").unlink()
    with pytest.raises(InputError, match=r"written by a newer version of Assay \(tables 2\). Update Assay"):
        opened(database)
    (scripts / "2_second.py").write_text(SECOND)
    assert read(opened(database), names) == ["new"]


@pytest.mark.parametrize("content", [b"id,title\n1,a paper\n" * 100, b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_file_that_is_no_database_is_refused_and_left_alone(
    tmp_path: Path, opened: Callable[..., Engine], content: bytes
):
    path = tmp_path / "papers.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"papers\.csv: is (not a database|damaged)"):
        opened(path)
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["papers.csv"]


def test_somebody_elses_database_is_refused_and_left_alone(tmp_path: Path, opened: Callable[..., Engine]):
    path = tmp_path / "photos.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE photo (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(InputError, match="is a database, but not one of Assay's"):
        opened(path)
    assert path.read_bytes() == before


def test_somebody_elses_server_database_is_refused_and_left_alone(postgres: str, opened: Callable[..., Engine]):
    with psycopg.connect(postgres) as other:
        other.execute("CREATE TABLE photo (id INTEGER)")
    with pytest.raises(InputError, match="is a database, but not one of Assay's"):
        opened(postgres)


def test_a_damaged_store_is_told(tmp_path: Path, opened: Callable[..., Engine]):
    engine = opened(tmp_path / "store.db")
    write(engine, put("a" * 5000))
    engine.dispose()
    content = bytearray((tmp_path / "store.db").read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    (tmp_path / "store.db").write_bytes(content)
    with pytest.raises(InputError, match=r"is damaged\. Take the last copy"):
        read(opened(tmp_path / "store.db"), names)


# --- addresses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("folder", "folder: is a folder. Name a file, as in study.db."),
        ("nowhere/store.db", "its folder does not exist. Make nowhere first."),
        ("sqlite://", "a store in memory would be lost"),
        ("mysql://me@host/x", 'databases of the kind "mysql" are not supported'),
        ("://x", "is no address of a database"),
        ("postgresql://me:secret@host:port/x", "host:port/x: is no address of a database"),
        ("a\0b.db", "is not a path"),
        ("x" * 5000, "is not a path"),
        ("postgresql://me:secret@127.0.0.1:1/x", "port 1 failed: Connection refused): the server does not answer"),
        ('postgresql://me:secret@host/x?schema=a"b', "'a\"b' is no name of a schema. A name has up to 63 of a-z"),
        ("postgresql://me:secret@host/x?schema=pg_catalog", "'pg_catalog' is no name of a schema"),
        ("postgresql://me:secret@host/x?schema=a&schema=b", "is no name of a schema"),
        ("things.db?schema=mine", "a file has no schemas"),
        ("sqlite:///things.db?schema=mine", "a file has no schemas"),
    ],
)
def test_a_wrong_address_is_told(tmp_path: Path, scripts: Path, monkeypatch: pytest.MonkeyPatch, where: str, told: str):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError) as caught:
        open_database(where, migrations=MIGRATIONS)
    assert told in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_server_without_such_a_database_is_told(postgres: str, scripts: Path):
    with pytest.raises(InputError, match="does not exist"):
        open_database(postgres.replace("?", "x?"), migrations=MIGRATIONS)


def test_what_does_not_exist_is_only_made_if_it_should_be(database: str, opened: Callable[..., Engine]):
    with pytest.raises(InputError, match=r"does not exist|is not such a store"):
        opened(database, create=False)


def test_a_missing_driver_is_told(scripts: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InputError, match=r'needs the package psycopg. Install it: pip install "assay-ml\[postgres\]"'):
        open_database("postgresql://me@nowhere/x", migrations=MIGRATIONS)


def test_a_password_is_not_shown():
    assert shown("postgresql://me:secret@host/x") == "postgresql://me:***@host/x"
    assert shown("study.db") == "study.db"
    assert shown("postgresql://me:secret@host/x?schema=one") == "postgresql://me:***@host/x?schema=one"


def test_several_kinds_of_stores_share_a_database(
    database: str, opened: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("assay.database.migration.version_table", lambda name: f"assay_{name.replace('.', '_')}")
    opened(database)
    engine = open_database(database, migrations="assay.reproduction.store.migrations")
    assert {"thing", "paper", "assay_toy_store_migrations"} <= read(engine, tables)
    engine.dispose()


# --- several stores in one database ----------------------------------------------------------------


def at(postgres: str, schema: str) -> str:
    return f"{postgres}&schema={schema}"


def test_each_schema_is_a_store_of_its_own(postgres: str, opened: Callable[..., Engine]):
    own, one, other = opened(postgres), opened(at(postgres, "one")), opened(at(postgres, "other"))
    for turn in range(7):  # a driver that remembers statements must not remember where they led
        for engine, name in ((own, "own"), (one, "one"), (other, "other")):
            write(engine, put(f"{name} {turn}"))
    for engine, name in ((opened(postgres), "own"), (one, "one"), (in_schema(own, "other"), "other")):
        assert read(engine, names) == [f"{name} {turn}" for turn in range(7)]


def test_stores_that_share_connections_do_not_disturb_each_other(postgres: str, opened: Callable[..., Engine]):
    engine = opened(postgres)
    stores = [in_schema(engine, f"s{n}") for n in range(4)]
    for store in stores:
        bring_up_to_date(store, migrations=MIGRATIONS)
    threads = [threading.Thread(target=write, args=(stores[n % 4], put(str(n)))) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [sorted(map(int, read(store, names))) for store in stores] == [[n, n + 4, n + 8, n + 12] for n in range(4)]
    assert engine.pool.checkedin() <= 5, "connections do not grow with the stores"  # type: ignore[attr-defined]
    assert read(engine, names) == []


def test_a_schema_is_only_made_if_it_should_be(postgres: str, opened: Callable[..., Engine]):
    with pytest.raises(InputError, match=r"schema=absent: is not such a store\. Check the address; it may need a"):
        opened(at(postgres, "absent"), create=False)
    engine = opened(postgres)
    assert read(engine, lambda s: holds(s, migrations=MIGRATIONS))
    assert not read(in_schema(engine, "absent"), lambda s: holds(s, migrations=MIGRATIONS))
    assert read(engine, lambda s: s.scalar(text("SELECT count(*) FROM pg_namespace WHERE nspname = 'absent'"))) == 0


def test_a_schema_of_somebody_else_is_refused_and_left_alone(postgres: str, opened: Callable[..., Engine]):
    with psycopg.connect(postgres) as other:
        other.execute("CREATE SCHEMA photos")
        other.execute("CREATE TABLE photos.photo (id INTEGER)")
    with pytest.raises(InputError, match="is a database, but not one of Assay's"):
        opened(at(postgres, "photos"))


def test_an_older_store_in_a_schema_is_brought_up_to_date(postgres: str, opened: Callable[..., Engine], scripts: Path):
    write(opened(at(postgres, "one")), put("old"))
    opened(postgres)
    (scripts / "2_second.py").write_text(SECOND)
    newer = opened(at(postgres, "one"))
    assert read(newer, lambda s: s.execute(text("SELECT name, weight FROM thing")).all()) == [("old", 7)]


def test_a_store_is_taken_away_without_what_stands_beside_it(database: str, opened: Callable[..., Engine]):
    kept = opened(f"{database}&schema=kept" if "://" in database else f"{database}2")
    gone = opened(database)
    write(gone, lambda s: s.execute(text("CREATE TABLE beside (id INTEGER)")))
    found = MetaData()
    found.reflect(gone, only=["thing", "part"])
    write(gone, lambda session: take_away(session, migrations=MIGRATIONS, tables=found))
    assert read(gone, tables) == {"beside"}
    assert read(kept, names) == []


def test_the_schema_of_a_store_goes_with_it_unless_somebody_uses_it(postgres: str, opened: Callable[..., Engine]):
    mixed, alone = opened(at(postgres, "mixed")), opened(at(postgres, "alone"))
    write(mixed, lambda s: s.execute(text("CREATE TABLE beside (id INTEGER)")))
    found = MetaData()
    found.reflect(alone, only=["thing", "part"])
    for engine in (mixed, alone):
        write(engine, lambda session: take_away(session, migrations=MIGRATIONS, tables=found))
    assert read(mixed, tables) == {"beside"}
    asked = text("SELECT nspname FROM pg_namespace WHERE nspname IN ('mixed', 'alone')")
    assert read(mixed, lambda s: s.scalars(asked).all()) == ["mixed"]


def test_many_threads_share_an_engine(database: str, opened: Callable[..., Engine]):
    engine = opened(database)
    threads = [threading.Thread(target=write, args=(engine, put(str(n)))) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(read(engine, names)) == sorted(map(str, range(8)))


def test_the_server_that_goes_away_is_told(postgres: str, opened: Callable[..., Engine]):
    engine = opened(postgres)

    def work(session: Session) -> None:
        with psycopg.connect(postgres, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        put("a")(session)

    with pytest.raises(InputError, match="the server was stopped meanwhile"):
        write(engine, lambda session: (session.connection(), work(session)))
    assert read(engine, names) == []
