"""The worked examples: each legacy job becomes what is written down for it, with the warnings listed for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import trainergen
from trainergen.api.quantity import QuantityError, parse_quantity
from trainergen.finding import Severity
from trainergen.migrate import CATALOGUE, migrate

EXAMPLES = Path(__file__).parent / "examples"

LISTED = {
    "E01": "rendezvous-shim retries-counted-differently clean-pod-policy",
    "E02": ("launcher-rewritten local-rank overridden-variable-removed retries-counted-differently clean-pod-policy"),
    "E03": "launcher-rewritten restart-policy clean-pod-policy",
    "E04": "rendezvous-shim command-opaque retries-counted-differently clean-pod-policy",
    "E05": "patches-used field-reference-renamed retries-counted-differently clean-pod-policy",
    "E06": ("elastic-size-fixed processes-differ success-rule retries-counted-differently clean-pod-policy"),
    "E07": (
        "ssh-transport ssh-keys workers-in-runtime hostfile-added worker-variables-forwarded"
        " mpirun-processes launcher-gpus-hidden ssh-transport"
    ),
    "E08": ("mpirun-processes hostfile-added workers-in-runtime job-not-deleted ssh-keys sshd-port-guessed"),
    "E09": (
        "xgboost-variables exit-code-policy success-rule ports-dropped command-opaque clean-pod-policy restart-policy"
    ),
    "E10": "jax-variables retries-counted-differently clean-pod-policy",
    "E11": "tensorflow-runtime tf-config-literal runtime-before-job scripts-must-change",
    "E12": ("tensorflow-runtime tf-config-literal retries-counted-differently clean-pod-policy patches-used"),
    "E15": (
        "gang-scheduling pod-priority fields-in-runtime runtime-before-job retries-counted-differently clean-pod-policy"
    ),
    "E16": "kueue-queue managed-by patches-used retries-counted-differently clean-pod-policy",
    "E17": "roles-differ counts-in-several-places no-framework-variables restart-policy runtime-before-job",
    "E18": (
        "exit-code-policy retries-counted-differently job-not-deleted clean-pod-policy deadline-deletes-pods"
        " fields-in-runtime runtime-before-job"
    ),
    "E19": "paddle-runtime counts-in-several-places retries-counted-differently clean-pod-policy",
    "E20": ("fields-in-runtime rendezvous-port runtime-before-job retries-counted-differently clean-pod-policy"),
}
"""Warnings by name, in no order; what every job says is left out."""
EVERYWHERE = {
    *("container-renamed", "rendezvous-port", "scripts-must-change", "unbuffered-added", "runtime-before-job"),
    *("no-framework-variables", "success-rule", "clean-pod-policy", "restart-policy", "workers-in-runtime"),
}
"""What a job may say beyond its list: what every job of its kind says, and remarks that nothing is lost."""
ALSO = {
    "E05": {"istio-annotation"},
    "E06": {"launcher-rewritten"},
    "E09": {"rendezvous-shim"},
    "E15": {"fields-in-runtime"},
    "E17": {"rendezvous-port", "retries-counted-differently"},
}


def documents(name: str) -> list[dict[str, Any]]:
    return [each for each in yaml.safe_load_all((EXAMPLES / name).read_text()) if each]


def meaning(value: Any, key: str = "") -> Any:
    """A rendered value without what is the same to the cluster: order of variables, defaults, spelling of amounts."""
    if isinstance(value, dict):
        kept = {name: meaning(each, name) for name, each in value.items() if (name, each) not in _DEFAULTS}
        if key in ("limits", "requests"):
            return {name: _amount(each) for name, each in kept.items()}
        return {name: each for name, each in kept.items() if each not in (None, {}, [])}
    if isinstance(value, list):
        if key == "env":
            return {each["name"]: meaning(each) for each in value}
        return [meaning(each) for each in value]
    if isinstance(value, str):
        return _text(value)
    return value


_DEFAULTS = [("backoffLimit", 6), ("restartPolicy", "OnFailure"), ("apiVersion", "v1"), ("parallelism", 1)]


def _text(text: str) -> Any:
    if text.startswith('{"cluster"'):
        return json.loads(text.replace('"index":$(TF_TASK_INDEX)', '"index":"$(TF_TASK_INDEX)"'))
    return " ".join(text.split())


def _amount(value: Any) -> Any:
    try:
        return parse_quantity(value)
    except QuantityError:
        return value


def rendered(objects: list[dict[str, Any]], release: str) -> list[Any]:
    job = next(each for each in objects if each["kind"] == "TrainJob")
    result = trainergen.render(job, [each for each in objects if each is not job], release=release)
    found = [each for each in result.objects if "runtime-snapshot" not in str(each["metadata"]["name"])]
    return [meaning(each) for each in found]


@pytest.mark.parametrize("release", ["2.2", "2.3"])
@pytest.mark.parametrize("example", LISTED)
def test_an_example_becomes_what_is_written_down(example: str, release: str) -> None:
    (legacy,) = documents(f"{example}.v1.yaml")
    migration = migrate(legacy, target=release)
    expected = rendered(documents(f"{example}.v2.yaml"), release)
    assert rendered(list(migration.objects), release) == expected


@pytest.mark.parametrize("example", LISTED)
def test_the_trainjob_of_an_example_says_the_same(example: str) -> None:
    (legacy,) = documents(f"{example}.v1.yaml")
    job = migrate(legacy).objects[-1]
    expected = documents(f"{example}.v2.yaml")[-1]
    assert isinstance(job["spec"], dict)
    for key in ("suspend", "managedBy", "activeDeadlineSeconds"):
        assert job["spec"].get(key) == expected["spec"].get(key)
    assert job["metadata"] == expected["metadata"]


@pytest.mark.parametrize("example", LISTED)
def test_an_example_comes_with_the_warnings_listed_for_it(example: str) -> None:
    (legacy,) = documents(f"{example}.v1.yaml")
    names = {each.name for each in migrate(legacy).warnings}
    listed = set(LISTED[example].split())
    assert listed - names == set()
    assert names - listed - EVERYWHERE - ALSO.get(example, set()) == set()


@pytest.mark.parametrize("release", ["2.1", "2.2", "2.3"])
@pytest.mark.parametrize("example", LISTED)
def test_the_target_accepts_and_renders_an_example(example: str, release: str) -> None:
    (legacy,) = documents(f"{example}.v1.yaml")
    migration = migrate(legacy, target=release)
    for each in migration.objects:
        others = [other for other in migration.objects if other is not each]
        known = trainergen.admit(each, release=release, objects=[*others, *_classes(), *_shipped(release)])
        assert [finding for finding in known.findings if finding.refuses] == []
    assert rendered(list(migration.objects), release)
    refusals = [each.name for each in migration.losses() if each.severity is Severity.ERROR]
    missing = {"E09", "E10"} if release == "2.1" else set()
    expected = ["elastic-size-fixed"] * 2 if example == "E06" else ["runtime-not-shipped"] if example in missing else []
    assert refusals == expected


def _classes() -> list[dict[str, Any]]:
    return [
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": 1}
        for name in ("high-priority", "batch-low")
    ]


def _shipped(release: str) -> list[Any]:
    from trainergen.releases.catalogue import shipped_runtimes

    return list(shipped_runtimes(release).values())


def test_the_names_of_the_lists_are_those_of_the_catalogue() -> None:
    names = {check.name for check in CATALOGUE.values()}
    assert {name for listed in LISTED.values() for name in listed.split()} <= names
    assert names >= EVERYWHERE
