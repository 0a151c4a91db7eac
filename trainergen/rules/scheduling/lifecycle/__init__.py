"""Rules on the life of a TrainJob: restarts, deadlines, and what is left behind."""
