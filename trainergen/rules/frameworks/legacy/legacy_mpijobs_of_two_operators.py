"""MPIJobs of two operators that share one CRD."""

from __future__ import annotations

from trainergen.rules import Findings, Workspace, rule

_OPERATORS = {"kubeflow.org/v1": "the Training Operator", "kubeflow.org/v2beta1": "the MPI Operator"}


@rule(
    "TG458",
    "legacy-mpijobs-of-two-operators",
    severity="info",
    kinds=("MPIJob",),
    triggers=tuple(_OPERATORS),
    mirrors=("kubeflow/mpi-operator#651", "kubeflow/mpi-operator#605", "kubeflow/trainer#1930"),
    answers=("A66", "A110", "A14"),
)
def legacy_mpijobs_of_two_operators(workspace: Workspace) -> Findings:
    """The repository has MPIJobs of v1 and of v2beta1.

    ## Why
    `v1` is a kind of the Training Operator, which starts ranks with kubectl, `v2beta1` one of the MPI Operator, which
    uses SSH. Both call their CRD `mpijobs.kubeflow.org`, so that a cluster serves one of them: jobs of the other are
    refused, or wait for ever. `backoffLimit` and `restartPolicy` mean different things.

    ## Bad
    ```yaml title="a.yaml"
    apiVersion: kubeflow.org/v2beta1
    kind: MPIJob
    metadata:
      name: horovod
    spec:
      mpiReplicaSpecs:
        Launcher:
          template:
            spec:
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
    ```
    ```yaml title="b.yaml"
    apiVersion: kubeflow.org/v1  # <-
    kind: MPIJob
    metadata:
      name: old-horovod
    spec:
      mpiReplicaSpecs:
        Launcher:
          replicas: 1
          template:
            spec:
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
    ```

    ## Good
    ```yaml title="a.yaml"
    apiVersion: kubeflow.org/v2beta1
    kind: MPIJob
    metadata:
      name: horovod
    spec:
      mpiReplicaSpecs:
        Launcher:
          template:
            spec:
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
    ```
    """
    found = [(entry.object.text("apiVersion"), entry) for entry in workspace.objects.of("MPIJob")]
    other = next((entry for version, entry in found if version == "kubeflow.org/v2beta1"), None)
    for version, entry in found:
        if other is not None and version == "kubeflow.org/v1":
            yield entry.object.at("apiVersion").report(
                f"this MPIJob is for {_OPERATORS[version]}, and '{other.name}' in {other.file} for "
                f"{_OPERATORS['kubeflow.org/v2beta1']}: a cluster serves one of them",
                help="Write all for the operator that the cluster has, or run 'trainergen migrate' on them.",
            )
