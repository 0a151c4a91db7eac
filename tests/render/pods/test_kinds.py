"""What is the same for all Pods of a replicated job: names, addresses, labels, limits, scheduling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.render.builders import container, job_of, mpi_runtime, rendered, runtime, trainer_job

if TYPE_CHECKING:
    from trainergen.render import Rendered
    from trainergen.render.pods import PodKind

TORCH = {"torch": {}}


def kind_of(result: Rendered, name: str = "node") -> PodKind:
    found = result.pods().kind(name)
    assert found is not None
    return found


def pods_with(**pod: Any) -> PodKind:
    return kind_of(rendered(None, runtime(trainer_job(pod=pod))))


def jobs_with(**spec: Any) -> PodKind:
    return kind_of(rendered(None, runtime(trainer_job(spec=spec))))


def test_pods_are_named_by_jobset_job_replica_and_index() -> None:
    kind = kind_of(rendered({"numNodes": 3}, runtime(policy=TORCH)))
    assert [pod.name for pod in kind.pods()] == [f"tj-node-0-{index}-<random>" for index in range(3)]
    assert [pod.hostname for pod in kind.pods()] == ["tj-node-0-0", "tj-node-0-1", "tj-node-0-2"]
    assert kind.pod(0, 2).dns == "tj-node-0-2.tj.ml.svc.cluster.local"
    assert kind.jobs == ["tj-node-0"]


def test_replicas_that_the_trainer_does_not_own_each_make_a_job() -> None:
    kind = kind_of(rendered(None, runtime(job_of("data", replicas=2, spec={"parallelism": 2}), trainer_job())), "data")
    assert (kind.count, kind.jobs) == (4, ["tj-data-0", "tj-data-1"])
    assert [(pod.replica, pod.index) for pod in kind.pods()] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert kind.labels["jobset.sigs.k8s.io/job-index"] == "<replica>"


def test_a_subdomain_of_the_runtime_names_the_service() -> None:
    result = rendered(None, runtime(jobset={"network": {"subdomain": "net"}}))
    assert result.pods().service == "net"
    assert kind_of(result).pod(0, 0).dns == "tj-node-0-0.net.ml.svc.cluster.local"


def test_without_host_names_there_is_no_service_and_no_address() -> None:
    result = rendered(None, runtime(jobset={"network": {"enableDNSHostnames": False}}))
    assert result.pods().service == ""
    assert kind_of(result).pod(0, 0).dns == ""


def test_pods_of_a_job_that_is_not_indexed_have_neither_index_nor_host_name() -> None:
    kind = jobs_with(completionMode="NonIndexed")
    pod = kind.pod(0, 0)
    assert (pod.name, pod.index, pod.hostname, pod.dns) == ("tj-node-0-<random>", None, "", "")
    assert "JOB_COMPLETION_INDEX" not in [variable.name for variable in kind.containers[0].env]


def test_labels_of_jobset_count_replicas_over_jobs_and_groups() -> None:
    jobs = (job_of("a", replicas=3, groupName="one"), job_of("b", replicas=2, groupName="two"), trainer_job())
    labels = kind_of(rendered(None, runtime(*jobs)), "b").labels
    prefix = "jobset.sigs.k8s.io/"
    assert {name: labels[prefix + name] for name in ("global-replicas", "job-global-index", "group-replicas")} == {
        "global-replicas": "6",
        "job-global-index": "<3 + replica>",
        "group-replicas": "2",
    }
    assert labels[prefix + "job-group-index"] == "<replica>"


def test_the_oldest_release_has_no_groups() -> None:
    labels = kind_of(rendered(None, release="2.0")).labels
    assert "jobset.sigs.k8s.io/jobset-name" in labels
    assert "jobset.sigs.k8s.io/group-name" not in labels


def test_a_coordinator_is_a_label() -> None:
    labels = kind_of(rendered(None, runtime(jobset={"coordinator": {"replicatedJob": "node"}}))).labels
    assert labels["jobset.sigs.k8s.io/coordinator"] == "tj-node-0-0.tj"


def test_defaults_of_jobset_and_job_apply() -> None:
    limits = jobs_with().limits
    assert (limits.restart_policy, limits.backoff_limit, limits.backoff_limit_is_default) == ("OnFailure", 6, True)
    assert limits.termination_grace_period_seconds == 30


def test_a_backoff_limit_of_each_index_lifts_that_of_the_job() -> None:
    limits = jobs_with(backoffLimitPerIndex=2).limits
    assert (limits.backoff_limit, limits.backoff_limit_per_index) == (2**31 - 1, 2)


def test_limits_of_the_template_are_taken() -> None:
    rule = {"action": "FailJob", "onExitCodes": {"operator": "In", "values": [42], "containerName": "node"}}
    spec = {"backoffLimit": 0, "activeDeadlineSeconds": 60, "podFailurePolicy": {"rules": [rule]}}
    limits = kind_of(rendered(None, runtime(trainer_job(spec=spec, pod={"restartPolicy": "Never"})))).limits
    assert (limits.restart_policy, limits.backoff_limit, limits.active_deadline_seconds) == ("Never", 0, 60)
    assert limits.failure_rules == ("FailJob on exit codes 42 of node",)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (None, "the first Job that fails ends the TrainJob (no failurePolicy)"),
        ({}, "no Job is made anew (maxRestarts 0)"),
        ({"maxRestarts": 3}, "all Jobs are made anew at most 3 times"),
        (
            {"maxRestarts": 1, "restartStrategy": "BlockingRecreate"},
            "all Jobs are made anew at most 1 times; strategy BlockingRecreate",
        ),
        (
            {"rules": [{"name": "r", "action": "FailJobSet", "onJobFailureReasons": ["DeadlineExceeded"]}]},
            "no Job is made anew (maxRestarts 0); FailJobSet on DeadlineExceeded",
        ),
    ],
)
def test_the_failure_policy_is_readable(policy: dict[str, Any] | None, words: str) -> None:
    jobset = {} if policy is None else {"failurePolicy": policy}
    assert rendered(None, runtime(jobset=jobset)).pods().restarts == words


def test_the_success_policy_is_readable() -> None:
    policy = {"operator": "Any", "targetReplicatedJobs": ["node"]}
    assert rendered(None).pods().success == "all Jobs succeeded"
    assert rendered(None, runtime(jobset={"successPolicy": policy})).pods().success == "one Job of node succeeded"


def test_scheduling_is_summed_up() -> None:
    term = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]}]}
    found = pods_with(
        nodeSelector={"pool": "gpu"},
        tolerations=[{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}, {"operator": "Exists"}],
        affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}},
        schedulerName="volcano",
        priorityClassName="high",
        schedulingGates=[{"name": "example.com/wait"}],
        runtimeClassName="nvidia",
        serviceAccountName="trainer",
    ).scheduling
    assert found.node_selector == {"pool": "gpu"}
    assert found.tolerations == ("nvidia.com/gpu:NoSchedule", "every taint")
    assert found.affinity == ("cluster node required: zone in (a, b)",)
    assert (found.scheduler, found.priority_class, found.gates) == ("volcano", "high", ("example.com/wait",))
    assert (found.runtime_class, found.service_account) == ("nvidia", "trainer")


def test_exclusive_placement_shows_what_jobset_adds() -> None:
    exclusive = {"alpha.jobset.sigs.k8s.io/exclusive-topology": "rack"}
    found = kind_of(rendered(None, runtime(template={"metadata": {"annotations": exclusive}}))).scheduling
    assert found.affinity == ("one rack for each Job, and no other Job in it",)
    by_selector = {**exclusive, "alpha.jobset.sigs.k8s.io/node-selector": "true"}
    found = kind_of(rendered(None, runtime(template={"metadata": {"annotations": by_selector}}))).scheduling
    assert found.node_selector == {"alpha.jobset.sigs.k8s.io/namespaced-job": "ml_tj-node-<replica>"}
    assert found.tolerations == ("alpha.jobset.sigs.k8s.io/no-schedule:NoSchedule",)


def test_dependencies_are_named() -> None:
    launcher = trainer_job(name="launcher", dependsOn=[{"name": "node", "status": "Ready"}])
    result = rendered(None, runtime(job_of("node"), launcher, policy={"mpi": {}}))
    assert kind_of(result, "launcher").waits_for == ("node is Ready",)


def test_requests_count_limits_that_stand_in_for_them() -> None:
    resources = {"limits": {"cpu": "2", "nvidia.com/gpu": 4}, "requests": {"cpu": "1"}}
    kind = kind_of(rendered({"numNodes": 2}, runtime(trainer_job(container(resources=resources)), policy=TORCH)))
    assert {name: amount.canonical() for name, amount in kind.requests.items()} == {"cpu": "1", "nvidia.com/gpu": "4"}
    assert kind.containers[0].requests == {"cpu": "1", "nvidia.com/gpu": "4"}
    assert kind.containers[0].limits == {"cpu": "2", "nvidia.com/gpu": "4"}


def test_volume_claim_policies_add_the_volumes_that_are_mounted() -> None:
    template = {"metadata": {"name": "data"}, "spec": {"accessModes": ["ReadWriteOnce"]}}
    node = container(volumeMounts=[{"name": "data", "mountPath": "/data"}])
    jobs = (trainer_job(node), job_of("other"))
    result = rendered(None, runtime(*jobs, jobset={"volumeClaimPolicies": [{"templates": [template]}]}))
    assert [(volume.name, volume.source) for volume in kind_of(result).volumes] == [
        ("data", "PersistentVolumeClaim data-tj, which the JobSet makes")
    ]
    assert kind_of(result, "other").volumes == ()


def test_a_job_whose_jobset_runs_already_still_has_its_pods() -> None:
    live = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "tj", "namespace": "ml"},
        "spec": {"suspend": False},
    }
    result = rendered({"numNodes": 2}, runtime(policy=TORCH), live)
    assert [made["kind"] for made in result.objects] == ["ConfigMap"]
    assert kind_of(result).count == 2


def test_mpi_lists_its_hosts() -> None:
    found = rendered({"numNodes": 3}, mpi_runtime(as_node=True, numProcPerNode=2)).pods()
    assert found.host_file is not None
    assert found.host_file.lines == ("tj-node-0-0.tj slots=2", "tj-node-0-1.tj slots=2", "tj-launcher-0-0.tj slots=2")
    assert (found.count, found.processes) == (3, 6)


def test_flux_lists_its_hosts_in_one_line() -> None:
    found = rendered({"numNodes": 3}, runtime(policy={"flux": {}})).pods().host_file
    assert found is not None
    assert (found.title, found.object, found.hosts) == ("Flux host list", "tj-flux-entrypoint", 3)
    assert found.lines == ("tj-node-0-[0-2]",)


def test_a_launcher_that_is_no_node_runs_no_processes_of_its_own() -> None:
    found = rendered({"numNodes": 3}, mpi_runtime(numProcPerNode=2)).pods()
    assert [(kind.name, kind.count, kind.total_processes) for kind in found.kinds] == [
        ("node", 3, 6),
        ("launcher", 1, None),
    ]
    assert found.processes == 6
