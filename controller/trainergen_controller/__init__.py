"""The in-cluster controller: the offline answers of trainergen, kept true in a living cluster."""
