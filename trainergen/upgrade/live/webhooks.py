"""The webhooks in a cluster that see the Trainer's and JobSet's kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.api.structural import GROUP
from trainergen.upgrade.live import checks
from trainergen.upgrade.live.reader import MUTATING, VALIDATING
from trainergen.upgrade.live.report import Webhook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import Finding, JsonObject, JsonValue
    from trainergen.upgrade.live.look import Look
    from trainergen.upgrade.live.reader import Resource

_GROUPS = frozenset({GROUP, "jobset.x-k8s.io"})


def read_webhooks(look: Look) -> tuple[Webhook, ...]:
    """The webhooks, with a finding on each that the API server cannot trust."""
    found = []
    for resource in (VALIDATING, MUTATING):
        for obj in look.all(f"the {resource.kind}s", resource) or ():
            hooks = list(_webhooks(obj, resource))
            found += hooks
            bare = [hook for hook in hooks if not hook.has_ca]
            if bare:
                look.say_of(_untrusted(bare), resource, obj)
    return tuple(found)


def _webhooks(obj: JsonObject, resource: Resource) -> Iterator[Webhook]:
    for hook in list_at(obj, "webhooks"):
        if not any(_GROUPS & {str(group) for group in list_at(rule, "apiGroups")} for rule in list_at(hook, "rules")):
            continue
        client = object_at(hook, "clientConfig")
        yield Webhook(
            kind=resource.kind,
            configuration=text_at(obj, "metadata", "name"),
            name=text_at(hook, "name"),
            service=_service(client),
            failure_policy=text_at(hook, "failurePolicy") or "Fail",
            has_ca=bool(text_at(client, "caBundle")) or not object_at(client, "service"),
        )


def _service(client: JsonValue) -> str:
    service = object_at(client, "service")
    return f"{text_at(service, 'namespace')}/{text_at(service, 'name')}" if service else text_at(client, "url")


def _untrusted(hooks: list[Webhook]) -> Finding:
    strict = any(hook.failure_policy == "Fail" for hook in hooks)
    effect = "refuses everything that they see" if strict else "goes on without them"
    return checks.NO_CA.at(
        ("webhooks",),
        f"{', '.join(hook.name for hook in hooks)} of {hooks[0].configuration}: no caBundle, so the API server "
        f"{effect}",
        help="See whether the controller runs and may write the configuration, or whether something in Git takes the "
        "caBundle out again.",
    )
