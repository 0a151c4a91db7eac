"""What the audit says of an installation in a cluster: CRDs, controllers, Helm releases, webhooks, what is beside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.upgrade.live.cluster import (
    TRAINER_IMAGE,
    InMemoryCluster,
    crds,
    deployment,
    healthy,
    helm_secret,
    webhooks,
)
from trainergen.errors import TrainergenError
from trainergen.finding import Severity
from trainergen.releases import get_release
from trainergen.upgrade.live import LiveAudit, read_cluster
from trainergen.upgrade.live.reader import CRDS, DEPLOYMENTS, LEGACY, MUTATING, SECRETS, VALIDATING

if TYPE_CHECKING:
    from collections.abc import Callable

HELM = {"meta.helm.sh_release-name": "trainer", "meta.helm.sh_release-namespace": "kubeflow-system"}


def audited(cluster: InMemoryCluster, start: str = "2.1", to: str = "2.3") -> LiveAudit:
    return read_cluster(cluster, old=get_release(start), new=get_release(to))[0]


def said(audit: LiveAudit, name: str) -> list[str]:
    return [f"{one.message} | {one.help}" for one in audit.findings if one.name == name]


def with_crds(*objects: Any, version: str = "v2.1.0") -> InMemoryCluster:
    found = InMemoryCluster().add(CRDS, *objects)
    return found.add(DEPLOYMENTS, deployment(f"{TRAINER_IMAGE}:{version}"))


def changed(release: str, at: int, change: Callable[[Any], object]) -> InMemoryCluster:
    found = crds(release)
    change(found[at])
    return with_crds(*found)


@pytest.mark.parametrize("release", ["2.0", "2.1", "2.2", "2.3"])
def test_a_cluster_that_runs_what_is_upgraded_from_has_no_errors(release: str) -> None:
    audit = audited(healthy(release, get_release(release).tag), release, release)
    assert [one.message for one in audit.findings if one.severity is Severity.ERROR] == []
    assert {one.release for one in audit.definitions if one.of == "Trainer"} == {release}
    assert [one.release for one in audit.definitions if one.of == "JobSet"] == [get_release(release).jobset]
    assert [one.release for one in audit.controllers if one.component == "Trainer"] == [release]
    assert audit.not_evaluated == ()


def test_crds_that_a_helm_upgrade_left_behind_are_told_with_the_remedy() -> None:
    audit = audited(with_crds(*crds("2.1"), version="v2.2.1"), "2.2")
    messages = said(audit, "cluster-crd-behind-controller")
    assert len(messages) == 3
    assert "trainjobs.trainer.kubeflow.org is that of Trainer 2.1 while the controller is 2.2: it drops" in messages[2]
    assert "Apply the CRDs of Trainer 2.2: kubectl apply --server-side --force-conflicts -f …" in messages[2]


def test_crds_ahead_of_the_controller_are_told() -> None:
    messages = said(audited(with_crds(*crds("2.3"), version="v2.1.0")), "cluster-crd-behind-controller")
    assert "the controller is 2.1: it has lost what it still reads" in messages[0]


@pytest.mark.parametrize("controller", [True, False])
def test_another_release_than_that_upgraded_from_is_an_error(controller: bool) -> None:
    cluster = healthy("2.2", "v2.2.1") if controller else InMemoryCluster().add(CRDS, *crds("2.2"))
    message = said(audited(cluster, "2.1"), "cluster-runs-another-release")
    assert len(message) == 1
    assert "Give --from 2.2" in message[0]


@pytest.mark.parametrize("image", [f"{TRAINER_IMAGE}@sha256:0a", f"{TRAINER_IMAGE}:main", f"{TRAINER_IMAGE}:v1.9"])
def test_a_controller_whose_image_does_not_tell_its_release_leaves_it_to_the_crds(image: str) -> None:
    cluster = InMemoryCluster().add(CRDS, *crds("2.1")).add(DEPLOYMENTS, deployment(image))
    audit = audited(cluster)
    assert [one.release for one in audit.controllers] == [""]
    assert said(audit, "cluster-runs-another-release") == []


@pytest.mark.parametrize(
    ("image", "component", "version"),
    [
        ("mirror.example.com:5000/kf/trainer-controller-manager:v2.1.0@sha256:0a", "Trainer", "v2.1.0"),
        ("registry.k8s.io/jobset/jobset:v0.10.1", "JobSet", "v0.10.1"),
        ("registry.k8s.io/kueue/kueue:v0.17.0", "Kueue", "v0.17.0"),
        ("registry.k8s.io/lws/lws:v0.8.0", "LeaderWorkerSet", "v0.8.0"),
        ("ghcr.io/kubeflow/training-v1/training-operator:v1.9.2", "Training Operator", "v1.9.2"),
        ("mpioperator/mpi-operator:0.6.0", "MPI Operator", "0.6.0"),
    ],
)
def test_controllers_are_known_by_their_images(image: str, component: str, version: str) -> None:
    (found,) = audited(InMemoryCluster().add(DEPLOYMENTS, deployment(image))).controllers
    assert (found.component, found.version) == (component, version)


@pytest.mark.parametrize("image", ["example.com/jobset-dashboard:v1", "example.com/my-trainer-controller-manager:v2.1"])
def test_other_deployments_are_left_alone(image: str) -> None:
    assert audited(InMemoryCluster().add(DEPLOYMENTS, deployment(image))).controllers == ()


def test_flags_that_the_target_does_not_know_are_told() -> None:
    args = ("--leader-elect", "--metrics-bind-address=:8080", "--zap-log-level=debug", "--zap-encoder", "json")
    cluster = InMemoryCluster().add(CRDS, *crds("2.0")).add(DEPLOYMENTS, deployment(f"{TRAINER_IMAGE}:v2.0.1", *args))
    (message,) = said(audited(cluster, "2.0"), "cluster-flag-unknown")
    assert "--leader-elect, --metrics-bind-address, which Trainer 2.3 does not know" in message
    assert said(audited(cluster, "2.0", "2.0"), "cluster-flag-unknown") == []


def test_two_controllers_are_an_error() -> None:
    cluster = healthy().add(DEPLOYMENTS, deployment(f"{TRAINER_IMAGE}:v2.2.1", namespace="other"))
    (message,) = said(audited(cluster), "cluster-controller-twice")
    assert "kubeflow-system/manager, other/manager" in message


def test_a_cluster_without_the_trainer_is_told_once() -> None:
    assert len(said(audited(InMemoryCluster()), "cluster-crd-missing")) == 1


def test_a_single_crd_that_is_missing_is_named() -> None:
    (message,) = said(audited(with_crds(*crds("2.1")[:3])), "cluster-crd-missing")
    assert message.startswith("the CRD jobsets.jobset.x-k8s.io is not in the cluster | Apply that of JobSet 0.10")


def test_a_stored_version_that_is_gone_from_the_crd_is_an_error() -> None:
    cluster = changed("2.1", 2, lambda crd: crd["status"].update(storedVersions=["v2alpha1", "v1alpha1"]))
    (message,) = said(audited(cluster), "cluster-stored-version")
    assert "trainjobs.trainer.kubeflow.org may be stored as v2alpha1, which" in message


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda crd: crd["metadata"].update(deletionTimestamp="2026-01-01T00:00:00Z"), "it is being deleted"),
        (
            lambda crd: crd["status"]["conditions"].append(
                {"type": "NonStructuralSchema", "status": "True", "message": "no type"}
            ),
            "NonStructuralSchema is True: no type",
        ),
        (
            lambda crd: crd["status"].update(
                conditions=[{"type": "NamesAccepted", "status": "False", "reason": "PluralConflict"}]
            ),
            "NamesAccepted is False: PluralConflict",
        ),
    ],
)
def test_a_crd_that_is_not_in_order_is_an_error(change: Callable[[Any], object], expected: str) -> None:
    (message,) = said(audited(changed("2.1", 0, change)), "cluster-crd-not-served")
    assert expected in message


def test_a_crd_with_fields_of_its_own_is_told_and_stays_that_of_its_release() -> None:
    def widen(crd: Any) -> None:
        crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["extra"] = {"type": "string"}

    audit = audited(changed("2.1", 2, widen))
    (message,) = said(audit, "cluster-crd-differs")
    assert "nearest to that of Trainer 2.1, and 1 of its fields differ" in message
    assert said(audit, "cluster-crd-behind-controller") == []


def test_owners_are_told_by_their_marks() -> None:
    marks = {
        **HELM,
        "argocd.argoproj.io_tracking-id": "trainer:apiextensions.k8s.io/CustomResourceDefinition:/x",
        "kubectl.kubernetes.io_last-applied-configuration": "{}",
    }
    objects = crds("2.1", **marks)
    objects[0]["metadata"]["labels"] = {
        "kustomize.toolkit.fluxcd.io/name": "platform",
        "kustomize.toolkit.fluxcd.io/namespace": "flux-system",
    }
    first = audited(with_crds(*objects)).definitions[0]
    assert first.owners == (
        "the Helm release kubeflow-system/trainer",
        "the Argo CD application trainer",
        "the Flux Kustomization flux-system/platform",
        "kubectl apply on the client side",
    )
    assert first.writers == ("helm",)


def test_crds_of_a_helm_release_are_to_be_kept() -> None:
    unprotected = audited(with_crds(*crds("2.3", **HELM), version="v2.3.0"), "2.3")
    assert len(said(unprotected, "cluster-crd-unprotected")) == 4
    kept = with_crds(*crds("2.3", **HELM, **{"helm.sh_resource-policy": "keep"}), version="v2.3.0")
    assert said(audited(kept, "2.3"), "cluster-crd-unprotected") == []


def test_crds_that_the_helm_release_has_to_adopt_are_named_with_the_commands() -> None:
    cluster = InMemoryCluster().add(CRDS, *crds("2.2"))
    cluster.add(DEPLOYMENTS, deployment(f"{TRAINER_IMAGE}:v2.2.1", helm="trainer"))
    (message,) = said(audited(cluster, "2.2"), "cluster-crd-not-adopted")
    assert "helm upgrade refuses them" in message
    assert "meta.helm.sh/release-name=trainer meta.helm.sh/release-namespace=kubeflow-system" in message
    assert said(audited(cluster, "2.2", "2.2"), "cluster-crd-not-adopted") == []


def test_adopted_crds_are_not_named_again() -> None:
    cluster = InMemoryCluster().add(CRDS, *crds("2.2", **HELM))
    cluster.add(DEPLOYMENTS, deployment(f"{TRAINER_IMAGE}:v2.2.1", helm="trainer"))
    assert said(audited(cluster, "2.2"), "cluster-crd-not-adopted") == []


def test_helm_releases_are_read_by_the_labels_of_their_newest_secret() -> None:
    cluster = InMemoryCluster().add(DEPLOYMENTS, deployment(f"{TRAINER_IMAGE}:v2.1.0", helm="trainer"))
    cluster.add(SECRETS, helm_secret("trainer", 9, "superseded"), helm_secret("trainer", 10, "pending-upgrade"))
    cluster.add(SECRETS, helm_secret("another", 11, "failed"), helm_secret("trainer", 12, "failed", "elsewhere"))
    audit = audited(cluster)
    (release,) = audit.helm_releases
    assert (release.revision, release.status, release.chart) == (10, "pending-upgrade", "kubeflow-trainer-2.1.0")
    assert len(said(audit, "cluster-helm-release-pending")) == 1
    asked = [one for one in cluster.asked if one[0] == "secrets"]
    assert asked == [("secrets", "kubeflow-system", "owner=helm,name=trainer", True)]


def test_secrets_are_not_asked_for_without_a_helm_release() -> None:
    cluster = healthy()
    audited(cluster)
    assert [one for one in cluster.asked if one[0] == "secrets"] == []


def test_webhooks_without_a_certificate_are_errors() -> None:
    cluster = healthy("2.2", "v2.2.1").add(MUTATING, webhooks("defaulter.trainer.kubeflow.org", ca=""))
    cluster.add(VALIDATING, webhooks("jobset", group="jobset.x-k8s.io"), webhooks("other", group="apps", ca=""))
    audit = audited(cluster, "2.2")
    (message,) = said(audit, "cluster-webhook-without-ca")
    assert "one.defaulter.trainer.kubeflow.org of defaulter.trainer.kubeflow.org: no caBundle" in message
    assert [one.configuration for one in audit.webhooks] == [
        "validator.trainer.kubeflow.org",
        "jobset",
        "defaulter.trainer.kubeflow.org",
    ]


@pytest.mark.parametrize(
    ("kubernetes", "kueue", "expected"),
    [
        ("v1.34.1", "v0.16.1", ["Kueue v0.16.1 does not go with Trainer 2.3"]),
        ("v1.30.2-eks-1", "v0.17.0", ["Kueue v0.17.0 does not go with Trainer 2.1", "Kubernetes v1.30.2-eks-1 does"]),
        ("v1.28.0", "main", ["Kubernetes v1.28.0 does not go with Trainer 2.1", "Kubernetes v1.28.0 does not go with"]),
    ],
)
def test_versions_beside_the_trainer_are_compared_with_both_releases(
    kubernetes: str, kueue: str, expected: list[str]
) -> None:
    cluster = InMemoryCluster(kubernetes=kubernetes).add(CRDS, *crds("2.1"))
    cluster.add(DEPLOYMENTS, deployment(f"registry.k8s.io/kueue/kueue:{kueue}"))
    messages = said(audited(cluster), "cluster-companion-unfit")
    assert len(messages) == len(expected)
    assert all(any(message.startswith(start) for message in messages) for start in expected)


def test_legacy_jobs_are_counted_by_kind_with_their_namespaces() -> None:
    cluster = healthy()
    pytorch = next(one for one in LEGACY if one.kind == "PyTorchJob")
    for number in range(7):
        cluster.add(pytorch, {"metadata": {"name": f"job-{number}", "namespace": f"team-{number % 6}"}})
    audit = audited(cluster)
    (count,) = audit.legacy
    assert (count.kind, count.count, len(count.namespaces)) == ("PyTorchJob", 7, 6)
    (message,) = said(audit, "cluster-legacy-kinds")
    assert "7 of kubeflow.org/v1 PyTorchJob left, in team-0, team-1, team-2, team-3, team-4 and 1 more" in message


PARTS = {
    "customresourcedefinitions": "the CRD trainjobs.trainer.kubeflow.org",
    "deployments": "the controllers and the versions of JobSet, Kueue and LeaderWorkerSet",
    "validatingwebhookconfigurations": "the ValidatingWebhookConfigurations",
    "mutatingwebhookconfigurations": "the MutatingWebhookConfigurations",
    "secrets": "the revisions of the Helm release kubeflow-system/trainer",
    "clustertrainingruntimes": "the ClusterTrainingRuntimes",
    "trainjobs": "the TrainJobs",
    "pytorchjobs": "the PyTorchJobs of kubeflow.org/v1",
    "version": "the version of Kubernetes",
}


@pytest.mark.parametrize("plural", PARTS)
def test_what_may_not_be_read_is_not_evaluated_and_the_rest_is(plural: str) -> None:
    cluster = healthy().add(DEPLOYMENTS, deployment(f"{TRAINER_IMAGE}:v2.1.0", helm="trainer"))
    cluster.forbidden = {plural}
    audit = audited(cluster)
    reasons = {one.part: one.reason for one in audit.not_evaluated}
    assert f'cannot list resource "{plural}"' in reasons[PARTS[plural]]
    assert bool(audit.webhooks) is (plural != "validatingwebhookconfigurations")
    assert bool(audit.runtimes) is (plural != "clustertrainingruntimes")


def test_a_cluster_that_lets_nothing_be_read_is_an_error() -> None:
    cluster = healthy()
    cluster.forbid_all()
    with pytest.raises(TrainergenError, match="nothing of the cluster of 'own' can be read; not allowed: ") as raised:
        audited(cluster)
    assert raised.value.exit_code == 2


def test_a_kubernetes_that_is_too_old_for_the_target_is_an_error_and_other_versions_are_planned_for() -> None:
    cluster = healthy()
    cluster.kubernetes = "v1.30.9"
    found = {one.message.split()[0]: one.severity for one in audited(cluster).findings if "does not go" in one.message}
    assert found == {"Kubernetes": Severity.ERROR, "JobSet": Severity.WARNING}
