"""A paper or a repository can be given by its address; the network is used only on request, and within bounds."""

import io
import threading
import zipfile
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from assay.audit import downloads
from assay.audit.addresses import address_of
from assay.audit.downloads import download, downloaded
from assay.audit.recognition import recognise
from assay.audit.submission import Kind
from assay.cli import main
from assay.errors import InputError
from assay.public_addresses import public_opener

PDF = b"%PDF-1.7 a paper"
LANDING = b'<html><head><META NAME="citation_pdf_url" content="/files/paper.pdf"></head>A paper</html>'


def zipped(files: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


REPOSITORY = zipped({"name-abc/train.py": "import numpy\n", "name-abc/paper/main.tex": "\\documentclass{article}\n"})
SERVED = {
    "/repo.zip": REPOSITORY,
    "/paper": PDF,
    "/landing": LANDING,
    "/files/paper.pdf": PDF,
    "/manuscript": zipped({"word/document.xml": "<w/>"}),
    "/blog": b"<html>Only words.</html>",
    "/liar": LANDING.replace(b"/files/paper.pdf", b"/blog"),
    "/outwards": LANDING.replace(b"/files/paper.pdf", b"file:///etc/passwd"),
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = SERVED.get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("ASSAY_ALLOWED_HOSTS", "127.0.0.1")
    with HTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("text", "url", "name"),
    [
        ("https://github.com/owner/na.me", "https://codeload.github.com/owner/na.me/zip/HEAD", "na.me"),
        ("https://github.com/owner/name.git", "https://codeload.github.com/owner/name/zip/HEAD", "name"),
        ("https://github.com/owner/name/tree/v1.0/", "https://codeload.github.com/owner/name/zip/v1.0", "name"),
        ("https://github.com/owner/name@3c872d1", "https://codeload.github.com/owner/name/zip/3c872d1", "name"),
        ("https://gitlab.com/a/b/name", "https://gitlab.com/a/b/name/-/archive/HEAD/name.zip", "name"),
        ("https://bitbucket.org/owner/name/", "https://bitbucket.org/owner/name/get/HEAD.zip", "name"),
        ("2005.14165v2", "https://arxiv.org/pdf/2005.14165v2", "2005.14165v2"),
        ("arXiv:2005.14165", "https://arxiv.org/pdf/2005.14165", "2005.14165"),
        ("arxiv:cs.LG/0101001", "https://arxiv.org/pdf/cs.LG/0101001", "cs.LG-0101001"),
        ("https://arxiv.org/abs/2005.14165", "https://arxiv.org/pdf/2005.14165", "2005.14165"),
        ("10.48550/arXiv.2005.14165", "https://arxiv.org/pdf/2005.14165", "2005.14165"),
        ("https://openreview.net/forum?id=a-B_1", "https://openreview.net/pdf?id=a-B_1", "a-B_1"),
        ("doi:10.1000/xyz123", "https://doi.org/10.1000/xyz123", "10.1000-xyz123"),
        ("https://doi.org/10.1000/a(b)c", "https://doi.org/10.1000/a%28b%29c", "10.1000-a-b-c"),
        ("https://host.example/a/paper.pdf?x=1", "https://host.example/a/paper.pdf?x=1", "paper.pdf"),
    ],
)
def test_links_dois_and_arxiv_numbers_are_addresses(text: str, url: str, name: str) -> None:
    found = address_of(text)
    assert found is not None
    assert (found.url, found.name) == (url, name)


@pytest.mark.parametrize("text", ["paper.pdf", "folder", "10.5", "", "repo@v1", "C:\\paper.pdf", "ftp://host/x", "\0"])
def test_paths_are_not_addresses(text: str) -> None:
    assert address_of(text) is None


def test_a_file_that_exists_is_not_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert address_of("10.1000/paper") is not None
    (tmp_path / "10.1000").mkdir()
    (tmp_path / "10.1000" / "paper").write_text("x")
    assert address_of("10.1000/paper") is None


def test_nothing_is_downloaded_unless_the_user_asks(tmp_path: Path) -> None:
    def no_network() -> None:
        raise AssertionError("the network was used")

    with pytest.raises(InputError, match=r"only on request.*--online"):
        downloaded(["https://github.com/owner/name"], tmp_path, online=False, opener=no_network)  # type: ignore[arg-type]


def test_a_downloaded_repository_is_audited_with_its_paper(server: str, tmp_path: Path) -> None:
    found = downloaded([f"{server}/repo.zip"], tmp_path, online=True)
    submission = recognise(list(found), names=found)
    assert submission.title == f"{server}/repo.zip with paper/main.tex"
    assert [(piece.kind, piece.name) for piece in submission.pieces] == [
        (Kind.PAPER, "paper/main.tex"),
        (Kind.REPOSITORY, ""),
    ]


@pytest.mark.parametrize(
    ("page", "file"), [("paper", "paper.pdf"), ("landing", "landing.pdf"), ("manuscript", "manuscript.docx")]
)
def test_papers_are_stored_by_what_they_contain(server: str, tmp_path: Path, page: str, file: str) -> None:
    address = address_of(f"{server}/{page}")
    assert address is not None
    assert download(address, tmp_path) == tmp_path / file


def test_two_files_of_one_name_are_both_kept(server: str, tmp_path: Path) -> None:
    found = downloaded([f"{server}/files/paper.pdf", f"{server}/paper"], tmp_path, online=True)
    assert [path.name for path in found] == ["paper.pdf", "paper-2.pdf"]


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ("missing", r"cannot be downloaded \(404"),
        ("blog", "is a web page that names no PDF. Download it yourself"),
        ("liar", "names a PDF that is none"),
        ("outwards", "leads to file:///etc/passwd"),
    ],
)
def test_what_cannot_be_used_is_refused_with_advice(server: str, tmp_path: Path, page: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        downloaded([f"{server}/{page}"], tmp_path, online=True)


def test_a_private_address_is_refused(server: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="private network"):
        downloaded([f"{server}/paper"], tmp_path, online=True, opener=public_opener)


def test_a_download_ends_at_its_bound(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "MOST_BYTES", 10)
    with pytest.raises(InputError, match="is larger than"):
        downloaded([f"{server}/paper"], tmp_path, online=True)


def test_the_command_takes_an_address_with_online(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", f"{server}/repo.zip"]) == 2
    assert f"{server}/repo.zip: is on the network" in capsys.readouterr().err
    assert main(["audit", f"{server}/repo.zip", "--online"]) == 1
    assert capsys.readouterr().out.startswith(f"Audit of {server}/repo.zip with paper/main.tex\n")
