"""Objects of the Trainer that Flux applies before the Trainer is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.rules import Findings, FluxObject, rule
from trainergen.rules.gitops.installation import TRAINER_CHART, flux_chart

if TYPE_CHECKING:
    from trainergen.rules import Entry
    from trainergen.rules.found import Found

_KUSTOMIZE = "kustomize.toolkit.fluxcd.io"


@rule(
    "TG784",
    "trainer-not-awaited",
    severity="warning",
    kinds=("Kustomization",),
    triggers=("Kustomization", "HelmRelease", "OCIRepository", TRAINER_CHART),
    looks_up=("HelmRelease", "OCIRepository"),
    mirrors=("kubeflow/community-distribution#3179", "fluxcd/kustomize-controller#1194", "kubernetes-sigs/kueue#11985"),
    answers=("A18", "A19", "F005"),
)
def trainer_not_awaited(flux: FluxObject) -> Findings:
    """A Kustomization of Flux brings runtimes or TrainJobs and does not wait for the Trainer.

    ## Why
    Flux tries all objects of a Kustomization in a dry run before it applies any. Runtimes beside the HelmRelease of the
    Trainer fail there, for their kinds are unknown, so the HelmRelease is never applied on a new cluster. In a
    Kustomization of their own they fail as long as the webhook does not answer, unless `dependsOn` names one that waits
    for the release.

    ## Bad
    ```yaml title="clusters/prod.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: trainer
      namespace: flux-system
    spec:
      interval: 10m
      path: ./trainer
      prune: false
      wait: true
      sourceRef:
        kind: GitRepository
        name: flux-system
    ---
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: runtimes  # <-
      namespace: flux-system
    spec:
      interval: 10m
      path: ./runtimes
      prune: false
      sourceRef:
        kind: GitRepository
        name: flux-system
    ```
    ```yaml title="trainer/release.yaml"
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
    ```yaml title="runtimes/torch.yaml"
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

    ## Good
    ```yaml title="clusters/prod.yaml"
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: trainer
      namespace: flux-system
    spec:
      interval: 10m
      path: ./trainer
      prune: false
      wait: true
      sourceRef:
        kind: GitRepository
        name: flux-system
    ---
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata:
      name: runtimes
      namespace: flux-system
    spec:
      dependsOn:
        - name: trainer
      interval: 10m
      path: ./runtimes
      prune: false
      sourceRef:
        kind: GitRepository
        name: flux-system
    ```
    ```yaml title="trainer/release.yaml"
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
    ```yaml title="runtimes/torch.yaml"
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
    """
    releases = [one for one in flux.objects.of("HelmRelease") if flux_chart(_as_flux(one, flux)) is not None]
    ours = [entry for entry in flux.delivers if entry.group == "trainer.kubeflow.org"] if releases else []
    if not ours:
        return
    files = {(entry.file, entry.index) for entry in flux.delivers}
    awaited = [*_dependencies(flux)]
    # A repository may hold several clusters: who waits for the release of one need not wait for those of the others.
    served = [release for release in releases if any(_brings(one, release) for one in awaited)]
    for release in served or releases:
        if (release.file, release.index) in files:
            yield flux.at("metadata.name").report(
                f"{ours[0].kind} '{ours[0].name}' fails the dry run, so that HelmRelease '{release.name}' beside it is "
                "never applied to a new cluster",
                help="Put runtimes and TrainJobs into a Kustomization that depends on the one with the HelmRelease.",
                severity="error",
            )
        else:
            yield from _unordered(flux, ours[0], release, awaited)


def _unordered(flux: FluxObject, first: Entry, release: Entry, awaited: list[FluxObject]) -> Iterator[Found]:
    bringers = [one for one in _kustomizations(flux) if _brings(one, release)]
    found = [one for one in awaited if _brings(one, release)]
    if bringers and not found:
        yield flux.at("spec.dependsOn" if flux.has("spec.dependsOn") else "metadata.name").report(
            f"{first.kind} '{first.name}' does not wait for HelmRelease '{release.name}' of Kustomization "
            f"'{bringers[0].entry.name}'",
            help=_remedy(bringers[0], flux),
        )
    for one in found:
        if one.get("spec.wait") is not True and not one.values("spec.healthChecks"):
            yield one.at("metadata.name").report(
                f"Kustomization '{flux.entry.name}' depends on this one, which is ready before HelmRelease "
                f"'{release.name}' is",
                help="Set wait to true.",
            )


def _remedy(bringer: FluxObject, flux: FluxObject) -> str:
    if _brings(bringer, flux.entry):
        return "Put the HelmRelease into a Kustomization of its own that waits, and add that to dependsOn."
    return f"Add '{bringer.entry.name}' to dependsOn, and let that one wait."


def _kustomizations(flux: FluxObject) -> Iterator[FluxObject]:
    for entry in flux.objects.of("Kustomization"):
        if entry.group == _KUSTOMIZE and entry.identity != flux.entry.identity:
            yield _as_flux(entry, flux)


def _brings(one: FluxObject, wanted: Entry) -> bool:
    return any((entry.file, entry.index) == (wanted.file, wanted.index) for entry in one.delivers)


def _dependencies(flux: FluxObject) -> Iterator[FluxObject]:
    """The Kustomizations that one depends on, those behind them included."""
    waiting, seen = [flux], {(flux.entry.file, flux.entry.index)}
    while waiting:
        one = waiting.pop()
        for part in one.parts("spec.dependsOn"):
            namespace = part.text("namespace") or one.entry.namespace
            for entry in one.objects.places("Kustomization", part.text("name"), namespace):
                place = entry.file, entry.index
                if entry.group == _KUSTOMIZE and place not in seen:
                    seen.add(place)
                    waiting.append(_as_flux(entry, flux))
                    yield waiting[-1]


def _as_flux(entry: Entry, seen: FluxObject) -> FluxObject:
    return type(seen)(entry, tree=seen.tree, release=seen.release, objects=seen.objects)
