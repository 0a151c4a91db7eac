"""What can be wrong with a build (TG025)."""

from __future__ import annotations

from trainergen.finding import Check, Layer

BUILD_FAILED = Check("TG025", "build-failed", Layer.YAML, "A kustomization or a chart cannot be built.")
