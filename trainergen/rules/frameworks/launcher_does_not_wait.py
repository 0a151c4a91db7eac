"""An MPI launcher that starts before the nodes can be reached."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule
from trainergen.rules.frameworks.command_lines import text_of

_WAITING = ("sleep ", "until ", "getent", "nslookup", "ssh ")
_HELP = "List job 'node' before the launcher, and let the launcher depend on it with status Ready."


@rule(
    "TG429",
    "launcher-does-not-wait",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.3",
    triggers=("mpi",),
    mirrors=("kubeflow/mpi-operator#386", "kubeflow/mpi-operator#482"),
    answers=("A62", "A64"),
)
def launcher_does_not_wait(job: Job) -> Findings:
    """The MPI launcher does not wait until the nodes can be reached.

    ## Why
    Launcher and nodes start at the same time, and mpirun fails when a node is not there yet: images are large and names
    take a while. `dependsOn` with status Ready makes JobSet wait, provided that the nodes have a readinessProbe on
    their SSH port. Loops and pauses in the launcher wait too long or for ever once a node is dead. With status Complete
    the launcher never starts, for sshd does not end.

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
                          command: [/usr/sbin/sshd, -De, -f, /home/mpiuser/.sshd_config]
                          readinessProbe:
                            tcpSocket:
                              port: 2222
            - name: launcher  # <-
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
    jobs = {pods.name: pods for pods in job.pods}
    launcher, nodes = jobs.get("launcher"), jobs.get("node")
    if job.runtime.policy("mpi") is None or launcher is None or nodes is None:
        return
    waits = next((one for one in launcher.parts("dependsOn") if one.text("name") == "node"), None)
    container, worker = launcher.container("node"), nodes.container("node")
    text = text_of(container) if container else ""
    if waits is None and any(word in text for word in _WAITING):
        yield launcher.at("name").report("the launcher waits for the nodes in a script", help=_HELP, severity="info")
    elif waits is None:
        yield launcher.at("name").report("the launcher does not wait for job 'node'", help=_HELP)
    elif waits.text("status") == "Complete":
        yield waits.at("status").report(
            "the launcher waits for job 'node' to be complete, but its SSH servers do not end",
            help="Wait for status Ready.",
            severity="error",
        )
    elif worker and not worker.has("readinessProbe") and not worker.has("startupProbe"):
        yield worker.at("name").report(
            f"{worker.words} has no readinessProbe, so the launcher starts as soon as the container does",
            help="Add a readinessProbe on the SSH port.",
            severity="info",
        )
