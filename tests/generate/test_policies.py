"""The policies of an environment are held against what is made for it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.generate.specs import placed, resolved, with_job, with_runtime
from trainergen.errors import TrainergenError

BREACHES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "too many nodes": ({"max-nodes": 4}, {"nodes": 5}, "jobs.bert.nodes: the job has 5 nodes, but at most 4"),
    "too many GPUs": ({"max-gpus": 7}, {"nodes": 2, "gpus": 4}, "jobs.bert.gpus: the job has 8 GPUs over all nodes"),
    "no deadline": ({"max-deadline": "1d"}, {}, "jobs.bert: the job has no deadline"),
    "a late deadline": ({"max-deadline": "1h"}, {"deadline": "2h"}, "the deadline is 7200 seconds, but at most 3600"),
    "no queue": ({"queue-required": True}, {}, "jobs.bert.runtime: the job is in no queue"),
    "a moving image": (
        {"pinned-images": True},
        {"image": "mine:latest"},
        "jobs.bert.image: the image 'mine:latest' has neither a digest nor a tag that stays",
    ),
    "an image without a tag": ({"pinned-images": True}, {"image": "mine"}, "the image 'mine' has neither"),
    "an image from elsewhere": (
        {"registries": ["docker.io/pytorch", "r.example.com"]},
        {"image": "quay.io/x/y:1"},
        "the image 'quay.io/x/y:1' comes from 'quay.io'",
    ),
}


@pytest.mark.parametrize(("policies", "job", "message"), BREACHES.values(), ids=BREACHES.keys())
def test_each_breach_is_told_where_it_is(policies: dict[str, Any], job: dict[str, Any], message: str) -> None:
    environments = {"dev": {"policies": policies}, "free": {}}
    with pytest.raises(TrainergenError) as caught:
        resolved(environments=environments, jobs=with_job(**job))
    assert message in caught.value.message
    assert caught.value.message.endswith("in 'dev'")
    assert "environments.dev.policies" in caught.value.hint


def test_runtimes_are_held_against_them_too() -> None:
    environments = {"dev": {"policies": {"registries": ["r.example.com"]}}}
    with pytest.raises(TrainergenError, match=r"runtimes\.torch\.image: the image 'pytorch/pytorch:"):
        resolved(environments=environments)
    moved = {"dev": {"registry": "r.example.com", **environments["dev"]}}
    assert resolved(environments=moved, runtimes=with_runtime(image="pytorch/pytorch:1")).environments


def test_what_keeps_to_them_is_built() -> None:
    policies = {"max-nodes": 4, "max-gpus": 8, "max-deadline": "2d", "pinned-images": True, "queue-required": True}
    found = resolved(
        environments={"dev": {"queue": "q", "policies": policies}}, jobs=with_job(nodes=4, gpus=2, deadline="2d")
    )
    assert placed(found, "namespace", "trainer-limits")["data"] == {"maxNodes": "4"}
