"""The plugin that makes the JobSet from the template and what the other plugins added.

Source: kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go, builder.go @ v2.0.1, v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api.access import integer_at, list_at, object_at, value_at
from trainergen.api.decode import plain
from trainergen.render.companion import framed
from trainergen.render.initializers import SECTIONS, configure_initializer
from trainergen.render.model import NODE, TRAINER, plugin_origin
from trainergen.render.resources import HALVES
from trainergen.render.trainer import add_trainer_env
from trainergen.render.upsert import MATCHES, settle

if TYPE_CHECKING:
    from trainergen.finding import JsonObject
    from trainergen.render.model import Draft, PodSet

GROUP = "jobset.x-k8s.io"
API_VERSION = f"{GROUP}/v1alpha2"


def identify_pod_network(draft: Draft) -> None:
    """Fix the replicas that endpoints are counted for. A missing number is one, and zero goes missing in Go."""
    if draft.rendering.endpoints_of_replicas:
        for pods in draft.pod_sets:
            replicas = integer_at(pods.job, "replicas")
            pods.replicas = 1 if replicas is None else replicas


class JobSet:
    """Adds what the TrainJob sets itself, so that this has the last word."""

    name = "JobSet"

    def build(self, draft: Draft) -> list[JsonObject]:
        """The JobSet, unless it exists and neither it nor the TrainJob is suspended."""
        live = draft.cluster.get(GROUP, "JobSet", draft.job.name, draft.job.namespace)
        if live is not None and not draft.job.suspended and value_at(plain(live), "spec", "suspend") is not True:
            draft.note("the cluster has the JobSet already; the controller changes it only while it is suspended")
            return []
        for pods in draft.pod_sets:
            _settle_lists(draft, pods)
            if pods.ancestor in SECTIONS:
                configure_initializer(draft, pods, self.name)
            self._configure_trainer(draft, pods)
            _mark_pods(draft, pods)
        made = framed(draft.job, draft.trace, self.name, kind=(API_VERSION, "JobSet"), name=draft.job.name)
        metadata = object_at(made, "metadata")
        if draft.labels:
            metadata["labels"] = draft.labels
        if draft.annotations:
            metadata["annotations"] = draft.annotations
        made["spec"] = draft.spec
        draft.put(draft.spec, "suspend", draft.job.spec.get("suspend"), draft.from_job("suspend"))
        return [made]

    def _configure_trainer(self, draft: Draft, pods: PodSet) -> None:
        is_trainer = pods.ancestor == TRAINER
        extends = draft.rendering.mpi_workers_take_trainer and draft.launcher_is_node and pods.name == NODE
        if is_trainer:
            draft.put(pods.job, "replicas", 1, plugin_origin(self.name))
        if draft.job.trainer is None or not (is_trainer or extends):
            return
        for container in pods.containers(NODE):
            if is_trainer:
                _set_command(draft, container)
            if not draft.rendering.resources_merged:
                _replace_resources(draft, container)
            add_trainer_env(draft, container)


def _settle_lists(draft: Draft, pods: PodSet) -> None:
    containers = pods.containers()
    if draft.rendering.init_containers_synced:
        containers += pods.containers(init=True)
    for owner in (pods.pod, *containers):
        for key, match in MATCHES.items():
            items = owner.get(key)
            if isinstance(items, list) and len(items) > 1:
                owner[key] = settle(items, match)  # type: ignore[arg-type, assignment]  # lists of objects


def _set_command(draft: Draft, container: JsonObject) -> None:
    """Image, command and args; an empty list is set like any other and so wipes the runtime's."""
    image = draft.job.trainer_field("image")
    if image is not None:
        draft.put(container, "image", image, draft.from_job("trainer", "image"))
    for key, words in draft.command.items():
        draft.put(container, key, [*list_at(words)], draft.trace.find(draft.command, (key,)))


def _replace_resources(draft: Draft, container: JsonObject) -> None:
    given = draft.job.trainer_field("resourcesPerNode")
    if not isinstance(given, dict) or all(given.get(half) is None for half in HALVES):
        return
    resources = {half: {**object_at(given, half)} for half in HALVES if given.get(half) is not None}
    draft.put(container, "resources", {**resources}, draft.from_job("trainer", "resourcesPerNode"))


def _mark_pods(draft: Draft, pods: PodSet) -> None:
    for key, marks, plugin in (
        ("labels", draft.pod_labels, "CoScheduling"),
        ("annotations", draft.pod_annotations, "Volcano"),
    ):
        if marks:
            template = pods.pod_template
            metadata = template.setdefault("metadata", {})
            merged = object_at(metadata, key)
            for name, value in marks.items():
                draft.put(merged, name, value, plugin_origin(plugin))
            if isinstance(metadata, dict):
                metadata[key] = merged
