"""A Secret with its content in Git."""

from __future__ import annotations

import base64
import binascii

from trainergen.rules import Findings, Source, rule
from trainergen.rules.security.credentials import credential_in, is_credential, is_stand_in


@rule(
    "TG603",
    "plain-secret",
    severity="error",
    kinds=("Secret",),
    triggers=("stringData", "data"),
    answers=("M009",),
)
def plain_secret(source: Source) -> Findings:
    """A Secret manifest holds a credential that anybody can read.

    ## Why
    Base64 is no encryption: a Secret in Git gives its content to all who can read the repository, now and in its
    history. Content that SOPS has encrypted, stand-ins that a tool fills in, and empty keys are fine; so are
    SealedSecret and ExternalSecret.

    ## Bad
    ```yaml
    apiVersion: v1
    kind: Secret
    metadata:
      name: hf-token
      namespace: team-a
    stringData:
      ACCESS_TOKEN: Zk3vQ9rT1xLw8mBn5cYp2dHs7gJf4aKu  # <-
    ```

    ## Good
    ```yaml
    apiVersion: v1
    kind: Secret
    metadata:
      name: hf-token
      namespace: team-a
    stringData:
      ACCESS_TOKEN: ${HF_ACCESS_TOKEN}
    ```
    """
    if source.has("sops"):
        return
    for field in ("stringData", "data"):
        for key, part in source.entries(field):
            text = part.text() if field == "stringData" else _decoded(part.text())
            if credential_in(text) or is_credential(key, text.strip()) or _is_login(key, text):
                yield part.at().report(
                    f"key '{key}' of the Secret '{source.name}' holds a credential in plain text",
                    help="Revoke it, and keep the new one encrypted (SOPS, SealedSecret) or outside Git.",
                )


def _is_login(key: str, text: str) -> bool:
    """Whether it is the configuration of a registry client, with a login."""
    return key in (".dockerconfigjson", ".dockercfg") and '"auth"' in text and not is_stand_in(text)


def _decoded(text: str) -> str:
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
        return ""
