"""Rules on scheduling, queues, names, life cycle and networking (TG5xx)."""
