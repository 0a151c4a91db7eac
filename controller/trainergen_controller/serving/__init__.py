"""HTTPS for the webhooks and the status server: certificates that change while it serves, and limits."""
