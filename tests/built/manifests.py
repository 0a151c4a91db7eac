"""The runtime and the patches of the reproductions of lost list items."""

from __future__ import annotations

RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: my-torch
  labels:
    trainer.kubeflow.org/framework: torch
spec:
  mlPolicy:
    numNodes: 1
    torch: {}
  template:
    spec:
      replicatedJobs:
        - name: dataset-initializer
          template:
            metadata:
              labels:
                trainer.kubeflow.org/trainjob-ancestor-step: dataset-initializer
            spec:
              template:
                spec:
                  containers:
                    - name: dataset-initializer
                      image: ghcr.io/kubeflow/trainer/dataset-initializer:v2.3.0
                      volumeMounts:
                        - name: initializer
                          mountPath: /workspace
                  volumes:
                    - name: initializer
                      persistentVolumeClaim:
                        claimName: data
        - name: node
          dependsOn:
            - name: dataset-initializer
              status: Complete
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
                      volumeMounts:
                        - name: initializer
                          mountPath: /workspace
                  volumes:
                    - name: initializer
                      persistentVolumeClaim:
                        claimName: data
"""

_PATCH_HEAD = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: my-torch
spec:
  template:
    spec:
      replicatedJobs:
"""
_NODE = """\
        - name: node
          template:
            spec:
              template:
                spec:
                  containers:
                    - name: node
                      resources:
                        limits:
                          nvidia.com/gpu: "8"
"""
LOST = _PATCH_HEAD + _NODE
"""Without a schema it replaces all jobs of the runtime by one; with one it puts the last job first."""
ORDERED = _PATCH_HEAD + "        - name: dataset-initializer\n" + _NODE
"""With a schema it is what was meant."""
_AT = "/spec/template/spec/replicatedJobs/1"
_CONTAINER = f"{_AT}/template/spec/template/spec/containers/0"
GUARDED = f"""\
resources: [../../base]
patches:
- target: {{group: trainer.kubeflow.org, kind: ClusterTrainingRuntime, name: my-torch}}
  patch: |-
    - {{op: test, path: {_AT}/name, value: node}}
    - {{op: test, path: {_CONTAINER}/name, value: node}}
    - {{op: add, path: {_CONTAINER}/resources, value: {{limits: {{nvidia.com/gpu: "8"}}}}}}
"""
JOB = """\
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
