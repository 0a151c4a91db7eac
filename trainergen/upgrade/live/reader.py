"""What the audit asks a cluster for, and the kinds that it asks for; there is no way to write."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from trainergen.admission.legacy.kinds import KINDS
from trainergen.api.structural import GROUP

if TYPE_CHECKING:
    from trainergen.finding import JsonObject


class Resource(NamedTuple):
    """A kind as the API server serves it."""

    group: str
    version: str
    plural: str
    kind: str

    @property
    def api_version(self) -> str:
        """As objects of the kind write it."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def path(self, namespace: str = "", name: str = "") -> str:
        """The URL path of a collection or an object; without ``namespace``, that of all namespaces."""
        steps = ["apis", self.group, self.version] if self.group else ["api", self.version]
        if namespace:
            steps += ["namespaces", namespace]
        return "/" + "/".join([*steps, self.plural, *([name] if name else [])])


class ReadError(Exception):
    """A read that failed; the text is the reason, for people."""


class NotFoundError(ReadError):
    """There is no such object, or the kind is not served."""


class ClusterReader(Protocol):
    """Reads from one cluster; every method raises ReadError."""

    @property
    def context(self) -> str:
        """The name that the cluster goes by."""

    def version(self) -> str:
        """The version of the API server."""

    def get(self, resource: Resource, name: str, namespace: str = "") -> JsonObject:
        """One object; NotFoundError when it does not exist."""

    def list(
        self, resource: Resource, *, namespace: str = "", selector: str = "", metadata_only: bool = False
    ) -> list[JsonObject]:
        """All objects, page by page; NotFoundError when the kind is not served.

        With ``metadata_only`` the server is asked to leave everything else out, and what it sends even so is dropped.
        """


CRDS = Resource("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition")
DEPLOYMENTS = Resource("apps", "v1", "deployments", "Deployment")
SECRETS = Resource("", "v1", "secrets", "Secret")
VALIDATING = Resource(
    "admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration"
)
MUTATING = Resource(
    "admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration"
)
TRAIN_JOBS = Resource(GROUP, "v1alpha1", "trainjobs", "TrainJob")
RUNTIMES = Resource(GROUP, "v1alpha1", "trainingruntimes", "TrainingRuntime")
CLUSTER_RUNTIMES = Resource(GROUP, "v1alpha1", "clustertrainingruntimes", "ClusterTrainingRuntime")
OWN = (CLUSTER_RUNTIMES, RUNTIMES, TRAIN_JOBS)
LEGACY = (
    *(Resource("kubeflow.org", kind.version, f"{kind.kind.lower()}s", kind.kind) for kind in KINDS.values()),
    *(Resource("kubeflow.org", "v2alpha1", one.plural, one.kind) for one in OWN),
)
