"""Making the Pods of a shipped runtime as safe as those of our recipes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, names_in, object_at
from trainergen.catalogue.recipes.hardening import (
    HOME,
    POD_SECURITY,
    USER,
    container_security,
)
from trainergen.generate.pods import append_named, every_container

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.generate.pods import PodTemplate

_HOME_SIZE = "20Gi"


def harden(template: PodTemplate, level: str, *, has_user: bool) -> None:
    """Bring a Pod to the level ``restricted`` or ``baseline``; what the runtime says itself stays as it is.

    ``has_user``: the image knows the user, with a home of its own, as SSH needs it.
    """
    if level == "unchanged":
        return
    spec = template.spec
    if "serviceAccountName" not in spec:
        spec.setdefault("automountServiceAccountToken", False)
    spec.setdefault("enableServiceLinks", False)
    if level != "restricted":
        return
    spec["securityContext"] = {**POD_SECURITY, **object_at(spec, "securityContext")}
    for container in every_container(template):
        old = object_at(container, "securityContext")
        fresh = container_security()
        fresh["capabilities"] = {**fresh["capabilities"], **object_at(old, "capabilities")}
        container["securityContext"] = {**fresh, **{key: old[key] for key in old if key != "capabilities"}}
        if object_at(container, "securityContext").get("runAsUser") == USER:
            del object_at(container, "securityContext")["runAsUser"]
    if not has_user:
        _give_home(template)


def _give_home(template: PodTemplate) -> None:
    """A folder for a user whom the image does not know, where caches and scripts may be written."""
    homeless = [each for each in every_container(template) if "HOME" not in names_in(list_at(each, "env"))]
    if not homeless:
        return
    append_named(template.spec, "volumes", [{"name": "home", "emptyDir": {"sizeLimit": _HOME_SIZE}}])
    for container in homeless:
        home: list[JsonObject] = [{"name": "HOME", "value": HOME}, {"name": "USER", "value": "trainer"}]
        append_named(container, "env", home)
        append_named(container, "volumeMounts", [{"name": "home", "mountPath": HOME}])
