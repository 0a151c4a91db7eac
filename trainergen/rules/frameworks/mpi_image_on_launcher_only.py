"""An image of a TrainJob that the MPI nodes do not get."""

from __future__ import annotations

from trainergen.rules import Findings, Job, rule


@rule(
    "TG424",
    "mpi-image-on-launcher-only",
    severity="warning",
    triggers=("mpi",),
    answers=("A55",),
)
def mpi_image_on_launcher_only(job: Job) -> Findings:
    """The image of a TrainJob reaches the MPI launcher and not the nodes.

    ## Why
    Image, command and args of a TrainJob are given to the job with the trainer label. In an MPI runtime that is the
    launcher: the nodes keep the runtime's image, and mpirun fails there as soon as the program or a library is only in
    the other image.

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
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-mpi
      trainer:
        image: ghcr.io/example/wave:2.1  # <-
        numNodes: 4
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
                          image: ghcr.io/example/wave:2.1
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
                          image: ghcr.io/example/wave:2.1
                          command: [mpirun, /workspace/train]
    ---
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: team-mpi
      trainer:
        numNodes: 4
    ```
    """
    image = job.text("spec.trainer.image")
    nodes = next((pods for pods in job.pods if pods.name == "node" and not pods.ancestor), None)
    container = nodes.container("node") if nodes else None
    if job.runtime.policy("mpi") is None or not image or container is None or container.image == image:
        return
    yield job.at("spec.trainer.image").report(
        f"'{image}' is the image of the launcher only, and the nodes run '{container.image}'",
        help="Use a runtime that has this image in both jobs.",
    )
