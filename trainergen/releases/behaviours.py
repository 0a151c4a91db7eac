"""The named behaviours of a Trainer release; each release derives its set from the one before."""

from __future__ import annotations

from typing import Literal, NamedTuple

MergeTarget = Literal["PodSpec", "PodTemplateSpec", "JobTemplateSpec", "JobSetSpec"]


class Behaviours(NamedTuple):
    """What admission and the renderer ask instead of comparing version numbers.

    Source of every value: kubeflow/trainer at the release's tag and, for what a release changed, at the one before.
    """

    plugins: frozenset[str]
    """The runtime plugins of the release; a policy of any other is unknown to it.
    kubeflow/trainer pkg/runtime/framework/plugins/registry.go @ v2.0.1 to v2.3.0."""

    overrides_field: str
    """The ``spec`` field of a TrainJob that patches the runtime.
    kubeflow/trainer pkg/apis/trainer/v1alpha1/trainjob_types.go @ v2.0.1 to v2.3.0."""
    overrides_target: MergeTarget
    """The Go type that an override is merged onto, which decides what happens to names the runtime lacks: only
    ``JobSetSpec`` gains unknown jobs, all gain unknown containers.
    kubeflow/trainer pkg/runtime/core/trainingruntime.go @ v2.0.1 to v2.3.0."""
    overrides_have_managers: bool
    """Overrides are entries of named managers, and their names are checked.
    kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go @ v2.2.1."""
    overrides_target_jobs_once: bool
    """A job may be targeted once over all overrides.
    kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go @ v2.0.1."""
    overrides_change_while_old_suspended: bool
    """Overrides may change when the TrainJob was suspended before the update; else it must be suspended after it.
    kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go @ v2.1.0 and v2.2.1."""
    metadata_from_spec: bool
    """``spec.labels`` and ``spec.annotations`` of a TrainJob reach the JobSet; later releases take them from overrides.
    kubeflow/trainer pkg/runtime/core/trainingruntime.go @ v2.1.0 and v2.2.1."""

    mutates_train_jobs: bool
    """A mutating webhook stamps overrides with a time and writes the TrainJob anew from Go types.
    kubeflow/trainer pkg/webhooks/trainjob_webhook.go @ v2.2.1."""
    webhook_checks_job_name: bool
    """The webhook, not the schema, demands that a TrainJob is named by an RFC 1035 label; on create only.
    kubeflow/trainer pkg/webhooks/trainjob_webhook.go @ v2.0.1."""
    warns_of_deprecated_runtimes: bool
    """A cluster runtime labelled as deprecated gives warnings.
    kubeflow/trainer pkg/webhooks/clustertrainingruntime_webhook.go @ v2.1.0."""
    initializer_needs_mount: bool
    """The initializer containers of a runtime must mount the volume ``initializer``.
    kubeflow/trainer pkg/runtime/framework/plugins/jobset/jobset.go @ v2.3.0."""

    num_proc_per_node_words: bool
    """``numProcPerNode`` may be a word such as ``auto``, which the webhook checks.
    kubeflow/trainer pkg/runtime/framework/plugins/torch/torch.go, mpi/mpi.go @ v2.1.0."""
    torch_checks_need_num_proc: bool
    """Torch checks nothing unless the TrainJob sets ``numProcPerNode``.
    kubeflow/trainer pkg/runtime/framework/plugins/torch/torch.go @ v2.1.0."""
    torch_env_injection: bool
    """Torch variables can be injected into further containers of the runtime, which must exist.
    kubeflow/trainer pkg/runtime/framework/plugins/torch/torch.go @ v2.3.0."""
    torchtune_models: frozenset[str]
    """The models ``tune run`` is supported for, as derived from the runtime's name.
    kubeflow/trainer pkg/constants/constants.go @ v2.0.1 and v2.1.0."""
    torchtune_needs_nodes: bool
    """The webhook panics on ``tune run`` without ``numNodes``.
    kubeflow/trainer pkg/runtime/framework/plugins/torch/torchtune.go @ v2.1.0."""
    torchtune_qlora_limits: bool
    """QLoRA is refused for models and device counts it does not work with.
    kubeflow/trainer pkg/runtime/framework/plugins/torch/torchtune.go @ v2.1.0."""
    torchtune_flag_values: bool
    """QLoRA and DoRA arguments count only when their value is true; before, naming them was enough.
    kubeflow/trainer pkg/runtime/framework/plugins/torch/torchtune.go @ v2.2.1 and v2.3.0."""
    torchtune_lora_on_one_node: bool
    """LoRA arguments are refused on several nodes.
    kubeflow/trainer pkg/runtime/framework/plugins/torch/torchtune.go @ v2.3.0."""
    torchtune_locks_args: bool
    """Arguments that the runtime sets are refused in the TrainJob.
    kubeflow/trainer pkg/runtime/framework/plugins/torch/torchtune.go @ v2.3.0."""
    mpi_reserves_env: bool
    """The variables of Open MPI that the plugin sets are refused in the TrainJob.
    kubeflow/trainer pkg/runtime/framework/plugins/mpi/mpi.go @ v2.3.0."""
    flux_job_overrides_policy: bool
    """The check of Flux processes looks at the TrainJob's number first, before at the runtime's alone.
    kubeflow/trainer pkg/runtime/framework/plugins/flux/flux.go @ v2.2.1 and v2.3.0."""

    runtime_single_launcher: bool
    """A runtime's job ``launcher`` must have one replica whether or not it carries an ancestor label.
    kubeflow/trainer pkg/webhooks/trainingruntime_webhook.go @ v2.0.1."""
    runtime_needs_containers: bool
    """A runtime's labelled jobs must have the container that TrainJobs configure.
    kubeflow/trainer pkg/webhooks/trainingruntime_webhook.go @ v2.1.0."""
    runtime_can_opt_out: bool
    """A label on a runtime keeps it from the webhook.
    kubeflow/trainer manifests/base/webhook/patch_validating.yaml @ v2.3.0."""


