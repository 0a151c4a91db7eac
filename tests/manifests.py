"""Small manifests that many tests start from."""

from __future__ import annotations

GOOD = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: mnist
  namespace: team-a
spec:
  runtimeRef:
    name: torch-distributed
  trainer:
    numNodes: 2
"""

BAD = GOOD.replace("numNodes: 2", 'numNodes: "2"')
"""One fault: a string where an integer belongs, in line 10, column 15."""

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata:
  name: team-torch
  namespace: team-a
spec:
  mlPolicy:
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
                      image: example.org/torch:1
"""

USES_RUNTIME = GOOD.replace("    name: torch-distributed", "    kind: TrainingRuntime\n    name: team-torch")

NEEDS_DATASET = USES_RUNTIME + "  initializer:\n    dataset:\n      storageUri: hf://example/data\n"
"""Refused by the webhook once it knows that the runtime above has no job for it."""
