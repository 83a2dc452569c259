"""Papers and repositories from the network: downloaded only on request, from public servers, within bounds.

What arrives is stored as it is and read like a file that the user has given. The page of a paper is followed once, to
the PDF that it names for search engines.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import BinaryIO
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import OpenerDirector, Request
from zipfile import BadZipFile, ZipFile

from assay.audit.addresses import Address, address_of
from assay.errors import InputError
from assay.lenient_html import LenientParser
from assay.records import dataclass

MOST_BYTES = 400_000_000
_MOST_OF_A_PAGE = 2_000_000
_SECONDS = 300.0
"""For one download; a server that sends a byte a minute would keep the user waiting for ever."""
_SILENCE = 30.0
_PIECE = 1 << 18
_AGENT = "assay (audit of one paper or repository, on a reader's request)"
_BY_HAND = "Download it yourself and give the file."
_ENDINGS = ((b"%PDF-", ".pdf"), (b"PK\x03\x04", ".zip"), (b"\x1f\x8b", ".tar.gz"), (b"BZh", ".tar.bz2"))
_WORD = "word/document.xml"

Opener = Callable[[], OpenerDirector]


@dataclass(frozen=True, slots=True)
class _Answer:
    url: str
    head: bytes
    rest: BinaryIO


def public_servers() -> OpenerDirector:
    """The connection to public addresses, and to hosts that the environment names in ASSAY_ALLOWED_HOSTS."""
    from assay.public_addresses import public_opener

    named = os.environ.get("ASSAY_ALLOWED_HOSTS", "").split(",")
    return public_opener(allowed=[host.strip() for host in named if host.strip()])


def downloaded(
    sources: Sequence[str], folder: Path, *, online: bool, opener: Opener = public_servers
) -> dict[Path, str]:
    """The local path of each source, with the text that names it in reports; addresses are downloaded into `folder`."""
    found: dict[Path, str] = {}
    for source in sources:
        address = address_of(source)
        if address is None:
            found[Path(source)] = source
        elif not online:
            fix = "Add --online to download it, or download it yourself and give the file or folder."
            raise InputError("is on the network, which Assay uses only on request", where=source, fix=fix)
        else:
            found[download(address, folder, opener)] = address.text
    return found


def download(address: Address, folder: Path, opener: Opener = public_servers) -> Path:
    """The file behind an address: a PDF, a Word file or an archive."""
    with _opened(address, address.url, opener) as answer:
        if ending := _ending(answer.head):
            return _stored(address, answer, folder, ending)
        page = answer.head + _read(answer.rest, _MOST_OF_A_PAGE)
        paper = _paper_of(page, answer.url)
    if paper is None:
        raise InputError("is a web page that names no PDF", where=address.text, fix=_BY_HAND)
    with _opened(address, paper, opener) as answer:
        if ending := _ending(answer.head):
            return _stored(address, answer, folder, ending)
    raise InputError(f"names a PDF that is none ({paper})", where=address.text, fix=_BY_HAND)


@contextmanager
def _opened(address: Address, url: str, opener: Opener) -> Iterator[_Answer]:
    try:
        if urlsplit(url).scheme.lower() not in {"http", "https"}:
            raise InputError(f"leads to {url}, which is no web address", where=address.text, fix=_BY_HAND)
        request = Request(url, headers={"User-Agent": _AGENT, "Accept": "application/pdf, */*;q=0.8"})  # noqa: S310
        with opener().open(request, timeout=_SILENCE) as stream:
            yield _Answer(stream.geturl(), stream.read(4_096), stream)
    except HTTPError as error:
        with error:
            raise _refused(address, f"{error.code} {error.reason}") from None
    except (URLError, HTTPException, ValueError, OSError) as error:
        if isinstance(error, InputError):
            raise
        raise _refused(address, str(getattr(error, "reason", error))) from None


def _refused(address: Address, reason: str) -> InputError:
    return InputError(f"cannot be downloaded ({reason})", where=address.text, fix=f"Check the address. {_BY_HAND}")


def _ending(head: bytes) -> str:
    return next((ending for mark, ending in _ENDINGS if head.startswith(mark)), "")


def _stored(address: Address, answer: _Answer, folder: Path, ending: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    name = address.name.removesuffix(ending)
    path = next(p for n in range(1, 1_000) if not (p := folder / f"{name}{f'-{n}' if n > 1 else ''}{ending}").exists())
    until, size = time.monotonic() + _SECONDS, 0
    with path.open("wb") as file:
        piece = answer.head
        while piece:
            size += file.write(piece)
            if size > MOST_BYTES:
                raise InputError(f"is larger than {MOST_BYTES // 1_000_000} MB", where=address.text, fix=_BY_HAND)
            if time.monotonic() > until:
                raise InputError(f"takes longer than {_SECONDS:g} seconds", where=address.text, fix=_BY_HAND)
            piece = answer.rest.read(_PIECE)
    return path.rename(path.with_suffix(".docx")) if ending == ".zip" and _is_word(path) else path


def _is_word(path: Path) -> bool:
    try:
        with ZipFile(path) as archive:
            return _WORD in archive.namelist()
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def _read(stream: BinaryIO, most: int) -> bytes:
    pieces, left = [], most
    while left > 0 and (piece := stream.read(min(left, _PIECE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


class _Meta(LenientParser):
    """Finds the PDF that a page names for search engines: the tag that Google Scholar asks publishers for."""

    paper = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "meta" and (given.get("name") or "").lower() == "citation_pdf_url" and not self.paper:
            self.paper = (given.get("content") or "").strip()


def _paper_of(page: bytes, url: str) -> str | None:
    reader = _Meta()
    reader.feed(page.decode("utf-8", "replace"))
    return urljoin(url, reader.paper) if reader.paper else None
