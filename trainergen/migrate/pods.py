"""The Pod of a role, taken apart and freed of what only the Training Operator understood."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from trainergen.api.access import list_at, object_at, text_at
from trainergen.finding import Severity
from trainergen.migrate import catalogue as c

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.migrate.legacy import Role
    from trainergen.migrate.work import Work

NODE = "node"
LEGACY_LABELS = "training.kubeflow.org/"
ISTIO = "sidecar.istio.io/inject"
_HOST = ("hostname", "subdomain", "setHostnameAsFQDN")
_NO_METADATA = ("name", "namespace", "creationTimestamp")
TRAINER_FIELDS = ("image", "command", "args", "env", "resources")


class Env(NamedTuple):
    """One entry of ``env`` and its place in the input, None when the migration adds it."""

    entry: JsonObject
    source: Path | None = None


@dataclass(slots=True)
class Pod:
    """``main`` is the training container without its environment and ports, ``others`` the further ones by index."""

    role: Role
    path: Path
    labels: JsonObject
    annotations: JsonObject
    fields: JsonObject
    main: JsonObject
    main_path: Path
    env: list[Env]
    others: dict[int, JsonObject] = field(default_factory=dict)
    inits: list[JsonValue] = field(default_factory=list)

    @property
    def spec_path(self) -> Path:
        """The place of the Pod's spec."""
        return (*self.path, "spec")

    def texts(self, key: str) -> list[str]:
        """``command`` or ``args`` of the training container."""
        return [str(each) for each in list_at(self.main, key)]

    def requests(self, word: str) -> bool:
        """True when a resource whose name contains the word is asked for."""
        resources = object_at(self.main, "resources")
        return any(word in name for part in ("limits", "requests") for name in object_at(resources, part))


def take_pod(work: Work, role: Role) -> Pod:
    """The Pod of a role; what it loses by that is said."""
    spec = deepcopy(object_at(role.template, "spec"))
    path = role.template_path
    containers = [each for each in list_at(spec, "containers") if isinstance(each, dict)]
    index = work.job.main_index(role) if containers else 0
    main = containers[index] if containers else {}
    where: Path = (*path, "spec", "containers", index)
    env = [Env(each, (*where, "env", at)) for at, each in enumerate(list_at(main, "env")) if isinstance(each, dict)]
    main.pop("env", None)
    fields = {key: value for key, value in spec.items() if key not in ("containers", "initContainers")}
    pod = Pod(
        role=role,
        path=path,
        labels=object_at(role.template, "metadata", "labels").copy(),
        annotations=object_at(role.template, "metadata", "annotations").copy(),
        fields=fields,
        main=main,
        main_path=where,
        env=env,
        others={at: each for at, each in enumerate(containers) if at != index},
        inits=list_at(spec, "initContainers"),
    )
    if containers and list_at(object_at(role.template, "spec", "containers"), "env") == []:
        pod.main.pop("env", None)
    _clean(work, pod)
    return pod


def _clean(work: Work, pod: Pod) -> None:
    work.ledger.default((*pod.spec_path, "restartPolicy"))
    pod.fields.pop("restartPolicy", None)
    _host_names(work, pod)
    _metadata(work, pod)
    _ports(work, pod)
    alias = pod.fields.pop("serviceAccount", None)
    if alias is not None:
        work.ledger.default((*pod.spec_path, "serviceAccount"))
        if "serviceAccountName" not in pod.fields:
            pod.fields["serviceAccountName"] = alias
    _references(work, pod)
    _affinity(work, pod)
    if not list_at(pod.main, "env"):
        work.ledger.default((*pod.main_path, "env"))


def _host_names(work: Work, pod: Pod) -> None:
    for key in _HOST:
        if pod.fields.pop(key, None) is not None:
            work.say(
                c.HOST,
                (*pod.spec_path, key),
                f"{key} is dropped: the JobSet gives Pods their host names",
                remedy="Look the Pods up by label, or use the names in the notes.",
            )


