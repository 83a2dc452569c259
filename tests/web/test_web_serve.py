"""``assay serve`` as a user starts it, with either database; and the files for a lab's server say the same."""

import re
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import yaml
from served import served
from visitor import Visitor, words

from assay.web.settings import Settings
from assay.web.tokens import fingerprint, read_token
from public_schemas import assert_follows

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


@contextmanager
def started(*arguments: str, environment: dict[str, str] | None = None) -> Iterator[tuple[str, list[str]]]:
    """The address of a server that was started on the command line, and all that it printed before it answered."""
    command = [sys.executable, "-m", "assay", "serve", "--port", "0", *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as server:
        assert server.stdout
        try:
            printed = [server.stdout.readline()]
            if "--host" in arguments:
                printed.append(server.stdout.readline())
            found = re.search(r"http://\S+:(\d+)/", printed[0])
            assert found, printed[0] + server.stdout.read()
            yield f"http://127.0.0.1:{found[1]}", printed
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=30) in {0, -signal.SIGTERM}


def test_a_restart_loses_nothing_and_shows_the_token_no_more(tmp_path: Path) -> None:
    kept, token = read_token(tmp_path)
    with served(Settings(tmp_path, token=kept)) as base, Visitor(base) as visitor:
        assert visitor.get("/checklists").url.path == "/login"
        assert visitor.post("/login", {"token": token}).url.path == "/"
        page = visitor.post("/checklists", {"checklist": "reforms", "subject": "Kept"}).url.path
        cookies = dict(visitor.http.cookies)
    options = ["--data", str(tmp_path), "--host", "0.0.0.0"]
    with started(*options) as (base, printed), Visitor(base) as visitor:
        assert token not in "".join(printed)
        assert "--new-token" in printed[1]
        assert httpx.get(base).status_code == 303
        visitor.http.cookies.update(cookies)
        assert "<h1>Kept</h1>" in visitor.get(page).text
    assert (tmp_path / "assay.sqlite").exists()


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "assay", "serve", "--port", port, "--data", str(tmp_path)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "in use" in ended.stderr


def test_the_compose_file_follows_its_public_schema() -> None:
    assert_follows("compose-spec", [ROOT / "compose.yaml"])


def test_the_container_starts_the_server_as_these_tests_do(tmp_path: Path, postgres: str) -> None:
    """The very command of the image, with the variable of the compose file, without the container around it."""
    [line] = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    command = tomllib.loads(f"words = {line}")["words"]
    assert command[:2] == ["assay", "serve"]
    variables = COMPOSE["services"]["assay"]["environment"]
    assert set(variables) == {"ASSAY_DATABASE"}
    here = [str(tmp_path) if word == "/data" else word for word in command[2:]]
    assert str(tmp_path) in here
    environment = {"PATH": "/usr/bin:/bin", "ASSAY_DATABASE": postgres}
    with started(*here[: here.index("--port")], environment=environment) as (base, printed), Visitor(base) as visitor:
        token = printed[1].rpartition(" ")[2].strip()
        visitor.post("/login", {"token": token})
        studies = [visitor.post("/studies", {"title": "Twin"}).url.path for _ in range(2)]
        assert visitor.post(f"{studies[1]}/paper/add", {"id": "p1"}).status_code == 200
        assert "No checklist was begun yet" in words(visitor.get("/checklists").text)
    again = Settings(tmp_path, postgres, token=fingerprint(token))
    with served(again) as base, Visitor(base) as visitor:
        visitor.post("/login", {"token": token})
        assert visitor.get("/studies").text.count(">Twin</a>") == 2
        assert ["No paper yet" in visitor.get(study).text for study in studies] == [True, False]
    assert {path.name for path in tmp_path.iterdir()} == {"secret", "token.sha256"}


def test_the_image_keeps_what_the_compose_file_mounts_and_is_not_root() -> None:
    volumes = [volume.partition(":")[2] for volume in COMPOSE["services"]["assay"]["volumes"]]
    assert volumes == ["/data"]
    assert re.search(r"^USER (?!root)", DOCKERFILE, re.MULTILINE)
    assert re.search(r"^VOLUME /data$", DOCKERFILE, re.MULTILINE)
    [port] = COMPOSE["services"]["assay"]["ports"]
    assert port.startswith("127.0.0.1:"), "the world is let in by a proxy with TLS, or by whoever changes this line"


def test_on_this_machine_the_printed_address_is_the_key_and_files_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    with started("--data", str(folder)) as (base, printed):
        [address] = re.findall(r"http://\S+", printed[0])
        assert httpx.get(base).status_code == 303
        with Visitor(base) as visitor:
            assert visitor.get(address).status_code == 200
            visitor.upload(("notes.txt", b"confidential"))
        files = [folder, *folder.rglob("*")]
        assert len(files) > 3
        assert [file for file in files if file.stat().st_mode & 0o077] == []
