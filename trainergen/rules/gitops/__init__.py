"""Rules on what brings manifests to the cluster (TG7xx)."""
