"""A target of environment injection that the runtime does not have."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.spelling import did_you_mean

_HELP = "Name a container of the runtime, or add it."


@rule(
    "TG416",
    "env-injection-target-missing",
    severity="warning",
    kinds=("TrainingRuntime", "ClusterTrainingRuntime"),
    since="2.3",
    triggers=("envInjection",),
)
def env_injection_target_missing(source: Source) -> Findings:
    """envInjection of a runtime names a job or container that the runtime does not have.

    ## Why
    The targets are looked up once a TrainJob's patches are merged. Without a patch that adds the container, each
    TrainJob of this runtime is refused, with a message that speaks of its `runtimeRef`; the runtime itself is accepted.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
        torch:
          envInjection:
            targets:
              - jobName: node
                containerNames:
                  - monitor  # <-
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
                          command: [torchrun, train.py]
                        - name: metrics
                          image: ghcr.io/example/metrics:1.0
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: ClusterTrainingRuntime
    metadata:
      name: team-torch
      labels:
        trainer.kubeflow.org/framework: torch
    spec:
      mlPolicy:
        numNodes: 2
        torch:
          envInjection:
            targets:
              - jobName: node
                containerNames:
                  - metrics
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
                          command: [torchrun, train.py]
                        - name: metrics
                          image: ghcr.io/example/metrics:1.0
    ```
    """
    jobs = {job.text("name"): job for job in source.parts("spec.template.spec.replicatedJobs")}
    for target in source.parts("spec.mlPolicy.torch.envInjection.targets"):
        name = target.text("jobName")
        if name not in jobs:
            yield target.at("jobName").report(
                f"the runtime has no job '{name}'{did_you_mean(name, jobs)}, so its TrainJobs are refused", help=_HELP
            )
            continue
        pod = jobs[name].part("template.spec.template.spec")
        known = [one.text("name") for key in ("containers", "initContainers") for one in pod.parts(key)]
        for number, container in enumerate(target.texts("containerNames")):
            if container not in known:
                near = did_you_mean(container, known)
                yield target.at("containerNames", number).report(
                    f"job '{name}' has no container '{container}'{near}, so the TrainJobs are refused", help=_HELP
                )
