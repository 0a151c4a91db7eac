"""Kustomizations and charts, built in a sandbox, with the way from what they give back to what is written."""

from __future__ import annotations
