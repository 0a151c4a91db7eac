"""Work to be done: each key once, not before its time, and not faster than allowed."""

from trainergen_controller.queue.backoff import Backoff
from trainergen_controller.queue.rate import TokenBucket
from trainergen_controller.queue.work import WorkQueue

__all__ = ["Backoff", "TokenBucket", "WorkQueue"]
