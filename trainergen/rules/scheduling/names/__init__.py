"""Rules on names and limits: what JobSet and Kubernetes refuse of the rendered objects."""
