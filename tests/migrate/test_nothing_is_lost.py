"""Every leaf of a legacy job is in the output, named by a warning, or says what holds anyway."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trainergen.admission.legacy.kinds import KINDS, LegacyKind
from trainergen.finding import format_path
from trainergen.migrate import Choices, Migration, migrate
from trainergen.migrate.ledger import leaves

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.v1.yaml"))
TOKEN = "tk{}x"

POD_FIELDS: dict[str, Any] = {
    "nodeSelector": {"zone": "TOKEN"},
    "priorityClassName": "TOKEN",
    "serviceAccountName": "TOKEN",
    "schedulerName": "TOKEN",
    "hostname": "TOKEN",
    "dnsPolicy": "Default",
    "runtimeClassName": "TOKEN",
    "terminationGracePeriodSeconds": 7,
    "imagePullSecrets": [{"name": "TOKEN"}],
    "tolerations": [{"key": "TOKEN", "operator": "Exists"}],
    "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "TOKEN"}}],
    "securityContext": {"runAsUser": 1000},
    "affinity": {
        "podAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [
                {
                    "topologyKey": "TOKEN",
                    "labelSelector": {"matchLabels": {"training.kubeflow.org/job-name": "TOKEN", "app": "TOKEN"}},
                }
            ]
        }
    },
    "initContainers": [{"name": "init", "image": "TOKEN", "env": [{"name": "A", "value": "TOKEN"}]}],
}
CONTAINER_FIELDS: dict[str, Any] = {
    "command": ["torchrun", "--nnodes=2", "TOKEN"],
    "args": ["TOKEN", "--flag=TOKEN"],
    "workingDir": "TOKEN",
    "imagePullPolicy": "Always",
    "ports": [{"name": "metrics", "containerPort": 9100}],
    "env": [
        {"name": "TOKEN", "value": "TOKEN"},
        {"name": "WORLD_SIZE", "value": "TOKEN"},
        {"name": "RANK", "value": "1"},
    ],
    "envFrom": [{"secretRef": {"name": "TOKEN"}}],
    "resources": {"limits": {"nvidia.com/gpu": 2}, "requests": {"memory": "3Gi"}},
    "volumeMounts": [{"name": "data", "mountPath": "/TOKEN"}],
    "securityContext": {"runAsNonRoot": True},
    "livenessProbe": {"exec": {"command": ["TOKEN"]}},
}
RUN_POLICY: dict[str, Any] = {
    "cleanPodPolicy": "All",
    "ttlSecondsAfterFinished": 60,
    "activeDeadlineSeconds": 90,
    "backoffLimit": 4,
    "suspend": True,
    "managedBy": "kueue.x-k8s.io/multikueue",
    "schedulingPolicy": {
        "queue": "TOKEN",
        "minAvailable": 2,
        "priorityClass": "TOKEN",
        "scheduleTimeoutSeconds": 3,
        "minResources": {"cpu": "7"},
    },
}
SAID_ANYWAY = ("restartPolicy", "apiVersion", "kind", "suspend", "replicas", "operator", "status", "slotsPerWorker")
"""Fields that may say what holds anyway, or what the operator never looked at."""


def pick(fields: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    names = st.sets(st.sampled_from(sorted(fields)))
    return names.map(lambda chosen: {name: deepcopy(fields[name]) for name in sorted(chosen)})


@st.composite
def jobs(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from([each for each in KINDS.values() if each.kind != "MXJob"]))
    job = _job(draw, kind)
    counter = iter(range(10_000))
    return dict(_numbered(job, counter))


def _job(draw: st.DrawFn, kind: LegacyKind) -> dict[str, Any]:
    main = {"name": kind.container or "main", "image": "TOKEN", **draw(pick(CONTAINER_FIELDS))}
    sidecars = draw(st.sampled_from([[], [{"name": "side", "image": "TOKEN", "args": ["TOKEN"]}]]))
    metadata = draw(st.sampled_from([{}, {"metadata": {"labels": {"team": "TOKEN"}, "annotations": {"a/b": "TOKEN"}}}]))
    template = {**metadata, "spec": {**draw(pick(POD_FIELDS)), "containers": [main, *sidecars]}}
    specs: dict[str, Any] = {}
    alike = draw(st.booleans())
    for role in _roles(kind):
        own = deepcopy(template)
        if not alike:
            own["spec"]["containers"][0]["image"] = f"TOKEN-{role}"
        leading = role in ("Master", "Launcher", "Chief", "Evaluator")
        specs[role] = {
            "replicas": 1 if leading else draw(st.integers(1, 3)),
            "restartPolicy": draw(st.sampled_from(["OnFailure", "Never"])),
            "template": own,
        }
    spec: dict[str, Any] = {"runPolicy": draw(pick(RUN_POLICY)), kind.replicas_key: specs}
    if kind.version == "v2beta1":
        spec["runPolicy"].pop("managedBy", None)
    name = {"name": "job", "namespace": "TOKEN", "labels": {"app": "TOKEN"}}
    return {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": name, "spec": spec}


def _roles(kind: LegacyKind) -> tuple[str, ...]:
    return ("Chief", "PS", "Worker", "Evaluator") if kind.kind == "TFJob" else kind.roles


def _numbered(value: Any, counter: Any) -> Any:
    """The same value with a text of its own at every TOKEN."""
    if isinstance(value, dict):
        return {key: _numbered(each, counter) for key, each in value.items()}
    if isinstance(value, list):
        return [_numbered(each, counter) for each in value]
    return value.replace("TOKEN", TOKEN.format(next(counter))) if isinstance(value, str) else value


def value_at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def check_accounts(migration: Migration) -> None:
    entries = {entry.source: entry for entry in migration.mapping}
    assert set(entries) == set(leaves(migration.source))
    output = json.dumps(migration.objects)
    places = [warning.at for warning in migration.warnings]
    for path, entry in entries.items():
        value = value_at(migration.source, path)
        said = any(place and path[: len(place)] == place for place in places)
        if entry.outcome == "reported":
            assert said, f"{format_path(path)} is said to be reported, but no warning is about it"
        elif entry.outcome == "default":
            assert value in ({}, []) or path[-1] in SAID_ANYWAY, f"{format_path(path)}: {value!r} is lost"
        elif isinstance(value, str) and value.startswith("tk"):
            assert value in output or said, f"{format_path(path)}: {value!r} is neither in the output nor reported"


@given(job=jobs(), target=st.sampled_from(["2.1", "2.2", "2.3"]))
def test_every_leaf_is_mapped_reported_or_default(job: dict[str, Any], target: str) -> None:
    before = deepcopy(job)
    migration = migrate(job, target=target)
    assert job == before
    assert migration.objects
    check_accounts(migration)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_leaf_of_an_example_is_accounted_for(path: Path) -> None:
    migration = migrate(yaml.safe_load(path.read_text()))
    assert {entry.source for entry in migration.mapping} == set(leaves(migration.source))


@given(job=jobs())
def test_what_is_mapped_to_a_place_is_there(job: dict[str, Any]) -> None:
    migration = migrate(job, choices=Choices(exact_restart=True))
    by_kind = {str(each["kind"]): each for each in migration.objects}
    for mark in migration.marks:
        if mark.outcome != "mapped" or not mark.target or mark.source[-1] in ("command", "args", "slotsPerWorker"):
            continue
        if any(entry.source[: len(mark.source)] == mark.source for entry in migration.mapping):
            value_at(by_kind[mark.kind], mark.target)


@given(job=jobs(), target=st.sampled_from(["2.1", "2.2", "2.3"]))
def test_what_the_target_would_refuse_is_said(job: dict[str, Any], target: str) -> None:
    import trainergen

    migration = migrate(job, target=target)
    refused = [each for each in migration.objects if trainergen.admit(each, release=target, objects=None).refused]
    losses = {loss.name for loss in migration.losses()}
    assert not refused or losses & {"migrated-refused", "runtime-not-shipped"}
