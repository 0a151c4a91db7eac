"""SSH keys of an MPIJob that the user of its containers may not read, or ssh refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, rule
from trainergen.rules.frameworks.legacy.jobs import legacy_job

if TYPE_CHECKING:
    from trainergen.rules.frameworks.legacy.jobs import Role

_ROOT = "/root/.ssh"


@rule(
    "TG464",
    "legacy-ssh-keys-unusable",
    severity="error",
    kinds=("MPIJob",),
    triggers=("runAsUser", "fsGroup"),
    mirrors=("kubeflow/mpi-operator#429", "kubeflow/mpi-operator#424", "kubeflow/mpi-operator#435"),
    answers=("A59", "A61"),
)
def legacy_ssh_keys_unusable(source: Source) -> Findings:
    """The SSH keys of an MPIJob are mounted for root, and the Pod runs as another user or changes their mode.

    ## Why
    The MPI Operator mounts the keys at `/root/.ssh`, readable by root alone, unless `sshAuthMountPath` says otherwise.
    Another user does not find them there. An `fsGroup` makes the kubelet add its group to the mode, after which ssh
    refuses the key: `Permissions 0640 are too open`. Either way the launcher reaches no Worker.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v2beta1
    kind: MPIJob
    metadata:
      name: horovod
    spec:
      mpiReplicaSpecs:
        Launcher:
          template:
            spec:
              securityContext:
                runAsUser: 1000  # <-
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
                  command: [mpirun, python, train.py]
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v2beta1
    kind: MPIJob
    metadata:
      name: horovod
    spec:
      sshAuthMountPath: /home/mpiuser/.ssh
      mpiReplicaSpecs:
        Launcher:
          template:
            spec:
              securityContext:
                runAsUser: 1000
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
                  command: [mpirun, python, train.py]
    ```
    """
    job = source.once(legacy_job)
    if job is None or job.kind.version != "v2beta1" or (source.text("spec.sshAuthMountPath") or _ROOT) != _ROOT:
        return
    for role in job.roles:
        yield from _on_role(role)


def _on_role(role: Role) -> Findings:
    """What is wrong with the first container, the only one that gets the keys."""
    pod = role.part("template.spec.securityContext")
    own = role.part("template.spec.containers", 0, "securityContext")
    holder = own if own.integer("runAsUser") is not None else pod
    user = holder.integer("runAsUser")
    if user:
        yield holder.at("runAsUser").report(
            f"{role.words} runs as user {user}, who cannot read the SSH keys in {_ROOT}",
            help="Set sshAuthMountPath to .ssh in the home of that user.",
        )
    elif role.role == "Launcher" and pod.integer("fsGroup") is not None:
        # A Worker has no use for the private key, and sshd takes public ones that a group may read.
        yield pod.at("fsGroup").report(
            f"fsGroup {pod.integer('fsGroup')} opens the SSH keys in {_ROOT} to its group, so that ssh of {role.words} "
            "refuses them",
            help="Leave fsGroup out, or run as another user with sshAuthMountPath in its home.",
        )
