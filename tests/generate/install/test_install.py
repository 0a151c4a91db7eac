"""The Trainer itself: its CRDs, and the values of its chart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from tests.generate.sample import sample
from tests.generate.tools import kustomize, objects, write
from trainergen.generate.install import files
from trainergen.generate.install.chart import chart_values, values_schema
from trainergen.generate.workspace_files import Tree
from trainergen.releases import RELEASES, Release, get_release


@pytest.mark.parametrize("release", RELEASES, ids=lambda each: each.name)
def test_the_values_are_values_of_the_chart(release: Release) -> None:
    validator = Draft7Validator(json.loads(values_schema(release)))

    assert list(validator.iter_errors(chart_values(release))) == []
    assert list(validator.iter_errors({"manager": {"replica": 2}})) != []
    assert list(validator.iter_errors({"manager": {"replicas": "2"}})) != []


def test_values_leave_crds_and_runtimes_to_others() -> None:
    values = chart_values(get_release("2.3"))

    assert values["crds"] == {"enabled": False}
    assert values["runtimes"] == {"defaultEnabled": False}
    assert values["image"] == {"tag": "v2.3.0"}


def test_values_name_only_what_the_chart_of_an_older_release_has() -> None:
    assert set(chart_values(get_release("2.0"))) == {"image", "jobset", "manager"}


def test_the_crds_build_and_are_kept_by_every_tool(tmp_path: Path) -> None:
    folder = write(files(sample()), tmp_path) / "platform" / "crds"

    built = kustomize(folder)

    assert {each["kind"] for each in built} == {"CustomResourceDefinition"}
    assert len(built) == 3
    for each in built:
        assert each["metadata"]["annotations"] == {
            "argocd.argoproj.io/sync-options": "ServerSideApply=true,Prune=false,Delete=false",
            "helm.sh/resource-policy": "keep",
            "kustomize.toolkit.fluxcd.io/prune": "disabled",
        }


def test_without_a_delivery_there_are_values_and_the_command_that_takes_them() -> None:
    tree = Tree(files(sample(delivery="none")))

    text = tree["platform/controller/values.yaml"]
    assert (
        "helm upgrade --install kubeflow-trainer oci://ghcr.io/kubeflow/charts/kubeflow-trainer --version 2.3.0" in text
    )
    assert objects(text)[0] == chart_values(get_release("2.3"))


def test_a_release_with_crds_in_their_own_folder_of_the_chart_needs_no_unit_for_them() -> None:
    assert list(files(sample(release="2.2"))) == []


def test_nothing_is_written_when_no_installation_is_wanted() -> None:
    assert list(files(sample(install=False))) == []
