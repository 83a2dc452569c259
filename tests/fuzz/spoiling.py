"""Ways to spoil material: what transmission, carelessness and malice do to files."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

TOKENS = (
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\t", b"'", b'"', b'"""', b"\\", b"{", b"}", b"[", b"]"),
    *(b"<", b"</a>", b"<!--", b"]]>", b"&lt;", b"&#0;", b"---", b"...", b": ", b"- ", b"*", b"&a ", b"#", b"%", b"$"),
    *(b"=", b"==", b"@", b",", b";", b"(", b")", b"!!python/object:x ", b"\\begin{tabular}", b"\\end{table}"),
    *(b"\\input{x}", b"1e999", b"-1", b"NaN", b"0.000000000000000000000001", b"9" * 40, b"9" * 5000, b"null", b"true"),
    *(b"\xc3\xa9", b"\xe6\xbc\xa2", b"\xe2\x80\xae", b"\xed\xa0\x80", b"../../etc/passwd", b"file:///etc/passwd"),
    *(b"[" * 300, b"{" * 300, b"(" * 300, b"<a>" * 300, b"\\{" * 200, b"- " * 300, b"A" * 3000, b"a:\n " * 200),
)


def _cut(data: bytes, a: int, b: int, _token: bytes) -> bytes:
    return data[: min(a, b)] + data[max(a, b) :]


def _doubled(data: bytes, a: int, b: int, _token: bytes) -> bytes:
    return data[: max(a, b)] + data[min(a, b) :]


def _repeated(data: bytes, a: int, b: int, _token: bytes) -> bytes:
    piece = data[min(a, b) : min(min(a, b) + 40, max(a, b))]
    return data[:a] + piece * 200 + data[a:]


def _inserted(data: bytes, a: int, _b: int, token: bytes) -> bytes:
    return data[:a] + token + data[a:]


def _replaced(data: bytes, a: int, _b: int, token: bytes) -> bytes:
    return data[:a] + token + data[a + len(token) :]


def _flipped(data: bytes, a: int, b: int, _token: bytes) -> bytes:
    return data[:a] + bytes([data[a] ^ (1 << b % 8)]) + data[a + 1 :] if a < len(data) else data


def _truncated(data: bytes, a: int, _b: int, _token: bytes) -> bytes:
    return data[:a]


def _swapped(data: bytes, a: int, b: int, _token: bytes) -> bytes:
    lines = data.split(b"\n")
    i, j = a % len(lines), b % len(lines)
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


DEEDS: tuple[Callable[[bytes, int, int, bytes], bytes], ...] = (
    _cut,
    _doubled,
    _repeated,
    _inserted,
    _replaced,
    _flipped,
    _truncated,
    _swapped,
)


@st.composite
def spoilt(draw: st.DrawFn, seed: bytes) -> bytes:
    """The seed after one to five deeds."""
    data = seed
    for _ in range(draw(st.integers(1, 5))):
        place = st.integers(0, len(data))
        data = draw(st.sampled_from(DEEDS))(data, draw(place), draw(place), draw(st.sampled_from(TOKENS)))
    return data[:200_000]
