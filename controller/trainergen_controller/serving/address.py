"""Where to listen, as it is written."""

from __future__ import annotations


def address_of(text: str) -> tuple[str, int]:
    """``host:port`` as a pair; ValueError for anything else."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdigit() or int(port) > 65535:
        raise ValueError(f"'{text}' is no address; write host:port, such as 0.0.0.0:9443")
    return host.strip("[]") or "0.0.0.0", int(port)
