"""Rules on security and tenancy (TG6xx)."""
