"""Resources that reach the launcher and not the nodes."""

from __future__ import annotations

from trainergen.api.access import object_at
from trainergen.rules import Findings, Job, rule

_FIELD = "spec.trainer.resourcesPerNode"


@rule(
    "TG305",
    "resources-miss-the-nodes",
    severity="warning",
    triggers=("resourcesPerNode",),
    mirrors=("kubeflow/trainer#2650", "kubeflow/trainer#2774"),
    answers=("A55",),
)
def resources_miss_the_nodes(job: Job) -> Findings:
    """The resources of a TrainJob reach the launcher of an MPI runtime, and none of its nodes.

    ## Why
    `resourcesPerNode` goes to the job that is labelled as the trainer: the launcher. The job `node` gets it as well
    only with `runLauncherAsNode`, and in 2.0 never. Otherwise the launcher holds GPUs that it does not use, and the
    nodes train without.

    ## Bad
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: mpi
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: mpi
    spec:
      mlPolicy:
        numNodes: 1
        mpi:
          sshAuthMountPath: /home/mpiuser/.ssh
          runLauncherAsNode: false
      template:
        spec:
          network:
            publishNotReadyAddresses: true
          successPolicy:
            operator: All
            targetReplicatedJobs: [launcher]
          replicatedJobs:
            - name: node
              template:
                spec:
                  template:
                    spec:
                      securityContext:
                        runAsUser: 1000
                        fsGroup: 1000
                      containers:
                        - name: node
                          image: ghcr.io/example/mpi:1.0
                          command: [/usr/sbin/sshd, -De, -f, /home/mpiuser/.sshd_config]
                          readinessProbe:
                            tcpSocket:
                              port: 2222
            - name: launcher
              dependsOn:
                - name: node
                  status: Ready
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      securityContext:
                        runAsUser: 1000
                        fsGroup: 1000
                      containers:
                        - name: node
                          image: ghcr.io/example/mpi:1.0
                          command: [mpirun, /home/mpiuser/train]
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: pi
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: mpi
      trainer:
        numNodes: 4
        resourcesPerNode:  # <-
          limits:
            nvidia.com/gpu: 1
    ```

    ## Good
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: mpi
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: mpi
    spec:
      mlPolicy:
        numNodes: 1
        mpi:
          sshAuthMountPath: /home/mpiuser/.ssh
          runLauncherAsNode: true
      template:
        spec:
          network:
            publishNotReadyAddresses: true
          successPolicy:
            operator: All
            targetReplicatedJobs: [launcher]
          replicatedJobs:
            - name: node
              template:
                spec:
                  template:
                    spec:
                      securityContext:
                        runAsUser: 1000
                        fsGroup: 1000
                      containers:
                        - name: node
                          image: ghcr.io/example/mpi:1.0
                          command: [/usr/sbin/sshd, -De, -f, /home/mpiuser/.sshd_config]
                          readinessProbe:
                            tcpSocket:
                              port: 2222
            - name: launcher
              dependsOn:
                - name: node
                  status: Ready
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      securityContext:
                        runAsUser: 1000
                        fsGroup: 1000
                      containers:
                        - name: node
                          image: ghcr.io/example/mpi:1.0
                          command: [mpirun, /home/mpiuser/train]
    ```
    ```yaml title="job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: pi
      namespace: team-a
    spec:
      runtimeRef:
        kind: TrainingRuntime
        name: mpi
      trainer:
        numNodes: 4
        resourcesPerNode:
          limits:
            nvidia.com/gpu: 1
    ```
    """
    nodes = next((pods.container("node") for pods in job.pods if pods.name == "node"), None)
    if job.runtime.policy("mpi") is None or nodes is None or job.trainer is None or job.trainer.name == "node":
        return
    asked = {name for half in ("limits", "requests") for name in object_at(job.mapping(_FIELD), half)}
    missed = [name for name in sorted(asked) if name not in nodes.requests]
    if missed:
        yield job.at(_FIELD).key.report(
            f"{', '.join(missed)} of resourcesPerNode reaches {job.trainer.words} only, not the nodes",
            help="Set the resources in job 'node' of the runtime, or use one with mpi.runLauncherAsNode.",
        )
