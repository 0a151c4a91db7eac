"""The CRDs that we generate are CRDs to a real API server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.controlplane.crds import COLLECTION, Definitions, job_set_crd, trainer_crds

if TYPE_CHECKING:
    from tests.controlplane.api import Api


def test_generated_crds_are_applied_established_and_served(definitions: Definitions, release: str) -> None:
    for crd in (*trainer_crds(release), job_set_crd(release)):
        conditions = definitions.conditions(crd)
        assert conditions["Established"] == "True"
        assert conditions["NamesAccepted"] == "True"
        assert conditions.get("NonStructuralSchema", "False") == "False"


def test_applying_generated_crds_again_changes_nothing(api: Api, release: str) -> None:
    for crd in trainer_crds(release):
        path = f"{COLLECTION}/{crd['metadata']['name']}"
        before = api.request("GET", path).body["metadata"]
        after = api.apply(path, crd).body["metadata"]
        assert (after["generation"], after["resourceVersion"]) == (before["generation"], before["resourceVersion"])
