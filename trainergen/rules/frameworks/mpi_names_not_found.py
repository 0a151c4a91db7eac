"""MPI jobs and containers that are not called as the controller expects."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG422",
    "mpi-names-not-found",
    severity="error",
    profile="minimal",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("mpi",),
    mirrors="kubeflow/trainer#2550",
    answers=("A27",),
)
def mpi_names_not_found(job: Job) -> Findings:
    """An MPI runtime has no job launcher or node, or no container node in them.

    ## Why
    The MPI plugin goes by names alone: keys and host file reach the container `node` of the jobs `launcher` and `node`,
    whatever their labels are. A container called otherwise gets neither, and mpirun starts everything where it runs
    itself; without a job `node` the host file is empty.

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
        mpi:  # <-
          sshAuthMountPath: /home/mpiuser/.ssh
          runLauncherAsNode: true
      template:
        spec:
          network:
            publishNotReadyAddresses: true
          successPolicy:
            operator: All
            targetReplicatedJobs: [head]
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
            - name: head
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
    policy = job.runtime.policy("mpi")
    if policy is None:
        return
    jobs = {pods.name: pods for pods in job.pods}
    needed = ("launcher",) if policy.get("runLauncherAsNode") is True else ("launcher", "node")
    missing = [name for name in needed if name not in jobs]
    if missing:
        yield policy.at().key.report(
            f"no job is called '{missing[0]}', which the MPI policy sets up", help=f"Call the job '{missing[0]}'."
        )
    for name in ("launcher", "node"):
        pods = jobs.get(name)
        if pods and pods.containers and pods.container("node") is None:
            yield (
                pods.containers[0]
                .at("name")
                .report(
                    f"{pods.words} has no container 'node', so that no container of it gets the keys"
                    + (" and the host file" if name == "launcher" else ""),
                    help="Call the container 'node'.",
                )
            )
