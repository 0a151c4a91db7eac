"""Rules on Helm charts (TG730 to TG749)."""
