"""A volume that no container mounts."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule

_BY_PLUGINS = frozenset({"mpi-ssh-auth", "mpi-hostfile"})


@rule(
    "TG211",
    "unused-volume",
    severity="info",
    profile="strict",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("volumes",),
)
def unused_volume(job: Job) -> Findings:
    """A volume is mounted by no container of its Pods.

    ## Why
    A patch that adds a volume has to add the mount as well, or the files are nowhere to be seen. A claim or Secret that
    nobody mounts still has to exist before the Pod can start.

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
                            volumes:
                              - name: dataset  # <-
                                persistentVolumeClaim:
                                  claimName: data
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
                            volumes:
                              - name: dataset
                                persistentVolumeClaim:
                                  claimName: data
                            containers:
                              - name: node
                                volumeMounts:
                                  - name: dataset
                                    mountPath: /data
    ```
    """
    for pods in job.pods:
        used = {
            part.text("name")
            for container in pods.all_containers
            for key in ("volumeMounts", "volumeDevices")
            for part in container.parts(key)
        }
        for volume in pods.spec.parts("volumes"):
            name = volume.text("name")
            if name not in used and name not in _BY_PLUGINS:
                yield volume.at("name").report(
                    f"no container of {pods.words} mounts the volume '{name}'",
                    help="Mount it in a container, or remove it.",
                )
