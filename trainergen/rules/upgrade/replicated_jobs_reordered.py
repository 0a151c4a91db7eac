"""A runtime whose replicated jobs change places."""

from __future__ import annotations

from trainergen.rules import Change, Findings, Part, rule

_JOBS = "spec.template.spec.replicatedJobs"


@rule(
    "TG812",
    "replicated-jobs-reordered",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    answers=("U005", "T25"),
)
def replicated_jobs_reordered(change: Change) -> Findings:
    """The replicated jobs of a runtime come in another order than before.

    ## Why
    JSON patches name a replicated job by its place, so a patch for `replicatedJobs/0` now hits another job, without an
    error. In 2.3 upstream swapped `launcher` and `node` of the DeepSpeed and MLX runtimes. With MPI the host file
    follows the order too, and so do the ranks.

    ## Bad
    ```yaml title="base:runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
        torch: {}
      template:
        spec:
          replicatedJobs:
            - name: warm
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: warm
                          image: ghcr.io/example/warm:1.0
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
                          image: ghcr.io/example/train:1.0
    ```
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
        torch: {}
      template:
        spec:
          replicatedJobs:
            - name: node  # <-
              template:
                metadata:
                  labels:
                    trainer.kubeflow.org/trainjob-ancestor-step: trainer
                spec:
                  template:
                    spec:
                      containers:
                        - name: node
                          image: ghcr.io/example/train:1.0
            - name: warm
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: warm
                          image: ghcr.io/example/warm:1.0
    ```

    ## Good
    ```yaml title="base:runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
        torch: {}
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
                          image: ghcr.io/example/train:1.0
    ```
    ```yaml title="runtime.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainingRuntime
    metadata:
      name: torch
      namespace: team-a
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
        torch: {}
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
                          image: ghcr.io/example/train:1.0
            - name: warm
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: warm
                          image: ghcr.io/example/warm:1.0
    ```
    """
    old, new = _names(change.old), _names(change.new)
    before = [name for name in old if name in new]
    after = [name for name in new if name in old]
    if before != after:
        moved = next(name for was, name in zip(before, after, strict=True) if was != name)
        yield change.at(_JOBS, new.index(moved), "name").report(
            f"the replicated jobs were {', '.join(before)} and are now {', '.join(after)}: patches by index hit others",
            help="Review JSON patches of this runtime, and guard them by a test of the name.",
        )


def _names(runtime: Part) -> list[str]:
    """The names of the replicated jobs, each once."""
    return list(dict.fromkeys(job.text("name") for job in runtime.parts(_JOBS)))
