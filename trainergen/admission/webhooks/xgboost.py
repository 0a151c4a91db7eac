"""Checks of the XGBoost plugin.

Source: kubeflow/trainer pkg/runtime/framework/plugins/xgboost/xgboost.go @ v2.2.1, v2.3.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainergen.admission.webhooks import checks
from trainergen.admission.webhooks.env import reserved_variables

if TYPE_CHECKING:
    from trainergen.admission.webhooks.review import Outcomes, Review

RESERVED_ENV = frozenset({"DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER"})


def check(review: Review) -> Outcomes:
    """What the XGBoost plugin refuses in a TrainJob."""
    trainer = review.request.trainer
    if review.policy("XGBoost", "mlPolicy", "xgboost") is not None and trainer is not None:
        yield from reserved_variables(trainer, RESERVED_ENV, checks.RESERVED_XGBOOST_ENV, owner="the XGBoost plugin")
