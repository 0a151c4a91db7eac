"""A credential that kustomize is to put into a Secret or ConfigMap."""

from __future__ import annotations

from trainergen.rules import Findings, Kustomization, rule
from trainergen.rules.security.credentials import credential_in, is_credential


@rule(
    "TG605",
    "secret-in-generator",
    severity="error",
    triggers=("secretGenerator", "configMapGenerator"),
    answers=("M009",),
)
def secret_in_generator(kustomization: Kustomization) -> Findings:
    """A kustomization has a credential among the literals of a generator.

    ## Why
    The Secret that kustomize makes is not in Git, but its content is: in the kustomization, for all who can read the
    repository, now and in its history.

    ## Bad
    ```yaml title="kustomization.yaml"
    resources:
      - bert.yaml
    secretGenerator:
      - name: wandb
        literals:
          - WANDB_API_KEY=9c1f7be02d46a8e35b70d1c94f6a2e83d5b7c016  # <-
    generatorOptions:
      disableNameSuffixHash: true
    ```
    ```yaml title="bert.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer: {}
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    resources:
      - bert.yaml
    secretGenerator:
      - name: wandb
        envs:
          - wandb.env
    generatorOptions:
      disableNameSuffixHash: true
    ```
    ```yaml title="bert.yaml"
    apiVersion: trainer.kubeflow.org/v1alpha1
    kind: TrainJob
    metadata:
      name: bert
      namespace: team-a
    spec:
      runtimeRef:
        name: torch-distributed
      trainer: {}
    ```
    """
    for field in ("secretGenerator", "configMapGenerator"):
        for generator in kustomization.parts(field):
            for index, literal in enumerate(generator.texts("literals")):
                key, _, value = literal.partition("=")
                if credential_in(value) or is_credential(key, value.strip("'\"")):
                    yield generator.at("literals", index).report(
                        f"the literal '{key}' of '{generator.text('name')}' holds a credential in plain text",
                        help="Revoke it, and read the new one from a file that is not in Git.",
                    )
