"""The CRDs in a cluster: which release they are of, whether they can be upgraded, and who owns them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import list_at, text_at
from trainergen.api.structural import GROUP
from trainergen.releases import RELEASES, is_earlier
from trainergen.rules.gitops.helm.chart_facts import chart_facts
from trainergen.upgrade.crds import JOBSETS, release_of
from trainergen.upgrade.live import checks
from trainergen.upgrade.live.owners import helm_release, is_kept, owners, writers
from trainergen.upgrade.live.reader import CRDS, NotFoundError, ReadError
from trainergen.upgrade.live.report import Definition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainergen.finding import JsonObject
    from trainergen.upgrade.live.look import Look

TRAINER = tuple(f"{plural}.{GROUP}" for plural in ("clustertrainingruntimes", "trainingruntimes", "trainjobs"))
_GOOD = {"Established": "True", "NamesAccepted": "True", "Terminating": "False", "NonStructuralSchema": "False"}
_APPLY = "kubectl apply --server-side --force-conflicts -f"
_HELM = "Helm"


def read_definitions(look: Look) -> tuple[Definition, ...]:
    """The CRDs of the Trainer and of JobSet, with findings on each by itself."""
    found: list[Definition] = []
    missing: list[str] = []
    for name in (*TRAINER, JOBSETS):
        try:
            crd = look.get(CRDS, name)
        except NotFoundError:
            missing.append(name)
        except ReadError as error:
            look.skip(f"the CRD {name}", str(error))
        else:
            found.append(_definition(crd, name))
            _judge(look, crd, found[-1])
    _missing(look, missing, installed=any(one.of == "Trainer" for one in found))
    return tuple(found)


def _definition(crd: JsonObject, name: str) -> Definition:
    release = release_of(crd)
    return Definition(
        name=name,
        of="JobSet" if name == JOBSETS else "Trainer",
        release="" if release is None else release.release,
        differing=0 if release is None else release.differing,
        stored=tuple(str(one) for one in list_at(crd, "status", "storedVersions")),
        trouble=tuple(_trouble(crd)),
        owners=owners(crd),
        writers=writers(crd),
        kept=is_kept(crd),
    )


def _trouble(crd: JsonObject) -> Iterator[str]:
    if text_at(crd, "metadata", "deletionTimestamp"):
        yield "it is being deleted"
    for one in list_at(crd, "status", "conditions"):
        kind, status = text_at(one, "type"), text_at(one, "status")
        if _GOOD.get(kind, status) != status:
            yield f"{kind} is {status}: {text_at(one, 'message') or text_at(one, 'reason')}"


def _judge(look: Look, crd: JsonObject, found: Definition) -> None:
    for trouble in found.trouble:
        finding = checks.CRD_TROUBLE.at(
            ("status", "conditions"),
            f"the CRD {found.name} is not in order: {trouble}",
            help="Mend that before anything is upgraded; a CRD that is being deleted takes its objects along.",
        )
        look.say_of(finding, CRDS, crd)
    versions = {text_at(one, "name") for one in list_at(crd, "spec", "versions")}
    gone = [version for version in found.stored if version not in versions]
    if gone:
        finding = checks.STORED_VERSION.at(
            ("status", "storedVersions"),
            f"objects of {found.name} may be stored as {', '.join(gone)}, which the CRD does not have any more",
            help="Write each object once, then take the version out of status.storedVersions; an update of the CRD is "
            "refused until then.",
        )
        look.say_of(finding, CRDS, crd)
    if helm_release(crd)[1] and not found.kept:
        namespace, name = helm_release(crd)
        finding = checks.CRD_UNPROTECTED.at(
            ("metadata", "annotations"),
            f"the CRD {found.name} belongs to the Helm release {namespace}/{name} and has no helm.sh/resource-policy",
            help=f"kubectl annotate crd {found.name} helm.sh/resource-policy=keep protects it, and all objects of its "
            "kind, when an upgrade leaves it out; helm uninstall goes by the stored manifest and deletes it even so.",
        )
        look.say_of(finding, CRDS, crd)


def _missing(look: Look, names: list[str], *, installed: bool) -> None:
    if not installed:
        own = [name for name in names if name in TRAINER]
        if len(own) == len(TRAINER):
            finding = checks.CRD_MISSING.at(
                (), "none of the Trainer's CRDs is in the cluster", help="Name a context of a cluster with the Trainer."
            )
            look.say(finding)
        return
    for name in names:
        of = f"JobSet {look.old.jobset}" if name == JOBSETS else f"Trainer {look.old.name}"
        finding = checks.CRD_MISSING.at(
            (), f"the CRD {name} is not in the cluster", help=f"Apply that of {of}: {_APPLY} …"
        )
        look.say_of(finding, CRDS, ("", name))


def compare_releases(look: Look, definitions: tuple[Definition, ...], running: str) -> None:
    """Findings on releases that do not go together; ``running`` is that of the controller, empty when unknown."""
    own = [one for one in definitions if one.of == "Trainer" and one.release]
    for one in own:
        if running and one.release != running and not (one.differing and look.old.name == running):
            behind = is_earlier(one.release, running)
            effect = "drops what the controller and its clients write" if behind else "has lost what it still reads"
            finding = checks.CRD_BEHIND.at(
                ("spec", "versions"),
                f"the CRD {one.name} is that of Trainer {one.release} while the controller is {running}: it {effect}",
                help=f"Apply the CRDs of Trainer {max(running, one.release, key=_order)}: {_APPLY} …",
            )
            look.say_of(finding, CRDS, ("", one.name))
    for one in definitions:
        if one.differing:
            finding = checks.CRD_DIFFERS.at(
                ("spec", "versions"),
                f"the CRD {one.name} is nearest to that of {one.of} {one.release}, and {one.differing} of its fields "
                "differ",
                help="It is of another patch release, or was changed by hand, which the upgrade overwrites.",
            )
            look.say_of(finding, CRDS, ("", one.name))
    there = running or next((one.release for one in own), "")
    if there and there != look.old.name:
        what = "controller" if running else "CRDs"
        finding = checks.OTHER_RELEASE.at(
            (),
            f"the {what} in the cluster are those of Trainer {there}, and the upgrade is from {look.old.name}"
            if what == "CRDs"
            else f"the controller in the cluster is Trainer {there}, and the upgrade is from {look.old.name}",
            help=f"Give --from {there}, or name the right context.",
        )
        look.say(finding)


def _order(name: str) -> int:
    return [release.name for release in RELEASES].index(name)


def demand_adoption(look: Look, definitions: tuple[Definition, ...], release: tuple[str, str]) -> None:
    """Say which CRDs the Helm release of the Trainer has to adopt, when they become part of the chart."""
    before, after = chart_facts(look.old.name), chart_facts(look.new.name)
    if before is None or after is None or before.crds_in_templates or not after.crds_in_templates or not release[1]:
        return
    loose = [one.name for one in definitions if one.of == "Trainer" and not _is_of(one, release)]
    if not loose:
        return
    namespace, name = release
    crds = " ".join(loose)
    finding = checks.CRD_UNOWNED.at(
        (),
        f"the chart of {look.new.name} brings the CRDs, and {len(loose)} of them are not part of the Helm release "
        f"{namespace}/{name}, so that helm upgrade refuses them",
        help=f"kubectl label crd {crds} app.kubernetes.io/managed-by={_HELM} --overwrite; kubectl annotate crd {crds} "
        f"meta.helm.sh/release-name={name} meta.helm.sh/release-namespace={namespace} --overwrite. Or set crds.enabled "
        "to false and apply them from a unit of their own.",
    )
    look.say(finding)


def _is_of(one: Definition, release: tuple[str, str]) -> bool:
    return f"the Helm release {release[0]}/{release[1]}" in one.owners
