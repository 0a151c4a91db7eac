"""Fields of the webhook certificate in Git that the controller fills in."""

from __future__ import annotations

from trainergen.rules import Findings, Source, fix, rule
from trainergen.source.edits import delete_entry

_SECRETS = frozenset({"kubeflow-trainer-webhook-cert", "jobset-webhook-server-cert"})
_WEBHOOKS = frozenset(
    {
        "validator.trainer.kubeflow.org",
        "defaulter.trainer.kubeflow.org",
        "jobset-validating-webhook-configuration",
        "jobset-mutating-webhook-configuration",
    }
)


@rule(
    "TG745",
    "certificate-in-git",
    severity="warning",
    kinds=("Secret", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"),
    triggers=(*sorted(_SECRETS), *sorted(_WEBHOOKS)),
    mirrors=("kubeflow/trainer#3627", "kubernetes-sigs/jobset#1248"),
    answers=("A13", "A118", "H019"),
    fix="unsafe",
)
def certificate_in_git(source: Source) -> Findings:
    """The Secret or the CA bundle of the Trainer's or JobSet's webhooks is written out in a manifest.

    ## Why
    The controllers make these certificates themselves and write them into the cluster. Whoever declares the keys, even
    empty, owns them: each sync puts the empty value back and webhooks fail until the next rotation, and a server-side
    apply ends in a conflict. Leave the fields out, or tell the tool to ignore them.

    ## Bad
    ```yaml title="secret.yaml"
    apiVersion: v1
    kind: Secret
    metadata:
      name: kubeflow-trainer-webhook-cert
      namespace: kubeflow-system
    type: Opaque
    data:  # <-
      ca.crt: ""
      tls.crt: ""
      tls.key: ""
    ```

    ## Good
    ```yaml title="secret.yaml"
    apiVersion: v1
    kind: Secret
    metadata:
      name: kubeflow-trainer-webhook-cert
      namespace: kubeflow-system
    type: Opaque
    ```
    """
    if source.kind != "Secret":
        yield from _bundles(source)
    elif source.name in _SECRETS and not source.has("sops"):
        for key in ("data", "stringData"):
            if source.mapping(key):
                yield source.at(key).key.report(
                    f"the controller fills in '{source.name}', but {key} declares {', '.join(source.mapping(key))}",
                    help=f"Remove {key}, or issue the certificate by cert-manager.",
                    fix=fix(f"remove {key}", delete_entry(source.document, (key,))),
                )


def _bundles(source: Source) -> Findings:
    for webhook in source.parts("webhooks") if source.name in _WEBHOOKS else ():
        if webhook.get("clientConfig.caBundle") is not None:
            path = (*webhook.path, "clientConfig", "caBundle")
            yield webhook.at("clientConfig.caBundle").key.report(
                f"the controller fills in the caBundle of '{source.name}', but the manifest declares it",
                help="Remove it from the manifest.",
                fix=fix("remove caBundle", delete_entry(source.document, path)),
            )
