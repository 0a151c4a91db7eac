"""A volume that is of two kinds at once."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG209",
    "two-volume-sources",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("volumes",),
    answers=("T18",),
)
def two_volume_sources(job: Job) -> Findings:
    """A volume has two sources, mostly since a patch gives one of the runtime another kind.

    ## Why
    A patch is merged into the volume of the same name key by key: the source of the runtime stays beside the one of the
    patch. The API server refuses Pods with such a volume, after the TrainJob was accepted and its quota was taken.

    ## Bad
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
        torch: {}
      template:
        spec:
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
                            - name: scratch
                              mountPath: /scratch
                      volumes:
                        - name: scratch
                          emptyDir: {}
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
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
                              - name: scratch
                                persistentVolumeClaim:  # <-
                                  claimName: fast-scratch
    ```

    ## Good
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
        torch: {}
      template:
        spec:
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
                            - name: scratch
                              mountPath: /scratch
                      volumes:
                        - name: scratch
                          emptyDir: {}
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: torch
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
                              - name: bert-scratch
                                persistentVolumeClaim:
                                  claimName: fast-scratch
                            containers:
                              - name: node
                                volumeMounts:
                                  - name: bert-scratch
                                    mountPath: /scratch
    ```
    """
    for pods in job.pods:
        for volume in pods.spec.parts("volumes"):
            sources = [key for key in volume.mapping() if key != "name"]
            if len(sources) < 2:
                continue
            places = [volume.at(source).key for source in sources]
            own = [place for place in places if place.where is job.entry]
            yield (own or places)[-1].report(
                f"volume '{volume.text('name')}' of {pods.words} has {len(sources)} sources: {' and '.join(sources)}",
                help="Give the volume of the patch a name of its own and mount that at the same path.",
            )
