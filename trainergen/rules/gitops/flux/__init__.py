"""Rules on Flux CD (TG780 to TG799)."""
