"""A Katib experiment that looks for its trials where TrainJobs are not."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule


@rule(
    "TG540",
    "trial-never-finished",
    severity="warning",
    kinds=("Experiment",),
    triggers=("TrainJob",),
    mirrors=("kubeflow/katib#2616", "kubeflow/katib#1655"),
    answers=("A87",),
)
def trial_never_finished(source: Source) -> Findings:
    """A Katib experiment on TrainJobs looks for another container, Pod or condition.

    ## Why
    Katib collects metrics from one container of one Pod and waits for one condition of the trial. A TrainJob trains in
    container `node`, its Pods have the labels of JobSet, and it ends as `Complete`, not `Succeeded`. With what was
    right for the former operators, trials run and never finish.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v1beta1
    kind: Experiment
    metadata:
      name: tune-resnet
      namespace: team-a
    spec:
      maxTrialCount: 12
      parallelTrialCount: 3
      trialTemplate:
        primaryContainerName: pytorch  # <-
        primaryPodLabels:
          training.kubeflow.org/job-role: master  # <-
        successCondition: status.conditions.#(type=="Succeeded")#|#(status=="True")#  # <-
        trialSpec:
          apiVersion: trainer.kubeflow.org/v1alpha1
          kind: TrainJob
          spec:
            runtimeRef:
              name: torch-distributed
            trainer:
              command: [torchrun, /workspace/resnet.py]
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v1beta1
    kind: Experiment
    metadata:
      name: tune-resnet
      namespace: team-a
    spec:
      maxTrialCount: 12
      parallelTrialCount: 3
      trialTemplate:
        primaryContainerName: node
        primaryPodLabels:
          jobset.sigs.k8s.io/replicatedjob-name: node
        successCondition: status.conditions.#(type=="Complete")#|#(status=="True")#
        trialSpec:
          apiVersion: trainer.kubeflow.org/v1alpha1
          kind: TrainJob
          spec:
            runtimeRef:
              name: torch-distributed
            trainer:
              command: [torchrun, /workspace/resnet.py]
    ```
    """
    template = source.part("spec.trialTemplate")
    if template.text("trialSpec.kind") != "TrainJob":
        return
    container = template.text("primaryContainerName")
    if container and container != "node":
        yield template.at("primaryContainerName").report(
            f"the container is '{container}', but TrainJobs train in 'node'", help="Name the container 'node'."
        )
    for label in template.mapping("primaryPodLabels"):
        if label.startswith("training.kubeflow.org/"):
            yield template.at("primaryPodLabels", label).key.report(
                f"'{label}' is a label of the former operators, which Pods of TrainJobs do not have",
                help="Use 'jobset.sigs.k8s.io/replicatedjob-name: node'.",
            )
    if "Succeeded" in template.text("successCondition"):
        yield template.at("successCondition").report(
            "the condition asks for Succeeded, but a TrainJob ends as Complete",
            help="Ask for the condition Complete.",
        )
