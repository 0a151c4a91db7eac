"""Checks on an installation of the Trainer's chart that umbrella charts and deliveries share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules.gitops.helm.chart_facts import facts_of_version

if TYPE_CHECKING:
    from trainergen.rules import Findings, Spot
    from trainergen.rules.gitops.helm.installations import Installation

_MOVING = frozenset({"latest", "main", "master", "nightly", "edge"})
_CONTROLLER = "trainer-controller-manager"
UNSEEN = "further values come from elsewhere"


def place_of(installation: Installation, path: str) -> Spot:
    """Where one would set a value: where it is set, else at the version, else at the whole."""
    part = installation.written(path)
    if part is not None:
        return part.at()
    return installation.version.at() if installation.version.value is not None else installation.place.at()


def unprotected_crds(installation: Installation) -> Findings:
    """CRDs that Helm deletes together with the release."""
    if not installation.facts.crds_in_templates or installation.value("crds.enabled") is not True:
        return
    if not installation.complete and installation.written("crds.enabled") is None:
        yield installation.place.at().undecided(UNSEEN)
        return
    yield place_of(installation, "crds.enabled").report(
        f"the chart {installation.facts.chart} holds the CRDs among its templates without a policy to keep them, so "
        "that removing it deletes every TrainJob and runtime",
        help="Set crds.enabled to false from the start and apply the CRDs from a unit of their own.",
    )


def skewed_image(installation: Installation) -> Findings:
    """A controller image of another release than the chart."""
    facts, tag = installation.facts, installation.value("image.tag")
    repository = installation.value("image.repository")
    if isinstance(repository, str) and not repository.endswith(_CONTROLLER):
        return
    if tag in (None, ""):
        tag = facts.image.partition(":")[2]
        if not installation.complete and tag:
            yield installation.place.at().undecided(UNSEEN)
            return
    of_tag = facts_of_version(str(tag))
    if tag in _MOVING:
        seen = f"the controller's image has the moving tag '{tag}'"
    elif of_tag is not None and of_tag.release != facts.release:
        seen = f"the controller's image is of Trainer {of_tag.release}"
    else:
        return
    yield place_of(installation, "image.tag").report(
        f"{seen}, but the chart with its CRDs, permissions and settings is of Trainer {facts.release}",
        help="Set image.tag to the release of the chart, or update both together.",
    )
