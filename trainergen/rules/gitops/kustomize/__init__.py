"""Rules on kustomizations (TG700 to TG729)."""
