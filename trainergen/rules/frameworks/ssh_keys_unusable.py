"""SSH keys that the user of the container does not find or may not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, rule

if TYPE_CHECKING:
    from trainergen.rules import Pods

_KEYS = "mpi-ssh-auth"
_READABLE_BY_ALL = 0o004


@rule(
    "TG427",
    "ssh-keys-unusable",
    severity="error",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"),
    triggers=("mpi",),
    mirrors=("kubeflow/mpi-operator#429", "kubeflow/mpi-operator#424"),
    answers=("A59", "A61"),
)
def ssh_keys_unusable(job: Job) -> Findings:
    """The user of an MPI container does not find the SSH keys, or may not read them.

    ## Why
    ssh looks for its key in the home of the user that runs it, and `sshAuthMountPath` is `/root/.ssh` unless it is set.
    Since 2.3 the key is readable by owner and group only and belongs to root, so that another user needs an `fsGroup`.
    Either way the nodes refuse the launcher.

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
                        runAsUser: 1000  # <-
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
                        runAsUser: 1000  # <-
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
    if job.runtime.policy("mpi") is None:
        return
    for pods in job.pods:
        container = pods.container("node")
        mounts = container.parts("volumeMounts") if container else ()
        mount = next((one for one in mounts if one.text("name") == _KEYS), None)
        if container is None or mount is None:
            continue
        owner = container if container.has("securityContext.runAsUser") else pods.spec
        user = owner.integer("securityContext.runAsUser")
        path = mount.text("mountPath")
        if user is not None and (user != 0) == path.startswith("/root/"):
            yield job.runtime.at("spec.mlPolicy.mpi.sshAuthMountPath").report(
                f"the keys are in '{path}', but {container.words} runs as user {user}, whose home is not there",
                help="Set sshAuthMountPath to the folder .ssh in the home of that user.",
                severity="" if user else "warning",
            )
            return
        if user and not pods.spec.has("securityContext.fsGroup") and _is_private(pods):
            yield owner.at("securityContext.runAsUser").report(
                f"user {user} of {container.words} may not read the key, which belongs to root",
                help="Set fsGroup in the securityContext of the Pod to a group of that user.",
            )


def _is_private(pods: Pods) -> bool:
    """Whether the key can be read by owner and group only."""
    volume = next((one for one in pods.spec.parts("volumes") if one.text("name") == _KEYS), None)
    modes = [item.integer("mode") for item in volume.parts("secret.items")] if volume else []
    return any(mode is not None and not mode & _READABLE_BY_ALL for mode in modes)
