"""Two CRDs of MPIJob, of two operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Workspace, rule

if TYPE_CHECKING:
    from trainergen.rules import Entry

_KIND = "CustomResourceDefinition"
_NAME = "mpijobs.kubeflow.org"


@rule(
    "TG813",
    "mpijob-crd-twice",
    severity="error",
    kinds=(_KIND,),
    triggers=(_NAME,),
    mirrors=("kubeflow/trainer#1930", "GoogleCloudPlatform/kubeflow-distribution#424"),
    answers=("A14", "A110", "A66"),
)
def mpijob_crd_twice(workspace: Workspace) -> Findings:
    """The repository has the CRD of MPIJob in two forms that exclude each other.

    ## Why
    The Training Operator brings MPIJob `v1` and the MPI Operator `v2beta1` under one name. Whoever is applied second
    fails with `must appear in spec.versions`, or takes the other's version away so that its jobs are no longer
    reconciled, and Kueue loses its watch. Without MPIJob among its schemes the Training Operator needs no such CRD.

    ## Bad
    ```yaml title="training-operator/mpijobs.yaml"
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata:
      name: mpijobs.kubeflow.org
    spec:
      group: kubeflow.org
      versions:
        - name: v1
          served: true
    ```
    ```yaml title="mpi-operator/mpijobs.yaml"
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata:
      name: mpijobs.kubeflow.org  # <-
    spec:
      group: kubeflow.org
      versions:
        - name: v2beta1
          served: true
    ```

    ## Good
    ```yaml title="mpi-operator/mpijobs.yaml"
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata:
      name: mpijobs.kubeflow.org
    spec:
      group: kubeflow.org
      versions:
        - name: v2beta1
          served: true
    ```
    """
    found = [entry for entry in workspace.objects.of(_KIND) if entry.name == _NAME]
    if len(found) < 2:
        return
    first, *others = found
    other = next((entry for entry in others if not _versions(entry) & _versions(first)), None)
    if other is not None:
        one, two = sorted((first, other), key=lambda entry: "v1" in _versions(entry))
        yield one.object.at("metadata.name").report(
            f"this CRD has {_words(one)}, and that of {two.file} has {_words(two)}: a cluster can hold one of them",
            help="Install one of the two, and start the Training Operator with --enable-scheme for the other kinds.",
        )


def _versions(entry: Entry) -> set[str]:
    return {version.text("name") for version in entry.object.parts("spec.versions")}


def _words(entry: Entry) -> str:
    return " and ".join(sorted(_versions(entry))) or "no versions"
