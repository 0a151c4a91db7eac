"""The controllers in a cluster, by the images of their Deployments, and the Helm releases that they are part of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from trainergen.api.access import list_at, object_at, text_at
from trainergen.releases import RELEASES
from trainergen.releases.flags import CONTROLLER_FLAGS, flag_names
from trainergen.upgrade.live import checks
from trainergen.upgrade.live.owners import helm_release, owners
from trainergen.upgrade.live.reader import DEPLOYMENTS, SECRETS
from trainergen.upgrade.live.report import Controller, HelmRelease

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from trainergen.finding import JsonObject
    from trainergen.upgrade.live.look import Look

TRAINER = "Trainer"
_COMPONENTS = (
    (TRAINER, re.compile(r"(?:^|/)trainer-controller-manager(?=[:@]|$)")),
    ("JobSet", re.compile(r"(?:^|/)jobset(?:-controller)?(?=[:@]|$)")),
    ("Kueue", re.compile(r"(?:^|/)kueue(?:-controller)?(?=[:@]|$)")),
    ("LeaderWorkerSet", re.compile(r"(?:^|/)lws(?:-controller)?(?=[:@]|$)")),
    ("Training Operator", re.compile(r"(?:^|/)training-operator(?=[:@]|$)")),
    ("MPI Operator", re.compile(r"(?:^|/)mpi-operator(?=[:@]|$)")),
)
_TAG = re.compile(r":(v?\d+\.\d+[\w.-]*)(?:@|$)")


def read_controllers(look: Look) -> tuple[Controller, ...]:
    """The Deployments of the Trainer and of what is beside it, with findings on those of the Trainer."""
    objects = look.all("the controllers and the versions of JobSet, Kueue and LeaderWorkerSet", DEPLOYMENTS)
    found = sorted(_controllers(objects or ()), key=lambda one: (one.component, one.namespace, one.name))
    own = [one for one in found if one.component == TRAINER]
    if len(own) > 1:
        places = ", ".join(f"{one.namespace}/{one.name}" for one in own)
        finding = checks.CONTROLLER_TWICE.at(
            (),
            f"there are {len(own)} controllers of the Trainer: {places}",
            help="Remove all but one: they share CRDs, webhooks and TrainJobs.",
        )
        look.say(finding)
    for one in own:
        _flags(look, one)
    return tuple(found)


def _controllers(objects: Iterable[JsonObject]) -> Iterator[Controller]:
    for obj in objects:
        for container in list_at(obj, "spec", "template", "spec", "containers"):
            image = text_at(container, "image")
            component = next((name for name, pattern in _COMPONENTS if pattern.search(image)), "")
            if component:
                yield _controller(obj, object_at(container), component, image)


def _controller(obj: JsonObject, container: JsonObject, component: str, image: str) -> Controller:
    match = _TAG.search(image)
    version = match[1] if match else ""
    args = (*list_at(container, "command")[1:], *list_at(container, "args"))
    return Controller(
        component=component,
        namespace=text_at(obj, "metadata", "namespace"),
        name=text_at(obj, "metadata", "name"),
        image=image,
        version=version,
        release=_release(version) if component == TRAINER else "",
        args=tuple(str(one) for one in args),
        chart=text_at(obj, "metadata", "labels", "helm.sh/chart"),
        owners=owners(obj),
        helm=helm_release(obj),
    )


def _release(version: str) -> str:
    bare = version.removeprefix("v")
    return next((one.name for one in RELEASES if bare == one.name or bare.startswith(f"{one.name}.")), "")


def _flags(look: Look, one: Controller) -> None:
    gone = [name for name in flag_names(one.args) if name not in CONTROLLER_FLAGS[look.new.name]]
    if gone:
        finding = checks.FLAG_UNKNOWN.at(
            ("spec", "template", "spec", "containers"),
            f"the controller is started with {', '.join(f'--{name}' for name in gone)}, which Trainer "
            f"{look.new.name} does not know",
            help="Take it from what sets it: the controller would not start. Settings are in the file of --config.",
        )
        look.say_of(finding, DEPLOYMENTS, (one.namespace, one.name))


def running_release(controllers: Iterable[Controller]) -> str:
    """The release of the Trainer's controller, empty when it cannot be told."""
    return next((one.release for one in controllers if one.component == TRAINER), "")


def read_helm_releases(look: Look, controllers: Iterable[Controller]) -> tuple[HelmRelease, ...]:
    """The newest revision of each Helm release that a controller is part of, by the labels of its Secrets alone."""
    charts = {one.helm: one.chart for one in controllers if one.helm[1]}
    found = []
    for (namespace, name), chart in sorted(charts.items()):
        part = f"the revisions of the Helm release {namespace}/{name}"
        selector = f"owner=helm,name={name}"
        secrets = look.all(part, SECRETS, namespace=namespace, selector=selector, metadata_only=True)
        newest = max(secrets or (), key=_revision, default=None)
        if newest is None:
            continue
        release = HelmRelease(
            namespace, name, _revision(newest), text_at(newest, "metadata", "labels", "status"), chart
        )
        found.append(release)
        if release.status != "deployed":
            finding = checks.HELM_PENDING.at(
                ("metadata", "labels"),
                f"revision {release.revision} of the Helm release {namespace}/{name} is '{release.status}', not "
                "'deployed'",
                help="Mend or roll back the release first; Helm refuses to upgrade one that is pending.",
            )
            look.say_of(finding, SECRETS, newest)
    return tuple(found)


def _revision(secret: JsonObject) -> int:
    said = text_at(secret, "metadata", "labels", "version")
    return int(said) if said.isdecimal() else 0
