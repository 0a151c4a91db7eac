"""What rules look at, one module a view; ``trainergen.rules`` exports them."""
