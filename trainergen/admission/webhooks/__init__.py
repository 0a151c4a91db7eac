"""Trainer's webhooks: what they mutate, refuse and warn of, release by release."""
