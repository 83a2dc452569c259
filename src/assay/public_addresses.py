"""Requests restricted to public servers: audited material must not make Assay query the reader's own network.

A name is resolved, every address behind it is checked, and the connection goes to the very address that was checked,
so that a second answer of the name server cannot lead elsewhere. Each redirect passes the same gate.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
from collections.abc import Callable, Collection
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import (
    BaseHandler,
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
    getproxies,
)

from assay.records import dataclass

Resolve = Callable[[str, int], list[str]]
"""The addresses of a host and port."""


class PrivateAddressError(OSError):
    """The address is on this machine or on the reader's private network."""


def is_public(address: str) -> bool:
    """True if an IP address belongs to the public internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    inner = _embedded(ip) if isinstance(ip, ipaddress.IPv6Address) else None
    return all(one.is_global and not one.is_multicast for one in (ip, inner) if one is not None)


def _embedded(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address embedded in an IPv6 address."""
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""RFC 6052: the last 32 bits are an IPv4 address, which a translator connects to."""


def resolve(host: str, port: int) -> list[str]:
    """All addresses that the system gives for a name; numeric notations are parsed as the system parses them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def public_opener(*, allowed: Collection[str] = (), resolve: Resolve = resolve) -> OpenerDirector:
    """A URL opener that connects only to public addresses and to hosts that the user named.

    It speaks HTTP alone: a redirect may not lead to FTP, whose connections nobody checks. A proxy that the user's
    environment configures may be on a private network; what it is asked for is checked as well.
    """
    proxies = {scheme: address for scheme, address in getproxies().items() if scheme in {"http", "https"}}
    gate = _Gate(frozenset(host.lower() for host in allowed), frozenset(map(_endpoint, proxies.values())), resolve)
    opener = OpenerDirector()
    for handler in (
        *([ProxyHandler(proxies), _Ahead(gate)] if proxies else []),
        *(_Plain(gate), _Encrypted(gate), _SameMethod()),
        *(HTTPDefaultErrorHandler(), HTTPErrorProcessor(), UnknownHandler()),
    ):
        opener.add_handler(handler)
    return opener


def _endpoint(proxy: str) -> tuple[str, int]:
    """Where a proxy of the environment listens."""
    parts = urlsplit(proxy if "//" in proxy else f"//{proxy}")
    return str(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80)


@dataclass(frozen=True, slots=True)
class _Gate:
    allowed: frozenset[str]
    proxies: frozenset[tuple[str, int]]
    resolve: Resolve

    def address(self, host: str, port: int) -> str:
        """The address to connect to; private addresses are refused."""
        found = self.resolve(host, port)
        if not found:
            raise socket.gaierror(f"{host} has no address")
        if host.lower() not in self.allowed and not all(map(is_public, found)):
            raise PrivateAddressError(f"{host} is an address of this machine or of a private network")
        return found[0]

    def connect(self, target: tuple[str, int], timeout: float, source: tuple[str, int] | None) -> socket.socket:
        """What `http.client` calls to connect."""
        host, port = target
        address = host if (host.lower(), port) in self.proxies else self.address(host, port)
        return socket.create_connection((address, port), timeout, source)

    def guarded(self, connection: http.client.HTTPConnection) -> http.client.HTTPConnection:
        """A connection that passes this check."""
        connection._create_connection = self.connect  # type: ignore[attr-defined]
        return connection


class _Plain(HTTPHandler):
    def __init__(self, gate: _Gate) -> None:
        super().__init__()
        self.gate = gate

    def http_open(self, req: Request) -> Any:
        return self.do_open(self._connection, req)

    def _connection(self, host: str, **options: Any) -> http.client.HTTPConnection:
        return self.gate.guarded(http.client.HTTPConnection(host, **options))


class _Encrypted(HTTPSHandler):
    def __init__(self, gate: _Gate) -> None:
        super().__init__()
        self.gate = gate

    def https_open(self, req: Request) -> Any:
        return self.do_open(self._connection, req)

    def _connection(self, host: str, **options: Any) -> http.client.HTTPConnection:
        return self.gate.guarded(http.client.HTTPSConnection(host, **options))


class _Ahead(BaseHandler):
    """Checks what a proxy will be asked for; names that only the proxy can resolve are left to it."""

    handler_order = 100  # before ProxyHandler's rewriting of the request
    gate: _Gate

    def __init__(self, gate: _Gate) -> None:
        self.gate = gate

    def http_request(self, req: Request) -> Request:
        target = urlsplit(req.full_url)
        try:
            self.gate.address(str(target.hostname), target.port or 80)
        except PrivateAddressError as error:
            raise URLError(error) from None
        except OSError:
            pass
        return req

    https_request = http_request


class _SameMethod(HTTPRedirectHandler):
    """A redirected HEAD stays a HEAD."""

    def redirect_request(self, req: Request, *answer: Any) -> Request | None:
        """The request to make instead."""
        made = super().redirect_request(req, *answer)
        if made is not None:
            made.method = req.get_method()
        return made
