"""What goes with its owner."""

from __future__ import annotations

import pytest
from trainergen_controller.errors import NotFoundError
from trainergen_controller.kinds import CONFIG_MAP, NAMESPACE, TRAIN_JOB

from tests.controller.inprocess.objects import NAMESPACE as TEAM
from tests.controller.inprocess.objects import config_map, server, train_job


def test_what_belongs_to_nobody_else_goes_with_its_owner_and_so_on() -> None:
    client = server().client()
    job = client.create(TRAIN_JOB, train_job())
    child = client.create(CONFIG_MAP, config_map("child", owners=(job,)))
    client.create(CONFIG_MAP, config_map("grandchild", owners=(child,)))
    client.delete(TRAIN_JOB, "job", TEAM)
    assert client.list(CONFIG_MAP).items == []


def test_what_has_another_owner_only_loses_the_reference() -> None:
    client = server().client()
    one, other = (client.create(TRAIN_JOB, train_job(name)) for name in ("one", "other"))
    client.create(CONFIG_MAP, config_map("shared", owners=(one, other)))
    client.delete(TRAIN_JOB, "one", TEAM)
    (left,) = client.get(CONFIG_MAP, "shared", TEAM)["metadata"]["ownerReferences"]
    assert left["name"] == "other"


def test_in_the_foreground_the_owner_waits_for_its_own() -> None:
    client = server().client()
    job = client.create(TRAIN_JOB, train_job())
    child = config_map("child", owners=(job,))
    child["metadata"]["finalizers"] = ["a.b/c"]
    client.create(CONFIG_MAP, child)
    client.delete(TRAIN_JOB, "job", TEAM, propagation="Foreground")
    assert client.get(TRAIN_JOB, "job", TEAM)["metadata"]["finalizers"] == ["foregroundDeletion"]
    client.merge_patch(CONFIG_MAP, "child", TEAM, {"metadata": {"finalizers": None}})
    for kind, name in ((CONFIG_MAP, "child"), (TRAIN_JOB, "job")):
        with pytest.raises(NotFoundError):
            client.get(kind, name, TEAM)


def test_orphans_stay() -> None:
    client = server().client()
    job = client.create(TRAIN_JOB, train_job())
    client.create(CONFIG_MAP, config_map("child", owners=(job,)))
    client.delete(TRAIN_JOB, "job", TEAM, propagation="Orphan")
    assert "ownerReferences" not in client.get(CONFIG_MAP, "child", TEAM)["metadata"]
    with pytest.raises(NotFoundError):
        client.get(TRAIN_JOB, "job", TEAM)


def test_a_namespace_goes_with_all_in_it() -> None:
    client = server().client()
    client.create(TRAIN_JOB, train_job())
    client.create(CONFIG_MAP, config_map())
    client.delete(NAMESPACE, TEAM)
    assert client.list(TRAIN_JOB).items == client.list(CONFIG_MAP).items == []


def test_nothing_is_collected_where_no_controller_does_it() -> None:
    client = server(garbage_collection=False).client()
    job = client.create(TRAIN_JOB, train_job())
    client.create(CONFIG_MAP, config_map("child", owners=(job,)))
    client.delete(TRAIN_JOB, "job", TEAM)
    assert client.get(CONFIG_MAP, "child", TEAM)
