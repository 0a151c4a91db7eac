"""Rules on Argo CD (TG750 to TG779)."""
