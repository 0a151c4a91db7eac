"""An MPI runtime whose number of nodes goes to the launcher."""

from __future__ import annotations

from trainergen.rules import Findings, Job, fix, rule
from trainergen.source.edits import replace_value

_FIELD = "spec.mlPolicy.numNodes"


@rule(
    "TG320",
    "launchers-instead-of-nodes",
    severity="error",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("mpi",),
    answers=("T5",),
    fix="unsafe",
)
def launchers_instead_of_nodes(job: Job) -> Findings:
    """The number of nodes of an MPI runtime makes several launchers.

    ## Why
    `mlPolicy.numNodes` is the number of Pods of the job that is labelled as the trainer. In an MPI runtime that is the
    launcher, and several of them run mpirun over the same nodes at once. The number of nodes comes from `numNodes` of
    the TrainJob, or from `parallelism` of the job `node`.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: mpi
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: mpi
    spec:
      mlPolicy:
        numNodes: 4  # <-
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

    ## Good
    ```yaml
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
    """
    nodes = job.runtime.integer(_FIELD)
    if nodes is None or nodes < 2 or job.runtime.policy("mpi") is None:
        return
    if job.trainer is None or job.trainer.name == "node":
        return
    place = job.runtime.at(_FIELD)
    yield place.report(
        f"numNodes is {nodes}, which makes {nodes} Pods of {job.trainer.words} and none more of job 'node'",
        help="Set it to 1, and set numNodes in the TrainJobs.",
        fix=fix("set numNodes to 1", replace_value(job.document, place.path, 1)),
    )
