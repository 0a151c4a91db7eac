"""Pod Security ``restricted``, as far as a Pod without Windows and AppArmor can break it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}


def violations(pod: dict[str, Any]) -> list[str]:
    """What the Pod spec has that the standard forbids, one phrase each."""
    found = [key for key in ("hostNetwork", "hostPID", "hostIPC") if pod.get(key)]
    for volume in pod.get("volumes", ()):
        found += [f"volume {kind}" for kind in volume if kind != "name" and kind not in VOLUMES]
    of_pod = pod.get("securityContext", {})
    if of_pod.get("sysctls"):
        found.append("sysctls")
    for container in [*pod.get("initContainers", ()), *pod["containers"]]:
        found += [f"{container['name']}: {phrase}" for phrase in _of_container(container, of_pod)]
    return found


def _of_container(container: dict[str, Any], of_pod: dict[str, Any]) -> Iterator[str]:
    own = container.get("securityContext", {})
    either = {**of_pod, **own}
    capabilities = own.get("capabilities", {})
    if either.get("seccompProfile", {}).get("type") not in ("RuntimeDefault", "Localhost"):
        yield "seccompProfile"
    if either.get("runAsNonRoot") is not True or either.get("runAsUser") == 0:
        yield "may run as root"
    if own.get("allowPrivilegeEscalation") is not False:
        yield "allowPrivilegeEscalation"
    if own.get("privileged"):
        yield "privileged"
    if own.get("procMount", "Default") != "Default":
        yield "procMount"
    if "ALL" not in capabilities.get("drop", ()):
        yield "does not drop all capabilities"
    yield from (f"capability {name}" for name in capabilities.get("add", ()) if name != "NET_BIND_SERVICE")
    yield from (f"hostPort {port['hostPort']}" for port in container.get("ports", ()) if port.get("hostPort"))
