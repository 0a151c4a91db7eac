"""The shipped runtimes, as defined here, are those of the releases."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest
import yaml

import trainergen
from trainergen.api.structural import API_VERSION
from trainergen.catalogue.files import name_of
from trainergen.catalogue.shipped import SHIPPED, shipped_in
from trainergen.releases import RELEASES
from trainergen.releases.catalogue import shipped_runtimes

RELEASE_NAMES = [release.name for release in RELEASES]
RECORDED = json.loads(lzma.decompress((Path(__file__).parents[1] / "oracle" / "runtimes.json.xz").read_bytes()))
"""The text of the runtime files by release and file name."""
EVERY = [
    pytest.param(release, each, id=f"{name_of(each.at(release))}-{release}")
    for release in RELEASE_NAMES
    for each in shipped_in(release)
]


def recorded(release: str) -> dict[str, Any]:
    found = [document for text in RECORDED[release].values() for document in yaml.safe_load_all(text)]
    return {runtime["metadata"]["name"]: runtime for runtime in found}


@pytest.mark.parametrize("release", RELEASE_NAMES)
def test_the_definitions_give_the_recorded_runtimes_name_by_name(release: str) -> None:
    defined = {name_of(each.at(release)): each.at(release) for each in shipped_in(release) if each.installed}
    assert defined == recorded(release)


@pytest.mark.parametrize("release", RELEASE_NAMES)
def test_what_admission_reads_has_no_examples(release: str) -> None:
    assert shipped_runtimes(release) == recorded(release)


def test_flux_is_an_example_of_the_releases_that_know_it() -> None:
    examples = {
        release: [name_of(each.at(release)) for each in shipped_in(release) if not each.installed]
        for release in RELEASE_NAMES
    }
    assert examples == {"2.0": [], "2.1": [], "2.2": ["flux-runtime"], "2.3": ["flux-distributed"]}


@pytest.mark.parametrize(("release", "shipped"), EVERY)
def test_a_shipped_runtime_is_accepted_and_renders(release: str, shipped: Any) -> None:
    runtime = shipped.at(release)
    admission = trainergen.admit(runtime, release=release)
    assert (admission.findings, admission.not_evaluated) == ((), ())
    job = {
        "apiVersion": API_VERSION,
        "kind": "TrainJob",
        "metadata": {"name": "tj", "namespace": "team"},
        "spec": {"runtimeRef": {"name": name_of(runtime)}, "trainer": {"numNodes": 2}},
    }
    judged = trainergen.admit(job, release=release, objects=[runtime])
    assert (judged.findings, judged.not_evaluated) == ((), ())
    rendered = trainergen.render(job, [runtime], release=release)
    assert rendered.objects[-1]["kind"] == "JobSet"


def test_each_runtime_is_there_in_some_release() -> None:
    assert {id(each) for release in RELEASE_NAMES for each in shipped_in(release)} == {id(each) for each in SHIPPED}
