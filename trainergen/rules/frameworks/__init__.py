"""Rules on the frameworks: torch, torchtune, MPI, JAX, XGBoost, Flux (TG4xx)."""
