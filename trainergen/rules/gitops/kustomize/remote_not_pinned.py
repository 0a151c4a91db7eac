"""A remote resource without a fixed version."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from trainergen.rules import Findings, Kustomization, rule

_OURS = re.compile(r"kubeflow/(?:trainer|manifests|community-distribution)|kubernetes-sigs/(?:jobset|lws|kueue)\b")
_REF = re.compile(r"[?&](?:ref|version)=([^&#]+)")
_IN_PATH = re.compile(
    r"/(?:releases/download|raw|archive(?:/refs/tags)?)/([^/]+)/|githubusercontent\.com/[^/]+/[^/]+/([^/]+)/"
)
_MOVING = re.compile(r"(?:refs/heads/)?(?:main|master|latest|HEAD|develop|release-[\d.]+)")


@dataclass(frozen=True)
class Options:
    """Options of remote-not-pinned."""

    forbid_remotes: bool = field(
        default=False, metadata={"description": "Report every remote resource, for clusters without internet access."}
    )


@rule("TG724", "remote-not-pinned", severity="warning", answers=("K025", "A06"), options=Options)
def remote_not_pinned(kustomization: Kustomization, options: Options) -> Findings:
    """A kustomization fetches the Trainer, JobSet or Kueue from a repository without a fixed version.

    ## Why
    Without `ref` kustomize takes the default branch as it is at that minute. The same commit then renders other CRDs
    and another controller tomorrow, possibly those of a release that cannot follow on the installed one. A tag or a
    commit pins it. The option `forbid-remotes` reports pinned ones too: the Trainer's overlays fetch JobSet in turn.

    ## Bad
    ```yaml title="kustomization.yaml"
    resources:
      - https://github.com/kubeflow/trainer/manifests/overlays/manager  # <-
    ```

    ## Good
    ```yaml title="kustomization.yaml"
    resources:
      - https://github.com/kubeflow/trainer/manifests/overlays/manager?ref=v2.3.0
    ```
    """
    for part in kustomization.remotes:
        name = part.text()
        if not _OURS.search(name):
            continue
        version = _version(name)
        if not version or _MOVING.fullmatch(version):
            seen = f"the moving version '{version}'" if version else "no version"
            yield part.at().report(
                f"'{name}' has {seen}, so what it brings changes by itself",
                help="Add ?ref= with a tag or commit, or take a copy into the repository.",
            )
        elif options.forbid_remotes:
            yield part.at().report(
                f"'{name}' is fetched from elsewhere", help="Take a copy into the repository and list its path."
            )


def _version(name: str) -> str:
    reference = _REF.search(name)
    if reference:
        return reference[1]
    inside = _IN_PATH.search(name)
    return (inside[1] or inside[2]) if inside else ""
