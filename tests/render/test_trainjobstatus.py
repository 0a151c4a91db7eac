"""The plugin behind the gate TrainJobStatus."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from tests.render.builders import container, env, find, job_of, node, pod_of, runtime, train_job, trainer_job
from trainergen.errors import TrainergenError
from trainergen.render import RenderError, render

GATE = {"TrainJobStatus": True}
PATH = "/var/run/secrets/kubeflow/trainer"
RESOURCE = "trainer.kubeflow.org/v1alpha1/namespaces/ml/trainjobs/tj/status"


def webhook_secret(data: dict[str, str] | None, namespace: str = "kubeflow-system") -> dict[str, Any]:
    metadata = {"name": "kubeflow-trainer-webhook-cert", "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data}


AUTHORITY = webhook_secret({"ca.crt": b64encode(b"CA").decode()})


def test_every_container_of_the_trainer_is_set_up_but_no_init_container() -> None:
    rt = runtime(trainer_job(container(), container("side"), pod={"initContainers": [container("pre")]}))
    result = render(train_job(None), [rt, AUTHORITY], features=GATE)
    for name in ("node", "side"):
        assert list(env(result, name=name).items()) == [
            (
                "KUBEFLOW_TRAINER_SERVER_URL",
                f"https://kubeflow-trainer-controller-manager.kubeflow-system.svc:10443/apis/{RESOURCE}",
            ),
            ("KUBEFLOW_TRAINER_SERVER_CA_CERT", f"{PATH}/ca.crt"),
            ("KUBEFLOW_TRAINER_SERVER_TOKEN", f"{PATH}/token"),
        ]
        mount = {"name": "kubeflow-trainer-token", "mountPath": PATH, "readOnly": True}
        assert node(result, name=name)["volumeMounts"] == [mount]
    assert env(result, name="pre", init=True) == {}
    (volume,) = pod_of(result)["volumes"]
    assert volume["projected"]["sources"] == [
        {"serviceAccountToken": {"audience": RESOURCE, "expirationSeconds": 3600, "path": "token"}},
        {"configMap": {"name": "tj-tls-config", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
    ]


def test_the_authority_is_copied_from_the_webhook_secret() -> None:
    result = render(train_job(None), [runtime(), AUTHORITY], features=GATE)
    assert find(result, "ConfigMap", "tj-tls-config")["data"] == {"ca.crt": "CA"}


def test_without_a_labelled_job_only_the_authority_is_copied() -> None:
    result = render(train_job({}), [runtime(job_of("node")), AUTHORITY], features=GATE)
    assert env(result) == {}
    assert find(result, "ConfigMap", "tj-tls-config")


@pytest.mark.parametrize(
    "objects",
    [
        [],
        [webhook_secret({})],
        [webhook_secret({"ca.crt": ""})],
        [webhook_secret({"ca.crt": "?"})],
        [webhook_secret(None)],
    ],
    ids=["no Secret", "no key", "an empty key", "no base64", "no data"],
)
def test_without_an_authority_nothing_is_created(objects: list[Any]) -> None:
    with pytest.raises(RenderError, match="kubeflow-trainer-webhook-cert"):
        render(train_job({}), [runtime(), *objects], features=GATE)


def test_a_secret_of_another_namespace_does_not_help() -> None:
    with pytest.raises(RenderError, match="is not known"):
        render(train_job({}), [runtime(), webhook_secret({"ca.crt": "Q0E="}, "ml")], features=GATE)


@pytest.mark.parametrize("features", [{}, {"TrainJobStatus": False}])
def test_the_gate_is_off_by_default(features: dict[str, bool]) -> None:
    assert env(render(train_job({}), [runtime(), AUTHORITY], features=features)) == {}


def test_a_release_without_the_gate_says_so() -> None:
    result = render(train_job({}), [runtime()], release="2.1", features=GATE)
    assert result.notes == ["Trainer 2.1 has no feature gate TrainJobStatus"]


@pytest.mark.parametrize(("own", "variables"), [({}, 3), ({"TrainJobStatus": False}, 0)])
def test_the_gate_for_all_alpha_features_gives_way_to_its_own(own: dict[str, bool], variables: int) -> None:
    result = render(train_job({}), [runtime(), AUTHORITY], features={"AllAlpha": True, **own})
    assert len(env(result)) == variables


def test_an_unknown_gate_is_an_error() -> None:
    with pytest.raises(TrainergenError, match="did you mean 'TrainJobStatus'"):
        render(train_job({}), [runtime()], features={"TrainJobStatsu": True})
