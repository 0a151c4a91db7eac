"""Generation of everything in ``schemas/<release>`` from the typed model and the core snapshots."""
