"""Socket options by which a peer that is gone without a word is noticed."""

from __future__ import annotations

import socket

_IDLE_SECONDS, _INTERVAL_SECONDS, _PROBES = 30, 10, 3


def keepalive_options() -> list[tuple[int, int, int]]:
    """Probes after half a minute of silence; the connection ends half a minute later, where the system knows how."""
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    wanted = {"TCP_KEEPIDLE": _IDLE_SECONDS, "TCP_KEEPINTVL": _INTERVAL_SECONDS, "TCP_KEEPCNT": _PROBES}
    named = ((getattr(socket, name, None), value) for name, value in wanted.items())
    return options + [(socket.IPPROTO_TCP, option, value) for option, value in named if option is not None]
