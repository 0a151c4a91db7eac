"""A manifest that was written down from a live object, with what only the server may set."""

from __future__ import annotations

from collections.abc import Iterator

from trainergen.rules import Findings, Source, fix, rule
from trainergen.source.classify import LEGACY_KINDS
from trainergen.source.edits import delete_entry

_SET_BY_SERVER = (
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
)


@rule(
    "TG217",
    "live-object-kept",
    severity="warning",
    kinds=("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime", *sorted(LEGACY_KINDS)),
    triggers=("status", *_SET_BY_SERVER),
    answers=("A126",),
    fix="safe",
)
def live_object_kept(source: Source) -> Findings:
    """A manifest has fields that only the server sets, as in a copy of a live object.

    ## Why
    With `resourceVersion` or `uid` the object cannot be created anew, and applying it conflicts as soon as the live
    one has moved on. `status` is dropped by the server, `managedFields` and the rest are noise that never matches what
    is in the cluster, so that GitOps tools show a difference for ever.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: mnist
      namespace: team-a
      resourceVersion: "48211"  # <-
      uid: 6f1f5d1e-0f4b-4c1e-9d3c-5f6f0e8f7a11  # <-
    spec:
      runtimeRef:
        name: torch-distributed
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: mnist
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
    ```
    """
    metadata = source.mapping("metadata")
    places: list[tuple[str, ...]] = [("metadata", name) for name in _SET_BY_SERVER if name in metadata]
    if source.has("status"):
        places.append(("status",))
    for path in (*places, *_in_templates(source)):
        yield source.at(".".join(path)).key.report(
            f"{path[-1]} is set by the server, and the manifest looks like a copy of a live object",
            help=f"Remove {path[-1]}.",
            fix=fix(f"remove {path[-1]}", delete_entry(source.document, path)),
        )


def _in_templates(source: Source) -> Iterator[tuple[str, ...]]:
    """What programs in Go write into the Pod templates of a legacy job, and its schema does not know."""
    if source.kind not in LEGACY_KINDS:
        return
    for key, roles in source.entries("spec"):
        for role, spec in roles.entries() if key.endswith("ReplicaSpecs") else ():
            if "creationTimestamp" in spec.mapping("template.metadata"):
                yield ("spec", key, role, "template", "metadata", "creationTimestamp")
