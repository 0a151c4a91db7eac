"""The Pod Security Standards, baseline and restricted, judged on rendered Pods by the newest version of each check."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.rules import Container, Job, Part, Pods, Spot

ENFORCE = "pod-security.kubernetes.io/enforce"
LEVELS = ("baseline", "restricted")

_CAPABILITIES = frozenset(
    {
        "AUDIT_WRITE",
        "CHOWN",
        "DAC_OVERRIDE",
        "FOWNER",
        "FSETID",
        "KILL",
        "MKNOD",
        "NET_BIND_SERVICE",
        "SETFCAP",
        "SETGID",
        "SETPCAP",
        "SETUID",
        "SYS_CHROOT",
    }
)
_SELINUX_TYPES = frozenset({"", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"})
_SYSCTLS = frozenset(
    {
        "kernel.shm_rmid_forced",
        "net.ipv4.ip_local_port_range",
        "net.ipv4.ip_local_reserved_ports",
        "net.ipv4.ip_unprivileged_port_start",
        "net.ipv4.ping_group_range",
        "net.ipv4.tcp_fin_timeout",
        "net.ipv4.tcp_keepalive_intvl",
        "net.ipv4.tcp_keepalive_probes",
        "net.ipv4.tcp_keepalive_time",
        "net.ipv4.tcp_rmem",
        "net.ipv4.tcp_syncookies",
        "net.ipv4.tcp_wmem",
    }
)
_VOLUMES = frozenset(
    {
        "configMap",
        "csi",
        "downwardAPI",
        "emptyDir",
        "ephemeral",
        "image",
        "persistentVolumeClaim",
        "projected",
        "secret",
    }
)


_SOCKETS = ("docker.sock", "containerd.sock", "crio.sock", "cri-dockerd.sock")
_FOLDERS = frozenset(
    {"/", "/etc", "/etc/kubernetes", "/proc", "/root", "/run", "/var", "/var/lib", "/var/lib/kubelet", "/var/run"}
)


class Violation(NamedTuple):
    """One thing that a level forbids, at the value, or that it demands and is missing (then without a place)."""

    words: str
    spot: Spot | None = None
    control: str = ""
    """``privileged``, or the name of a capability, for rules that leave it to others."""
    value: str = ""
    """The path, where one of the node is mounted."""


def gives_away_node(path: str) -> bool:
    """Whether who has this path of a node has the node."""
    tidy = posixpath.normpath(path) if path else ""
    return tidy in _FOLDERS or posixpath.basename(tidy) in _SOCKETS


def enforced_level(job: Job) -> str:
    """The level that the Namespace of a job enforces where the run has it: baseline, restricted, or empty.

    The rule has to look up Namespaces. A bare runtime of the whole cluster has no namespace.
    """
    if job.is_probe and job.runtime.kind != "TrainingRuntime":
        return ""
    entry = job.objects.find("Namespace", job.namespace)
    level = entry.object.text("metadata.labels", ENFORCE) if entry else ""
    return level if level in LEVELS else ""


def violations(pods: Pods, level: str) -> Iterator[Violation]:
    """What keeps Pods below a level."""
    contexts = [(pods.spec.part("securityContext"), "the Pod")]
    contexts += [(one.part("securityContext"), f"container '{one.name}'") for one in pods.all_containers]
    yield from _host(pods)
    for context, words in contexts:
        yield from _forbidden(context, words)
    for container in pods.all_containers:
        yield from _capabilities(container, _CAPABILITIES if level == "baseline" else {"NET_BIND_SERVICE"})
    if level == "restricted":
        yield from _volumes(pods)
        for context, words in contexts:
            yield from _root(context, words)
        yield from _missing(pods)


def _host(pods: Pods) -> Iterator[Violation]:
    for field in ("hostNetwork", "hostPID", "hostIPC"):
        if pods.spec.get(field) is True:
            yield Violation(f"{field} is true", pods.spec.at(field))
    for volume in pods.spec.parts("volumes"):
        if volume.has("hostPath"):
            path = volume.text("hostPath.path")
            words = f"volume '{volume.text('name')}' mounts '{path}' of the node"
            yield Violation(words, volume.at("hostPath.path"), value=path)
    yield from _host_ports(pods)
    for sysctl in pods.spec.parts("securityContext.sysctls"):
        if sysctl.text("name") not in _SYSCTLS:
            yield Violation(f"sysctl '{sysctl.text('name')}' is set", sysctl.at("name"))
    for key, value in pods.template.entries("metadata.annotations"):
        if key.startswith("container.apparmor.security.beta.kubernetes.io/") and value.get() == "unconfined":
            yield Violation("AppArmor is off", value.at())


def _host_ports(pods: Pods) -> Iterator[Violation]:
    for container in pods.all_containers:
        for port in container.parts("ports"):
            if port.integer("hostPort"):
                yield Violation(f"port {port.integer('hostPort')} of the node is taken", port.at("hostPort"))


def _forbidden(context: Part, words: str) -> Iterator[Violation]:
    if context.get("privileged") is True:
        yield Violation(f"{words} is privileged", context.at("privileged"), "privileged")
    if context.get("windowsOptions.hostProcess") is True:
        yield Violation(f"{words} is a process of the node", context.at("windowsOptions.hostProcess"))
    if context.text("procMount") not in ("", "Default"):
        yield Violation(f"procMount of {words} is '{context.text('procMount')}'", context.at("procMount"))
    for profile, name in (("seccompProfile", "seccomp"), ("appArmorProfile", "AppArmor")):
        if context.text(profile, "type") == "Unconfined":
            yield Violation(f"{words} is without {name}", context.at(profile, "type"))
    options = context.part("seLinuxOptions")
    if options.text("type") not in _SELINUX_TYPES:
        yield Violation(f"the SELinux type of {words} is '{options.text('type')}'", options.at("type"))
    for field in ("user", "role"):
        if options.text(field):
            yield Violation(f"the SELinux {field} of {words} is set", options.at(field))


def _capabilities(container: Container, allowed: frozenset[str] | set[str]) -> Iterator[Violation]:
    for index, name in enumerate(container.texts("securityContext.capabilities.add")):
        if name not in allowed:
            spot = container.at("securityContext.capabilities.add", index)
            yield Violation(f"container '{container.name}' adds the capability {name}", spot, name)


def _volumes(pods: Pods) -> Iterator[Violation]:
    for volume in pods.spec.parts("volumes"):
        for kind in volume.mapping():
            if kind not in {"name", "hostPath"} and kind not in _VOLUMES:
                yield Violation(f"volume '{volume.text('name')}' is of the type {kind}", volume.at(kind).key)


def _root(context: Part, words: str) -> Iterator[Violation]:
    if context.get("allowPrivilegeEscalation") is True:
        yield Violation(f"{words} allows privilege escalation", context.at("allowPrivilegeEscalation"))
    if context.get("runAsNonRoot") is False:
        yield Violation(f"runAsNonRoot of {words} is false", context.at("runAsNonRoot"))
    if context.integer("runAsUser") == 0:
        yield Violation(f"{words} runs as user 0", context.at("runAsUser"))


def _missing(pods: Pods) -> Iterator[Violation]:
    """The settings that restricted demands and containers lack, once for all that lack the same."""
    pod = pods.spec.part("securityContext")
    lacking: dict[tuple[str, ...], list[str]] = {}
    for container in pods.all_containers:
        own = container.part("securityContext")
        tests = {
            "allowPrivilegeEscalation: false": own.has("allowPrivilegeEscalation"),
            "capabilities.drop: [ALL]": "ALL" in own.texts("capabilities.drop"),
            "runAsNonRoot: true": own.has("runAsNonRoot") or pod.has("runAsNonRoot"),
            "seccompProfile.type: RuntimeDefault": own.has("seccompProfile.type") or pod.has("seccompProfile.type"),
        }
        settings = tuple(setting for setting, fine in tests.items() if not fine)
        if settings:
            lacking.setdefault(settings, []).append(f"'{container.name}'")
    for settings, names in lacking.items():
        yield Violation(f"{', '.join(names)} without {', '.join(settings)}")
