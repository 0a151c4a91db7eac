"""A role of a TFJob that the operator does not know."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule
from trainergen.rules.frameworks.legacy.jobs import legacy_job
from trainergen.spelling import did_you_mean


@rule("TG461", "legacy-role-misspelt", severity="error", profile="minimal", kinds=("TFJob",))
def legacy_role_misspelt(source: Source) -> Findings:
    """A TFJob has a role that the Training Operator does not know.

    ## Why
    The webhooks of other kinds refuse unknown roles, that of TFJob takes any. Pods of such a role run, but no rule of
    success or failure looks at them, and in `TF_CONFIG` they are a kind of task that TensorFlow does not know.

    ## Bad
    ```yaml
    apiVersion: kubeflow.org/v1
    kind: TFJob
    metadata:
      name: mnist
    spec:
      tfReplicaSpecs:
        Workers:  # <-
          replicas: 2
          template:
            spec:
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
          replicas: 2
          template:
            spec:
              containers:
                - name: tensorflow
                  image: ghcr.io/example/train:1.0
    ```
    """
    job = source.once(legacy_job)
    for role in job.roles if job is not None else ():
        if role.role not in role.kind.roles:
            yield role.at().key.report(
                f"role '{role.role}' is not one of {', '.join(role.kind.roles)}",
                help=f"Write the role as the kind spells it.{did_you_mean(role.role, role.kind.roles)}",
            )
