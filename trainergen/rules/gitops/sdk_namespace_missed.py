"""An installation of the Trainer where the Kubeflow SDK does not look for it."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.gitops.installation import TRAINER_CHART, chart_of

_EXPECTED = "kubeflow-system"


@rule(
    "TG771",
    "sdk-namespace-missed",
    severity="info",
    profile="strict",
    kinds=("Application", "ApplicationSet", "HelmRelease"),
    since="2.2",
    triggers=(TRAINER_CHART,),
    mirrors="kubeflow/sdk#530",
    answers=("A022", "F012"),
)
def sdk_namespace_missed(source: Source) -> Findings:
    """The chart of the Trainer is installed into another namespace than kubeflow-system.

    ## Why
    Since 2.2 the release of the Trainer is in the ConfigMap `kubeflow-trainer-public`, which everybody may read. The
    Kubeflow SDK looks for it in `kubeflow-system`; where the chart went elsewhere each user has to set the SDK's
    namespace, or gets warnings and guesses instead.

    ## Bad
    ```yaml
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata:
      name: trainer
      namespace: flux-system
    spec:
      interval: 1h
      targetNamespace: training  # <-
      chart:
        spec:
          chart: kubeflow-trainer
          version: 2.3.0
          sourceRef:
            kind: HelmRepository
            name: kubeflow
      upgrade:
        crds: CreateReplace
    ```

    ## Good
    ```yaml
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata:
      name: trainer
      namespace: kubeflow-system
    spec:
      interval: 1h
      chart:
        spec:
          chart: kubeflow-trainer
          version: 2.3.0
          sourceRef:
            kind: HelmRepository
            name: kubeflow
      upgrade:
        crds: CreateReplace
    ```
    """
    if source.kind == "HelmRelease":
        ours = source.text("spec.chart.spec.chart").rpartition("/")[2] == TRAINER_CHART
        place = "spec.targetNamespace" if source.text("spec.targetNamespace") else "metadata.namespace"
        part = source.part(place)
    else:
        app = source.part("spec.template") if source.kind == "ApplicationSet" else source.part()
        single = [app.part("spec.source")] if app.has("spec.source") else list(app.parts("spec.sources"))
        ours = any(chart_of(one) == TRAINER_CHART for one in single)
        part = app.part("spec.destination.namespace")
    namespace = part.text()
    if ours and namespace and namespace != _EXPECTED and "{{" not in namespace and "${" not in namespace:
        yield part.at().report(
            f"the Kubeflow SDK looks for the Trainer in '{_EXPECTED}', and it is installed into '{namespace}'",
            help=f"Install it into {_EXPECTED}, or tell the users of the SDK to set its namespace.",
        )
