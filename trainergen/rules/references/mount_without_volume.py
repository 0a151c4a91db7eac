"""A mount of a volume that the Pod does not have."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.spelling import nearest


@rule(
    "TG210",
    "mount-without-volume",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("volumeMounts",),
    answers=("A39",),
)
def mount_without_volume(job: Job) -> Findings:
    """A container mounts a volume that its Pod does not have.

    ## Why
    The TrainJob and its JobSet are accepted; the API server refuses the Job below them, which only the controller's log
    says. In a runtime, `volumeClaimPolicies` provide volumes as well.

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
                              - name: dataset
                                persistentVolumeClaim:
                                  claimName: data
                            containers:
                              - name: node
                                volumeMounts:
                                  - name: datasets  # <-
                                    mountPath: /data
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
    claims = [
        template.text("metadata.name")
        for policy in job.jobset.parts("spec.volumeClaimPolicies")
        for template in policy.parts("templates")
    ]
    for pods in job.pods:
        volumes = [*(volume.text("name") for volume in pods.spec.parts("volumes")), *claims]
        for container in pods.all_containers:
            for mount in container.parts("volumeMounts"):
                name = mount.text("name")
                if name not in volumes:
                    near = nearest(name, volumes)
                    yield mount.at("name").report(
                        f"{container.words} mounts the volume '{name}', which the Pod does not have",
                        help=f"Did you mean '{near}'?" if near else "Add a volume of that name beside the container.",
                    )
