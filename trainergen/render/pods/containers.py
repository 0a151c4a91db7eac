"""One container of a Pod as it will start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, list_at, object_at, text_at
from trainergen.render.pods.env import EnvFrom, EnvVar, Former, expand_text, known_values, sources, variables
from trainergen.render.pods.parts import part

if TYPE_CHECKING:
    from trainergen.finding import JsonObject, JsonValue, Path
    from trainergen.render.provenance import Origin
    from trainergen.render.rendered import Rendered


@dataclass(frozen=True, slots=True)
class Setting:
    """Image, command or args: what is set, by whom, and what it took the place of. ``words`` are empty if not set."""

    words: tuple[str, ...]
    origin: Origin
    replaced: tuple[Former, ...] = ()
    is_set: bool = True
    expanded: tuple[str, ...] | None = None
    """The words with ``$(NAME)`` filled in, where that changes them."""


@dataclass(frozen=True, slots=True)
class Mount:
    """Where a volume appears in the container."""

    path: str
    volume: str
    read_only: bool = False
    sub_path: str = ""


@dataclass(frozen=True, slots=True)
class Port:
    """A port that the container opens."""

    number: int
    name: str = ""
    protocol: str = "TCP"


@dataclass(frozen=True, slots=True)
class ContainerView:
    """A container. ``requests`` are those that hold in the Pod: a limit without a request is one."""

    name: str
    sidecar: bool
    image: Setting
    command: Setting
    args: Setting
    env_from: tuple[EnvFrom, ...]
    env: tuple[EnvVar, ...]
    limits: dict[str, str]
    requests: dict[str, str]
    mounts: tuple[Mount, ...]
    ports: tuple[Port, ...]
    working_dir: str = ""
    claims: tuple[str, ...] = ()


def container_view(
    rendered: Rendered, owner: JsonObject, path: Path, *, indexed: bool, fields: Mapping[str, str]
) -> ContainerView:
    """The container at ``path`` of ``owner``, one of the rendered objects."""
    container = object_at(part(owner, path))
    env = variables(rendered, owner, path, indexed=indexed, fields=fields)
    known = known_values(env)
    resources = with_defaults(object_at(container, "resources"))
    return ContainerView(
        name=text_at(container, "name"),
        sidecar=text_at(container, "restartPolicy") == "Always",
        image=_setting(rendered, owner, (*path, "image"), known=None),
        command=_setting(rendered, owner, (*path, "command"), known=known),
        args=_setting(rendered, owner, (*path, "args"), known=known),
        env_from=sources(rendered, owner, path),
        env=env,
        limits=_texts(object_at(resources, "limits")),
        requests=_texts(object_at(resources, "requests")),
        mounts=tuple(_mount(item) for item in list_at(container, "volumeMounts")),
        ports=tuple(_port(item) for item in list_at(container, "ports")),
        working_dir=text_at(container, "workingDir"),
        claims=tuple(text_at(claim, "name") for claim in list_at(container, "resources", "claims")),
    )


def with_defaults(resources: JsonObject) -> JsonObject:
    """Resources as the Pod has them: the API server makes a limit without a request one."""
    limits = object_at(resources, "limits")
    return {**resources, "requests": {**limits, **object_at(resources, "requests")}} if limits else resources


def _setting(rendered: Rendered, owner: JsonObject, path: Path, *, known: dict[str, str] | None) -> Setting:
    container = object_at(part(owner, path[:-1]))
    key = str(path[-1])
    words = _words(container.get(key))
    expanded = words if known is None else tuple(expand_text(word, known) for word in words)
    return Setting(
        words=words,
        origin=rendered.origin(owner, path),
        replaced=tuple(Former(" ".join(_words(old.value)), old.origin) for old in rendered.superseded(container, key)),
        is_set=key in container,
        expanded=expanded if expanded != words else None,
    )


def _words(value: JsonValue) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(str(word) for word in value)
    return () if value is None else (str(value),)


def _texts(amounts: JsonObject) -> dict[str, str]:
    return {name: str(amount) for name, amount in amounts.items()}


def _mount(item: JsonValue) -> Mount:
    return Mount(
        path=text_at(item, "mountPath"),
        volume=text_at(item, "name"),
        read_only=object_at(item).get("readOnly") is True,
        sub_path=text_at(item, "subPath") or text_at(item, "subPathExpr"),
    )


def _port(item: JsonValue) -> Port:
    return Port(integer_at(item, "containerPort") or 0, text_at(item, "name"), text_at(item, "protocol") or "TCP")
