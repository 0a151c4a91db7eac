"""Rules on counts, resources, processes and topology (TG3xx)."""
