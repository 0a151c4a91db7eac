"""An MPIJob that starts suspended, so that its launcher waits for nobody."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule

_QUEUE = "kueue.x-k8s.io/queue-name"


@rule(
    "TG457",
    "legacy-launcher-not-held-back",
    severity="warning",
    kinds=("MPIJob",),
    triggers=("WaitForWorkersReady",),
    mirrors=("kubeflow/mpi-operator#615", "kubeflow/mpi-operator#868"),
    answers=("A64",),
)
def legacy_launcher_not_held_back(source: Source) -> Findings:
    """The launcher of an MPIJob that starts suspended does not wait for its Workers.

    ## Why
    The MPI Operator looks at `launcherCreationPolicy` when it creates the launcher's Job, and a suspended job has no
    Workers, so that all of them are ready. When the job is resumed, as Kueue does, the Job is there already and starts
    together with the Workers: mpirun finds no sshd, and fails.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v2beta1
    kind: MPIJob
    metadata:
      name: horovod
    spec:
      launcherCreationPolicy: WaitForWorkersReady  # <-
      runPolicy:
        suspend: true
      mpiReplicaSpecs:
        Launcher:
          template:
            spec:
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
                  command: [mpirun, python, train.py]
        Worker:
          replicas: 2
          template:
            spec:
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v2beta1
    kind: MPIJob
    metadata:
      name: horovod
    spec:
      launcherCreationPolicy: AtStartup
      runPolicy:
        suspend: true
      mpiReplicaSpecs:
        Launcher:
          restartPolicy: OnFailure
          template:
            spec:
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
                  command: [mpirun, python, train.py]
        Worker:
          replicas: 2
          template:
            spec:
              containers:
                - name: mpi
                  image: ghcr.io/example/horovod:1.0
    ```
    """
    if source.text("spec.launcherCreationPolicy") != "WaitForWorkersReady":
        return
    suspended = source.get("spec.runPolicy.suspend") is True
    if suspended or _QUEUE in source.labels:
        why = "starts suspended" if suspended else "is suspended until Kueue admits it"
        yield source.at("spec.launcherCreationPolicy").report(
            f"the job {why}, and its launcher is then started without waiting for the Workers",
            help="Let the launcher retry until its Workers answer, by restartPolicy OnFailure, and write AtStartup.",
        )
