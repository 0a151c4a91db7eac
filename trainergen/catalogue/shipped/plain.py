"""JAX, XGBoost and Flux: one container, and all the rest is done by Trainer's plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.api import FluxPolicy, JAXPolicy, JobSetSpec, MLPolicy, XGBoostPolicy
from trainergen.catalogue.changing import Changing
from trainergen.catalogue.definition import Shipped
from trainergen.catalogue.parts import FRAMEWORK, NODE, TRAINER, UNCHECKED, cluster_runtime, replicated_job
from trainergen.releases import Lifespan

if TYPE_CHECKING:
    from trainergen.api import ClusterTrainingRuntime

SINCE = Lifespan(since="2.2")
FLUX_NAME = Changing({"2.2": "flux-runtime", "2.3": "flux-distributed"})
FLUX_LABELS = Changing({"2.2": {FRAMEWORK: "flux"}, "2.3": {FRAMEWORK: "flux"} | UNCHECKED})


def _of_one_container(name: str, policy: MLPolicy, image: str, labels: dict[str, str]) -> ClusterTrainingRuntime:
    job = replicated_job(NODE, {"name": NODE, "image": image}, step=TRAINER)
    return cluster_runtime(name, policy, JobSetSpec(replicated_jobs=[job]), labels=labels)


def _jax(_: str) -> ClusterTrainingRuntime:
    policy = MLPolicy(num_nodes=1, jax=JAXPolicy())
    return _of_one_container("jax-distributed", policy, "nvcr.io/nvidia/jax:25.10-py3", {FRAMEWORK: "jax"})


def _xgboost(_: str) -> ClusterTrainingRuntime:
    policy, image = MLPolicy(num_nodes=1, xgboost=XGBoostPolicy()), "ghcr.io/kubeflow/trainer/xgboost-runtime"
    return _of_one_container("xgboost-distributed", policy, image, {FRAMEWORK: "xgboost"})


def _flux(release: str) -> ClusterTrainingRuntime:
    policy, labels = MLPolicy(num_nodes=1, flux=FluxPolicy()), FLUX_LABELS.at(release)
    return _of_one_container(FLUX_NAME.at(release), policy, "ubuntu:jammy", labels)


JAX = Shipped(
    about="JAX on any number of nodes, one process on each for all its devices. The program has to hand the JAX_* "
    "variables to jax.distributed.initialize.",
    source="manifests/base/runtimes/jax_distributed.yaml",
    runtime=_jax,
    lifespan=SINCE,
)
XGBOOST = Shipped(
    about="XGBoost on any number of nodes, one worker on each, or one for each of its GPUs. The program of task 0 has "
    "to start the tracker on the port in DMLC_TRACKER_PORT.",
    source="manifests/base/runtimes/xgboost_distributed.yaml",
    runtime=_xgboost,
    lifespan=SINCE,
)
FLUX = Shipped(
    about="Any program under a Flux scheduler that Trainer starts across the nodes. An example that no installation "
    "brings along: apply it yourself. TrainJobs have to set numNodes, and FLUX_VIEW_IMAGE to fit the image's system.",
    source="examples/flux/flux-runtime.yaml",
    runtime=_flux,
    lifespan=SINCE,
    installed=False,
)