def _metadata(work: Work, pod: Pod) -> None:
    path: Path = (*pod.path, "metadata")
    for key in _NO_METADATA:
        work.ledger.default((*path, key))
    for kind, values in (("labels", pod.labels), ("annotations", pod.annotations)):
        for name in [each for each in values if each.startswith(LEGACY_LABELS)]:
            del values[name]
            work.say(
                c.SCRIPTS,
                (*path, kind, name),
                f"'{name}' is dropped: the Training Operator set it",
                remedy="Select Pods by jobset.sigs.k8s.io/jobset-name instead.",
            )
        if not values:
            work.ledger.default((*path, kind))
    work.ledger.default(path) if not object_at(pod.role.template, "metadata") else None
    for kind, values in (("annotations", pod.annotations), ("labels", pod.labels)):
        if ISTIO in values:
            work.say(
                c.ISTIO,
                (*path, kind, ISTIO),
                f"'{ISTIO}' stays at the Pods, quoted",
                remedy="Newer releases of Istio read a label of this name.",
            )


def _ports(work: Work, pod: Pod) -> None:
    if list_at(pod.main, "ports"):
        work.say(
            c.PORTS,
            (*pod.main_path, "ports"),
            "the ports of the training container are dropped: the headless Service of a JobSet has none",
            remedy="Put them into a runtime if something scrapes them.",
        )
    pod.main.pop("ports", None)
    work.ledger.default((*pod.main_path, "ports"))


def _references(work: Work, pod: Pod) -> None:
    """Field references name the container, which is called ``node`` from now on."""
    old = text_at(pod.main, "name")
    for value, path in _resource_refs(pod):
        if value.get("containerName") == old and old != NODE:
            value["containerName"] = NODE
            work.say(
                c.FIELD_REF,
                path,
                f"containerName '{old}' becomes '{NODE}'",
                remedy="Check whatever else names the container.",
            )
            work.ledger.mapped(path, "", ())


def _resource_refs(pod: Pod) -> Iterator[tuple[JsonObject, Path]]:
    for each in pod.env:
        reference = object_at(each.entry, "valueFrom", "resourceFieldRef")
        if reference and each.source is not None:
            yield reference, (*each.source, "valueFrom", "resourceFieldRef", "containerName")
    for at, volume in enumerate(list_at(pod.fields, "volumes")):
        for number, item in enumerate(list_at(volume, "downwardAPI", "items")):
            reference = object_at(item, "resourceFieldRef")
            if reference:
                place: Path = (*pod.spec_path, "volumes", at, "downwardAPI", "items", number)
                yield reference, (*place, "resourceFieldRef", "containerName")


def _affinity(work: Work, pod: Pod) -> None:
    """Terms that select Pods by legacy labels are said; a selector by the job's name can be rewritten."""
    for selector, path in _selectors(pod.fields.get("affinity"), (*pod.spec_path, "affinity")):
        for name in [each for each in selector if each.startswith(LEGACY_LABELS)]:
            value = selector[name]
            rewritten = name == f"{LEGACY_LABELS}job-name"
            if rewritten:
                del selector[name]
                selector["jobset.sigs.k8s.io/jobset-name"] = value
            work.say(
                c.AFFINITY,
                (*path, name),
                f"the affinity selects Pods by '{name}'" + (", now by the JobSet's name" if rewritten else ""),
                remedy="Write jobset.sigs.k8s.io labels; there is none for one role of a job.",
                severity=None if rewritten else Severity.ERROR,
            )
            work.ledger.mapped((*path, name), "", ())


def _selectors(value: JsonValue, path: Path) -> Iterator[tuple[JsonObject, Path]]:
    if isinstance(value, dict):
        for key, each in list(value.items()):
            if key == "matchLabels" and isinstance(each, dict):
                yield each, (*path, key)
            else:
                yield from _selectors(each, (*path, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _selectors(each, (*path, at))
