"""Everyday TrainJob manifests in any number, none equal to another."""

from __future__ import annotations

from pathlib import Path

SMALL = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: job-{index}
  namespace: team-{team}
spec:
  runtimeRef:
    name: torch-distributed
  trainer:
    numNodes: {nodes}
"""

TYPICAL = """\
# Trains nightly on the shared pool.
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: job-{index}
  namespace: team-{team}
  labels:
    kueue.x-k8s.io/queue-name: queue-{team}
    app.kubernetes.io/part-of: "training"
spec:
  suspend: true
  runtimeRef:
    kind: ClusterTrainingRuntime
    name: torch-distributed
  trainer:
    image: ghcr.io/example/train:{index}
    command: ["torchrun", "/workspace/train.py"]
    args:
      - --epochs={nodes}
      - --batch-size=128
    numNodes: {nodes}
    numProcPerNode: 8
    resourcesPerNode:
      requests:
        cpu: "8"
        memory: 64Gi
        nvidia.com/gpu: 8
      limits:
        memory: 64Gi
        nvidia.com/gpu: 8
    env:
      - name: NCCL_DEBUG
        value: "INFO"
      - name: HF_TOKEN
        valueFrom:
          secretKeyRef:
            name: hf
            key: token
"""

PATCHED = (
    TYPICAL
    + """\
  runtimePatches:
    - manager: platform.example.com/gitops
      trainingRuntimeSpec:
        template:
          spec:
            replicatedJobs:
              - name: node
                template:
                  spec:
                    template:
                      spec:
                        serviceAccountName: trainer
                        nodeSelector:
                          node.example.com/pool: pool-{team}
                        tolerations:
                          - key: nvidia.com/gpu
                            operator: Exists
                            effect: NoSchedule
                        volumes:
                          - name: data
                            persistentVolumeClaim:
                              claimName: data-{team}
                        containers:
                          - name: node
                            volumeMounts:
                              - name: data
                                mountPath: /data
"""
)
TEMPLATES = (SMALL, TYPICAL, TYPICAL, PATCHED)


def manifest(index: int) -> str:
    """The manifest of that number."""
    return TEMPLATES[index % len(TEMPLATES)].format(index=index, team=index % 17, nodes=1 + index % 8)


def write_manifests(folder: Path, count: int) -> list[Path]:
    """Write ``count`` manifests, a hundred to a folder."""
    files = []
    for index in range(count):
        file = folder / f"team-{index // 100}" / f"job-{index}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(manifest(index), encoding="utf-8")
        files.append(file)
    return files
