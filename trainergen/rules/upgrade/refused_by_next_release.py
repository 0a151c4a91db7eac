"""An object that the next release of the Trainer refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.admit import admit
from trainergen.admission.cluster import Cluster
from trainergen.releases import RELEASES
from trainergen.rules import Findings, Source, rule
from trainergen.rules.views.workspace import reference_of

if TYPE_CHECKING:
    from trainergen.admission.result import Admission
    from trainergen.releases import Release

_RUNTIMES = ("TrainingRuntime", "ClusterTrainingRuntime")


@rule(
    "TG801",
    "refused-by-next-release",
    severity="warning",
    profile="strict",
    kinds=("TrainJob", *_RUNTIMES),
    until="2.2",
    looks_up=_RUNTIMES,
    mirrors=("opendatahub-io/odh-cli#135", "kubeflow/trainer#3309", "kubeflow/trainer#3714", "kubeflow/sdk#381"),
    answers=("A07", "A09", "A31", "A32", "A45", "A124", "U004"),
)
def refused_by_next_release(source: Source) -> Findings:
    """An object that is fine for this release is refused by the next one.

    ## Why
    Releases rename fields and add limits: `podTemplateOverrides` became `runtimePatches` in 2.2, which also took
    `numProcPerNode` out of the torch policy and made it a number; 2.3 wants a scheme in `storageUri`, a mount called
    `initializer`, and keeps the variables of Open MPI for itself. Kubectl without strict validation drops a field that
    is gone without a word, and the job runs without it.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: weather
      namespace: team-a
    spec:
      runtimeRef:
        name: deepspeed-distributed
      trainer:
        command: [mpirun, python, train.py]
        numNodes: 2
        env:
          - name: OMPI_MCA_plm_rsh_args  # <-
            value: -p 2222
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: weather
      namespace: team-a
    spec:
      runtimeRef:
        name: deepspeed-distributed
      trainer:
        command: [mpirun, --mca, plm_rsh_args, -p 2222, python, train.py]
        numNodes: 2
    ```
    """
    following = RELEASES[RELEASES.index(source.release) + 1]
    if _verdict(source, source.release).refused:
        return
    for finding in _verdict(source, following).findings:
        if finding.refuses:
            place = source.at("", *finding.at)
            yield (place.key if finding.on_key else place).report(
                f"Trainer {following.name} refuses this: {finding.message}",
                help=finding.help or f"Change it before the cluster gets Trainer {following.name}.",
            )


def _verdict(source: Source, release: Release) -> Admission:
    entry = None
    if source.kind == "TrainJob":
        entry = source.objects.find(*reference_of(source), source.namespace)
    known = [entry.value] if entry is not None else []
    return admit(source.entry.value, release=release, objects=Cluster(known))
