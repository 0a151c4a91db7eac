"""The kinds that the controller reads and writes, with where the API server serves them."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote


class ApiKind(NamedTuple):
    """One served resource; enough to make its paths without asking the API server for its discovery documents."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        """As objects of the kind write it: ``v1``, ``jobset.x-k8s.io/v1alpha2``."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def path(self, namespace: str = "", name: str = "", subresource: str = "") -> str:
        """The URL path of a collection, an object or a subresource; without ``namespace``, that of all namespaces."""
        steps = ["apis", self.group, self.version] if self.group else ["api", self.version]
        if self.namespaced and namespace:
            steps += ["namespaces", namespace]
        steps += [self.plural, name, subresource]
        return "/" + "/".join(_escaped(step) for step in steps if step)


def _escaped(step: str) -> str:
    """One step whatever it is called: a name that somebody wrote into a TrainJob must not lead to another path."""
    return step.replace(".", "%2E") if step in (".", "..") else quote(step, safe="")


TRAINER_GROUP = "trainer.kubeflow.org"
TRAIN_JOB = ApiKind(TRAINER_GROUP, "v1alpha1", "TrainJob", "trainjobs")
TRAINING_RUNTIME = ApiKind(TRAINER_GROUP, "v1alpha1", "TrainingRuntime", "trainingruntimes")
CLUSTER_TRAINING_RUNTIME = ApiKind(
    TRAINER_GROUP, "v1alpha1", "ClusterTrainingRuntime", "clustertrainingruntimes", False
)
JOB_SET = ApiKind("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets")
CONFIG_MAP = ApiKind("", "v1", "ConfigMap", "configmaps")
SECRET = ApiKind("", "v1", "Secret", "secrets")
NAMESPACE = ApiKind("", "v1", "Namespace", "namespaces", False)
LIMIT_RANGE = ApiKind("", "v1", "LimitRange", "limitranges")
RUNTIME_CLASS = ApiKind("node.k8s.io", "v1", "RuntimeClass", "runtimeclasses", False)
PRIORITY_CLASS = ApiKind("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", False)
POD_GROUP = ApiKind("scheduling.x-k8s.io", "v1alpha1", "PodGroup", "podgroups")
VOLCANO_POD_GROUP = ApiKind("scheduling.volcano.sh", "v1beta1", "PodGroup", "podgroups")
EVENT = ApiKind("events.k8s.io", "v1", "Event", "events")
CORE_EVENT = ApiKind("", "v1", "Event", "events")
LEASE = ApiKind("coordination.k8s.io", "v1", "Lease", "leases")
POLICY_REPORT = ApiKind("wgpolicyk8s.io", "v1alpha2", "PolicyReport", "policyreports")
CLUSTER_POLICY_REPORT = ApiKind("wgpolicyk8s.io", "v1alpha2", "ClusterPolicyReport", "clusterpolicyreports", False)
TOKEN_REVIEW = ApiKind("authentication.k8s.io", "v1", "TokenReview", "tokenreviews", False)
CUSTOM_RESOURCE_DEFINITION = ApiKind(
    "apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", False
)
VALIDATING_WEBHOOKS = ApiKind(
    "admissionregistration.k8s.io",
    "v1",
    "ValidatingWebhookConfiguration",
    "validatingwebhookconfigurations",
    False,
)
MUTATING_WEBHOOKS = ApiKind(
    "admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", False
)

KNOWN = (
    TRAIN_JOB,
    TRAINING_RUNTIME,
    CLUSTER_TRAINING_RUNTIME,
    JOB_SET,
    CONFIG_MAP,
    SECRET,
    NAMESPACE,
    LIMIT_RANGE,
    RUNTIME_CLASS,
    PRIORITY_CLASS,
    POD_GROUP,
    VOLCANO_POD_GROUP,
    EVENT,
    CORE_EVENT,
    LEASE,
    POLICY_REPORT,
    CLUSTER_POLICY_REPORT,
    CUSTOM_RESOURCE_DEFINITION,
)
_BY_NAME = {(known.api_version, known.kind): known for known in KNOWN}


def kind_of(api_version: str, kind: str) -> ApiKind:
    """The kind of an object; KeyError if the controller has nothing to do with it."""
    return _BY_NAME[api_version, kind]
