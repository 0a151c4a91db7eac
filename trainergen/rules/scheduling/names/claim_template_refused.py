"""A claim template that JobSet refuses."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG524",
    "claim-template-refused",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.2",
    triggers=("volumeClaimPolicies",),
)
def claim_template_refused(job: Job) -> Findings:
    """A claim template of volumeClaimPolicies is mounted nowhere, or shares its name with a volume.

    ## Why
    JobSet adds a volume of the template's name to the Pods that mount it. It refuses the JobSet when a Pod has a volume
    of that name already, or no container mounts it; a patch that adds such a volume has the same effect.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
        torch: {}
      template:
        spec:
          volumeClaimPolicies:
            - templates:
                - metadata:
                    name: checkpoints  # <-
                  spec:
                    accessModes: [ReadWriteMany]
                    resources:
                      requests:
                        storage: 100Gi
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
        torch: {}
      template:
        spec:
          volumeClaimPolicies:
            - templates:
                - metadata:
                    name: checkpoints
                  spec:
                    accessModes: [ReadWriteMany]
                    resources:
                      requests:
                        storage: 100Gi
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
                          command: [torchrun, train.py]
                          volumeMounts:
                            - name: checkpoints
                              mountPath: /checkpoints
    ```
    """
    mounted = {
        mount.text("name") for pods in job.pods for one in pods.all_containers for mount in one.parts("volumeMounts")
    }
    for policy in job.jobset.parts("spec.volumeClaimPolicies"):
        for template in policy.parts("templates"):
            name = template.text("metadata.name")
            if name not in mounted:
                yield template.at("metadata.name").report(
                    f"no container mounts the claim '{name}', so JobSet refuses it",
                    help="Mount it, or remove the template.",
                )
            for pods in job.pods:
                for volume in pods.spec.parts("volumes"):
                    if volume.text("name") == name:
                        yield volume.at("name").report(
                            f"{pods.words} has a volume '{name}' as well as a claim template of that name",
                            help="Remove the volume: JobSet adds it.",
                        )
