"""The flags that the Trainer's controller takes in each release; one that it does not know ends it at once.

Source: kubeflow/trainer cmd/trainer-controller-manager/main.go @ v2.0.1, v2.1.0, v2.2.1 and v2.3.0, and the flags that
its libraries add.
"""

from __future__ import annotations

_LIBRARIES = frozenset(
    {
        "help",
        "h",
        "kubeconfig",
        "zap-devel",
        "zap-encoder",
        "zap-log-level",
        "zap-stacktrace-level",
        "zap-time-encoding",
    }
)
CONTROLLER_FLAGS: dict[str, frozenset[str]] = {
    "2.0": _LIBRARIES
    | {
        "enable-http2",
        "health-probe-bind-address",
        "leader-elect",
        "metrics-bind-address",
        "metrics-secure",
        "webhook-secret-name",
        "webhook-server-port",
        "webhook-service-name",
    },
    "2.1": _LIBRARIES | {"config", "enable-http2"},
    "2.2": _LIBRARIES | {"config", "enable-http2", "feature-gates"},
    "2.3": _LIBRARIES | {"config", "feature-gates"},
}
"""By release, without dashes."""


def flag_names(args: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the flags among arguments; a value of its own behind a flag is none."""
    found = (arg.lstrip("-").partition("=")[0] for arg in args if arg.startswith("-") and arg.strip("-"))
    return tuple(dict.fromkeys(found))
