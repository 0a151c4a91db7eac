"""A HelmRelease that corrects the certificate of a controller."""

from __future__ import annotations

from trainergen.rules import Findings, FluxObject, rule
from trainergen.rules.gitops.certificates import is_ignored_in, secrets_of
from trainergen.rules.gitops.installation import flux_chart


@rule(
    "TG788",
    "certificate-reverted",
    severity="warning",
    kinds=("HelmRelease",),
    triggers=("driftDetection",),
    looks_up=("OCIRepository",),
    mirrors=("kubeflow/trainer#3627", "kubernetes-sigs/jobset#1248"),
    answers=("A13", "F009"),
    needs=("values from ConfigMaps and Secrets",),
)
def certificate_reverted(flux: FluxObject) -> Findings:
    """A HelmRelease of the Trainer detects drift in Secrets that the controllers fill.

    ## Why
    The chart of JobSet, which the Trainer's chart brings, declares its certificate Secret with four empty keys; up to
    2.2 so does the Trainer itself. For drift detection the certificate is a difference, which it corrects: the webhooks
    refuse everything until the controller has made a new certificate, and the next interval wipes that too.

    ## Bad
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
      driftDetection:
        mode: enabled  # <-
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
      driftDetection:
        mode: enabled
        ignore:
          - paths: [/data]
            target:
              kind: Secret
    ```
    """
    use = flux_chart(flux) if flux.text("spec.driftDetection.mode") == "enabled" else None
    if use is None:
        return
    secrets = secrets_of(use, flux.release)
    if secrets is None:
        yield flux.at("spec.valuesFrom").undecided("values from elsewhere may leave out JobSet")
        return
    ignored = [
        one
        for one in flux.parts("spec.driftDetection.ignore")
        if one.text("target.kind") in ("", "Secret") and is_ignored_in(one.texts("paths"))
    ]
    missing = [name for name in secrets if not any(one.text("target.name") in ("", name) for one in ignored)]
    if missing:
        names = " and ".join(f"'{name}'" for name in missing)
        yield flux.at("spec.driftDetection.mode").report(
            f"drift detection writes the empty keys of Secret {names} over the certificate of the controller",
            help="Ignore the path /data of Secrets in driftDetection.ignore.",
        )
