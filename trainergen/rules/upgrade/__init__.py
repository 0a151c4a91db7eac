"""Rules on upgrades and on what moved between releases (TG8xx)."""
