"""An MPI job that waits for its SSH servers to end."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import text_of


@rule(
    "TG430",
    "mpi-never-complete",
    severity="error",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("mpi",),
)
def mpi_never_complete(job: Job) -> Findings:
    """A JobSet with SSH servers waits for all its jobs, so that it is never complete.

    ## Why
    The SSH servers on the nodes run until they are stopped. Unless the success policy names the launcher alone, the
    TrainJob is not complete when mpirun has ended: it keeps its GPUs until somebody deletes it.

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
            operator: All  # <-
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
    nodes = next((pods for pods in job.pods if pods.name == "node"), None)
    container = nodes.container("node") if nodes else None
    if job.runtime.policy("mpi") is None or container is None or "sshd" not in text_of(container):
        return
    policy = job.jobset.part("spec.successPolicy")
    targets = policy.texts("targetReplicatedJobs")
    if policy.text("operator") == "Any" or (targets and "node" not in targets):
        return
    place = policy.at("targetReplicatedJobs") if targets else policy.at("operator")
    yield (place if policy.value else job.runtime.at("spec.template.spec").key).report(
        "the TrainJob is complete only when the SSH servers of job 'node' end, which they do not",
        help="Set successPolicy to operator All with targetReplicatedJobs [launcher].",
    )
