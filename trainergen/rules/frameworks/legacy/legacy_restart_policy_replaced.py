"""A restart policy of a Pod that the role's replaces."""

from __future__ import annotations

from trainergen.rules import Findings, Source, fix, rule
from trainergen.rules.frameworks.legacy.jobs import KINDS, legacy_job
from trainergen.source.edits import delete_entry


@rule(
    "TG454",
    "legacy-restart-policy-replaced",
    severity="warning",
    kinds=KINDS,
    triggers=("restartPolicy",),
    answers=("A84",),
    fix="safe",
)
def legacy_restart_policy_replaced(source: Source) -> Findings:
    """A Pod template has a restart policy, which the operator replaces by that of the role.

    ## Why
    What counts is `restartPolicy` beside `replicas`, or its default: OnFailure in a PyTorchJob or PaddleJob, and Never
    in most others. The operator writes it over the Pod's, and says so in an event only.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: TFJob
    metadata:
      name: mnist
    spec:
      tfReplicaSpecs:
        Worker:
          replicas: 1
          template:
            spec:
              restartPolicy: OnFailure  # <-
              containers:
                - name: tensorflow
                  image: ghcr.io/example/train:1.0
    ```

    ## Good
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: TFJob
    metadata:
      name: mnist
    spec:
      tfReplicaSpecs:
        Worker:
          replicas: 1
          restartPolicy: OnFailure
          template:
            spec:
              containers:
                - name: tensorflow
                  image: ghcr.io/example/train:1.0
    ```
    """
    job = source.once(legacy_job)
    for role in job.roles if job is not None else ():
        written = role.text("template.spec.restartPolicy")
        counts = role.restart_policy
        if written and written != counts and (written, counts) != ("Never", "ExitCode"):
            spot = role.at("template.spec.restartPolicy")
            yield spot.report(
                f"restartPolicy {written} of the Pod is replaced by that of {role.words}, which is {counts}",
                help=f"Write restartPolicy: {written} beside the replicas of {role.words} if it is meant.",
                fix=fix("remove restartPolicy from the Pod", delete_entry(source.document, spot.path)),
            )
