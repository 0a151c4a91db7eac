"""Puts the CRDs of a release on a control plane, ours for the Trainer and the recorded one for JobSet."""

from __future__ import annotations

import json
import lzma
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from tests.controlplane.api import Answer, Api

ROOT = Path(__file__).parent.parent.parent
ORACLE = ROOT / "tests" / "oracle"
COLLECTION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
TRAINER = "/apis/trainer.kubeflow.org/v1alpha1"
LIMIT = 60.0


@cache
def trainer_crds(release: str) -> tuple[dict[str, Any], ...]:
    """The CRDs that we generate for a release."""
    files = sorted((ROOT / "schemas" / release / "crds").glob("*.yaml"))
    return tuple(yaml.load(file.read_bytes(), yaml.CSafeLoader) for file in files)


@cache
def job_set_crd(release: str) -> dict[str, Any]:
    """The CRD of the JobSet version that a release of the Trainer is built with."""
    crds: dict[str, Any] = json.loads(lzma.decompress((ORACLE / "crds" / "jobsets.json.xz").read_bytes()))
    crd: dict[str, Any] = crds[release]
    return crd


class Definitions:
    """The CRDs on one control plane; a release's replace those of the release before, with all their objects."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._release = ""

    def install(self, release: str) -> None:
        """Makes the API server serve the kinds of a release, and nothing of another one."""
        if release == self._release:
            return
        # The API server may have been killed since this was last used, and the old connection with it.
        self._api.close()
        crds = [*trainer_crds(release), job_set_crd(release)]
        for crd in crds:
            self.remove(crd)
        for crd in crds:
            self.establish(crd)
        self._release = release

    def forget(self) -> None:
        """Has the next installation begin anew, because somebody changed the CRDs."""
        self._release = ""

    def establish(self, crd: dict[str, Any]) -> Answer:
        """Applies one CRD, waits until its kind is served, and gives the first answer."""
        answer = self._api.apply(f"{COLLECTION}/{crd['metadata']['name']}", crd)
        assert answer.ok, answer.body
        self._wait(crd, 200)
        return answer

    def remove(self, crd: dict[str, Any]) -> None:
        """Deletes one CRD and its objects, and waits until the kind is no longer served."""
        self._api.request("DELETE", f"{COLLECTION}/{crd['metadata']['name']}")
        self._let_go(crd)
        self._wait(crd, 404)

    def _let_go(self, crd: dict[str, Any]) -> None:
        """Takes away the finalizers of all objects, which would hold up their CRD."""
        listed = self._api.request("GET", collection(crd))
        for found in listed.body["items"] if listed.ok else ():
            if found["metadata"].get("finalizers"):
                namespace, name = found["metadata"].get("namespace"), found["metadata"]["name"]
                self._api.merge_patch(f"{collection(crd, namespace)}/{name}", {"metadata": {"finalizers": None}})

    def conditions(self, crd: dict[str, Any]) -> dict[str, str]:
        """The conditions of a CRD by type."""
        found = self._api.request("GET", f"{COLLECTION}/{crd['metadata']['name']}").body
        return {condition["type"]: condition["status"] for condition in found.get("status", {}).get("conditions", ())}

    def _wait(self, crd: dict[str, Any], code: int) -> None:
        deadline = time.monotonic() + LIMIT
        paths = [f"{COLLECTION}/{crd['metadata']['name']}", collection(crd)]
        while not self._is_settled(crd, paths, code):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{paths} do not answer {code} after {LIMIT:.0f} s")
            time.sleep(0.05)

    def _is_settled(self, crd: dict[str, Any], paths: list[str], code: int) -> bool:
        if any(self._api.request("GET", path).code != code for path in paths):
            return False
        return code == 404 or self.conditions(crd).get("Established") == "True"


def collection(crd: dict[str, Any], namespace: str | None = None) -> str:
    """The path of all objects of a CRD's kind, or of those in one namespace."""
    spec = crd["spec"]
    within = f"namespaces/{namespace}/" if namespace else ""
    return f"/apis/{spec['group']}/{spec['versions'][0]['name']}/{within}{spec['names']['plural']}"
