"""An override for a container that the runtime does not have, or has in the other list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Job, fix, rule
from trainergen.rules.references.overridden import jobs_of_runtime, names_in, targets
from trainergen.source.edits import replace_value
from trainergen.spelling import nearest

if TYPE_CHECKING:
    from trainergen.rules import Fix, Part

_LISTS = {"containers": "initContainers", "initContainers": "containers"}


@rule(
    "TG208",
    "patched-container-unknown",
    severity="error",
    profile="minimal",
    triggers=("runtimePatches", "podTemplateOverrides", "podSpecOverrides"),
    answers=("A04", "T28"),
    fix="unsafe",
)
def patched_container_unknown(job: Job) -> Findings:
    """An override names a container that the job of the runtime does not have.

    ## Why
    Overrides are merged before they are checked, in every release, so that the webhook finds the container in the
    result. What comes out is a further container without image, and a Job that the API server refuses. The same happens
    when a container is named in the list of init containers, or the other way round.

    ## Bad
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
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
                            volumes:
                              - name: data
                                persistentVolumeClaim:
                                  claimName: data
                            containers:
                              - name: nodes  # <-
                                volumeMounts:
                                  - name: data
                                    mountPath: /data
    ```

    ## Good
    ```yaml
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
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
                            volumes:
                              - name: data
                                persistentVolumeClaim:
                                  claimName: data
                            containers:
                              - name: node
                                volumeMounts:
                                  - name: data
                                    mountPath: /data
    ```
    """
    known = jobs_of_runtime(job)
    for target in targets(job):
        name = target.job.text("name")
        if name not in known:
            continue
        for key, other in _LISTS.items():
            for container in target.pod.parts(key):
                if container.text("name") not in names_in(known[name], key):
                    yield from _unknown(
                        job, container, name, here=names_in(known[name], key), there=known[name].part(other)
                    )


def _unknown(job: Job, container: Part, owner: str, *, here: list[str], there: Part) -> Findings:
    name = container.text("name")
    key, other = container.path[-2], there.path[-1]
    kind = "init container" if key == "initContainers" else "container"
    if name in [part.text("name") for part in there.parts()]:
        advice, remedy = f"It is one of the {other}: patch it there.", None
    else:
        near = nearest(name, here) or (here[0] if len(here) == 1 else "")
        advice = f"Did you mean '{near}'?" if near else f"Job '{owner}' has {', '.join(here) or 'none'}."
        remedy = _renamed(job, container, near)
    yield container.at("name").report(
        f"job '{owner}' of the {job.runtime.words} has no {kind} '{name}', so one without image is added",
        help=advice,
        fix=remedy,
    )


def _renamed(job: Job, container: Part, near: str) -> Fix | None:
    place = container.at("name").path
    return fix(f"patch the container '{near}'", replace_value(job.document, place, near)) if near else None
