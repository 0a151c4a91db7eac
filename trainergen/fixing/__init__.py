"""Applying fixes: which of them go together, round after round until nothing is left, and into the files."""
