"""The chart of the Trainer inflated by kustomize together with its hooks."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, fix, rule
from trainergen.rules.gitops.helm.installations import of_kustomization
from trainergen.source.edits import insert_entry


@rule("TG725", "cleanup-hook-inflated", severity="error", triggers=("helmCharts",), answers=("K026",), fix="unsafe")
def cleanup_hook_inflated(kustomization: Kustomization) -> Findings:
    """`helmCharts` inflates a Trainer chart with runtimes enabled and keeps its hooks.

    ## Why
    Since 2.3 the chart installs runtimes by a Job that is a Helm hook, and deletes them by another when the release is
    removed. kustomize makes ordinary Jobs of both. They start together: one applies the runtimes, the other deletes all
    that the first has labelled. With `skipHooks: true` neither is rendered, and the runtimes come from Git.

    ## Bad
    ```yaml title="kustomization.yaml"
    helmCharts:
      - name: kubeflow-trainer  # <-
        repo: oci://ghcr.io/kubeflow/charts
        version: 2.3.0
        releaseName: kubeflow-trainer
        valuesInline:
          runtimes:
            torchDistributed:
              enabled: true
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    helmCharts:
      - name: kubeflow-trainer
        repo: oci://ghcr.io/kubeflow/charts
        version: 2.3.0
        releaseName: kubeflow-trainer
        skipHooks: true
    ```
    """
    for installation in of_kustomization(kustomization):
        runtimes = installation.enabled_runtimes()
        entry = installation.place
        if installation.facts.installer and runtimes and entry.get("skipHooks") is not True:
            edit = insert_entry(kustomization.entry.document, entry.path, "skipHooks", True)
            yield entry.at("name").report(
                f"the chart's hooks that install and delete runtimes ('{runtimes[0]}') become Jobs that run at once",
                help="Set skipHooks to true, and bring the runtimes from Git.",
                fix=fix("leave the hooks out", edit),
            )
