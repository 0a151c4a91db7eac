"""What becomes of objects that are sent to the server."""

from __future__ import annotations

import pytest
from trainergen_controller.errors import (
    AlreadyExistsError,
    ApiError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
)
from trainergen_controller.kinds import CONFIG_MAP, JOB_SET, NAMESPACE, SECRET, TRAIN_JOB, ApiKind

from tests.controller.inprocess.objects import NAMESPACE as TEAM
from tests.controller.inprocess.objects import config_map, server, train_job
from trainergen.releases.catalogue import shipped_runtimes


def test_a_new_object_gets_an_identity_and_defaults_and_its_fields_an_owner() -> None:
    made = server(new_uid=lambda: "uid-1").client("me").create(TRAIN_JOB, train_job(), TEAM)
    metadata = made["metadata"]
    assert (metadata["uid"], metadata["generation"]) == ("uid-1", 1)
    assert metadata["creationTimestamp"] == "2026-01-02T03:04:05Z"
    assert made["spec"]["managedBy"] == "trainer.kubeflow.org/trainjob-controller"
    (entry,) = metadata["managedFields"]
    assert (entry["manager"], entry["operation"]) == ("me", "Update")
    assert "f:suspend" in entry["fieldsV1"]["f:spec"]


def test_an_object_goes_in_and_comes_out_as_a_copy() -> None:
    client = server().client()
    sent = config_map(a="1")
    made = client.create(CONFIG_MAP, sent)
    sent["data"]["a"] = made["data"]["a"] = "2"
    assert client.get(CONFIG_MAP, "map", TEAM)["data"] == {"a": "1"}


def test_there_is_one_object_of_a_name() -> None:
    client = server().client()
    client.create(CONFIG_MAP, config_map())
    with pytest.raises(AlreadyExistsError):
        client.create(CONFIG_MAP, config_map())


def test_what_the_schema_refuses_is_refused_with_all_places() -> None:
    with pytest.raises(InvalidError) as caught:
        server().client().create(TRAIN_JOB, train_job(trainer={"numNodes": "2"}, managedBy="nobody"))
    fields = {cause["field"] for cause in caught.value.details["causes"]}
    assert "spec.trainer.numNodes" in fields


@pytest.mark.parametrize("entry", [{"value": "x"}, {}])
def test_an_entry_without_its_key_is_refused_by_the_schema_and_no_fault_of_the_server(entry: dict[str, str]) -> None:
    with pytest.raises(InvalidError) as caught:
        server().client().create(TRAIN_JOB, train_job(trainer={"env": [entry]}))
    assert "spec.trainer.env[0].name" in {cause["field"] for cause in caught.value.details["causes"]}


def test_unknown_fields_are_dropped_and_unknown_kinds_not_served() -> None:
    client = server().client()
    assert "nonsense" not in client.create(TRAIN_JOB, train_job(nonsense=1))["spec"]
    with pytest.raises(NotFoundError):
        client.list(ApiKind("apps", "v1", "Deployment", "deployments"))


def test_webhooks_have_their_say_only_where_they_are_installed() -> None:
    assert server().client().create(TRAIN_JOB, train_job())["metadata"]["uid"]
    with pytest.raises(ForbiddenError, match="torch-distributed"):
        server(webhooks=True).client().create(TRAIN_JOB, train_job())
    installed = server(webhooks=True)
    runtime = dict(shipped_runtimes("2.3")["torch-distributed"])
    kind = ApiKind("trainer.kubeflow.org", "v1alpha1", "ClusterTrainingRuntime", "clustertrainingruntimes", False)
    installed.client().create(kind, runtime)
    assert installed.client().create(TRAIN_JOB, train_job())["metadata"]["uid"]


def test_a_replacement_has_to_be_of_the_version_that_is_there() -> None:
    client = server().client()
    made = client.create(TRAIN_JOB, train_job())
    changed = {**made, "spec": {**made["spec"], "suspend": True}}
    assert client.update(TRAIN_JOB, changed)["metadata"]["generation"] == 2
    with pytest.raises(ConflictError):
        client.update(TRAIN_JOB, changed)
    without = {**changed, "metadata": {"name": "job", "namespace": TEAM}}
    with pytest.raises(InvalidError, match="must be specified for an update"):
        client.update(TRAIN_JOB, without)


def test_a_change_that_changes_nothing_is_none() -> None:
    client = server().client()
    before = client.create(CONFIG_MAP, config_map(a="1"))
    assert client.update(CONFIG_MAP, before) == before
    assert client.merge_patch(CONFIG_MAP, "map", TEAM, {"data": {"a": "1"}}) == before


def test_what_cannot_change_on_an_update_is_refused() -> None:
    client = server().client()
    client.create(TRAIN_JOB, train_job())
    with pytest.raises(InvalidError, match="runtimeRef"):
        client.merge_patch(TRAIN_JOB, "job", TEAM, {"spec": {"runtimeRef": {"name": "other"}}})


def test_the_status_is_a_place_of_its_own() -> None:
    client = server().client()
    made = client.create(TRAIN_JOB, {**train_job(), "status": {"jobsStatus": []}})
    assert "status" not in made
    condition = {"type": "Complete", "status": "True", "reason": "R", "message": "m"}
    status = {"conditions": [{**condition, "lastTransitionTime": "2026-01-01T00:00:00Z"}]}
    patched = client.merge_patch(
        TRAIN_JOB, "job", TEAM, {"status": status, "spec": {"suspend": True}}, subresource="status"
    )
    assert (patched["status"], patched["spec"]["suspend"], patched["metadata"]["generation"]) == (status, False, 1)
    assert client.merge_patch(TRAIN_JOB, "job", TEAM, {"status": None})["status"] == status
    with pytest.raises(NotFoundError):
        client.merge_patch(CONFIG_MAP, "map", TEAM, {"status": {}}, subresource="status")


