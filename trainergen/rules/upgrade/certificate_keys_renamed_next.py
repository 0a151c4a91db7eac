"""Settings for the webhook certificate that the next release calls otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, rule

if TYPE_CHECKING:
    from trainergen.rules import Part

_RENAMED = {"webhookServiceName": "serviceName", "webhookSecretName": "secretName"}
_SECTION = "certManagement"


@rule(
    "TG804",
    "certificate-keys-renamed-next",
    severity="warning",
    profile="strict",
    kinds=("Configuration", "HelmRelease", "Application", "ApplicationSet"),
    since="2.1",
    until="2.3",
    triggers=tuple(_RENAMED),
    mirrors=("kubeflow/trainer#3327", "kubeflow/trainer#3386"),
    answers=("U008",),
)
def certificate_keys_renamed_next(source: Source) -> Findings:
    """The configuration of the Trainer names its webhook by keys that 2.4 renames.

    ## Why
    In 2.4 `certManagement.webhookServiceName` is `serviceName`, and `webhookSecretName` is `secretName`. The manager
    decodes its configuration strictly and stops at the old keys; in values of the chart they are ignored, and the
    certificate is made for the default names. Change them together with the release.

    ## Bad
    ```yaml
    apiVersion: config.trainer.kubeflow.org/v1alpha1
    kind: Configuration
    certManagement:
      enable: true
      webhookServiceName: trainer-webhook  # <-
      webhookSecretName: trainer-webhook-cert  # <-
    ```

    ## Good
    ```yaml
    apiVersion: config.trainer.kubeflow.org/v1alpha1
    kind: Configuration
    certManagement:
      enable: true
    ```
    """
    for section in _sections(source):
        for old, new in _RENAMED.items():
            if section.has(old):
                yield section.at(old).key.report(
                    f"Trainer 2.4 calls '{old}' '{new}' and does not know the old name",
                    help=f"Rename it to {new} in the change that brings 2.4.",
                )


def _sections(part: Part) -> Iterator[Part]:
    for key, value in part.entries():
        if key == _SECTION:
            yield value
        elif isinstance(value.value, dict):
            yield from _sections(value)
        elif isinstance(value.value, list):
            for item in value.parts():
                yield from _sections(item)
