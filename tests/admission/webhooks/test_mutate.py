"""The time that the mutating webhook stamps patches with."""

from __future__ import annotations

import pytest

import trainergen
from tests.admission.webhooks.world import runtime, train_job
from trainergen.admission.webhooks.mutate import PLACEHOLDER_TIME

OLD, SENT, NOW = "2020-01-01T00:00:00Z", "2024-01-01T00:00:00Z", "2026-06-01T00:00:00Z"
GOLD = {"trainingRuntimeSpec": {"template": {"metadata": {"labels": {"tier": "gold"}}}}}
SILVER = {"trainingRuntimeSpec": {"template": {"metadata": {"labels": {"tier": "silver"}}}}}


def patch(content=GOLD, *, time=None, manager="acme.io/a"):
    """A patch of a manager."""
    return {"manager": manager, **content} | ({} if time is None else {"time": time})


def times(*patches, old=None, release="2.3", **more):
    """The times of the patches as they are stored."""
    before = None if old is None else train_job({"runtimePatches": old, "suspend": True})
    new = train_job({"runtimePatches": list(patches), "suspend": True})
    admission = trainergen.admit(new, release=release, old=before, objects=[runtime()], now=NOW, **more)
    assert not admission.refused
    return [stored.get("time") for stored in admission.object["spec"]["runtimePatches"]]


EMPTY = {"trainingRuntimeSpec": {"template": {"metadata": {"labels": {"tier": "gold"}, "annotations": {}}}}}

CASES = {
    "a new patch gets the time": ([patch()], None, [NOW]),
    "a new patch keeps a time of its own": ([patch(time=SENT)], None, [SENT]),
    "an unchanged patch keeps its old time": ([patch()], [patch(time=OLD)], [OLD]),
    "whatever the request says": ([patch(time=SENT)], [patch(time=OLD)], [OLD]),
    "even if it had none": ([patch(time=SENT)], [patch()], [None]),
    "a changed patch gets the time": ([patch(SILVER)], [patch(time=OLD)], [NOW]),
    "also against the request": ([patch(SILVER, time=SENT)], [patch(time=OLD)], [NOW]),
    "an empty map is no change": ([patch(EMPTY)], [patch(time=OLD)], [OLD]),
    "patches are matched by manager": (
        [patch(manager="acme.io/b"), patch(time=SENT, manager="acme.io/c"), patch()],
        [patch(time=OLD)],
        [NOW, SENT, OLD],
    ),
    "a time is written in UTC": ([patch(time="2024-01-01T02:00:00+02:00")], None, [SENT]),
}


@pytest.mark.parametrize("release", ["2.2", "2.3"])
@pytest.mark.parametrize(("patches", "old", "stored"), CASES.values(), ids=CASES)
def test_the_time_of_a_patch(patches, old, stored, release):
    """What the webhook makes of the table's cases."""
    assert times(*patches, old=old, release=release) == stored


def test_without_a_clock_a_documented_placeholder_stands_for_the_time():
    """The same input gives the same answer on every day."""
    admission = trainergen.admit(train_job({"runtimePatches": [patch()]}), release="2.3", objects=[runtime()])
    assert admission.object["spec"]["runtimePatches"][0]["time"] == PLACEHOLDER_TIME


def test_without_webhooks_nothing_is_stamped():
    """As in a cluster that has the CRDs alone."""
    assert times(patch(), webhooks=False) == [None]


def test_a_job_that_the_webhook_cannot_read_stays_as_it_is():
    """The request has failed by then."""
    job = train_job(
        {"runtimePatches": [patch()], "trainer": {"numNodes": 2**31, "resourcesPerNode": {"limits": {"cpu": "0.5"}}}}
    )
    admission = trainergen.admit(job, release="2.3", objects=[runtime()])
    assert [finding.name for finding in admission.findings] == ["undecodable-value"]
    assert "time" not in admission.object["spec"]["runtimePatches"][0]
    assert admission.object["spec"]["trainer"]["resourcesPerNode"] == {"limits": {"cpu": "0.5"}}


@pytest.mark.parametrize(("release", "stored"), [("2.0", "0.5"), ("2.1", "0.5"), ("2.2", "500m"), ("2.3", "500m")])
def test_a_train_job_is_written_anew_since_2_2(release, stored):
    """There was no mutating webhook before."""
    job = train_job({"trainer": {"resourcesPerNode": {"limits": {"cpu": "0.5"}}}})
    admission = trainergen.admit(job, release=release, objects=[runtime()])
    assert admission.object["spec"]["trainer"]["resourcesPerNode"] == {"limits": {"cpu": stored}}


@pytest.mark.parametrize(("release", "refused"), [("2.0", True), ("2.1", True), ("2.2", False), ("2.3", False)])
def test_an_env_entry_without_a_name_is_admitted_since_2_2(release, refused):
    """Writing it anew gives it an empty name, which is all that the schema asks for."""
    job = train_job({"trainer": {"env": [{"value": "x"}]}})
    assert trainergen.admit(job, release=release, objects=[runtime()]).refused is refused
    assert trainergen.admit(job, release=release, objects=[runtime()], webhooks=False).refused


def test_empty_lists_of_a_train_job_are_kept():
    """An empty command is not the same as none to the controller."""
    job = train_job({"trainer": {"command": [], "env": [], "args": []}})
    stored = trainergen.admit(job, release="2.3", objects=[runtime()]).object
    assert stored["spec"]["trainer"] == {"command": [], "env": [], "args": []}
