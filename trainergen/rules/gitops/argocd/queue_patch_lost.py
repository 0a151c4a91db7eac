"""A queued TrainJob whose patch of Kueue a sync takes away."""

from __future__ import annotations

from trainergen.rules import ArgoApplication, Findings, rule

_QUEUE = "kueue.x-k8s.io/queue-name"


@rule(
    "TG769",
    "queue-patch-lost",
    severity="error",
    kinds=("Application", "ApplicationSet"),
    looks_up=("TrainJob",),
    mirrors="kubernetes-sigs/kueue#15340",
    answers=("A118", "A74", "A020"),
)
def queue_patch_lost(app: ArgoApplication) -> Findings:
    """A queued TrainJob has runtime patches in Git and is applied in a way that replaces the list.

    ## Why
    When Kueue admits a TrainJob it adds its own entry to the list, with the node selector and tolerations of the
    flavor. Client-side apply writes the whole list as it is in Git, and Kueue's entry is gone: the Pods run on other
    nodes than the quota was taken from. With server-side apply each manager keeps its entry; up to 2.1 the list has no
    managers, and Git should leave it out.

    ## Bad
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: training
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: https://example.com/training.git
        targetRevision: main
        path: jobs
      destination:
        server: https://kubernetes.default.svc
        namespace: team-a
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      labels:
        kueue.x-k8s.io/queue-name: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      runtimePatches:  # <-
        - manager: example.com/team-a
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            nodeSelector:
                              disk: ssd
    ```

    ## Good
    ```yaml title="app.yaml"
    apiVersion: argoproj.io/v1alpha1
    kind: Application
    metadata:
      name: training
      namespace: argocd
    spec:
      project: default
      source:
        repoURL: https://example.com/training.git
        targetRevision: main
        path: jobs
      destination:
        server: https://kubernetes.default.svc
        namespace: team-a
      syncPolicy:
        syncOptions:
          - ServerSideApply=true
    ```
    ```yaml title="jobs/job.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
      labels:
        kueue.x-k8s.io/queue-name: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      runtimePatches:
        - manager: example.com/team-a
          trainingRuntimeSpec:
            template:
              spec:
                replicatedJobs:
                  - name: node
                    template:
                      spec:
                        template:
                          spec:
                            nodeSelector:
                              disk: ssd
    ```
    """
    behaviours = app.release.behaviours
    place = f"spec.{behaviours.overrides_field}"
    if app.option_on("ServerSideApply") and behaviours.overrides_have_managers:
        return
    remedy = (
        "Add ServerSideApply=true to the sync options of the Application."
        if behaviours.overrides_have_managers
        else f"Put it into a runtime, and leave {behaviours.overrides_field} to Kueue."
    )
    for entry in app.delivers:
        if entry.kind == "TrainJob" and _QUEUE in entry.labels and entry.object.values(place):
            yield entry.object.at(place).key.report(
                f"every sync of Application '{app.text('metadata.name')}' takes Kueue's entry out of this list",
                help=remedy,
            )
