"""URLs in CEL.

Behaviour: kubernetes/apiserver pkg/cel/library/urls.go @ v0.35.0, which reads them with Go's net/url.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from trainergen.cel.library.function import Function
from trainergen.cel.library.opaque import accepts, unwrap, wrap

if TYPE_CHECKING:
    from urllib.parse import SplitResult

_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*:"
_BROKEN_ESCAPE = r"%(?![0-9A-Fa-f]{2})"
_PORT = r":[0-9]*"


def _parts(text: str) -> SplitResult:
    """``text`` split; ValueError when it is neither absolute nor a path from the root."""
    from urllib.parse import urlsplit

    path = text.partition("?")[0]
    if not text or re.search(r"[\x00-\x1f\x7f]", text) or re.search(_BROKEN_ESCAPE, path):
        raise ValueError(f"URL parse error: '{text}'")
    if not text.startswith("/") and re.match(_SCHEME, text) is None:
        raise ValueError(f"URL parse error: '{text}' is no absolute URI")
    parts = urlsplit(text)
    port = parts.netloc.rpartition("@")[2].rpartition("]")[2]
    if " " in parts.netloc or (":" in port and re.fullmatch(rf"[^:]*{_PORT}", port) is None):
        raise ValueError(f"URL parse error: invalid host or port in '{text}'")
    return parts


def url(text: str) -> dict[str, str]:
    """``text`` as a URL; ValueError when it is none."""
    _parts(str(text))
    return wrap("url", str(text))


def is_url(text: str) -> bool:
    """Is ``text`` a URL?"""
    return accepts(url, text)


def _of(value: Any) -> SplitResult:
    return _parts(unwrap(value, "url")[1])


def _host(value: Any) -> str:
    return _of(value).netloc.rpartition("@")[2]


def scheme(value: Any) -> str:
    """``https``, empty for a path."""
    return _of(value).scheme


def host(value: Any) -> str:
    """Host and port as written."""
    return _host(value)


def hostname(value: Any) -> str:
    """The host without port and brackets."""
    written = _host(value)
    if written.startswith("["):
        return written[1:].partition("]")[0]
    return written.partition(":")[0]


def port(value: Any) -> str:
    """The port, empty when none is written."""
    return _host(value).rpartition("]")[2].partition(":")[2]


def escaped_path(value: Any) -> str:
    """The path, with what needs it percent-encoded."""
    from urllib.parse import quote

    return quote(_of(value).path, safe="/%:@!$&'()*+,;=~")


def query(value: Any) -> dict[str, list[str]]:
    """The values of each query parameter."""
    from urllib.parse import parse_qs

    return parse_qs(_of(value).query, keep_blank_values=True)


URLS = (
    Function("url", ("string",), "map", url, member=False),
    Function("isURL", ("string",), "bool", is_url, member=False),
    Function("getScheme", ("map",), "string", scheme),
    Function("getHost", ("map",), "string", host),
    Function("getHostname", ("map",), "string", hostname),
    Function("getPort", ("map",), "string", port),
    Function("getEscapedPath", ("map",), "string", escaped_path),
    Function("getQuery", ("map",), "map", query),
)