def test_a_dry_run_answers_and_leaves_nothing() -> None:
    client = server().client()
    assert client.create(CONFIG_MAP, config_map(a="1"), dry_run=True)["data"] == {"a": "1"}
    with pytest.raises(NotFoundError):
        client.get(CONFIG_MAP, "map", TEAM)
    client.create(CONFIG_MAP, config_map(a="1"))
    assert client.apply(CONFIG_MAP, config_map(a="2"), manager="t", force=True, dry_run=True)["data"] == {"a": "2"}
    assert client.get(CONFIG_MAP, "map", TEAM)["data"] == {"a": "1"}


def test_a_deletion_may_be_meant_for_that_very_object() -> None:
    client = server().client()
    made = client.create(CONFIG_MAP, config_map())
    with pytest.raises(ConflictError):
        client.delete(CONFIG_MAP, "map", TEAM, uid="another")
    client.delete(CONFIG_MAP, "map", TEAM, uid=made["metadata"]["uid"])
    with pytest.raises(NotFoundError):
        client.delete(CONFIG_MAP, "map", TEAM)


def test_finalizers_hold_an_object_until_they_are_gone() -> None:
    client = server().client()
    body = config_map()
    body["metadata"]["finalizers"] = ["a.b/c"]
    client.create(CONFIG_MAP, body)
    client.delete(CONFIG_MAP, "map", TEAM)
    waiting = client.get(CONFIG_MAP, "map", TEAM)
    assert waiting["metadata"]["deletionTimestamp"] == "2026-01-02T03:04:05Z"
    with pytest.raises(InvalidError, match="no new finalizers"):
        client.merge_patch(CONFIG_MAP, "map", TEAM, {"metadata": {"finalizers": ["a.b/c", "d.e/f"]}})
    client.merge_patch(CONFIG_MAP, "map", TEAM, {"metadata": {"finalizers": None}})
    with pytest.raises(NotFoundError):
        client.get(CONFIG_MAP, "map", TEAM)


def test_namespaces_come_by_themselves_unless_they_have_to_be_made() -> None:
    free = server()
    free.client().create(CONFIG_MAP, config_map())
    assert free.client().get(NAMESPACE, TEAM)["status"] == {"phase": "Active"}
    with pytest.raises(NotFoundError, match="team-a"):
        server(implicit_namespaces=False).client().create(CONFIG_MAP, config_map())


def test_a_secret_takes_plain_text() -> None:
    secret = {**config_map("keys"), "kind": "Secret", "stringData": {"k": "v"}}
    secret.pop("data")
    made = server().client().create(SECRET, secret)
    assert (made["data"], made["type"], "stringData" in made) == ({"k": "dg=="}, "Opaque", False)


def test_a_generated_name_is_filled_up() -> None:
    body = config_map()
    body["metadata"] = {"generateName": "run-", "namespace": TEAM}
    name = server().client().create(CONFIG_MAP, body)["metadata"]["name"]
    assert name.startswith("run-")
    assert len(name) == 9


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({**config_map(), "kind": "Secret"}, 400),
        ({**config_map(), "metadata": {"name": "map", "namespace": "elsewhere"}}, 400),
    ],
)
def test_an_object_has_to_be_of_the_place_it_is_sent_to(body: dict[str, object], code: int) -> None:
    with pytest.raises(ApiError) as caught:
        server().client().create(CONFIG_MAP, body, TEAM)
    assert caught.value.code == code


def test_a_job_set_is_checked_like_the_resource_it_is() -> None:
    body = {"apiVersion": JOB_SET.api_version, "kind": "JobSet", "metadata": {"name": "s", "namespace": TEAM}}
    client = server().client()
    client.create(JOB_SET, {**body, "spec": {"replicatedJobs": [], "network": {"enableDNSHostnames": True}}})
    with pytest.raises(InvalidError, match="network"):
        client.merge_patch(JOB_SET, "s", TEAM, {"spec": {"network": {"enableDNSHostnames": False}}})


@pytest.mark.parametrize(
    ("suspend", "field", "refused"),
    [
        (True, "nodeSelector", False),
        (True, "serviceAccountName", True),
        (False, "nodeSelector", True),
    ],
)
def test_job_sets_webhook_lets_little_change_and_only_while_suspended(suspend: bool, field: str, refused: bool) -> None:
    value = {"pool": "a"} if field == "nodeSelector" else "trainer"

    def body(**pod: object) -> dict[str, object]:
        spec = {"containers": [{"name": "node", "image": "a"}], **pod}
        jobs = [{"name": "node", "template": {"spec": {"template": {"spec": spec}}}}]
        metadata = {"name": "s", "namespace": TEAM}
        whole = {"apiVersion": JOB_SET.api_version, "kind": "JobSet", "metadata": metadata}
        return {**whole, "spec": {"suspend": suspend, "replicatedJobs": jobs}}

    for webhooks in (False, True):
        client = server(webhooks=webhooks).client()
        client.apply(JOB_SET, body(), manager="trainer", force=True)
        if webhooks and refused:
            with pytest.raises(ForbiddenError, match=field):
                client.apply(JOB_SET, body(**{field: value}), manager="trainer", force=True)
        else:
            assert client.apply(JOB_SET, body(**{field: value}), manager="trainer", force=True)
