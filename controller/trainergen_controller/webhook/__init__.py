"""The admission webhooks of the three Trainer kinds, answering from the same replay as ``trainergen check``."""

from trainergen_controller.webhook.answers import BadReviewError, Lookup, answer

__all__ = ["BadReviewError", "Lookup", "answer"]
