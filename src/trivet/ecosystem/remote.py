"""Fetches from the user's index as their settings say: small files, and single pieces of large ones."""

from __future__ import annotations

import base64
import contextlib
import io
import netrc
import os
import re
import ssl
import urllib.request
from collections.abc import Mapping
from urllib.error import HTTPError
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

_SECONDS = 8.0
_MOST_BYTES = 4_000_000
_TAIL_BYTES = 65_536
_PARTIAL = 206
INDEXES = ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL")
"""Variables of uv that name indexes."""


def get(address: str, variables: Mapping[str, str]) -> bytes | None:
    """Return what lies at an address, None if nothing does.

    Args:
        address: of http or https.
        variables: uv's, with the user's proxy, certificates and indexes.

    Raises:
        OSError: it cannot be reached.
    """
    try:
        data, _ = _ask(address, variables, {})
    except HTTPError as error:
        if error.code in (401, 403, 404, 410):
            return None
        raise
    return data


class Pieces(io.RawIOBase):
    """A file on a server, of which only the pieces that are read are fetched.

    Raises:
        OSError: the server does not give pieces; the whole is never fetched.
    """

    def __init__(self, address: str, variables: Mapping[str, str]) -> None:
        self._address = address
        self._variables = variables
        self._position = 0
        self._tail, self._size = self._fetch(f"bytes=-{_TAIL_BYTES}")

    def seekable(self) -> bool:
        """Say that one may move about."""
        return True

    def readable(self) -> bool:
        """Say that it may be read."""
        return True

    def tell(self) -> int:
        """Return the place of the next byte."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to a place."""
        self._position = (
            offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        )
        return self._position

    def read(self, size: int = -1) -> bytes:
        """Return the bytes from the place on."""
        end = self._size if size < 0 else min(self._size, self._position + size)
        start, self._position = self._position, max(end, self._position)
        if start >= end:
            return b""
        tail_start = self._size - len(self._tail)
        if start >= tail_start:
            return self._tail[start - tail_start : end - tail_start]
        if end - start > _MOST_BYTES:
            message = "more is asked for than metadata can be"
            raise OSError(message)
        return self._fetch(f"bytes={start}-{end - 1}")[0]

    def _fetch(self, piece: str) -> tuple[bytes, int]:
        data, told = _ask(self._address, self._variables, {"Range": piece})
        size = re.search(r"/(\d+)$", told)
        if size is None:
            message = "the server does not say how long the file is"
            raise OSError(message)
        return data, int(size[1])


def _ask(address: str, variables: Mapping[str, str], headers: Mapping[str, str]) -> tuple[bytes, str]:
    """Return the answer, and its Content-Range; where a piece was asked for and all would come, nothing is read."""
    told = {**os.environ, **variables}
    parts = urlsplit(address)
    bare = urlunsplit(parts._replace(netloc=_host(parts)))
    request = urllib.request.Request(bare, headers=dict(headers))  # noqa: S310 - http(s) only, see `metadata.read`
    if login := _login(parts, told):
        request.add_header("Authorization", f"Basic {base64.b64encode(login.encode()).decode()}")
    with _opener(parts.hostname or "", told).open(request, timeout=_SECONDS) as answer:
        if headers and answer.status != _PARTIAL:
            message = "the server does not give pieces of files"
            raise OSError(message)
        return answer.read(_MOST_BYTES), answer.headers.get("Content-Range", "")


def _opener(host: str, told: Mapping[str, str]) -> urllib.request.OpenerDirector:
    context = ssl.create_default_context(cafile=told.get("SSL_CERT_FILE") or None)
    if certificate := told.get("SSL_CLIENT_CERT"):
        context.load_cert_chain(certificate)
    if host in told.get("UV_INSECURE_HOST", "").split():
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    proxies = urllib.request.getproxies()
    if everywhere := told.get("ALL_PROXY"):
        proxies = {"http": everywhere, "https": everywhere} | proxies
    return urllib.request.build_opener(
        urllib.request.ProxyHandler(proxies), urllib.request.HTTPSHandler(context=context)
    )


def _host(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


def _login(parts: SplitResult, told: Mapping[str, str]) -> str:
    """Return "user:password" for an address: its own, that of an index on the same host, or netrc's; "" without one."""
    entries = " ".join(told.get(name, "") for name in INDEXES).split()
    named = [re.sub(r"^[\w.-]+=", "", entry) for entry in entries]
    for candidate in (parts, *(urlsplit(entry) for entry in named)):
        if _host(candidate) == _host(parts) and candidate.username:
            return f"{unquote(candidate.username)}:{unquote(candidate.password or '')}"
    with contextlib.suppress(OSError, netrc.NetrcParseError):
        found = netrc.netrc().authenticators(parts.hostname or "")
        if found:
            return f"{found[0]}:{found[2]}"
    return ""
