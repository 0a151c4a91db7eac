"""A runtime patch under the name of Kueue."""

from __future__ import annotations

from trainergen.rules import Findings, Source, fix, rule
from trainergen.source.edits import delete_entry

_KUEUE = "kueue.x-k8s.io/manager"


@rule(
    "TG512",
    "patch-of-kueue",
    severity="warning",
    since="2.2",
    triggers=("kueue.x-k8s.io/manager",),
    mirrors=("kubernetes-sigs/kueue#15340", "kubernetes-sigs/kueue#15213"),
    answers=("A74",),
    fix="unsafe",
)
def patch_of_kueue(source: Source) -> Findings:
    """A manifest holds the runtime patch that Kueue writes.

    ## Why
    Each entry of `runtimePatches` belongs to its manager. Kueue writes its own when it admits the TrainJob, with the
    node selectors of the flavor it chose then; a copy from a live object pins the job to these nodes, and whoever
    applies last takes the entry from the other.

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
      runtimePatches:
        - manager: kueue.x-k8s.io/manager  # <-
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            nodeSelector:
                              cloud.example.com/pool: spot
      trainer:
        numNodes: 1
        command: [torchrun, /workspace/train.py]
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
      runtimePatches:
        - manager: platform.example.com/gitops
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            nodeSelector:
                              cloud.example.com/pool: spot
      trainer:
        numNodes: 1
        command: [torchrun, /workspace/train.py]
    ```
    """
    patches = list(source.parts("spec.runtimePatches"))
    for patch in patches:
        place = patch.path if len(patches) > 1 else patch.path[:-1]
        if patch.text("manager") == _KUEUE:
            yield patch.at("manager").report(
                f"the patch of '{_KUEUE}' belongs to Kueue, which writes it in the cluster",
                help="Remove the entry, or keep what you need of it under a manager of your own.",
                fix=fix("remove the patch", delete_entry(source.document, place)),
            )
