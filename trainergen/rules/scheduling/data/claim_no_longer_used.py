"""Claims that TorchTune runtimes used before 2.2."""

from __future__ import annotations

import json

from trainergen.releases.catalogue import shipped_runtimes
from trainergen.rules import Findings, Source, rule

_RUNTIMES = ("TrainingRuntime", "ClusterTrainingRuntime")


@rule(
    "TG576",
    "claim-no-longer-used",
    severity="warning",
    kinds=("PersistentVolumeClaim",),
    since="2.2",
    triggers=("torchtune-llama3.2-1b", "torchtune-llama3.2-3b", "torchtune-qwen2.5-1.5b"),
    looks_up=_RUNTIMES,
)
def claim_no_longer_used(claim: Source) -> Findings:
    """A claim is named like a TorchTune runtime, which makes claims of its own since 2.2.

    ## Why
    Up to 2.1 the TorchTune runtimes mounted a claim of their own name, which had to be there before. Since 2.2 each
    TrainJob gets a new ReadWriteOnce claim of 20Gi. What is in the old one, models and outputs included, is not seen
    any more, its size has no effect, and downloads start anew.

    ## Bad
    ```yaml
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata:
      name: torchtune-llama3.2-1b  # <-
      namespace: team-a
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: 200Gi
    ```

    ## Good
    ```yaml
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata:
      name: llama-outputs
      namespace: team-a
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: 200Gi
    ```
    """
    if claim.name not in shipped_runtimes(claim.release.name):
        return
    mounted = json.dumps({"claimName": claim.name})[1:-1]
    if any(mounted in json.dumps(runtime.value) for runtime in claim.objects.of(*_RUNTIMES)):
        return
    yield claim.at("metadata.name").report(
        f"since Trainer 2.2 the runtime '{claim.name}' no longer mounts the claim of its name",
        help="Mount the claim in a runtime of your own, or delete it once its content is elsewhere.",
    )
