"""What the containers of a job see before and after a migration: environments, Pod by Pod, and how they differ.

Start at ``compare``. What cannot be known before a Pod runs, such as values of Secrets, is left out on both sides.
"""

from trainergen.migrate.simulation.comparison import compare

__all__ = ["compare"]
