"""A patch for a job that the runtime does not have."""

from __future__ import annotations

from trainergen.rules import Findings, Job, fix, rule
from trainergen.rules.references.overridden import jobs_of_runtime, targets
from trainergen.source.edits import replace_value
from trainergen.spelling import nearest


@rule(
    "TG207",
    "patched-job-unknown",
    severity="error",
    profile="minimal",
    since="2.3",
    triggers=("runtimePatches",),
    mirrors="kubernetes-sigs/kueue#14504",
    answers=("A04",),
    fix="unsafe",
)
def patched_job_unknown(job: Job) -> Findings:
    """A runtime patch names a job that the runtime does not have.

    ## Why
    Since 2.3 patches are merged into the JobSet before they are checked, so that an unknown job is found in the result
    and admitted. It is added to the JobSet with what the patch says of it: no image, often no container. The Job is
    refused, and the settings are missing where they were meant for. Up to 2.2 the webhook refused such a patch.

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
                  - name: nodes  # <-
                    template:
                      spec:
                        template:
                          spec:
                            nodeSelector:
                              pool: a100
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
                            nodeSelector:
                              pool: a100
    ```
    """
    known = jobs_of_runtime(job)
    for target in targets(job):
        name = target.job.text("name")
        if name in known:
            continue
        near = nearest(name, known) or ("node" if name in ("trainer", "worker") and "node" in known else "")
        place = target.job.at("name")
        yield place.report(
            f"the {job.runtime.words} has no job '{name}'",
            help=f"Did you mean '{near}'?" if near else f"Its jobs are {', '.join(known)}.",
            fix=fix(f"patch the job '{near}'", replace_value(job.document, place.path, near)) if near else None,
        )
