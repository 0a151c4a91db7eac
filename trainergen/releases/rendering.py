"""The named behaviours of a Trainer release that decide what it renders; each release derives its set from the last."""

from __future__ import annotations

from typing import Literal, NamedTuple

PodGroupResources = Literal["runtime", "replaced", "merged"]


class Rendering(NamedTuple):
    """What the renderer asks instead of comparing version numbers.

    Source of every value: kubeflow/trainer at the release's tag and, for what a release changed, at the one before.
    """

    runtime_snapshot: bool
    """The runtime is kept in a ConfigMap at the first reconcile and never read again.
    kubeflow/trainer pkg/runtime/core/snapshot.go @ v2.3.0."""

    resources_merged: bool
    """``resourcesPerNode`` is laid over the runtime's resources key by key, and only where there is an ML policy;
    before, it replaced them. kubeflow/trainer pkg/runtime/core/trainingruntime.go @ v2.2.1 and v2.3.0."""
    pod_group_resources: PodGroupResources
    """What a PodGroup counts for the trainer: the runtime's resources, ``resourcesPerNode`` instead, or both merged.
    kubeflow/trainer pkg/runtime/core/trainingruntime.go @ v2.1.0, v2.2.1, v2.3.0."""
    pod_level_hugepages: bool
    """Huge pages requested for a whole Pod count, not only its CPU and memory.
    kubernetes/component-helpers resource/helpers.go @ v0.32.2 and v0.34.1."""

    counts_by_name: bool
    """The node count is written to the job of that name, so of two equal names only the first gets one; before, by
    position. kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go SyncParallelCount @ v2.3.0."""
    count_for_every_trainer: bool
    """Every job labelled as trainer gets the node count of the first.
    kubeflow/trainer pkg/runtime/framework/plugins/jobset/builder.go @ v2.0.1."""
    endpoints_of_replicas: bool
    """A host file lists the Pods of every replica of a job, not of the first only.
    kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go IdentifyPodNetwork @ v2.2.1 and v2.3.0."""
    init_containers_synced: bool
    """Ports, mounts and variables of init containers are written into themselves, as those of containers are.
    kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go Build @ v2.2.1 and v2.3.0."""

    plain_excludes: frozenset[str]
    """The policies whose TrainJobs the plugin for plain jobs leaves alone.
    kubeflow/trainer pkg/runtime/framework/plugins/plainml/plainml.go @ v2.1.0 and v2.2.1."""

    torch_policy_has_processes: bool
    """The Torch policy of a runtime carries a number of processes to start from.
    kubeflow/trainer pkg/runtime/framework/plugins/torch/torch.go @ v2.1.0 and v2.2.1."""
    torch_asks_requests_last: bool
    """Processes are derived from the TrainJob's resources alone, limits first, and the answer for requests wins.
    kubeflow/trainer pkg/runtime/framework/plugins/torch/torch.go @ v2.0.1."""
    torchtune_adapters: bool
    """LoRA and QLoRA recipes are chosen, and a single GPU makes a single device.
    kubeflow/trainer pkg/runtime/framework/plugins/torch/torchtune.go @ v2.1.0."""
    torchtune_overrides: frozenset[str]
    """The parts of a runtime's torchtune command that survive in the TrainJob's.
    kubeflow/trainer pkg/constants/constants.go @ v2.0.1 and v2.1.0."""

    mpi_slots_from_gpus: bool
    """One process per node in the runtime means one for each GPU.
    kubeflow/trainer pkg/runtime/framework/plugins/mpi/mpi.go @ v2.0.1 and v2.1.0."""
    mpi_workers_take_trainer: bool
    """With ``runLauncherAsNode``, environment and resources of the TrainJob reach the job ``node`` too.
    kubeflow/trainer pkg/runtime/framework/plugins/jobset/builder.go @ v2.0.1 and v2.1.0."""
    mpi_key_modes: bool
    """The volume with the SSH keys sets file modes.
    kubeflow/trainer pkg/runtime/framework/plugins/mpi/mpi.go @ v2.2.1 and v2.3.0."""

    jax_needs_trainer: bool
    """The JAX plugin panics when no job is labelled as trainer.
    kubeflow/trainer pkg/runtime/framework/plugins/jax/jax.go @ v2.2.1 and v2.3.0."""
    flux_takes_runtime_command: bool
    """Without a command in the TrainJob, Flux runs the runtime's; before, an interactive broker.
    kubeflow/trainer pkg/runtime/runtime.go toPodSetContainer @ v2.2.1 and v2.3.0."""
    flux_shared_memory: bool
    """Flux Pods get a volume for ``/dev/shm``.
    kubeflow/trainer pkg/runtime/framework/plugins/flux/flux.go @ v2.2.1 and v2.3.0."""
    flux_resource_ranges: bool
    """The resource file names cores and GPUs; before, it was made from the node that writes it.
    kubeflow/trainer pkg/runtime/framework/plugins/flux/flux.go @ v2.2.1 and v2.3.0."""

    coscheduling_label_always: bool
    """Any ``podGroupPolicy``, even an empty one, labels the Pods for coscheduling.
    kubeflow/trainer pkg/runtime/framework/plugins/coscheduling/coscheduling.go @ v2.0.1 and v2.1.0."""

    managed_by_honoured: bool
    """The controller leaves a TrainJob alone that ``managedBy`` gives to another one.
    kubeflow/trainer pkg/controller/trainjob_controller.go @ v2.2.1 and v2.3.0."""


V2_0 = Rendering(
    runtime_snapshot=False,
    resources_merged=False,
    pod_group_resources="runtime",
    pod_level_hugepages=False,
    counts_by_name=False,
    count_for_every_trainer=True,
    endpoints_of_replicas=False,
    init_containers_synced=False,
    plain_excludes=frozenset({"torch", "mpi"}),
    torch_policy_has_processes=True,
    torch_asks_requests_last=True,
    torchtune_adapters=False,
    torchtune_overrides=frozenset({"output_dir", "tokenizer.path", "checkpointer.checkpoint_dir"}),
    mpi_slots_from_gpus=False,
    mpi_workers_take_trainer=False,
    mpi_key_modes=False,
    jax_needs_trainer=False,
    flux_takes_runtime_command=False,
    flux_shared_memory=False,
    flux_resource_ranges=False,
    coscheduling_label_always=True,
    managed_by_honoured=False,
)
V2_1 = V2_0._replace(
    pod_level_hugepages=True,
    count_for_every_trainer=False,
    torch_asks_requests_last=False,
    torchtune_adapters=True,
    torchtune_overrides=V2_0.torchtune_overrides | {"tokenizer.merges_file"},
    mpi_slots_from_gpus=True,
    mpi_workers_take_trainer=True,
    coscheduling_label_always=False,
)
V2_2 = V2_1._replace(
    pod_group_resources="replaced",
    plain_excludes=V2_1.plain_excludes | {"jax"},
    torch_policy_has_processes=False,
    jax_needs_trainer=True,
)
V2_3 = V2_2._replace(
    runtime_snapshot=True,
    resources_merged=True,
    pod_group_resources="merged",
    counts_by_name=True,
    endpoints_of_replicas=True,
    init_containers_synced=True,
    mpi_key_modes=True,
    jax_needs_trainer=False,
    flux_takes_runtime_command=True,
    flux_shared_memory=True,
    flux_resource_ranges=True,
    managed_by_honoured=True,
)
