"""The endpoint by which training code reports progress into ``status.trainerStatus``, as the Trainer has it since 2.2.

Source: kubeflow/trainer pkg/statusserver @ v2.2.1 and v2.3.0.
"""

from trainergen_controller.statusserver.routes import LIMIT, status_route
from trainergen_controller.statusserver.tokens import Authorizer, TokenReviews, audience

__all__ = ["LIMIT", "Authorizer", "TokenReviews", "audience", "status_route"]
