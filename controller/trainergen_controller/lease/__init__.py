"""Who may write: one replica at a time, and only while it can prove it."""

from trainergen_controller.lease.election import Election
from trainergen_controller.lease.fence import Fence, FencedClient, NotLeadingError
from trainergen_controller.lease.hold import Hold, Terms

__all__ = ["Election", "Fence", "FencedClient", "Hold", "NotLeadingError", "Terms"]
