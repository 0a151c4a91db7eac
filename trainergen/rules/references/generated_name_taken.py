"""An object that has the name of one which the controller makes."""

from __future__ import annotations

from trainergen.rules import Entry, Findings, Workspace, rule

_GENERATED = {
    "ConfigMap": ("-runtime-snapshot", "-mpi-hostfile", "-flux-entrypoint", "-tls-config"),
    "Secret": ("-mpi-ssh-auth", "-flux-curve"),
}


@rule(
    "TG230",
    "generated-name-taken",
    severity="error",
    kinds=("ConfigMap", "Secret", "JobSet"),
    triggers=("-runtime-snapshot", "-mpi-", "-flux-", "-tls-config", "JobSet"),
    answers=("M002",),
)
def generated_name_taken(workspace: Workspace) -> Findings:
    """An object of the repository has the name of one that the controller makes for a TrainJob.

    ## Why
    The controller keeps the runtime of a TrainJob in the ConfigMap `<trainjob>-runtime-snapshot`, MPI needs
    `<trainjob>-mpi-hostfile`, and so on. Where an object of that name exists and belongs to somebody else, the TrainJob
    is not reconciled until it is gone; a JobSet of the TrainJob's name is never touched.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: bert-runtime-snapshot  # <-
      namespace: team-a
    data:
      runtime: ""
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: bert-settings
      namespace: team-a
    data:
      runtime: ""
    ```
    """
    for entry in workspace.objects.of("ConfigMap", "Secret", "JobSet"):
        job = _maker(workspace, entry)
        if job is not None:
            yield entry.object.at("metadata.name").report(
                f"the controller makes a {entry.kind} '{entry.name}' for the TrainJob '{job.name}' itself",
                help="Give the object another name.",
            )


def _maker(workspace: Workspace, entry: Entry) -> Entry | None:
    for suffix in _GENERATED.get(entry.kind, ("",)):
        if entry.name.endswith(suffix):
            job = workspace.objects.find("TrainJob", entry.name.removesuffix(suffix), entry.namespace)
            if job is not None:
                return job
    return None
