"""Rules on references: runtimes, initializers, jobs, containers, volumes, secrets, accounts (TG2xx)."""
