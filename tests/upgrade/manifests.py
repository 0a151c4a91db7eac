"""A TrainJob and a runtime of older releases to put things into."""

from __future__ import annotations

from textwrap import dedent, indent

JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: bert
  namespace: team-a
spec:
  runtimeRef:
    name: torch-distributed
"""
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: torch-distributed
spec:
  mlPolicy:
    torch:
{torch}
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


def job(spec: str) -> str:
    return JOB + indent(dedent(spec).lstrip("\n"), "  ")


def runtime(torch: str) -> str:
    return RUNTIME.format(torch=indent(dedent(torch).strip("\n"), "      "))
