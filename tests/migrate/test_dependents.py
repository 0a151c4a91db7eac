"""What depends on legacy jobs is found, with what to write in its place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trainergen.engine.migrating import MigrateOptions, run_migrate
from trainergen.source.reader import read_documents

if TYPE_CHECKING:
    from trainergen.finding import Finding

JOB = """\
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: mnist, namespace: team-a}
spec:
  pytorchReplicaSpecs:
    Master: &role
      replicas: 1
      template: {spec: {containers: [{name: pytorch, image: a, command: [torchrun, train.py]}]}}
    Worker: *role
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def found(text: str) -> list[Finding]:
    Path("around.yaml").write_text(text)
    Path("job.yaml").write_text(JOB)
    report = run_migrate(MigrateOptions(paths=(".",), target="2.3"))
    assert [file.name for file in report.files if file.new is not None] == ["job.yaml"]
    return [each for each in report.findings if each.rule == "TG805"]


def selector(labels: str) -> str:
    return f"apiVersion: policy/v1\nkind: PodDisruptionBudget\nspec:\n  selector:\n    matchLabels: {{{labels}}}\n"


CASES = {
    "a role": (
        "kind: Role\nrules:\n- {apiGroups: [kubeflow.org], resources: [pytorchjobs, tfjobs/scale], verbs: [get]}\n",
        3,
        (
            "- apiGroups:\n    - trainer.kubeflow.org\n  resources:\n    - trainjobs\n  verbs:\n    - get\n- apiGroups:"
            "\n    - jobset.x-k8s.io"
        ),
    ),
    "a webhook": (
        "kind: V\nrules:\n- {apiGroups: [kubeflow.org], apiVersions: [v1], resources: [tfjobs], operations: [X]}\n",
        3,
        "apiVersions:\n    - v1alpha1\n  resources:\n    - trainjobs\n  operations",
    ),
    "a quota": (
        "kind: ResourceQuota\nspec:\n  hard:\n    count/pytorchjobs.kubeflow.org: '5'\n",
        4,
        'count/trainjobs.trainer.kubeflow.org: "5"',
    ),
    "a selector for all Pods of a job": (
        selector("training.kubeflow.org/job-name: mnist, team: a"),
        5,
        "matchLabels:\n  team: a\n  jobset.sigs.k8s.io/jobset-name: mnist",
    ),
    "a selector for the master": (
        selector("training.kubeflow.org/job-name: mnist, training.kubeflow.org/job-role: master"),
        5,
        'replicatedjob-name: node\n  batch.kubernetes.io/job-completion-index: "0"',
    ),
    "a selector for all workers": (
        selector("training.kubeflow.org/job-name: mnist, training.kubeflow.org/replica-type: worker"),
        5,
        'operator: NotIn\n    values:\n      - "0"',
    ),
    "a selector for one worker": (
        selector(
            "training.kubeflow.org/job-name: mnist, training.kubeflow.org/replica-type: worker,"
            " training.kubeflow.org/replica-index: '2'"
        ),
        5,
        'batch.kubernetes.io/job-completion-index: "3"',
    ),
    "a selector with labels of old": (
        selector("group-name: kubeflow.org, job-name: other"),
        5,
        "matchLabels:\n  jobset.sigs.k8s.io/jobset-name: other",
    ),
    "a network policy": (
        (
            "kind: NetworkPolicy\nspec:\n  podSelector:\n    matchExpressions:\n"
            "    - {key: training.kubeflow.org/replica-type, operator: In, values: [master, worker]}\n"
        ),
        5,
        "key: jobset.sigs.k8s.io/replicatedjob-name\noperator: In\nvalues:\n  - node",
    ),
    "a Service that selects": (
        "apiVersion: v1\nkind: Service\nspec:\n  selector: {training.kubeflow.org/job-name: mnist}\n",
        4,
        "jobset.sigs.k8s.io/jobset-name: mnist",
    ),
    "a Service that takes the name": (
        "apiVersion: v1\nkind: Service\nmetadata: {name: mnist, namespace: team-a}\n",
        3,
        "another name",
    ),
    "a rule on metrics": (
        "kind: PrometheusRule\nspec:\n  expr: rate(training_operator_jobs_failed_total[1h]) > 0\n",
        3,
        "kube_job_status_failed",
    ),
    "a query on labels": (
        "kind: PrometheusRule\nspec:\n  expr: sum by (label_training_kubeflow_org_job_name) (x)\n",
        3,
        "label_jobset_sigs_k8s_io_jobset_name",
    ),
    "frameworks of Kueue in a text": (
        "kind: ConfigMap\ndata:\n  config: |\n    integrations:\n      frameworks:\n      - kubeflow.org/pytorchjob\n",
        6,
        "trainer.kubeflow.org/trainjob",
    ),
    "a script": (
        "kind: ConfigMap\ndata:\n  run.sh: |\n    set -e\n    kubectl -n x wait pytorchjob/mnist --for=x\n",
        5,
        "condition Complete",
    ),
    "a Pod's name in a script": (
        "kind: ConfigMap\ndata:\n  run.sh: kubeflow.org kubectl logs mnist-worker-1\n",
        3,
        "'mnist-node-0-2.mnist'",
    ),
    "a condition of Argo": (
        "kind: Workflow\nspec:\n  successCondition: status.replicaStatuses.Worker.succeeded == 3\n  x: kubeflow.org\n",
        3,
        "status.jobsStatus.0.succeeded == 1",
    ),
    "a health check of Argo CD": (
        "kind: ConfigMap\ndata:\n  resource.customizations.health.kubeflow.org_PyTorchJob: return {}\n",
        3,
        "trainer.kubeflow.org_TrainJob",
    ),
    "a health check of Flux": (
        "kind: Kustomization\nspec:\n  healthChecks:\n  - {apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: m}\n",
        4,
        "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob",
    ),
    "an autoscaler": (
        (
            "kind: HorizontalPodAutoscaler\nspec:\n"
            "  scaleTargetRef: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: mnist}\n"
        ),
        3,
        "Remove the autoscaler",
    ),
    "a policy on kinds": (
        "kind: ClusterPolicy\nspec:\n  match:\n    resources: {kinds: [kubeflow.org/v1/PyTorchJob]}\n",
        4,
        "Add TrainJob",
    ),
    "a patch of Flux": (
        "kind: Kustomization\nspec:\n  patches:\n  - {target: {kind: PyTorchJob}, patch: '[]'}\n",
        4,
        "Aim it at TrainJob",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_depends_on_a_legacy_job_is_found_with_what_to_write(case: str) -> None:
    text, line, remedy = CASES[case]
    (finding,) = found(text)
    assert (finding.file, finding.line, finding.severity) == ("around.yaml", line, "warning")
    assert remedy in finding.help


INNOCENT = {
    "a definition of the kind": "kind: CustomResourceDefinition\nspec: {group: kubeflow.org, kind: TFJob}\n",
    "a Service elsewhere": "apiVersion: v1\nkind: Service\nmetadata: {name: mnist, namespace: team-b}\n",
    "a role for others": "kind: Role\nrules:\n- {apiGroups: [apps], resources: [deployments, '*'], verbs: [get]}\n",
    "labels of a Job": "kind: X\nmetadata: {labels: {job-name: mnist}}\nspec: kubeflow.org\n",
}


@pytest.mark.parametrize("case", INNOCENT)
def test_what_does_not_depend_on_a_legacy_job_is_passed_over(case: str) -> None:
    assert found(INNOCENT[case]) == []


def test_what_is_to_be_written_is_yaml() -> None:
    for text, _, _ in CASES.values():
        for finding in found(text):
            _, mark, written = finding.help.partition(":\n")
            assert not mark or not read_documents(written.partition("\nOpen")[0].encode(), file="").failures
