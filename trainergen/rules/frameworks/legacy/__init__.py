"""Rules on the jobs of the Training Operator and the MPI Operator; they are called for these kinds and no others."""
