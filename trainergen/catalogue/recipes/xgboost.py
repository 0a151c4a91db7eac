"""XGBoost."""

from __future__ import annotations

from trainergen.api import MLPolicy, Trainer, XGBoostPolicy
from trainergen.catalogue.definition import Recipe
from trainergen.catalogue.parts import FRAMEWORK, NODE, TRAINER, cluster_runtime
from trainergen.catalogue.recipes.example import example_job, per_node
from trainergen.catalogue.recipes.hardening import (
    Size,
    hardened_job,
    hardened_jobset,
    home,
    in_home,
    pod,
    shared_memory,
)
from trainergen.releases import Lifespan

NAME = "xgboost"
SIZE = Size(cpu=8, memory="32Gi")
SCRIPT = """\
import os

import numpy
import xgboost
from xgboost import collective
from xgboost.tracker import RabitTracker

task, workers = os.environ["DMLC_TASK_ID"], int(os.environ["DMLC_NUM_WORKER"])
port = int(os.environ["DMLC_TRACKER_PORT"])
tracker = RabitTracker(n_workers=workers, host_ip="0.0.0.0", port=port) if task == "0" else None
if tracker:
    tracker.start()
with collective.CommunicatorContext(
    dmlc_tracker_uri=os.environ["DMLC_TRACKER_URI"], dmlc_tracker_port=port, dmlc_task_id=task
):
    values = numpy.random.default_rng(int(task)).normal(size=(10_000, 8))
    data = xgboost.QuantileDMatrix(values, label=values.sum(axis=1) > 0)
    booster = xgboost.train({"objective": "binary:logistic", "tree_method": "hist"}, data, num_boost_round=20)
    if collective.get_rank() == 0:
        print(f"{workers} workers, {booster.num_boosted_rounds()} rounds")
if tracker:
    tracker.wait_for()
"""

_node = in_home(
    NODE,
    "ghcr.io/kubeflow/trainer/xgboost-runtime:v2.3.0",
    SIZE,
    env=[{"name": "PYTHONUNBUFFERED", "value": "1"}],
    command=["python3"],
)
_pod = pod(grace=60, volumes=[home(), shared_memory("4Gi")])

XGBOOST = Recipe(
    use="Boosted trees with XGBoost over several nodes. One worker on each node uses all its CPUs; the worker of task "
    "0 starts the tracker.",
    change=(
        (
            "Resources of a node. Trainer counts one worker for each GPU, but starts one Pod: with GPUs, give each "
            "node exactly one."
        ),
        "The image, once your own holds your code; the user 1000 has to be able to read it.",
        "The example prints a line; write the model to a claim or an object store, for home is lost with the Pod.",
    ),
    lifespan=Lifespan(since="2.2"),
    runtime=cluster_runtime(
        NAME,
        MLPolicy(num_nodes=1, xgboost=XGBoostPolicy()),
        hardened_jobset(hardened_job(NODE, _node, _pod, step=TRAINER)),
        labels={FRAMEWORK: "xgboost"},
    ),
    job=example_job(NAME, Trainer(num_nodes=2, args=["-c", SCRIPT], resources_per_node=per_node(SIZE))),
)
