"""An environment variable whose source does not survive."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule

_LISTS = ("spec.trainer.env", "spec.initializer.dataset.env", "spec.initializer.model.env")


@rule("TG319", "file-key-ref-lost", severity="error", profile="minimal", since="2.1", triggers=("fileKeyRef",))
def file_key_ref_lost(job: Source) -> Findings:
    """An environment variable of a TrainJob comes from a file, which the controller does not pass on.

    ## Why
    The controller copies variables that come from ConfigMaps, Secrets, fields and resources. Of `fileKeyRef` an empty
    `valueFrom` is left, and the API server refuses the Job. In the runtime itself `fileKeyRef` works.

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
      trainer:
        env:
          - name: RUN_ID
            valueFrom:
              fileKeyRef:  # <-
                volumeName: run
                path: run.env
                key: RUN_ID
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
      trainer:
        env:
          - name: RUN_ID
            valueFrom:
              fieldRef:
                fieldPath: metadata.labels['batch.kubernetes.io/job-name']
    ```
    """
    for place in _LISTS:
        for entry in job.parts(place):
            if entry.has("valueFrom.fileKeyRef"):
                yield entry.at("valueFrom.fileKeyRef").key.report(
                    f"the variable '{entry.text('name')}' comes from fileKeyRef, which is lost on the way to the Pods",
                    help="Take it from a ConfigMap or Secret, or set it in the container of the runtime.",
                )
