"""MPI nodes that run no SSH server."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import (
    is_python,
    place_of,
    program,
    runs_file,
    script_of,
    text_of,
    words_of,
)

_NO_SERVERS = frozenset({"sleep", "tail", "mpirun", "mpiexec", "torchrun"})


@rule(
    "TG428",
    "worker-without-sshd",
    severity="error",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("mpi",),
    answers=("A61",),
)
def worker_without_sshd(job: Job) -> Findings:
    """The nodes of an MPI runtime run something else than an SSH server.

    ## Why
    mpirun reaches the nodes through SSH. A node that sleeps, or runs the training program itself, refuses the
    connection, and the launcher gives up after its attempts.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-mpi
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
                          command: [sleep, infinity]  # <-
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
                          command: [mpirun, /workspace/train]
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-mpi
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
                          command: [mpirun, /workspace/train]
    ```
    """
    nodes = next((pods for pods in job.pods if pods.name == "node" and not pods.ancestor), None)
    container = nodes.container("node") if nodes else None
    if job.runtime.policy("mpi") is None or container is None or not container.command:
        return
    words = words_of(container)
    first = program(words[0]) if words else ""
    known = is_python(first) or first in _NO_SERVERS or script_of([*container.command, *container.args]) is not None
    if known and not runs_file(words) and not any(server in text_of(container) for server in ("ssh", "dropbear")):
        yield place_of(container, words[0]).report(
            f"{container.words} starts '{first}', but mpirun needs an SSH server there",
            help="Start sshd, such as '/usr/sbin/sshd -De'.",
        )
