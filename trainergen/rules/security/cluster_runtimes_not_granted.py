"""Rights on cluster runtimes that are given in one namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.rules import Findings, Source, rule

if TYPE_CHECKING:
    from trainergen.rules import Part

_RESOURCE = "clustertrainingruntimes"
_HELP = "Grant them by a ClusterRole with a ClusterRoleBinding, as kubeflow-trainer-view-cluster-runtimes does."


@rule(
    "TG650",
    "cluster-runtimes-not-granted",
    severity="warning",
    kinds=("Role", "RoleBinding"),
    triggers=(_RESOURCE, "ClusterRole"),
    looks_up=("ClusterRole", "ClusterRoleBinding"),
    mirrors=("kubeflow/trainer#2747", "kubeflow/trainer#3022"),
    answers=("A94",),
)
def cluster_runtimes_not_granted(source: Source) -> Findings:
    """Rights on ClusterTrainingRuntimes are given by a Role or RoleBinding.

    ## Why
    ClusterTrainingRuntimes have no namespace, and a Role or RoleBinding grants rights inside of one. Nothing refuses
    it; users and the SDK then get 403 when they list the runtimes, though the role says they may. A ClusterRole that is
    bound for the cluster as well is fine.

    ## Bad
    ```yaml title="role.yaml"
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata:
      name: trainer-user
    rules:
      - apiGroups: [trainer.kubeflow.org]
        resources: [trainjobs, clustertrainingruntimes]
        verbs: [get, list, watch]
    ```
    ```yaml title="binding.yaml"
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata:
      name: trainer-user
      namespace: team-a
    roleRef:
      apiGroup: rbac.authorization.k8s.io
      kind: ClusterRole
      name: trainer-user  # <-
    subjects:
      - apiGroup: rbac.authorization.k8s.io
        kind: Group
        name: team-a
    ```

    ## Good
    ```yaml
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata:
      name: trainer-runtimes
    rules:
      - apiGroups: [trainer.kubeflow.org]
        resources: [clustertrainingruntimes]
        verbs: [get, list, watch]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRoleBinding
    metadata:
      name: trainer-runtimes
    roleRef:
      apiGroup: rbac.authorization.k8s.io
      kind: ClusterRole
      name: trainer-runtimes
    subjects:
      - apiGroup: rbac.authorization.k8s.io
        kind: Group
        name: system:authenticated
    ```
    """
    if source.kind == "Role":
        for place in _grants(source):
            yield place.at().report(
                f"the Role '{source.name}' names {_RESOURCE}, but a Role grants nothing outside its namespace",
                help=_HELP,
            )
        return
    name = source.text("roleRef.name")
    role = source.objects.find("ClusterRole", name) if source.text("roleRef.kind") == "ClusterRole" else None
    if role is None or not _grants(role.object):
        return
    if not _granted_anyway(source):
        yield source.at("roleRef.name").report(
            f"the RoleBinding grants '{name}' in one namespace, but its {_RESOURCE} are outside of all", help=_HELP
        )


def _granted_anyway(source: Source) -> bool:
    """Whether some ClusterRoleBinding of the run grants them; who its subjects are is left open."""
    bound = {one.object.text("roleRef.name") for one in source.objects.of("ClusterRoleBinding")}
    return any(role.name in bound and _grants(role.object) for role in source.objects.of("ClusterRole"))


def _grants(role: Part) -> list[Part]:
    """The places where a role names the cluster runtimes."""
    return [
        rule.part("resources", index)
        for rule in role.parts("rules")
        for index, resource in enumerate(rule.texts("resources"))
        if resource == _RESOURCE
    ]