V2_0 = Behaviours(
    plugins=frozenset({"PlainML", "Torch", "MPI", "CoScheduling", "JobSet"}),
    overrides_field="podSpecOverrides",
    overrides_target="PodSpec",
    overrides_have_managers=False,
    overrides_target_jobs_once=True,
    overrides_change_while_old_suspended=False,
    metadata_from_spec=True,
    mutates_train_jobs=False,
    webhook_checks_job_name=True,
    warns_of_deprecated_runtimes=False,
    initializer_needs_mount=False,
    num_proc_per_node_words=True,
    torch_checks_need_num_proc=True,
    torch_env_injection=False,
    torchtune_models=frozenset({"llama3_2/1B", "llama3_2/7B", "llama3_3/70B"}),
    torchtune_needs_nodes=True,
    torchtune_qlora_limits=False,
    torchtune_flag_values=False,
    torchtune_lora_on_one_node=False,
    torchtune_locks_args=False,
    mpi_reserves_env=False,
    flux_job_overrides_policy=False,
    runtime_single_launcher=True,
    runtime_needs_containers=False,
    runtime_can_opt_out=False,
)
V2_1 = V2_0._replace(
    plugins=V2_0.plugins | {"Volcano"},
    overrides_field="podTemplateOverrides",
    overrides_target="PodTemplateSpec",
    overrides_target_jobs_once=False,
    webhook_checks_job_name=False,
    warns_of_deprecated_runtimes=True,
    torchtune_models=frozenset({"llama3_2/1B", "llama3_2/3B", "llama3_3/70B", "qwen2_5/1.5B"}),
    torchtune_qlora_limits=True,
    runtime_single_launcher=False,
    runtime_needs_containers=True,
)
V2_2 = V2_1._replace(
    plugins=V2_1.plugins | {"JAX", "XGBoost", "Flux", "TrainJobStatus"},
    overrides_field="runtimePatches",
    overrides_target="JobTemplateSpec",
    overrides_have_managers=True,
    overrides_change_while_old_suspended=True,
    metadata_from_spec=False,
    mutates_train_jobs=True,
    num_proc_per_node_words=False,
    torch_checks_need_num_proc=False,
    torchtune_needs_nodes=False,
)
V2_3 = V2_2._replace(
    overrides_target="JobSetSpec",
    initializer_needs_mount=True,
    torch_env_injection=True,
    torchtune_flag_values=True,
    torchtune_lora_on_one_node=True,
    torchtune_locks_args=True,
    mpi_reserves_env=True,
    flux_job_overrides_policy=True,
    runtime_can_opt_out=True,
)
