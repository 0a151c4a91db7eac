"""Args of a Flux runtime that end up behind the command of each TrainJob."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule


@rule(
    "TG441",
    "flux-args-appended",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.2",
    triggers=("flux",),
    answers=("T13",),
)
def flux_args_appended(source: Source) -> Findings:
    """A Flux runtime has args, which are appended to the command of each TrainJob.

    ## Why
    The controller wraps the command into its script and leaves the args of the runtime on the container, so that they
    follow whatever the TrainJob runs, args of its own included.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-flux
      labels:
        trainer.kubeflow.org/framework: flux
    spec:
      mlPolicy:
        flux: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/lammps:1.0
                          command: [lmp]
                          args: [-in, in.lj]  # <-
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-flux
      labels:
        trainer.kubeflow.org/framework: flux
    spec:
      mlPolicy:
        flux: {}
      template:
        spec:
          replicatedJobs:
            - name: node
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/lammps:1.0
                          command: [lmp, -in, in.lj]
    ```
    """
    if not source.has("spec.mlPolicy.flux"):
        return
    for pods in source.parts("spec.template.spec.replicatedJobs"):
        for container in pods.parts("template.spec.template.spec.containers"):
            if container.text("name") == "node" and container.values("args"):
                yield container.at("args").key.report(
                    "these args follow the command of each TrainJob, also where it has args of its own",
                    help="Move them into the command.",
                )
