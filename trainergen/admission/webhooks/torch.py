"""Checks of the Torch plugin.

Source: kubeflow/trainer pkg/runtime/framework/plugins/torch/torch.go @ v2.0.1, v2.1.0, v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.webhooks import checks, torchtune
from trainergen.admission.webhooks.env import reserved_variables
from trainergen.admission.webhooks.review import containers, named
from trainergen.api.access import list_at, text_at

if TYPE_CHECKING:
    from trainergen.admission.webhooks.review import Outcomes, Review
    from trainergen.finding import JsonObject

RESERVED_ENV = frozenset({"PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT"})
PROCESS_WORDS = ("auto", "cpu", "gpu")


def check(review: Review) -> Outcomes:
    """What the Torch plugin refuses in a TrainJob."""
    policy = review.policy("Torch", "mlPolicy", "torch")
    if policy is None:
        return
    behaviours = review.request.behaviours
    if behaviours.torch_env_injection:
        yield from _injection_targets(review, policy)
    trainer = review.request.trainer
    if trainer is None or (behaviours.torch_checks_need_num_proc and "numProcPerNode" not in trainer):
        return
    if behaviours.num_proc_per_node_words:
        yield from _process_word(trainer)
    yield from reserved_variables(trainer, RESERVED_ENV, checks.RESERVED_TORCH_ENV, owner="the torch plugin")
    if trainer.get("command") == torchtune.ENTRYPOINT:
        yield from torchtune.check(review, trainer)


def _injection_targets(review: Review, policy: JsonObject) -> Outcomes:
    for target in list_at(policy, "envInjection", "targets"):
        job_name = text_at(target, "jobName")
        job = next(iter(named(review.jobs, job_name)), {})
        have = [*containers(job), *containers(job, "initContainers")]
        for container in list_at(target, "containerNames"):
            if not named(have, str(container)):
                name = text_at(review.runtime, "metadata", "name")
                yield checks.MISSING_INJECTION_TARGET.at(
                    ("spec", "runtimeRef", "name"),
                    f"runtime '{name}' injects torch variables into container '{container}' of job '{job_name}',"
                    f" but has no such {'container' if job else 'job'}",
                    help="Correct spec.mlPolicy.torch.envInjection of the runtime, or refer to another runtime.",
                )


def _process_word(trainer: JsonObject) -> Outcomes:
    word = trainer["numProcPerNode"]
    if isinstance(word, str) and word not in PROCESS_WORDS:
        yield checks.INVALID_PROCESS_WORD.at(
            ("spec", "trainer", "numProcPerNode"),
            f"numProcPerNode is '{word}', but torch takes only an integer or one of {', '.join(PROCESS_WORDS)}",
            help="Write the number without quotes." if word.isdigit() else "Write auto, cpu, gpu or a number.",
        )
