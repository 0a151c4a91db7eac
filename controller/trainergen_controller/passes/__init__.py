"""Pure passes: what is there in, what is to be done out. ``train_job.reconcile`` is the one over a TrainJob."""
