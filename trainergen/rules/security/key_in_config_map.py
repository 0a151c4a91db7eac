"""A private key in a ConfigMap."""

from __future__ import annotations

from trainergen.rules import Findings, Source, rule

_KEYS = ("id_rsa", "id_ed25519", "id_ecdsa", "ssh-privatekey", "ssh_private_key", "tls.key", "private.key")


@rule(
    "TG604",
    "key-in-config-map",
    severity="error",
    kinds=("ConfigMap",),
    triggers=_KEYS,
    answers=("M009",),
)
def key_in_config_map(source: Source) -> Findings:
    """A ConfigMap holds a private key.

    ## Why
    ConfigMaps are readable to far more people and workloads than Secrets, and nobody encrypts them. For MPI no key is
    needed at all: the controller makes one for each TrainJob and mounts it at `sshAuthMountPath`.

    ## Bad
    ```yaml
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: mpi-ssh
      namespace: team-a
    data:
      config: |
        StrictHostKeyChecking no
      id_ed25519: |  # <-
        -----BEGIN OPENSSH PRIVATE KEY-----
        (left out)
        -----END OPENSSH PRIVATE KEY-----
    ```

    ## Good
    ```yaml
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: mpi-ssh
      namespace: team-a
    data:
      config: |
        StrictHostKeyChecking no
      id_ed25519.pub: ssh-ed25519 (left out)
    ```
    """
    for field in ("data", "binaryData"):
        for key, part in source.entries(field):
            if key in _KEYS and (field == "binaryData" or "PRIVATE KEY-----" in part.text()):
                yield part.at().key.report(
                    f"key '{key}' of the ConfigMap '{source.name}' is a private key",
                    help="Make a new key and keep it in a Secret outside Git; those of MPI come from the controller.",
                )
