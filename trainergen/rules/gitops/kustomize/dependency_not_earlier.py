"""A dependency between replicated jobs that JobSet refuses."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.kustomize.ordering import misplaced
from trainergen.spelling import did_you_mean


@rule(
    "TG705",
    "dependency-not-earlier",
    severity="error",
    profile="minimal",
    kinds=("ClusterTrainingRuntime", "TrainingRuntime"),
    triggers=("dependsOn",),
    answers=("K006",),
)
def dependency_not_earlier(runtime: Source) -> Findings:
    """A replicated job depends on one that is not listed before it.

    ## Why
    JobSet starts replicated jobs in their order and accepts a dependency only on a job further up; the first can have
    none. A runtime is not checked for that when it is applied: the TrainJob is accepted, and its JobSet is refused each
    time that the controller tries.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
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
              dependsOn:
                - name: fetch  # <-
                  status: Complete
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
            - name: fetch
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: fetch
                          image: ghcr.io/example/fetch:1.0
    ```

    ## Good
    ```yaml title="manifest.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: my-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 1
        torch: {}
      template:
        spec:
          replicatedJobs:
            - name: fetch
              template:
                spec:
                  template:
                    spec:
                      containers:
                        - name: fetch
                          image: ghcr.io/example/fetch:1.0
            - name: node
              dependsOn:
                - name: fetch
                  status: Complete
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
    """
    names = [part.text("name") for part in runtime.parts("spec.template.spec.replicatedJobs")]
    for one in misplaced(runtime.mapping()):
        seen = "is listed after it" if one.known else "does not exist" + did_you_mean(one.needs, names[: one.place])
        if one.needs == one.job:
            seen = "is itself"
        yield runtime.at("spec.template.spec.replicatedJobs", one.place, "dependsOn", one.dependency, "name").report(
            f"the job '{one.job}' depends on '{one.needs}', which {seen}",
            help="List a job behind all those that it depends on.",
        )
